/* a polynomial by Horner's rule at many places */
#include "../nest.h"
#ifndef N
#define N 1200
#endif
#define REPEAT 48
static T x[N], y[N];
void init(void)
{
	FILL(x);
}
void kernel(void)
{
	POINTER(x) POINTER(y)
	for (int r = 0; r < REPEAT; r++)
		INNER
		for (int i = 0; i < N; i++) {
			T v = x[i], s = (T)r;
			s = s * v + (T)0.5;
			s = s * v - (T)0.25;
			s = s * v + (T)0.125;
			s = s * v + (T)0.75;
			s = s * v - (T)0.3;
			s = s * v + (T)1.5;
			y[i] = s;
		}
}
double check(void)
{
	double r = 0;
	SUM(r, y);
	return r;
}
