// Compression-shaped code: bit streams, run lengths, match finding, variable-length integers.
#include <stdint.h>
#include <stddef.h>
#include <string.h>
typedef struct { const uint8_t *p, *end; uint64_t buf; unsigned n; } reader;
unsigned take(reader *r, unsigned k) { while (r->n < k && r->p < r->end) { r->buf |= (uint64_t)*r->p++ << r->n; r->n += 8; } unsigned v = (unsigned)(r->buf & ((1u << k) - 1)); r->buf >>= k; r->n -= k; return v; }
size_t rle(const uint8_t *a, size_t n, uint8_t *o) { uint8_t *s = o; for (size_t i = 0; i < n;) { size_t j = i; while (j < n && j - i < 255 && a[j] == a[i]) j++; *o++ = (uint8_t)(j - i); *o++ = a[i]; i = j; } return (size_t)(o - s); }
size_t unrle(const uint8_t *a, size_t n, uint8_t *o) { uint8_t *s = o; for (size_t i = 0; i + 1 < n; i += 2) { memset(o, a[i + 1], a[i]); o += a[i]; } return (size_t)(o - s); }
size_t varint(uint64_t v, uint8_t *o) { size_t k = 0; while (v >= 128) { o[k++] = (uint8_t)(v | 128); v >>= 7; } o[k++] = (uint8_t)v; return k; }
uint64_t unvarint(const uint8_t **p) { uint64_t v = 0; unsigned s = 0; for (;;) { uint8_t b = *(*p)++; v |= (uint64_t)(b & 127) << s; if (b < 128) return v; s += 7; } }
uint64_t zigzag(int64_t v) { return (uint64_t)v << 1 ^ (uint64_t)(v >> 63); }
size_t match(const uint8_t *a, const uint8_t *b, const uint8_t *end) { const uint8_t *s = b; while (b + 8 <= end) { uint64_t x, y; memcpy(&x, a, 8); memcpy(&y, b, 8); if (x ^ y) return (size_t)(b - s) + (unsigned)__builtin_ctzll(x ^ y) / 8; a += 8; b += 8; } while (b < end && *a == *b) a++, b++; return (size_t)(b - s); }
size_t lz(const uint8_t *a, size_t n, uint8_t *o) { uint32_t h[4096] = {0}; uint8_t *s = o; size_t i = 0, lit = 0; while (i + 8 < n) { uint32_t v; memcpy(&v, a + i, 4); uint32_t k = v * 2654435761u >> 20, c = h[k]; h[k] = (uint32_t)i; uint32_t w; memcpy(&w, a + c, 4); if (w == v && i - c < 65535 && i != c) { size_t m = match(a + c, a + i, a + n); o += varint(i - lit, o); memcpy(o, a + lit, i - lit); o += i - lit; *o++ = (uint8_t)(i - c); *o++ = (uint8_t)((i - c) >> 8); o += varint(m, o); i += m; lit = i; } else i++; } return (size_t)(o - s); }
void delta(int32_t *a, size_t n) { for (size_t i = n; i-- > 1;) a[i] -= a[i - 1]; }
void mtf(uint8_t *a, size_t n) { uint8_t t[256]; for (int i = 0; i < 256; i++) t[i] = (uint8_t)i; for (size_t i = 0; i < n; i++) { uint8_t c = a[i], k = 0; while (t[k] != c) k++; memmove(t + 1, t, k); t[0] = c; a[i] = k; } }
void unpack5(const uint8_t *p, uint8_t *o, size_t n) { for (size_t i = 0; i < n; i++, p += 5) { uint64_t v = p[0] | p[1] << 8 | p[2] << 16 | (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32; for (int k = 0; k < 8; k++) *o++ = v >> (5 * k) & 31; } }
int huff(const uint16_t *tab, reader *r, uint8_t *o, size_t n) { while (n--) { uint16_t e = tab[r->buf & 1023]; r->buf >>= e >> 12; r->n -= e >> 12; *o++ = (uint8_t)e; if (r->n < 10) take(r, 0); } return 0; }
double entropy_bound(const uint32_t h[256], uint32_t n) { double s = 0; for (int i = 0; i < 256; i++) if (h[i]) s += h[i] * (double)(32 - __builtin_clz(n / h[i] | 1)); return s; }
