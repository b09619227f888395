// Sorting, searching and selection.
#include <stddef.h>
#include <stdint.h>
#include <string.h>
void insertion(int *a, int n) { for (int i = 1; i < n; i++) { int x = a[i], j = i; while (j > 0 && a[j - 1] > x) { a[j] = a[j - 1]; j--; } a[j] = x; } }
void bubble(float *a, int n) { for (int i = n - 1; i > 0; i--) for (int j = 0; j < i; j++) if (a[j] > a[j + 1]) { float t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; } }
void shell(double *a, size_t n) { for (size_t g = n / 2; g; g /= 2) for (size_t i = g; i < n; i++) { double x = a[i]; size_t j = i; for (; j >= g && a[j - g] > x; j -= g) a[j] = a[j - g]; a[j] = x; } }
void quick(int64_t *a, long lo, long hi) {
	while (lo < hi) {
		int64_t p = a[(lo + hi) / 2]; long i = lo, j = hi;
		while (i <= j) { while (a[i] < p) i++; while (a[j] > p) j--; if (i <= j) { int64_t t = a[i]; a[i++] = a[j]; a[j--] = t; } }
		if (j - lo < hi - i) { quick(a, lo, j); lo = i; } else { quick(a, i, hi); hi = j; }
	}
}
void heapify(uint32_t *a, size_t n) {
	for (size_t s = n / 2; s-- > 0;) for (size_t i = s, c; (c = 2 * i + 1) < n; i = c) { if (c + 1 < n && a[c + 1] > a[c]) c++; if (a[i] >= a[c]) break; uint32_t t = a[i]; a[i] = a[c]; a[c] = t; }
}
void merge(const int *a, size_t na, const int *b, size_t nb, int *c) { while (na && nb) if (*a <= *b) { *c++ = *a++; na--; } else { *c++ = *b++; nb--; } memcpy(c, a, na * sizeof *a); memcpy(c + na, b, nb * sizeof *b); }
void radix(uint32_t *a, uint32_t *t, size_t n) {
	for (int s = 0; s < 32; s += 8) {
		size_t cnt[257] = {0};
		for (size_t i = 0; i < n; i++) cnt[(a[i] >> s & 255) + 1]++;
		for (int i = 0; i < 256; i++) cnt[i + 1] += cnt[i];
		for (size_t i = 0; i < n; i++) t[cnt[a[i] >> s & 255]++] = a[i];
		uint32_t *x = a; a = t; t = x;
	}
}
size_t bsearch_branchless(const int *a, size_t n, int x) { const int *b = a; while (n > 1) { size_t h = n / 2; b += (b[h - 1] < x) * h; n -= h; } return (size_t)(b - a); }
long interp(const unsigned *a, long n, unsigned x) { long lo = 0, hi = n - 1; while (lo <= hi && x >= a[lo] && x <= a[hi]) { if (a[lo] == a[hi]) return lo; long p = lo + (long)((double)(x - a[lo]) * (double)(hi - lo) / (double)(a[hi] - a[lo])); if (a[p] == x) return p; if (a[p] < x) lo = p + 1; else hi = p - 1; } return -1; }
void network4(int *a) {
#define CS(i, j) do { int x = a[i], y = a[j]; a[i] = x < y ? x : y; a[j] = x < y ? y : x; } while (0)
	CS(0, 1); CS(2, 3); CS(0, 2); CS(1, 3); CS(1, 2);
}
void minmax(const short *a, size_t n, short *lo, short *hi) { short l = a[0], h = a[0]; for (size_t i = 1; i < n; i++) { if (a[i] < l) l = a[i]; if (a[i] > h) h = a[i]; } *lo = l; *hi = h; }
int is_sorted(const long *a, size_t n) { for (size_t i = 1; i < n; i++) if (a[i - 1] > a[i]) return 0; return 1; }
