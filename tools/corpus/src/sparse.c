// Sparse matrix formats and gathers.
#include <stdint.h>
#include <stddef.h>
void csr(int n, const int *restrict ptr, const int *restrict col, const double *restrict v, const double *restrict x, double *restrict y) {
	for (int i = 0; i < n; i++) { double s = 0; for (int k = ptr[i]; k < ptr[i + 1]; k++) s += v[k] * x[col[k]]; y[i] = s; }
}
void ellpack(int n, int w, const int *restrict col, const float *restrict v, const float *restrict x, float *restrict y) {
	for (int k = 0; k < w; k++) for (int i = 0; i < n; i++) y[i] += v[k * n + i] * x[col[k * n + i]];
}
void sell4(int chunks, const int *cs, const int *cl, const int *col, const double *v, const double *x, double *y) {
	for (int c = 0; c < chunks; c++) {
		double t[4] = {0};
		for (int k = 0; k < cl[c]; k++) for (int r = 0; r < 4; r++) t[r] += v[cs[c] + k * 4 + r] * x[col[cs[c] + k * 4 + r]];
		for (int r = 0; r < 4; r++) y[c * 4 + r] = t[r];
	}
}
void coo(size_t nnz, const uint32_t *r, const uint32_t *c, const double *v, const double *x, double *y) { for (size_t k = 0; k < nnz; k++) y[r[k]] += v[k] * x[c[k]]; }
void gather64(size_t n, const int64_t *i, const double *x, double *y) { for (size_t k = 0; k < n; k++) y[k] = x[i[k]]; }
void gather8(size_t n, const uint8_t *i, const uint8_t *x, uint8_t *y) { for (size_t k = 0; k < n; k++) y[k] = x[i[k]]; }
void scatter32(size_t n, const int32_t *i, const float *x, float *y) { for (size_t k = 0; k < n; k++) y[i[k]] = x[k]; }
size_t compress(size_t n, const int *x, int *y) { size_t m = 0; for (size_t k = 0; k < n; k++) if (x[k] > 0) y[m++] = x[k]; return m; }
size_t nonzero(size_t n, const double *x, uint32_t *i) { size_t m = 0; for (size_t k = 0; k < n; k++) if (x[k] != 0) i[m++] = (uint32_t)k; return m; }
double cg_step(int n, const int *ptr, const int *col, const double *v, double *p, double *r, double *x, double *ap, double rr) {
	double pap = 0, rn = 0;
	csr(n, ptr, col, v, p, ap);
	for (int i = 0; i < n; i++) pap += p[i] * ap[i];
	double a = rr / pap;
	for (int i = 0; i < n; i++) { x[i] += a * p[i]; r[i] -= a * ap[i]; rn += r[i] * r[i]; }
	for (int i = 0; i < n; i++) p[i] = r[i] + rn / rr * p[i];
	return rn;
}
