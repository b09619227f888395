/* Code for the differential test of the parsers: a bit of everything that compilers emit. */
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

extern int printf(const char *, ...);
extern double table[64];
static _Thread_local long counter;
_Atomic long shared;

double dot(const double *restrict a, const double *restrict b, long n) {
	double s = 0;
	for (long i = 0; i < n; i++) s += a[i] * b[i];
	return s;
}

void triad(float *restrict a, const float *restrict b, const float *restrict c, float x, int n) {
	for (int i = 0; i < n; i++) a[i] = b[i] + x * c[i];
}

void stencil(double *restrict y, const double *restrict x, int n, int m) {
	for (int j = 1; j < m - 1; j++)
		for (int i = 1; i < n - 1; i++)
			y[j * n + i] = 0.25 * (x[j * n + i - 1] + x[j * n + i + 1] + x[(j - 1) * n + i] + x[(j + 1) * n + i]);
}

void gather(double *restrict y, const double *restrict x, const int *restrict k, int n) {
	for (int i = 0; i < n; i++) if (k[i] >= 0) y[i] = x[k[i]];
}

int histogram(const unsigned char *s, int n, int *h) {
	int most = 0;
	for (int i = 0; i < n; i++) if (++h[s[i]] > most) most = h[s[i]];
	return most;
}

uint64_t mix(uint64_t a, uint64_t b, unsigned k) {
	unsigned __int128 p = (unsigned __int128)a * b;
	a = (a << (k & 63)) | (a >> (-k & 63));
	return (uint64_t)(p >> 64) ^ a ^ __builtin_popcountll(b) ^ __builtin_ctzll(a | 1) ^ __builtin_bswap64(b) + a / (b | 1) + a % 10;
}

int classify(int c) {
	switch (c) {
	case 'a': return 1;
	case 'b': return 7;
	case 'c': return c * 3;
	case 'd': return printf("%d\n", c);
	case 'e': return 12;
	case 'f': return -1;
	default: return c < 0 ? -c : c & 0xff;
	}
}

long sync(long v) {
	counter += v;
	atomic_fetch_add(&shared, v);
	long old = v;
	while (!atomic_compare_exchange_weak(&shared, &old, old | 1)) {}
	return atomic_exchange(&shared, counter);
}

long double extended(long double x, long n) {
	long double s = 0;
	for (long i = 1; i < n; i++) s += x / i;
	return s < 1 ? -s : s;
}

void bytes(char *d, const char *s, size_t n) {
	memcpy(d, s, 37);
	memset(d + 64, 0, n);
	for (size_t i = 0; i < n; i++) d[i] = (char)((s[i] + d[i] + 1) >> 1);
}

int convert(const int *a, short *b, double *c, float *d, int n) {
	int k = 0;
	for (int i = 0; i < n; i++) {
		b[i] = (short)a[i];
		c[i] = a[i] * table[i & 63];
		d[i] = (float)c[i];
		k += c[i] > d[i];
	}
	return k;
}
