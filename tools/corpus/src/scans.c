// Recurrences: prefix sums, filters, linear recurrences, fibonacci through arrays.
#include <stddef.h>
#include <stdint.h>
void prefix(double *a, size_t n) { for (size_t i = 1; i < n; i++) a[i] += a[i - 1]; }
void prefix_out(const int *a, int *b, size_t n) { int s = 0; for (size_t i = 0; i < n; i++) b[i] = s += a[i]; }
void exclusive(const uint64_t *a, uint64_t *b, size_t n) { uint64_t s = 0; for (size_t i = 0; i < n; i++) { uint64_t t = a[i]; b[i] = s; s += t; } }
void prefix_max(float *a, size_t n) { for (size_t i = 1; i < n; i++) if (a[i] < a[i - 1]) a[i] = a[i - 1]; }
void fibs(uint64_t *a, size_t n) { a[0] = a[1] = 1; for (size_t i = 2; i < n; i++) a[i] = a[i - 1] + a[i - 2]; }
void linrec(double *x, const double *a, const double *b, size_t n) { for (size_t i = 1; i < n; i++) x[i] = a[i] * x[i - 1] + b[i]; }
void dist3(double *x, const double *a, size_t n) { for (size_t i = 3; i < n; i++) x[i] = 0.5 * x[i - 3] + a[i]; }
void iir(const float *x, float *y, size_t n, const float *c) { for (size_t i = 2; i < n; i++) y[i] = c[0] * x[i] + c[1] * x[i - 1] + c[2] * x[i - 2] - c[3] * y[i - 1] - c[4] * y[i - 2]; }
void biquad(const double *x, double *y, size_t n, const double *c, double *z) { double z0 = z[0], z1 = z[1]; for (size_t i = 0; i < n; i++) { double w = x[i] - c[0] * z0 - c[1] * z1; y[i] = c[2] * w + c[3] * z0 + c[4] * z1; z1 = z0; z0 = w; } z[0] = z0; z[1] = z1; }
void fir(const float *restrict x, float *restrict y, const float *restrict h, size_t n) { for (size_t i = 0; i < n; i++) { float s = 0; for (int k = 0; k < 16; k++) s += h[k] * x[i + k]; y[i] = s; } }
void histogram(const uint8_t *p, size_t n, uint32_t *h) { for (size_t i = 0; i < n; i++) h[p[i]]++; }
void histogram_w(const int *k, const double *w, size_t n, double *h) { for (size_t i = 0; i < n; i++) h[k[i]] += w[i]; }
double ema(const double *x, size_t n, double a) { double s = x[0]; for (size_t i = 1; i < n; i++) s += a * (x[i] - s); return s; }
void tridiag(size_t n, const double *a, double *b, const double *c, double *d) { for (size_t i = 1; i < n; i++) { double m = a[i] / b[i - 1]; b[i] -= m * c[i - 1]; d[i] -= m * d[i - 1]; } d[n - 1] /= b[n - 1]; for (size_t i = n - 1; i-- > 0;) d[i] = (d[i] - c[i] * d[i + 1]) / b[i]; }
void wavefront(int n, int *a) { for (int i = 1; i < n; i++) for (int j = 1; j < n; j++) { int x = a[(i - 1) * n + j], y = a[i * n + j - 1], z = a[(i - 1) * n + j - 1]; a[i * n + j] += (x > y ? x : y) > z ? (x > y ? x : y) : z; } }
uint64_t collatz(uint64_t x) { uint64_t k = 0; while (x != 1) { x = x & 1 ? 3 * x + 1 : x / 2; k++; } return k; }
double pi_sum(long n) { double s = 0, w = 1.0 / (double)n; for (long i = 0; i < n; i++) { double x = ((double)i + 0.5) * w; s += 4 / (1 + x * x); } return s * w; }
double logistic(double x, double r, int n) { for (int i = 0; i < n; i++) x = r * x * (1 - x); return x; }
