/* s = x y */
#include "../nest.h"
#ifndef N
#define N 1400
#endif
#define REPEAT 10
static T x[N], y[N], s;
void init(void) { FILL(x); FILL(y); s = 0; }
void kernel(void)
{
	for (int r = 0; r < REPEAT; r++) {
		T sum = s;
		INNER
		for (int i = 0; i < N; i++)
			sum += x[i] * y[i];
		s = sum * (T)0.5;
	}
}
double check(void) { return s; }
