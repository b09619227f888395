// Dense matrix times vector, row by row.
void matvec(long n, const double *restrict a, const double *restrict x, double *restrict y)
{
	for (long i = 0; i < n; i++) {
		double s = 0;
		for (long j = 0; j < n; j++)
			s += a[i * n + j] * x[j];
		y[i] = s;
	}
}
