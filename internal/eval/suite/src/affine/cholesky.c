/* A = L transposed(L), A symmetric and positive definite */
#include <math.h>
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
		OUTER
		for (int j = 0; j < i; j++) {
			INNER
			for (int k = 0; k < j; k++)
				a[i][j] -= a[i][k] * a[j][k];
			a[i][j] /= a[j][j];
		}
		INNER
		for (int k = 0; k < i; k++)
			a[i][i] -= a[i][k] * a[i][k];
		a[i][i] = sqrt(a[i][i]);
	}
}
double check(void)
{
	double r = 0;
	SUM(r, a);
	return r;
}
