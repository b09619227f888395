/* sums of all beginnings */
#include "../nest.h"
#ifndef N
#define N 3000
#endif
#define REPEAT 4
static int x[N], y[N];
void init(void)
{
	for (int i = 0; i < N; i++)
		x[i] = (i * 37) % 101 - 50;
}
void kernel(void)
{
	POINTER(x) POINTER(y)
	for (int r = 0; r < REPEAT; r++) {
		int s = r;
		INNER
		for (int i = 0; i < N; i++) {
			s += x[i];
			y[i] = s;
		}
	}
}
double check(void)
{
	double r = 0;
	for (int i = 0; i < (int)(sizeof y / sizeof *y); i++)
		r += (double)y[i] * (i % 7 + 1);
	return r;
}
