// 5-point Gauss-Seidel sweep in two dimensions: in place, so each update waits for the one before.
void gauss_seidel(long n, long m, double *a)
{
	for (long i = 1; i < n - 1; i++)
		for (long j = 1; j < m - 1; j++)
			a[i * m + j] = 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]);
}
