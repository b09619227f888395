/* y = alpha A x + beta B x */
#include "../nest.h"
#ifndef N
#define N 34
#endif
#define REPEAT 12
static T a[N][N], b[N][N], x[N], y[N];
void init(void)
{
	FILL(a);
	FILL(b);
	FILL(x);
}
void kernel(void)
{
	POINTER(a) POINTER(b) POINTER(x) POINTER(y)
	for (int r = 0; r < REPEAT; r++)
		OUTER
		for (int i = 0; i < N; i++) {
			T s = 0, t = (T)r;
			INNER
			for (int j = 0; j < N; j++) {
				t += a[i][j] * x[j];
				s += b[i][j] * x[j];
			}
			y[i] = (T)1.5 * t + (T)1.2 * s;
		}
}
double check(void)
{
	double r = 0;
	SUM(r, y);
	return r;
}
