/* A = L U without pivots */
#include "../nest.h"
#ifndef N
#define N 40
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
	for (int i = 0; i < N; i++) {
		for (int j = 0; j < i; j++) {
			INNER
			for (int k = 0; k < j; k++)
				a[i][j] -= a[i][k] * a[k][j];
			a[i][j] /= a[j][j];
		}
		OUTER
		for (int j = i; j < N; j++)
			INNER
			for (int k = 0; k < i; k++)
				a[i][j] -= a[i][k] * a[k][j];
	}
}
double check(void)
{
	double r = 0;
	SUM(r, a);
	return r;
}
