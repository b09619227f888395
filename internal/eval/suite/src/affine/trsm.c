/* L X = B */
#include "../nest.h"
#ifndef N
#define N 38
#endif
static T l[N][N], b[N][N];
void init(void)
{
	FILL(l);
	FILL(b);
	for (int i = 0; i < N; i++)
		l[i][i] += N;
}
void kernel(void)
{
	POINTER(l) POINTER(b)
	for (int i = 0; i < N; i++) {
		OUTER
		for (int k = 0; k < i; k++)
			INNER
			for (int j = 0; j < N; j++)
				b[i][j] -= l[i][k] * b[k][j];
		INNER
		for (int j = 0; j < N; j++)
			b[i][j] /= l[i][i];
	}
}
double check(void)
{
	double r = 0;
	SUM(r, b);
	return r;
}
