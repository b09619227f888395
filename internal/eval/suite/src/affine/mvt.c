/* x1 += A y1, x2 += transposed(A) y2 */
#include "../nest.h"
#ifndef N
#define N 48
#endif
#define REPEAT 6
static T a[N][N], x1[N], x2[N], y1[N], y2[N];
void init(void)
{
	FILL(a);
	FILL(x1);
	FILL(x2);
	FILL(y1);
	FILL(y2);
}
void kernel(void)
{
	POINTER(a) POINTER(x1) POINTER(x2) POINTER(y1) POINTER(y2)
	for (int r = 0; r < REPEAT; r++) {
		NEST2
		for (int i = 0; i < N; i++)
			INNER
			for (int j = 0; j < N; j++)
				x1[i] += a[i][j] * y1[j];
		NEST2
		for (int i = 0; i < N; i++)
			INNER
			for (int j = 0; j < N; j++)
				x2[i] += a[j][i] * y2[j];
	}
}
double check(void)
{
	double r = 0;
	SUM(r, x1); SUM(r, x2);
	return r;
}
