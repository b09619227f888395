/* sum of absolute values, and where the greatest is */
#include <math.h>
#include "../nest.h"
#ifndef N
#define N 2500
#endif
#define REPEAT 8
static T x[N], s[2];
void init(void)
{
	FILL(x);
	for (int i = 0; i < N; i += 3)
		x[i] = -x[i];
}
void kernel(void)
{
	POINTER(x) POINTER(s)
	for (int r = 0; r < REPEAT; r++) {
		T sum = 0, most = 0;
		INNER
		for (int i = 0; i < N; i++)
			sum += fabs(x[i]);
		INNER
		for (int i = 0; i < N; i++)
			most = fabs(x[i]) > most ? fabs(x[i]) : most;
		s[0] = sum;
		s[1] = most;
		x[r] += (T)1;
	}
}
double check(void)
{
	double r = 0;
	SUM(r, s);
	return r;
}
