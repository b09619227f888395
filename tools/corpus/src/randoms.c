// Pseudo-random generators and shuffles.
#include <stdint.h>
#include <stddef.h>
uint64_t xorshift(uint64_t *s) { uint64_t x = *s; x ^= x << 13; x ^= x >> 7; x ^= x << 17; return *s = x; }
uint32_t lcg(uint32_t *s) { return *s = *s * 1664525u + 1013904223u; }
uint32_t pcg(uint64_t *s) { uint64_t o = *s; *s = o * 6364136223846793005u + 1442695040888963407u; uint32_t x = (uint32_t)((o >> 18 ^ o) >> 27), r = (uint32_t)(o >> 59); return x >> r | x << (-r & 31); }
uint64_t splitmix(uint64_t *s) { uint64_t z = *s += 0x9e3779b97f4a7c15u; z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u; z = (z ^ z >> 27) * 0x94d049bb133111ebu; return z ^ z >> 31; }
uint64_t xoshiro(uint64_t s[4]) { uint64_t t = s[1] << 17, r = s[1] * 5; r = (r << 7 | r >> 57) * 9; s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3]; s[2] ^= t; s[3] = s[3] << 45 | s[3] >> 19; return r; }
double uniform(uint64_t *s) { return (double)(xorshift(s) >> 11) * 0x1p-53; }
uint32_t below(uint64_t *s, uint32_t n) { return (uint32_t)((uint64_t)pcg(s) * n >> 32); }
void shuffle(int *a, uint32_t n, uint64_t *s) { for (uint32_t i = n - 1; i > 0; i--) { uint32_t j = below(s, i + 1); int t = a[i]; a[i] = a[j]; a[j] = t; } }
void fill(uint32_t *a, size_t n, uint32_t seed) { for (size_t i = 0; i < n; i++) { seed ^= seed << 13; seed ^= seed >> 17; seed ^= seed << 5; a[i] = seed; } }
void fill_lanes(uint32_t *restrict a, size_t n, uint32_t st[8]) { for (size_t i = 0; i < n; i += 8) for (int k = 0; k < 8; k++) { uint32_t x = st[k]; x ^= x << 13; x ^= x >> 17; x ^= x << 5; a[i + k] = st[k] = x; } }
void twist(uint32_t mt[624]) { for (int i = 0; i < 624; i++) { uint32_t y = (mt[i] & 0x80000000u) | (mt[(i + 1) % 624] & 0x7fffffffu); mt[i] = mt[(i + 397) % 624] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0); } }
void temper(const uint32_t *a, uint32_t *b, size_t n) { for (size_t i = 0; i < n; i++) { uint32_t y = a[i]; y ^= y >> 11; y ^= y << 7 & 0x9d2c5680u; y ^= y << 15 & 0xefc60000u; b[i] = y ^ y >> 18; } }
long walk(uint64_t *s, int n) { long x = 0; for (int i = 0; i < n; i++) x += xorshift(s) & 1 ? 1 : -1; return x; }
double mc_pi(uint64_t *s, int n) { int in = 0; for (int i = 0; i < n; i++) { double x = uniform(s), y = uniform(s); in += x * x + y * y < 1; } return 4.0 * in / n; }
uint16_t lfsr(uint16_t s) { return (uint16_t)(s >> 1 ^ (-(s & 1) & 0xb400)); }
