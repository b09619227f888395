/* heat in a cube, seven points */
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
	for (int t = 0; t < STEPS; t++) {
		NEST3
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < N - 1; j++)
				INNER
				for (int k = 1; k < N - 1; k++)
					b[i][j][k] = (T)0.125 * (a[i + 1][j][k] - 2 * a[i][j][k] + a[i - 1][j][k]) + (T)0.125 * (a[i][j + 1][k] - 2 * a[i][j][k] + a[i][j - 1][k]) +
						     (T)0.125 * (a[i][j][k + 1] - 2 * a[i][j][k] + a[i][j][k - 1]) + a[i][j][k];
		NEST3
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < N - 1; j++)
				INNER
				for (int k = 1; k < N - 1; k++)
					a[i][j][k] = b[i][j][k] + (T)0.01 * (b[i][j][k + 1] - b[i][j][k - 1]);
	}
}
double check(void)
{
	double r = 0;
	SUM(r, a);
	return r;
}
