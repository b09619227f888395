// 7-point stencil in three dimensions.
void stencil7(long n, const double *restrict a, double *restrict b, double c0, double c1)
{
	long p = n * n;
	for (long i = 1; i < n - 1; i++)
		for (long j = 1; j < n - 1; j++)
			for (long k = 1; k < n - 1; k++) {
				const double *x = a + i * p + j * n + k;
				b[i * p + j * n + k] = c0 * x[0] + c1 * (x[-1] + x[1] + x[-n] + x[n] + x[-p] + x[p]);
			}
}
