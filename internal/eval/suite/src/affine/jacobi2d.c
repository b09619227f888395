/* Jacobi's iteration on a square, five points */
#include "../nest.h"
#ifndef N
#define N 34
#endif
#define STEPS 12
static T a[N][N], b[N][N];
void init(void)
{
	FILL(a);
	FILL(b);
}
void kernel(void)
{
	POINTER(a) POINTER(b)
	for (int t = 0; t < STEPS; t++) {
		NEST2
		for (int i = 1; i < N - 1; i++)
			INNER
			for (int j = 1; j < N - 1; j++)
				b[i][j] = (T)0.2 * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i + 1][j] + a[i - 1][j]);
		NEST2
		for (int i = 1; i < N - 1; i++)
			INNER
			for (int j = 1; j < N - 1; j++)
				a[i][j] = (T)0.2 * (b[i][j] + b[i][j - 1] + b[i][j + 1] + b[i + 1][j] + b[i - 1][j]);
	}
}
double check(void)
{
	double r = 0;
	SUM(r, a);
	return r;
}
