// Cipher- and digest-shaped code.
#include <stdint.h>
#include <stddef.h>
static inline uint32_t rol(uint32_t x, int k) { return x << k | x >> (32 - k); }
static inline uint32_t ror(uint32_t x, int k) { return x >> k | x << (32 - k); }
void quarter_rounds(uint32_t x[16]) {
#define Q(a, b, c, d) a += b; d = rol(d ^ a, 16); c += d; b = rol(b ^ c, 12); a += b; d = rol(d ^ a, 8); c += d; b = rol(b ^ c, 7)
	for (int i = 0; i < 10; i++) { Q(x[0], x[4], x[8], x[12]); Q(x[1], x[5], x[9], x[13]); Q(x[2], x[6], x[10], x[14]); Q(x[3], x[7], x[11], x[15]);
		Q(x[0], x[5], x[10], x[15]); Q(x[1], x[6], x[11], x[12]); Q(x[2], x[7], x[8], x[13]); Q(x[3], x[4], x[9], x[14]); }
}
void compress256(uint32_t h[8], const uint32_t w[64], const uint32_t k[64]) {
	uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], z = h[7];
	for (int i = 0; i < 64; i++) {
		uint32_t t1 = z + (ror(e, 6) ^ ror(e, 11) ^ ror(e, 25)) + ((e & f) ^ (~e & g)) + k[i] + w[i];
		uint32_t t2 = (ror(a, 2) ^ ror(a, 13) ^ ror(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
		z = g; g = f; f = e; e = d + t1; d = c; c = b; b = a; a = t1 + t2;
	}
	h[0] += a; h[1] += b; h[2] += c; h[3] += d; h[4] += e; h[5] += f; h[6] += g; h[7] += z;
}
void schedule(uint32_t w[64]) { for (int i = 16; i < 64; i++) w[i] = w[i - 16] + w[i - 7] + (ror(w[i - 15], 7) ^ ror(w[i - 15], 18) ^ w[i - 15] >> 3) + (ror(w[i - 2], 17) ^ ror(w[i - 2], 19) ^ w[i - 2] >> 10); }
void feistel(uint32_t v[2], const uint32_t k[4]) { uint32_t a = v[0], b = v[1], s = 0; for (int i = 0; i < 32; i++) { a += ((b << 4 ^ b >> 5) + b) ^ (s + k[s & 3]); s += 0x9e3779b9u; b += ((a << 4 ^ a >> 5) + a) ^ (s + k[s >> 11 & 3]); } v[0] = a; v[1] = b; }
uint8_t gfmul(uint8_t a, uint8_t b) { uint8_t r = 0; while (b) { if (b & 1) r ^= a; a = (uint8_t)(a << 1 ^ (a & 0x80 ? 0x1b : 0)); b >>= 1; } return r; }
void mixcolumns(uint8_t s[16]) { for (int c = 0; c < 4; c++) { uint8_t *p = s + 4 * c, a = p[0], b = p[1], d = p[2], e = p[3]; p[0] = gfmul(a, 2) ^ gfmul(b, 3) ^ d ^ e; p[1] = a ^ gfmul(b, 2) ^ gfmul(d, 3) ^ e; p[2] = a ^ b ^ gfmul(d, 2) ^ gfmul(e, 3); p[3] = gfmul(a, 3) ^ b ^ d ^ gfmul(e, 2); } }
void subbytes(uint8_t *s, size_t n, const uint8_t box[256]) { for (size_t i = 0; i < n; i++) s[i] = box[s[i]]; }
void xorstream(uint8_t *p, const uint8_t *k, size_t n) { for (size_t i = 0; i < n; i++) p[i] ^= k[i]; }
void keystream(uint8_t *s, uint8_t *o, size_t n) { uint8_t i = 0, j = 0; while (n--) { i++; j = (uint8_t)(j + s[i]); uint8_t t = s[i]; s[i] = s[j]; s[j] = t; *o++ ^= s[(uint8_t)(s[i] + s[j])]; } }
void keccak_theta(uint64_t a[25]) { uint64_t c[5]; for (int x = 0; x < 5; x++) c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20]; for (int x = 0; x < 5; x++) { uint64_t d = c[(x + 4) % 5] ^ (c[(x + 1) % 5] << 1 | c[(x + 1) % 5] >> 63); for (int y = 0; y < 25; y += 5) a[x + y] ^= d; } }
void poly26(uint32_t h[5], const uint32_t r[5]) {
	uint64_t d[5];
	for (int i = 0; i < 5; i++) { d[i] = 0; for (int j = 0; j < 5; j++) d[i] += (uint64_t)h[j] * (j <= i ? r[i - j] : 5 * r[i + 5 - j]); }
	uint64_t c = 0;
	for (int i = 0; i < 5; i++) { d[i] += c; h[i] = d[i] & 0x3ffffff; c = d[i] >> 26; }
	h[0] += (uint32_t)(c * 5);
}
int equal_ct(const uint8_t *a, const uint8_t *b, size_t n) { uint8_t d = 0; for (size_t i = 0; i < n; i++) d |= a[i] ^ b[i]; return d == 0; }
