// Polynomials and elementary functions by series.
#include <stddef.h>
#include <stdint.h>
#include <math.h>
double horner(const double *c, int n, double x) { double s = c[n]; for (int i = n - 1; i >= 0; i--) s = s * x + c[i]; return s; }
void horner_v(const double *restrict x, double *restrict y, size_t n) { for (size_t i = 0; i < n; i++) { double t = x[i]; y[i] = ((((((1.98e-4 * t + 1.39e-3) * t + 8.33e-3) * t + 4.166e-2) * t + 0.16666) * t + 0.5) * t + 1) * t + 1; } }
double estrin(double x) { double x2 = x * x, x4 = x2 * x2; return ((0.1 * x + 0.2) * x2 + (0.3 * x + 0.4)) * x4 + ((0.5 * x + 0.6) * x2 + (0.7 * x + 0.8)); }
float exp_approx(float x) { float t = x * 1.442695f, f = t - floorf(t); int i = (int)floorf(t); union { uint32_t u; float f; } z; z.u = (uint32_t)(i + 127) << 23; return z.f * (1 + f * (0.6931f + f * (0.2402f + f * 0.0555f))); }
void exp_v(const float *a, float *b, size_t n) { for (size_t i = 0; i < n; i++) b[i] = exp_approx(a[i]); }
float log_approx(float x) { union { float f; uint32_t u; } z = {x}; int e = (int)(z.u >> 23) - 127; z.u = (z.u & 0x7fffff) | 0x3f800000; float m = z.f - 1; return 0.6931472f * (float)e + m * (1 - m * (0.5f - m * (0.333f - 0.25f * m))); }
void sincos_v(const double *x, double *s, double *c, size_t n) { for (size_t i = 0; i < n; i++) { double t = x[i], q = t * t; s[i] = t * (1 - q / 6 * (1 - q / 20 * (1 - q / 42))); c[i] = 1 - q / 2 * (1 - q / 12 * (1 - q / 30)); } }
double chebyshev(const double *c, int n, double x) { double b1 = 0, b2 = 0; for (int i = n; i > 0; i--) { double t = 2 * x * b1 - b2 + c[i]; b2 = b1; b1 = t; } return x * b1 - b2 + c[0]; }
double legendre(int n, double x) { double a = 1, b = x; if (!n) return 1; for (int k = 2; k <= n; k++) { double t = ((2 * k - 1) * x * b - (k - 1) * a) / k; a = b; b = t; } return b; }
double simpson(double (*f)(double), double a, double b, int n) { double h = (b - a) / n, s = f(a) + f(b); for (int i = 1; i < n; i++) s += (i & 1 ? 4 : 2) * f(a + i * h); return s * h / 3; }
double mathlib(double x, double y) { return sin(x) + cos(y) * exp(x) - log(y) + pow(x, y) + atan2(x, y) + fmod(x, y) + tanh(x); }
void softmax(float *a, int n) { float m = a[0], s = 0; for (int i = 1; i < n; i++) if (a[i] > m) m = a[i]; for (int i = 0; i < n; i++) s += a[i] = exp_approx(a[i] - m); for (int i = 0; i < n; i++) a[i] /= s; }
void relu(float *a, size_t n) { for (size_t i = 0; i < n; i++) a[i] = a[i] > 0 ? a[i] : 0; }
void layer(const float *restrict w, const float *restrict x, const float *restrict b, float *restrict y, int m, int n) { for (int i = 0; i < m; i++) { float s = b[i]; for (int j = 0; j < n; j++) s += w[i * n + j] * x[j]; y[i] = s > 0 ? s : 0.01f * s; } }
