// Complex arithmetic and transforms.
#include <complex.h>
#include <math.h>
#include <stddef.h>
void cmul(size_t n, const double complex *a, const double complex *b, double complex *c) { for (size_t i = 0; i < n; i++) c[i] = a[i] * b[i]; }
void cmulf(size_t n, const float complex *restrict a, const float complex *restrict b, float complex *restrict c) { for (size_t i = 0; i < n; i++) c[i] += a[i] * conjf(b[i]); }
double complex cdot(size_t n, const double complex *a, const double complex *b) { double complex s = 0; for (size_t i = 0; i < n; i++) s += conj(a[i]) * b[i]; return s; }
float complex cdivf(float complex a, float complex b) { return a / b; }
double complex cdiv(double complex a, double complex b) { return a / b; }
double norm2(size_t n, const double complex *a) { double s = 0; for (size_t i = 0; i < n; i++) s += creal(a[i]) * creal(a[i]) + cimag(a[i]) * cimag(a[i]); return s; }
void split(size_t n, const double complex *a, double *re, double *im) { for (size_t i = 0; i < n; i++) { re[i] = creal(a[i]); im[i] = cimag(a[i]); } }
int mandel(double cr, double ci, int max) { double x = 0, y = 0; int k = 0; while (k < max && x * x + y * y <= 4) { double t = x * x - y * y + cr; y = 2 * x * y + ci; x = t; k++; } return k; }
void mandel_row(int n, float y0, float dx, int *out) { for (int i = 0; i < n; i++) { float x = 0, y = 0, cr = -2 + i * dx; int c = 0; for (int k = 0; k < 64; k++) { float t = x * x - y * y + cr; y = 2 * x * y + y0; x = t; c += x * x + y * y < 4; } out[i] = c; } }
void fft(size_t n, double complex *x, const double complex *w) {
	for (size_t i = 1, j = 0; i < n; i++) { size_t b = n >> 1; for (; j & b; b >>= 1) j ^= b; j ^= b; if (i < j) { double complex t = x[i]; x[i] = x[j]; x[j] = t; } }
	for (size_t m = 1; m < n; m *= 2) for (size_t k = 0; k < n; k += 2 * m) for (size_t j = 0; j < m; j++) { double complex t = w[j * (n / (2 * m))] * x[k + j + m]; x[k + j + m] = x[k + j] - t; x[k + j] += t; }
}
void radix4(size_t q, const float *restrict in, float *restrict out) {
	for (size_t i = 0; i < q; i++) {
		float ar = in[2 * i], ai = in[2 * i + 1], br = in[2 * (i + q)], bi = in[2 * (i + q) + 1], cr = in[2 * (i + 2 * q)], ci = in[2 * (i + 2 * q) + 1], dr = in[2 * (i + 3 * q)], di = in[2 * (i + 3 * q) + 1];
		float sr = ar + cr, si = ai + ci, tr = ar - cr, ti = ai - ci, ur = br + dr, ui = bi + di, vr = br - dr, vi = bi - di;
		out[8 * i] = sr + ur; out[8 * i + 1] = si + ui; out[8 * i + 2] = tr + vi; out[8 * i + 3] = ti - vr; out[8 * i + 4] = sr - ur; out[8 * i + 5] = si - ui; out[8 * i + 6] = tr - vi; out[8 * i + 7] = ti + vr;
	}
}
double complex horner_c(const double complex *c, int n, double complex z) { double complex s = c[n]; while (n--) s = s * z + c[n]; return s; }
