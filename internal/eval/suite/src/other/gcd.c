/* greatest common divisors by division */
#include "../nest.h"
#ifndef N
#define N 300
#endif
static unsigned a[N], b[N], g[N];
void init(void)
{
	for (int i = 0; i < N; i++) {
		a[i] = i * 7919u % 10007u + 1;
		b[i] = i * 104729u % 9973u + 1;
	}
}
void kernel(void)
{
	for (int i = 0; i < N; i++) {
		unsigned x = a[i], y = b[i];
		while (y) {
			unsigned t = x % y;
			x = y;
			y = t;
		}
		g[i] = x;
	}
}
double check(void)
{
	double r = 0;
	for (int i = 0; i < (int)(sizeof g / sizeof *g); i++)
		r += (double)g[i] * (i % 7 + 1);
	return r;
}
