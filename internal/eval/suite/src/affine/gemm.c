/* C = beta C + alpha A B */
#include "../nest.h"
#ifndef N
#define N 28
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
	const T alpha = (T)1.5, beta = (T)0.5;
	NEST2
	for (int i = 0; i < N; i++)
		INNER
		for (int j = 0; j < N; j++)
			c[i][j] *= beta;
	NEST3
	for (int i = 0; i < N; i++)
		for (int k = 0; k < N; k++)
			INNER
			for (int j = 0; j < N; j++)
				c[i][j] += alpha * a[i][k] * b[k][j];
}
double check(void)
{
	double r = 0;
	SUM(r, c);
	return r;
}
