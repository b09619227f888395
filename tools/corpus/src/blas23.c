// Level-2 and level-3 linear algebra.
#include <stddef.h>
void dgemv(int m, int n, const double *restrict a, int lda, const double *restrict x, double *restrict y) {
	for (int i = 0; i < m; i++) { double s = 0; for (int j = 0; j < n; j++) s += a[i * lda + j] * x[j]; y[i] += s; }
}
void dgemv_t(int m, int n, const double *a, int lda, const double *x, double *y) {
	for (int j = 0; j < n; j++) for (int i = 0; i < m; i++) y[j] += a[i * lda + j] * x[i];
}
void dger(int m, int n, double alpha, const double *x, const double *y, double *a, int lda) {
	for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) a[i * lda + j] += alpha * x[i] * y[j];
}
void dtrsv(int n, const double *l, int ld, double *x) {
	for (int i = 0; i < n; i++) { double s = x[i]; for (int j = 0; j < i; j++) s -= l[i * ld + j] * x[j]; x[i] = s / l[i * ld + i]; }
}
void dgemm(size_t n, const double *restrict a, const double *restrict b, double *restrict c) {
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++)
			for (size_t j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
}
void sgemm_block(int n, const float *restrict a, const float *restrict b, float *restrict c) {
	enum { B = 32 };
	for (int ii = 0; ii < n; ii += B)
		for (int kk = 0; kk < n; kk += B)
			for (int jj = 0; jj < n; jj += B)
				for (int i = ii; i < ii + B; i++)
					for (int k = kk; k < kk + B; k++) {
						float t = a[i * n + k];
						for (int j = jj; j < jj + B; j++) c[i * n + j] += t * b[k * n + j];
					}
}
void dgemm_4x4(int k, const double *restrict a, const double *restrict b, double *restrict c, int ldc) {
	double s[4][4] = {{0}};
	for (int p = 0; p < k; p++, a += 4, b += 4)
		for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) s[i][j] += a[i] * b[j];
	for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) c[i * ldc + j] += s[i][j];
}
void igemm8(int n, const signed char *a, const signed char *b, int *c) {
	for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { int s = 0; for (int k = 0; k < n; k++) s += a[i * n + k] * b[j * n + k]; c[i * n + j] = s; }
}
void mat3(double r[3][3], const double a[3][3], const double b[3][3]) {
	for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) r[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
}
int inverse3(double r[3][3], const double a[3][3]) {
	double d = a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) + a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
	if (d == 0) return -1;
	for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++)
		r[j][i] = (a[(i + 1) % 3][(j + 1) % 3] * a[(i + 2) % 3][(j + 2) % 3] - a[(i + 1) % 3][(j + 2) % 3] * a[(i + 2) % 3][(j + 1) % 3]) / d;
	return 0;
}
