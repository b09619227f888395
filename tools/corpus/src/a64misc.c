// AArch64 addressing and scalar idioms that compilers form.
#if defined(__aarch64__)
#include <stdint.h>
#include <stddef.h>
uint32_t ubfx(uint32_t x) { return x >> 5 & 0x7f; }
int64_t sbfx(int64_t x) { return (int64_t)((uint64_t)x << 20) >> 40; }
uint64_t bfi(uint64_t a, uint64_t b) { return (a & ~0xff00ull) | (b & 0xff) << 8; }
uint64_t bfxil(uint64_t a, uint64_t b) { return (a & ~0xfffull) | (b >> 7 & 0xfff); }
int64_t sxt(int8_t a, int16_t b, int32_t c, int64_t *p) { return p[a] + p[b] + p[c] + (int64_t)c * b; }
uint64_t uxt(uint8_t a, uint16_t b, uint32_t c, uint64_t x) { return x + a + ((uint64_t)b << 2) - ((uint64_t)c << 3); }
uint64_t shifts(uint64_t a, uint64_t b) { return (a + (b << 7)) ^ (a - (b >> 9)) ^ (a & ~(b << 3)) ^ (a | (b >> 63)) ^ (a ^ ~b); }
int64_t madds(int32_t a, int32_t b, int64_t c, uint32_t d, uint32_t e) { return c + (int64_t)a * b - (int64_t)((uint64_t)d * e) + c * c; }
int ccmp(int a, int b, int c, int d) { return (a > 3 && b < 7 && c != d) || (a == d && b >= c); }
int64_t csel(int64_t a, int64_t b) { return a > b ? a + 1 : b < 5 ? ~a : -b; }
int tbz(uint64_t a, int (*f)(int)) { if (a & 1ull << 40) return f(1); if (!(a & 4)) return f(2); return a ? f(3) : 0; }
uint64_t pairs(uint64_t *p, double *d, uint32_t *w) { uint64_t s = p[0] + p[1] * p[6] - p[7]; d[0] = d[1] + d[2]; d[3] = d[4]; w[0] = w[2]; w[1] = w[3]; p[2] = p[3] = s; return s; }
uint8_t walk(const uint8_t **p) { uint8_t s = 0; const uint8_t *q = *p; while (*q) s ^= *q++; *p = q; return s; }
double post(const double *p, const double *e) { double s = 0; while (p != e) s = s * 1.5 + *p++; return s; }
int8_t loads(const int8_t *a, const int16_t *b, const int32_t *c, size_t i, uint32_t j) { return (int8_t)(a[i] + b[i] + c[j] + a[j + 1ull] + b[-3] + c[1000]); }
uint64_t consts(int k) { switch (k) { case 1: return 0xaaaaaaaaaaaaaaaau; case 2: return 0x0000ffffffff0000u; case 3: return 0xffffffffedcba987u; case 4: return 0x1234000056780000u; default: return 0x3f; } }
double fconsts(int k) { return k == 0 ? 0.125 : k == 1 ? 31.0 : k == 2 ? 0.1 : -2.0; }
uint64_t rev(uint64_t a, uint32_t b) { return __builtin_bswap64(a) ^ __builtin_bswap32(b) ^ (a >> 17 | a << 47) ^ (uint64_t)__builtin_clzll(a | 1) ^ (uint64_t)__builtin_ctz(b | 1); }
uint64_t divs(uint64_t a, int64_t b, uint32_t c) { return a / c + a % (c | 1) + (uint64_t)(b / 7) + (uint64_t)(b % 100); }
#endif
