/* length of a vector, and the vector divided by it */
#include <math.h>
#include "../nest.h"
#ifndef N
#define N 1500
#endif
#define REPEAT 16
static T x[N], y[N];
void init(void)
{
	FILL(x);
}
void kernel(void)
{
	POINTER(x) POINTER(y)
	for (int r = 1; r <= REPEAT; r++) {
		T s = 0;
		INNER
		for (int i = 0; i < N; i++)
			s += x[i] * x[i];
		s = (T)r / sqrt(s);
		INNER
		for (int i = 0; i < N; i++)
			y[i] = x[i] * s;
	}
}
double check(void)
{
	double r = 0;
	SUM(r, y);
	return r;
}
