/* 27 points of a cube with four weights */
#include "../nest.h"
#ifndef N
#define N 11
#endif
#define STEPS 8
static T a[N][N][N], b[N][N][N];
void init(void)
{
	FILL(a);
	FILL(b);
}
void kernel(void)
{
	POINTER(a) POINTER(b)
	for (int t = 0; t < STEPS; t++)
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < N - 1; j++)
				INNER
				for (int k = 1; k < N - 1; k++) {
					T face = a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j + 1][k] + a[i][j][k - 1] + a[i][j][k + 1];
					T edge = a[i - 1][j - 1][k] + a[i - 1][j + 1][k] + a[i + 1][j - 1][k] + a[i + 1][j + 1][k] + a[i][j - 1][k - 1] + a[i][j - 1][k + 1];
					b[i][j][k] = (T)0.4 * a[i][j][k] + (T)0.06 * face + (T)0.02 * edge;
				}
}
double check(void)
{
	double r = 0;
	SUM(r, b);
	return r;
}
