// Signal processing in fixed and floating point.
#include <stdint.h>
#include <stddef.h>
#include <math.h>
void cic(const int32_t *x, int32_t *y, size_t n, int32_t s[3]) { for (size_t i = 0; i < n; i++) { s[0] += x[i]; s[1] += s[0]; s[2] += s[1]; y[i] = s[2]; } }
void fir_q15(const int16_t *x, const int16_t *h, int16_t *y, size_t n, int taps) { for (size_t i = 0; i < n; i++) { int64_t s = 1 << 14; for (int k = 0; k < taps; k++) s += (int32_t)x[i + k] * h[k]; y[i] = (int16_t)(s >> 15); } }
void goertzel(const float *x, size_t n, float c, float *re) { float a = 0, b = 0; for (size_t i = 0; i < n; i++) { float t = x[i] + c * a - b; b = a; a = t; } *re = a * a + b * b - c * a * b; }
void window(float *x, size_t n) { for (size_t i = 0; i < n; i++) x[i] *= 0.5f - 0.5f * cosf(6.2831853f * (float)i / (float)n); }
void correlate(const float *a, const float *b, float *r, int n, int lags) { for (int l = 0; l < lags; l++) { float s = 0; for (int i = 0; i + l < n; i++) s += a[i] * b[i + l]; r[l] = s; } }
void haar(float *x, float *t, size_t n) { for (; n > 1; n /= 2) { for (size_t i = 0; i < n / 2; i++) { t[i] = (x[2 * i] + x[2 * i + 1]) * 0.70710678f; t[n / 2 + i] = (x[2 * i] - x[2 * i + 1]) * 0.70710678f; } for (size_t i = 0; i < n; i++) x[i] = t[i]; } }
void viterbi(const int *m, int *d, uint64_t *p, int n) { for (int t = 0; t < n; t++) { int e[64]; uint64_t w = 0; for (int s = 0; s < 64; s++) { int a = d[s >> 1] + m[s & 3], b = d[(s >> 1) + 32] + m[3 - (s & 3)]; e[s] = a < b ? a : b; w |= (uint64_t)(b <= a) << s; } for (int s = 0; s < 64; s++) d[s] = e[s]; p[t] = w; } }
uint8_t ulaw(int16_t v) { int s = v < 0 ? 0x80 : 0, x = v < 0 ? -v : v; x = x > 32635 ? 32635 : x; x += 132; int e = 7; for (int m = 0x4000; !(x & m) && e > 0; m >>= 1) e--; return (uint8_t)~(s | e << 4 | (x >> (e + 3) & 15)); }
void median3(const uint8_t *a, uint8_t *b, size_t n) { for (size_t i = 1; i + 1 < n; i++) { uint8_t x = a[i - 1], y = a[i], z = a[i + 1], lo = x < y ? x : y, hi = x < y ? y : x; b[i] = z < lo ? lo : z > hi ? hi : z; } }
void cordic(int32_t *x, int32_t *y, int32_t *z, const int32_t *t) { for (int i = 0; i < 24; i++) { int32_t d = *z >> 31, nx = *x - ((*y >> i ^ d) - d), ny = *y + ((*x >> i ^ d) - d); *z -= (t[i] ^ d) - d; *x = nx; *y = ny; } }
