/* Gauss and Seidel's iteration on a square, nine points */
#include "../nest.h"
#ifndef N
#define N 40
#endif
#define STEPS 2
static T a[N][N];
void init(void)
{
	FILL(a);
}
void kernel(void)
{
	POINTER(a)
	for (int t = 0; t < STEPS; t++)
		for (int i = 1; i < N - 1; i++)
			INNER
			for (int j = 1; j < N - 1; j++)
				a[i][j] = (a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1] + a[i][j - 1] + a[i][j] + a[i][j + 1] + a[i + 1][j - 1] + a[i + 1][j] + a[i + 1][j + 1]) / (T)9;
}
double check(void)
{
	double r = 0;
	SUM(r, a);
	return r;
}
