/* y = beta y + alpha A x */
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
		OUTER
		for (int i = 0; i < N; i++) {
			T s = (T)0.5 * y[i];
			INNER
			for (int j = 0; j < N; j++)
				s += (T)0.01 * a[i][j] * x[j];
			y[i] = s;
		}
}
double check(void)
{
	double r = 0;
	SUM(r, y);
	return r;
}
