// Half precision and bfloat-shaped code where the target has the type.
#include <stddef.h>
#include <stdint.h>
#if defined(__FLT16_MAX__) || defined(__ARM_FP16_FORMAT_IEEE)
#if defined(__FLT16_MAX__)
typedef _Float16 h;
#else
typedef __fp16 h;
#endif
h hadd(h a, h b) { return a + b; }
h hmul(h a, h b) { return a * b; }
h hdiv(h a, h b) { return a / b; }
h hmadd(h a, h b, h c) { return a * b + c; }
h hneg(h a) { return -a; }
int hlt(h a, h b) { return a < b; }
float tof(h a) { return a; }
h tofh(float a) { return (h)a; }
double tod(h a) { return a; }
h dtoh(double a) { return (h)a; }
int toi(h a) { return (int)a; }
h fromi(int a) { return (h)a; }
h sel(h a, h b) { return a > b ? a : b; }
void vadd(h *a, const h *b, size_t n) { for (size_t i = 0; i < n; i++) a[i] += b[i]; }
void vmadd(h *restrict a, const h *restrict b, const h *restrict c, size_t n) { for (size_t i = 0; i < n; i++) a[i] += b[i] * c[i]; }
void vdivh(h *restrict a, const h *restrict b, size_t n) { for (size_t i = 0; i < n; i++) a[i] /= b[i]; }
void vwiden(const h *a, float *b, size_t n) { for (size_t i = 0; i < n; i++) b[i] = a[i]; }
void vnarrow(const float *a, h *b, size_t n) { for (size_t i = 0; i < n; i++) b[i] = (h)a[i]; }
float hdot(const h *a, const h *b, size_t n) { float s = 0; for (size_t i = 0; i < n; i++) s += (float)a[i] * (float)b[i]; return s; }
h hsum(const h *a, size_t n) { h s = 0; for (size_t i = 0; i < n; i++) s += a[i]; return s; }
void hmax(h *a, h lo, size_t n) { for (size_t i = 0; i < n; i++) a[i] = a[i] < lo ? lo : a[i]; }
#endif
uint16_t soft_to_half(float f) { union { float f; uint32_t u; } x = {f}; uint32_t s = x.u >> 16 & 0x8000, e = x.u >> 23 & 255, m = x.u & 0x7fffff; if (e == 255) return (uint16_t)(s | 0x7c00 | (m ? 0x200 : 0)); int k = (int)e - 112; if (k >= 31) return (uint16_t)(s | 0x7c00); if (k <= 0) return k < -10 ? (uint16_t)s : (uint16_t)(s | (m | 0x800000) >> (14 - k)); return (uint16_t)(s | (uint32_t)k << 10 | m >> 13); }
void bf16(const float *a, uint16_t *b, size_t n) { const uint32_t *u = (const uint32_t *)(const void *)a; for (size_t i = 0; i < n; i++) b[i] = (uint16_t)((u[i] + 0x7fff + (u[i] >> 16 & 1)) >> 16); }
