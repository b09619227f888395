/* B = transposed(A), and added */
#include "../nest.h"
#ifndef N
#define N 38
#endif
#define REPEAT 50
static T a[N][N], b[N][N];
void init(void)
{
	FILL(a);
	FILL(b);
}
void kernel(void)
{
	POINTER(a) POINTER(b)
	for (int r = 0; r < REPEAT; r++)
		NEST2
		for (int i = 0; i < N; i++)
			INNER
			for (int j = 0; j < N; j++)
				b[i][j] = a[j][i] + (T)r;
}
double check(void)
{
	double r = 0;
	SUM(r, b);
	return r;
}
