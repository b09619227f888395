/* A += x y */
#include "../nest.h"
#ifndef N
#define N 50
#endif
#define REPEAT 12
static T a[N][N], x[N], y[N];
void init(void)
{
	FILL(a);
	FILL(x);
	FILL(y);
}
void kernel(void)
{
	POINTER(a) POINTER(x) POINTER(y)
	for (int r = 0; r < REPEAT; r++)
		NEST2
		for (int i = 0; i < N; i++)
			INNER
			for (int j = 0; j < N; j++)
				a[i][j] += x[i] * y[j];
}
double check(void)
{
	double r = 0;
	SUM(r, a);
	return r;
}
