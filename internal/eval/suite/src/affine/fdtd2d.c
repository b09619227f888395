/* electric and magnetic fields in a plane, in turn */
#include "../nest.h"
#ifndef N
#define N 26
#endif
#define STEPS 12
static T ex[N][N], ey[N][N], hz[N][N];
void init(void)
{
	FILL(ex);
	FILL(ey);
	FILL(hz);
}
void kernel(void)
{
	POINTER(ex) POINTER(ey) POINTER(hz)
	for (int t = 0; t < STEPS; t++) {
		INNER
		for (int j = 0; j < N; j++)
			ey[0][j] = (T)t;
		NEST2
		for (int i = 1; i < N; i++)
			INNER
			for (int j = 0; j < N; j++)
				ey[i][j] -= (T)0.5 * (hz[i][j] - hz[i - 1][j]);
		NEST2
		for (int i = 0; i < N; i++)
			INNER
			for (int j = 1; j < N; j++)
				ex[i][j] -= (T)0.5 * (hz[i][j] - hz[i][j - 1]);
		NEST2
		for (int i = 0; i < N - 1; i++)
			INNER
			for (int j = 0; j < N - 1; j++)
				hz[i][j] -= (T)0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
	}
}
double check(void)
{
	double r = 0;
	SUM(r, hz);
	return r;
}
