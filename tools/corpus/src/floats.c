// Floating point: conversions, rounding, classification, fused operations.
#include <math.h>
#include <stdint.h>
#include <stddef.h>
#include <string.h>
#define ALL(T, S)                                                                                                  \
	T abs_##S(T x) { return fabs##S(x); } T sqrt_##S(T x) { return sqrt##S(x); } T fma_##S(T a, T b, T c) { return fma##S(a, b, c); } \
	T fnma_##S(T a, T b, T c) { return fma##S(-a, b, c); } T fms_##S(T a, T b, T c) { return fma##S(a, b, -c); } T fnms_##S(T a, T b, T c) { return -fma##S(a, b, c); } \
	T floor_##S(T x) { return floor##S(x); } T ceil_##S(T x) { return ceil##S(x); } T trunc_##S(T x) { return trunc##S(x); }    \
	T round_##S(T x) { return round##S(x); } T rint_##S(T x) { return rint##S(x); } T near_##S(T x) { return nearbyint##S(x); }  \
	T sign_##S(T x, T y) { return copysign##S(x, y); } T min_##S(T x, T y) { return fmin##S(x, y); } T max_##S(T x, T y) { return fmax##S(x, y); } \
	T lt_##S(T x, T y) { return x < y ? x : y; } T sel_##S(T x, T y, T z) { return x >= y ? z : x; } T neg_##S(T x) { return -x; } \
	int nan_##S(T x) { return isnan(x); } int inf_##S(T x) { return isinf(x) != 0; } int bit_##S(T x) { return signbit(x) != 0; } int un_##S(T x, T y) { return isunordered(x, y); } \
	int cmp_##S(T x, T y) { return (x > y) - (x < y); } int eq_##S(T x, T y) { return x == y; } int ne_##S(T x, T y) { return x != y; } \
	long lr_##S(T x) { return lrint##S(x); } long lround_##S(T x) { return lround##S(x); } T half_##S(T x) { return x / 2 + x / (T)3.1; } T zero_##S(void) { return 0; } T one_##S(T x) { return x + (T)1; } T c_##S(T x) { return x * (T)0.31830988618379067; } \
	void vsqrt_##S(T *a, size_t n) { for (size_t i = 0; i < n; i++) a[i] = sqrt##S(a[i]); } void vdiv_##S(T *a, const T *b, size_t n) { for (size_t i = 0; i < n; i++) a[i] /= b[i]; } \
	void vrsqrt_##S(T *a, size_t n) { for (size_t i = 0; i < n; i++) a[i] = 1 / sqrt##S(a[i]); } void vfloor_##S(T *a, size_t n) { for (size_t i = 0; i < n; i++) a[i] = floor##S(a[i]) + trunc##S(a[i]); } \
	void vclamp_##S(T *a, T lo, T hi, size_t n) { for (size_t i = 0; i < n; i++) a[i] = a[i] < lo ? lo : a[i] > hi ? hi : a[i]; } void vsign_##S(T *a, const T *b, size_t n) { for (size_t i = 0; i < n; i++) a[i] = copysign##S(a[i], b[i]); } \
	size_t vcount_##S(const T *a, T t, size_t n) { size_t c = 0; for (size_t i = 0; i < n; i++) c += a[i] > t; return c; } void vfma_##S(T *restrict a, const T *restrict b, const T *restrict c, size_t n) { for (size_t i = 0; i < n; i++) a[i] = fma##S(b[i], c[i], -a[i]); }
#define fabs_ fabs
#define ALLD(x) x
ALL(float, f)
typedef double dbl;
#define fabsd fabs
#define sqrtd sqrt
#define fmad fma
#define floord floor
#define ceild ceil
#define truncd trunc
#define roundd round
#define rintd rint
#define nearbyintd nearbyint
#define copysignd copysign
#define fmind fmin
#define fmaxd fmax
#define lrintd lrint
#define lroundd lround
ALL(dbl, d)
double widen(float x) { return x; }
float narrow(double x) { return (float)x; }
void vwiden(const float *a, double *b, size_t n) { for (size_t i = 0; i < n; i++) b[i] = a[i]; }
void vnarrow(const double *a, float *b, size_t n) { for (size_t i = 0; i < n; i++) b[i] = (float)a[i]; }
void i2f(const int *a, float *b, size_t n) { for (size_t i = 0; i < n; i++) b[i] = (float)a[i]; }
void u2d(const uint32_t *a, double *b, size_t n) { for (size_t i = 0; i < n; i++) b[i] = a[i]; }
void f2i(const float *a, int *b, size_t n) { for (size_t i = 0; i < n; i++) b[i] = (int)a[i]; }
void l2d(const int64_t *a, double *b, size_t n) { for (size_t i = 0; i < n; i++) b[i] = (double)a[i]; }
void d2ul(const double *a, uint64_t *b, size_t n) { for (size_t i = 0; i < n; i++) b[i] = (uint64_t)a[i]; }
uint64_t raw(double d) { uint64_t u; memcpy(&u, &d, 8); return u; }
float from(uint32_t u) { float f; memcpy(&f, &u, 4); return f; }
double kahan(const double *a, size_t n) { double s = 0, c = 0; for (size_t i = 0; i < n; i++) { double y = a[i] - c, t = s + y; c = (t - s) - y; s = t; } return s; }
float fastinv(float x) { uint32_t i; memcpy(&i, &x, 4); i = 0x5f3759df - (i >> 1); float y; memcpy(&y, &i, 4); return y * (1.5f - 0.5f * x * y * y); }
double newton(double a) { double x = a > 1 ? a : 1; for (int i = 0; i < 20; i++) x = 0.5 * (x + a / x); return x; }
