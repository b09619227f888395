// Elimination step of an LU factorisation without pivoting.
void lu(long n, double *a)
{
	for (long k = 0; k < n; k++)
		for (long i = k + 1; i < n; i++) {
			double f = a[i * n + k] /= a[k * n + k];
			for (long j = k + 1; j < n; j++)
				a[i * n + j] -= f * a[k * n + j];
		}
}
