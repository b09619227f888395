// Times each kernel in place, on data in the L1 cache: core cycles per iteration, from two lengths of the loop so that
// the call's cost cancels. The clock is the time stamp counter against a chain of one-cycle additions before and
// after in the same window; windows in which the two differ by more than 1 % do not count.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>

typedef void kernel(double *, double *, double *, long *, long);
#define K(name) extern kernel name;
#include "names.h"
#undef K
static const struct { const char *name; kernel *run; } kernels[] = {
#define K(name) {#name, name},
#include "names.h"
};

enum { WINDOWS = 400, SHORT = 200, LONG = 900, CHAIN = 2000 };
static double a[1100], b[1100], c[1100];
static long p[1100];

static unsigned long long now(void) { _mm_lfence(); unsigned long long t = __rdtsc(); _mm_lfence(); return t; }

static unsigned long long additions(long n) {
	unsigned long long t = now();
	for (long i = 0, x = 0, one = 1; i < n / 20; i++) // not of a constant: some cores add these at rename
		__asm__ volatile(".rept 20\n\tadd %1,%0\n\t.endr" : "+r"(x) : "r"(one));
	return now() - t;
}

static double chain(void) { // ticks per cycle
	unsigned long long less = additions(CHAIN);
	return (double)(additions(3 * CHAIN) - less) / (2 * CHAIN);
}

static void fill(void) {
	for (int i = 0; i < 1100; i++) a[i] = 1 + i % 7 * 0.1, b[i] = 2 + i % 5 * 0.1, c[i] = 0.5 + i % 3 * 0.1, p[i] = i % 9;
}

static int order(const void *x, const void *y) { double d = *(const double *)x - *(const double *)y; return (d > 0) - (d < 0); }

int main(void) {
	_mm_setcsr(_mm_getcsr() | 0x8040);
	for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
		double v[WINDOWS];
		int n = 0;
		for (int w = 0; w < 20 * WINDOWS && n < WINDOWS; w++) {
			unsigned long long t[2];
			fill();
			kernels[k].run(a, b, c, p, LONG);
			double before = chain();
			for (int l = 0; l < 2; l++) {
				fill();
				unsigned long long start = now();
				kernels[k].run(a, b, c, p, l ? LONG : SHORT);
				t[l] = now() - start;
			}
			double after = chain();
			if (after > before * 1.01 || before > after * 1.01) continue;
			v[n++] = (double)(t[1] - t[0]) / ((before + after) / 2) / (LONG - SHORT);
		}
		if (n < WINDOWS / 8) { printf("%s\tunstable\n", kernels[k].name); continue; }
		qsort(v, n, sizeof *v, order);
		printf("%s\t%.3f\t%.3f\n", kernels[k].name, v[n / 4], v[n / 2] - v[n / 4]);
	}
}
