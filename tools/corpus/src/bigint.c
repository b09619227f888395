// Multi-word integers.
#include <stdint.h>
#include <stddef.h>
typedef unsigned __int128 u128;
typedef __int128 i128;
uint64_t addn(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n) { uint64_t c = 0; for (size_t i = 0; i < n; i++) { u128 t = (u128)a[i] + b[i] + c; r[i] = (uint64_t)t; c = (uint64_t)(t >> 64); } return c; }
uint64_t subn(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t n) { uint64_t c = 0; for (size_t i = 0; i < n; i++) { u128 t = (u128)a[i] - b[i] - c; r[i] = (uint64_t)t; c = (uint64_t)(t >> 64) & 1; } return c; }
uint64_t mul1(uint64_t *r, const uint64_t *a, uint64_t b, size_t n) { uint64_t c = 0; for (size_t i = 0; i < n; i++) { u128 t = (u128)a[i] * b + r[i] + c; r[i] = (uint64_t)t; c = (uint64_t)(t >> 64); } return c; }
void mul4(uint64_t r[8], const uint64_t a[4], const uint64_t b[4]) { for (int i = 0; i < 8; i++) r[i] = 0; for (int i = 0; i < 4; i++) r[i + 4] = mul1(r + i, a, b[i], 4); }
uint64_t shln(uint64_t *a, size_t n, unsigned k) { uint64_t c = 0; for (size_t i = 0; i < n; i++) { uint64_t t = a[i]; a[i] = t << k | c; c = k ? t >> (64 - k) : 0; } return c; }
int cmpn(const uint64_t *a, const uint64_t *b, size_t n) { while (n--) if (a[n] != b[n]) return a[n] < b[n] ? -1 : 1; return 0; }
uint64_t mulhi(uint64_t a, uint64_t b) { return (uint64_t)((u128)a * b >> 64); }
int64_t smulhi(int64_t a, int64_t b) { return (int64_t)((i128)a * b >> 64); }
uint64_t montmul(uint64_t a, uint64_t b, uint64_t n, uint64_t ni) { u128 t = (u128)a * b; uint64_t m = (uint64_t)t * ni; uint64_t h = (uint64_t)((t + (u128)m * n) >> 64); return h >= n ? h - n : h; }
uint64_t powmod(uint64_t b, uint64_t e, uint64_t m) { uint64_t r = 1 % m; for (b %= m; e; e >>= 1, b = (uint64_t)((u128)b * b % m)) if (e & 1) r = (uint64_t)((u128)r * b % m); return r; }
i128 sh128(i128 a, int k) { return (a << (k & 127)) ^ (a >> 3); }
int lt128(i128 a, i128 b) { return a < b; }
uint64_t div_small(uint64_t *q, const uint64_t *a, uint32_t d, size_t n) { uint64_t r = 0; while (n--) { uint64_t hi = r << 32 | a[n] >> 32; uint64_t lo = (hi % d) << 32 | (a[n] & 0xffffffff); q[n] = (hi / d) << 32 | lo / d; r = lo % d; } return r; }
#define OV(T, N) int add_ov_##N(T a, T b, T *r) { return __builtin_add_overflow(a, b, r); } int sub_ov_##N(T a, T b, T *r) { return __builtin_sub_overflow(a, b, r); } int mul_ov_##N(T a, T b, T *r) { return __builtin_mul_overflow(a, b, r); }
OV(int8_t, i8) OV(uint8_t, u8) OV(int16_t, i16) OV(uint16_t, u16) OV(int32_t, i32) OV(uint32_t, u32) OV(int64_t, i64) OV(uint64_t, u64)
