/* s = x y */
#include "../nest.h"
#ifndef N
#define N 1400
#endif
#define REPEAT 30
static T x[N], y[N], s[1];
void init(void)
{
	FILL(x);
	FILL(y);
	s[0] = 0;
}
void kernel(void)
{
	POINTER(x) POINTER(y) POINTER(s)
	for (int r = 0; r < REPEAT; r++) {
		T sum = s[0];
		INNER
		for (int i = 0; i < N; i++)
			sum += x[i] * y[i];
		s[0] = sum * (T)0.5;
	}
}
double check(void)
{
	double r = 0;
	SUM(r, s);
	return r;
}
