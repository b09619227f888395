// Stencils in two and three dimensions, out of place and in place.
#define I2(i, j) ((long)(i) * n + (j))
#define I3(i, j, k) (((long)(i) * n + (j)) * n + (k))
void jacobi5(int n, const double *restrict a, double *restrict b, double s) {
	for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++)
		b[I2(i, j)] = s * (a[I2(i - 1, j)] + a[I2(i + 1, j)] + a[I2(i, j - 1)] + a[I2(i, j + 1)]);
}
void jacobi9f(int n, const float *restrict a, float *restrict b, const float *w) {
	for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) {
		float s = 0;
		for (int p = -1; p <= 1; p++) for (int q = -1; q <= 1; q++) s += w[(p + 1) * 3 + q + 1] * a[I2(i + p, j + q)];
		b[I2(i, j)] = s;
	}
}
void gauss_seidel(int n, double *a) {
	for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++)
		a[I2(i, j)] = 0.25 * (a[I2(i - 1, j)] + a[I2(i + 1, j)] + a[I2(i, j - 1)] + a[I2(i, j + 1)]);
}
void red_black(int n, double *a, const double *f, int color, double h2) {
	for (int i = 1; i < n - 1; i++) for (int j = 1 + (i + color) % 2; j < n - 1; j += 2)
		a[I2(i, j)] = 0.25 * (a[I2(i - 1, j)] + a[I2(i + 1, j)] + a[I2(i, j - 1)] + a[I2(i, j + 1)] - h2 * f[I2(i, j)]);
}
void stencil7(int n, const double *restrict a, double *restrict b, double c0, double c1) {
	for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) for (int k = 1; k < n - 1; k++)
		b[I3(i, j, k)] = c0 * a[I3(i, j, k)] + c1 * (a[I3(i - 1, j, k)] + a[I3(i + 1, j, k)] + a[I3(i, j - 1, k)] + a[I3(i, j + 1, k)] + a[I3(i, j, k - 1)] + a[I3(i, j, k + 1)]);
}
void stencil27(int n, const float *restrict a, float *restrict b, const float *restrict w) {
	for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) for (int k = 1; k < n - 1; k++) {
		float s = 0;
		for (int p = -1; p <= 1; p++) for (int q = -1; q <= 1; q++) for (int r = -1; r <= 1; r++)
			s += w[p * p + q * q + r * r] * a[I3(i + p, j + q, k + r)];
		b[I3(i, j, k)] = s;
	}
}
void longrange(int n, const double *restrict v, double *restrict u, const double *restrict roc, const double *c) {
	for (int i = 4; i < n - 4; i++) for (int j = 4; j < n - 4; j++) for (int k = 4; k < n - 4; k++) {
		double l = c[0] * v[I3(i, j, k)];
		for (int d = 1; d <= 4; d++) l += c[d] * (v[I3(i, j, k + d)] + v[I3(i, j, k - d)] + v[I3(i, j + d, k)] + v[I3(i, j - d, k)] + v[I3(i + d, j, k)] + v[I3(i - d, j, k)]);
		u[I3(i, j, k)] = 2 * v[I3(i, j, k)] - u[I3(i, j, k)] + roc[I3(i, j, k)] * l;
	}
}
int life(int n, const unsigned char *a, unsigned char *b) {
	int alive = 0;
	for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) {
		int s = a[I2(i - 1, j - 1)] + a[I2(i - 1, j)] + a[I2(i - 1, j + 1)] + a[I2(i, j - 1)] + a[I2(i, j + 1)] + a[I2(i + 1, j - 1)] + a[I2(i + 1, j)] + a[I2(i + 1, j + 1)];
		b[I2(i, j)] = s == 3 || (s == 2 && a[I2(i, j)]);
		alive += b[I2(i, j)];
	}
	return alive;
}
