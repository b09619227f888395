/* A = L U, each column's updates at once */
#include "../nest.h"
#ifndef N
#define N 44
#endif
static T a[N][N];
void init(void)
{
	FILL(a);
	for (int i = 0; i < N; i++)
		a[i][i] += N;
}
void kernel(void)
{
	POINTER(a)
	for (int k = 0; k < N; k++) {
		T inverse = (T)1 / a[k][k];
		INNER
		for (int i = k + 1; i < N; i++)
			a[i][k] *= inverse;
		NEST2
		for (int i = k + 1; i < N; i++)
			INNER
			for (int j = k + 1; j < N; j++)
				a[i][j] -= a[i][k] * a[k][j];
	}
}
double check(void)
{
	double r = 0;
	SUM(r, a);
	return r;
}
