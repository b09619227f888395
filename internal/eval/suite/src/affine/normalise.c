/* rows normalised to their sums, with the greatest taken off */
#include "../nest.h"
#ifndef N
#define N 40
#endif
#define REPEAT 2
static T a[N][N], b[N][N];
void init(void)
{
	FILL(a);
}
void kernel(void)
{
	POINTER(a) POINTER(b)
	for (int r = 0; r < REPEAT; r++)
		for (int i = 0; i < N; i++) {
			T most = a[i][0], s = 0;
			INNER
			for (int j = 1; j < N; j++)
				most = a[i][j] > most ? a[i][j] : most;
			INNER
			for (int j = 0; j < N; j++)
				s += (T)1 / ((T)1 + most - a[i][j]);
			INNER
			for (int j = 0; j < N; j++)
				b[i][j] = ((T)1 / ((T)1 + most - a[i][j])) / s + (T)r;
		}
}
double check(void)
{
	double r = 0;
	SUM(r, b);
	return r;
}
