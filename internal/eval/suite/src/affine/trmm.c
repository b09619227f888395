/* B = alpha transposed(A) B, A lower triangular with ones on its diagonal */
#include "../nest.h"
#ifndef N
#define N 32
#endif
static T a[N][N], b[N][N];
void init(void)
{
	FILL(a);
	FILL(b);
}
void kernel(void)
{
	POINTER(a) POINTER(b)
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			INNER
			for (int k = i + 1; k < N; k++)
				b[i][j] += a[k][i] * b[k][j];
			b[i][j] = (T)1.5 * b[i][j];
		}
}
double check(void)
{
	double r = 0;
	SUM(r, b);
	return r;
}
