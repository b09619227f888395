/* C = A B, each element a sum of products */
#include "../nest.h"
#ifndef N
#define N 26
#endif
static T a[N][N], b[N][N], c[N][N];
void init(void)
{
	FILL(a);
	FILL(b);
}
void kernel(void)
{
	POINTER(a) POINTER(b) POINTER(c)
	OUTER
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			T s = 0;
			INNER
			for (int k = 0; k < N; k++)
				s += a[i][k] * b[k][j];
			c[i][j] = s;
		}
}
double check(void)
{
	double r = 0;
	SUM(r, c);
	return r;
}
