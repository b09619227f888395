/* a string that swings */
#include "../nest.h"
#ifndef N
#define N 900
#endif
#define STEPS 24
static T a[N], b[N], c[N];
void init(void)
{
	FILL(a);
	FILL(b);
}
void kernel(void)
{
	POINTER(a) POINTER(b) POINTER(c)
	for (int t = 0; t < STEPS; t++) {
		INNER
		for (int i = 1; i < N - 1; i++)
			c[i] = 2 * b[i] - a[i] + (T)0.25 * (b[i - 1] - 2 * b[i] + b[i + 1]);
		INNER
		for (int i = 1; i < N - 1; i++) {
			a[i] = b[i];
			b[i] = c[i];
		}
	}
}
double check(void)
{
	double r = 0;
	SUM(r, b);
	return r;
}
