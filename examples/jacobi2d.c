// 5-point Jacobi sweep in two dimensions.
void jacobi2d(long n, long m, const double *restrict a, double *restrict b)
{
	for (long i = 1; i < n - 1; i++)
		for (long j = 1; j < m - 1; j++)
			b[i * m + j] = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]);
}
