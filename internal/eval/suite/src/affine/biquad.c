/* a recursive filter of second order (IIR) */
#include "../nest.h"
#ifndef N
#define N 1400
#endif
#define REPEAT 2
static T x[N], y[N];
void init(void)
{
	FILL(x);
}
void kernel(void)
{
	POINTER(x) POINTER(y)
	T y1 = 0, y2 = 0, x1 = 0, x2 = 0;
	for (int r = 0; r < REPEAT; r++)
		INNER
		for (int i = 0; i < N; i++) {
			T v = (T)0.2 * x[i] + (T)0.4 * x1 + (T)0.2 * x2 + (T)0.5 * y1 - (T)0.2 * y2;
			x2 = x1;
			x1 = x[i];
			y2 = y1;
			y1 = v;
			y[i] = v;
		}
}
double check(void)
{
	double r = 0;
	SUM(r, y);
	return r;
}
