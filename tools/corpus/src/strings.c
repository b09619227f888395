// Text handling.
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <stdio.h>
size_t length(const char *s) { const char *p = s; while (*p) p++; return (size_t)(p - s); }
int compare(const char *a, const char *b) { while (*a && *a == *b) a++, b++; return (unsigned char)*a - (unsigned char)*b; }
char *copy(char *d, const char *s) { char *r = d; while ((*d++ = *s++)) ; return r; }
void *find(const void *p, int c, size_t n) { const unsigned char *s = p; for (; n--; s++) if (*s == (unsigned char)c) return (void *)s; return 0; }
void lower(char *s) { for (; *s; s++) if (*s >= 'A' && *s <= 'Z') *s |= 32; }
void upper_n(char *s, size_t n) { for (size_t i = 0; i < n; i++) s[i] = (char)(s[i] - ((unsigned char)(s[i] - 'a') < 26 ? 32 : 0)); }
size_t lines(const char *s, size_t n) { size_t k = 0; for (size_t i = 0; i < n; i++) k += s[i] == '\n'; return k; }
char *itoa10(int64_t v, char *end) { uint64_t u = v < 0 ? -(uint64_t)v : (uint64_t)v; *--end = 0; do *--end = (char)('0' + u % 10); while (u /= 10); if (v < 0) *--end = '-'; return end; }
int parse(const char *s, int *out) { int neg = *s == '-', v = 0; if (neg) s++; if (!*s) return -1; for (; *s; s++) { if (*s < '0' || *s > '9') return -1; v = v * 10 + (*s - '0'); } *out = neg ? -v : v; return 0; }
double parse_float(const char *s) { double v = 0, f = 1; while (*s >= '0' && *s <= '9') v = v * 10 + (*s++ - '0'); if (*s == '.') for (s++; *s >= '0' && *s <= '9'; s++) v += (f /= 10) * (*s - '0'); return v; }
void hex(const uint8_t *p, size_t n, char *o) { static const char d[] = "0123456789abcdef"; while (n--) { *o++ = d[*p >> 4]; *o++ = d[*p++ & 15]; } *o = 0; }
int utf8(const uint8_t *s, size_t n) {
	for (size_t i = 0; i < n;) {
		unsigned c = s[i], k = c < 0x80 ? 1 : (c & 0xe0) == 0xc0 ? 2 : (c & 0xf0) == 0xe0 ? 3 : (c & 0xf8) == 0xf0 ? 4 : 0;
		if (!k || i + k > n) return 0;
		for (unsigned j = 1; j < k; j++) if ((s[i + j] & 0xc0) != 0x80) return 0;
		i += k;
	}
	return 1;
}
void base64(const uint8_t *p, size_t n, char *o) { static const char t[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"; for (; n >= 3; n -= 3, p += 3) { uint32_t v = (uint32_t)p[0] << 16 | p[1] << 8 | p[2]; *o++ = t[v >> 18]; *o++ = t[v >> 12 & 63]; *o++ = t[v >> 6 & 63]; *o++ = t[v & 63]; } }
int wildcard(const char *p, const char *s) { for (; *p; p++, s++) { if (*p == '*') { while (*++p == '*') ; if (!*p) return 1; for (; *s; s++) if (wildcard(p, s)) return 1; return 0; } if (*p != '?' && *p != *s) return 0; } return !*s; }
long kmp(const char *t, const char *p, int *f) { long m = 0, i = 0, k = 0; f[0] = -1; for (int j = 0, q = -1; p[j]; f[++j] = ++q) while (q >= 0 && p[j] != p[q]) q = f[q]; for (; t[i]; i++, k++) { while (k >= 0 && p[k] != t[i]) k = f[k]; if (!p[k + 1]) return i - k; m++; } return -m; }
int palindrome(const char *s) { size_t n = strlen(s); for (size_t i = 0; i < n / 2; i++) if (s[i] != s[n - 1 - i]) return 0; return 1; }
void swapbytes(uint32_t *p, size_t n) { for (size_t i = 0; i < n; i++) p[i] = __builtin_bswap32(p[i]); }
int report(char *b, size_t n, const char *who, double v, long k) { return snprintf(b, n, "%s: %.3f (%ld)\n", who, v, k); }
void clear(void *p) { memset(p, 0, 256); }
void move(char *p, size_t n) { memmove(p + 1, p, n); }
struct big { char c[200]; };
void assign(struct big *a, const struct big *b) { *a = *b; }
