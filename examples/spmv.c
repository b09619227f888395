// Sparse matrix (compressed rows) times vector.
void spmv(int n, const int *restrict row, const int *restrict col, const double *restrict v, const double *restrict x, double *restrict y)
{
	for (int i = 0; i < n; i++) {
		double s = 0;
		for (int k = row[i]; k < row[i + 1]; k++)
			s += v[k] * x[col[k]];
		y[i] = s;
	}
}
