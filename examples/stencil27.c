// 27-point stencil in three dimensions with weights by distance.
void stencil27(long n, const double *restrict a, double *restrict b, const double *restrict w)
{
	long p = n * n;
	double w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3];
	for (long i = 1; i < n - 1; i++)
		for (long j = 1; j < n - 1; j++)
			for (long k = 1; k < n - 1; k++) {
				const double *x = a + i * p + j * n + k;
				b[i * p + j * n + k] = w0 * x[0]
					+ w1 * (x[-1] + x[1] + x[-n] + x[n] + x[-p] + x[p])
					+ w2 * (x[-n - 1] + x[-n + 1] + x[n - 1] + x[n + 1] + x[-p - 1] + x[-p + 1] + x[p - 1] + x[p + 1] + x[-p - n] + x[-p + n] + x[p - n] + x[p + n])
					+ w3 * (x[-p - n - 1] + x[-p - n + 1] + x[-p + n - 1] + x[-p + n + 1] + x[p - n - 1] + x[p - n + 1] + x[p + n - 1] + x[p + n + 1]);
			}
}
