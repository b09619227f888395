// Hash functions and checksums.
#include <stdint.h>
#include <stddef.h>
#include <string.h>
uint64_t fnv1a(const uint8_t *p, size_t n) { uint64_t h = 14695981039346656037u; for (size_t i = 0; i < n; i++) h = (h ^ p[i]) * 1099511628211u; return h; }
uint32_t fnv32(const char *s) { uint32_t h = 2166136261u; while (*s) h = (h ^ (uint8_t)*s++) * 16777619u; return h; }
uint32_t djb(const char *s) { uint32_t h = 5381; while (*s) h = h * 33 + (uint8_t)*s++; return h; }
uint64_t mix64(uint64_t x) { x ^= x >> 30; x *= 0xbf58476d1ce4e5b9u; x ^= x >> 27; x *= 0x94d049bb133111ebu; return x ^ x >> 31; }
uint32_t mix32(uint32_t x) { x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; return x ^ x >> 16; }
static uint32_t table[256];
void crc_init(void) { for (uint32_t i = 0; i < 256; i++) { uint32_t c = i; for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1; table[i] = c; } }
uint32_t crc32b(uint32_t c, const uint8_t *p, size_t n) { c = ~c; while (n--) c = table[(c ^ *p++) & 255] ^ c >> 8; return ~c; }
uint32_t adler(const uint8_t *p, size_t n) { uint32_t a = 1, b = 0; for (size_t i = 0; i < n; i++) { a = (a + p[i]) % 65521; b = (b + a) % 65521; } return b << 16 | a; }
uint16_t ipsum(const uint16_t *p, size_t n) { uint32_t s = 0; for (size_t i = 0; i < n; i++) s += p[i]; while (s >> 16) s = (s & 0xffff) + (s >> 16); return (uint16_t)~s; }
static inline uint64_t rotl(uint64_t x, int r) { return x << r | x >> (64 - r); }
uint64_t wide(const uint8_t *p, size_t n, uint64_t seed) {
	uint64_t a = seed + 0x9e3779b97f4a7c15u, b = seed ^ 0xc2b2ae3d27d4eb4fu, t;
	for (; n >= 8; n -= 8, p += 8) { memcpy(&t, p, 8); a = rotl(a ^ t * 0x87c37b91114253d5u, 31) * 5 + b; b = rotl(b, 27) + a; }
	t = 0; memcpy(&t, p, n); a ^= t;
	unsigned __int128 m = (unsigned __int128)a * b;
	return (uint64_t)m ^ (uint64_t)(m >> 64);
}
#define ROUND do { v0 += v1; v1 = rotl(v1, 13) ^ v0; v0 = rotl(v0, 32); v2 += v3; v3 = rotl(v3, 16) ^ v2; v0 += v3; v3 = rotl(v3, 21) ^ v0; v2 += v1; v1 = rotl(v1, 17) ^ v2; v2 = rotl(v2, 32); } while (0)
uint64_t arx(const uint64_t *m, size_t n, uint64_t k0, uint64_t k1) {
	uint64_t v0 = k0 ^ 0x736f6d6570736575u, v1 = k1 ^ 0x646f72616e646f6du, v2 = k0 ^ 0x6c7967656e657261u, v3 = k1 ^ 0x7465646279746573u;
	for (size_t i = 0; i < n; i++) { v3 ^= m[i]; ROUND; ROUND; v0 ^= m[i]; }
	v2 ^= 0xff; ROUND; ROUND; ROUND; ROUND;
	return v0 ^ v1 ^ v2 ^ v3;
}
typedef struct { uint64_t key, val; } slot;
slot *find(slot *t, uint64_t mask, uint64_t key) { for (uint64_t i = mix64(key);; i++) { slot *s = &t[i & mask]; if (s->key == key || !s->key) return s; } }
void bloom(uint64_t *bits, uint64_t m, uint64_t h) { for (int i = 0; i < 7; i++) { uint64_t b = (h + (uint64_t)i * (h >> 17 | 1)) % m; bits[b >> 6] |= 1ull << (b & 63); } }
