/* C = alpha (A transposed(B) + B transposed(A)) + beta C, its lower half */
#include "../nest.h"
#ifndef N
#define N 26
#endif
static T a[N][N], b[N][N], c[N][N];
void init(void)
{
	FILL(a);
	FILL(b);
	FILL(c);
}
void kernel(void)
{
	POINTER(a) POINTER(b) POINTER(c)
	for (int i = 0; i < N; i++) {
		INNER
		for (int j = 0; j <= i; j++)
			c[i][j] *= (T)1.2;
		OUTER
		for (int k = 0; k < N; k++)
			INNER
			for (int j = 0; j <= i; j++)
				c[i][j] += a[j][k] * (T)1.5 * b[i][k] + b[j][k] * (T)1.5 * a[i][k];
	}
}
double check(void)
{
	double r = 0;
	SUM(r, c);
	return r;
}
