// Bit tricks on all widths.
#include <stdint.h>
#include <stddef.h>
#define ALL(T, W)                                                                                     \
	unsigned parity##W(T x) { unsigned p = 0; for (; x; x = (T)(x & (x - 1))) p ^= 1; return p; }             \
	T reverse##W(T x) { T r = 0; for (int i = 0; i < W; i++, x = (T)(x >> 1)) r = (T)(r << 1 | (x & 1)); return r; } \
	T rotl##W(T x, unsigned k) { return (T)(x << (k & (W - 1)) | x >> (-k & (W - 1))); }                     \
	T rotr5_##W(T x) { return (T)(x >> 5 | x << (W - 5)); }                                              \
	T lowest##W(T x) { return (T)(x & -x); }                                                             \
	T clear_lowest##W(T x) { return (T)(x & (x - 1)); }                                                  \
	T mask_to##W(T x) { return (T)(x ^ (x - 1)); }                                                       \
	T andnot##W(T x, T y) { return (T)(~x & y); }                                                        \
	T set##W(T x, unsigned k) { return (T)(x | (T)1 << (k & (W - 1))); }                                  \
	T unset##W(T x, unsigned k) { return (T)(x & ~((T)1 << (k & (W - 1)))); }                             \
	T flip##W(T x, unsigned k) { return (T)(x ^ (T)1 << (k & (W - 1))); }                                 \
	int test##W(T x, unsigned k) { return x >> (k & (W - 1)) & 1; }                                       \
	T field##W(T x) { return (T)(x >> 3 & 31); }                                                         \
	T insert##W(T x, T y) { return (T)((x & ~(T)0x78) | (y & 15) << 3); }                                 \
	T avg##W(T a, T b) { return (T)((a & b) + ((a ^ b) >> 1)); }                                          \
	T bzhi##W(T x, unsigned k) { return (T)(x & (((T)1 << (k & (W - 1))) - 1)); }
ALL(uint8_t, 8)
ALL(uint16_t, 16)
ALL(uint32_t, 32)
ALL(uint64_t, 64)
int pop32(uint32_t x) { return __builtin_popcount(x); }
int pop64(uint64_t x) { return __builtin_popcountll(x); }
int clz32(uint32_t x) { return x ? __builtin_clz(x) : 32; }
int clz64(uint64_t x) { return __builtin_clzll(x); }
int ctz32(uint32_t x) { return __builtin_ctz(x); }
int ctz64(uint64_t x) { return x ? __builtin_ctzll(x) : 64; }
int log2i(uint64_t x) { return 63 - __builtin_clzll(x | 1); }
int ffs64(uint64_t x) { return __builtin_ffsll((long long)x); }
uint16_t bswap16(uint16_t x) { return __builtin_bswap16(x); }
uint64_t bswap64(uint64_t x) { return __builtin_bswap64(x); }
uint64_t popcount_array(const uint64_t *p, size_t n) { uint64_t s = 0; for (size_t i = 0; i < n; i++) s += (uint64_t)__builtin_popcountll(p[i]); return s; }
uint64_t morton(uint32_t x) { uint64_t v = x; v = (v | v << 16) & 0x0000ffff0000ffffu; v = (v | v << 8) & 0x00ff00ff00ff00ffu; v = (v | v << 4) & 0x0f0f0f0f0f0f0f0fu; v = (v | v << 2) & 0x3333333333333333u; return (v | v << 1) & 0x5555555555555555u; }
uint32_t gray(uint32_t x) { return x ^ x >> 1; }
uint32_t ungray(uint32_t x) { for (int s = 1; s < 32; s *= 2) x ^= x >> s; return x; }
uint64_t next_subset(uint64_t x) { uint64_t c = x & -x, r = x + c; return (((r ^ x) >> 2) / c) | r; }
int each(uint64_t m, void (*f)(int)) { int n = 0; for (; m; m &= m - 1, n++) f(__builtin_ctzll(m)); return n; }
uint64_t pext(uint64_t x, uint64_t m) { uint64_t r = 0, b = 1; for (; m; m &= m - 1, b <<= 1) if (x & m & -m) r |= b; return r; }
uint32_t sel(uint32_t m, uint32_t a, uint32_t b) { return (a & m) | (b & ~m); }
int64_t sgn(int64_t x) { return (x > 0) - (x < 0); }
int absd(int a, int b) { return a > b ? a - b : b - a; }
uint64_t shld(uint64_t a, uint64_t b, unsigned k) { return k ? a << k | b >> (64 - k) : a; }
uint32_t isqrt(uint32_t x) { uint32_t r = 0; for (uint32_t b = 1u << 30; b; b >>= 2) { if (x >= r + b) { x -= r + b; r = (r >> 1) + b; } else r >>= 1; } return r; }
uint64_t gcd(uint64_t a, uint64_t b) { if (!a || !b) return a | b; int s = __builtin_ctzll(a | b); a >>= __builtin_ctzll(a); do { b >>= __builtin_ctzll(b); if (a > b) { uint64_t t = a; a = b; b = t; } b -= a; } while (b); return a << s; }
