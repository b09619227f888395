/* y = transposed(A) (A x) */
#include "../nest.h"
#ifndef N
#define N 48
#endif
#define REPEAT 8
static T a[N][N], x[N], y[N], t[N];
void init(void)
{
	FILL(a);
	FILL(x);
}
void kernel(void)
{
	POINTER(a) POINTER(x) POINTER(y) POINTER(t)
	for (int r = 0; r < REPEAT; r++) {
		INNER
		for (int i = 0; i < N; i++)
			y[i] = (T)r;
		for (int i = 0; i < N; i++) {
			t[i] = 0;
			INNER
			for (int j = 0; j < N; j++)
				t[i] += a[i][j] * x[j];
			INNER
			for (int j = 0; j < N; j++)
				y[j] += a[i][j] * t[i];
		}
	}
}
double check(void)
{
	double r = 0;
	SUM(r, y);
	return r;
}
