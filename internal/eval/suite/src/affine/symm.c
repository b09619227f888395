/* C = alpha A B + beta C, A symmetric, its lower half stored */
#include "../nest.h"
#ifndef N
#define N 26
#endif
static T a[N][N], b[N][N], c[N][N];
void init(void)
{
	FILL(a);
	FILL(b);
	FILL(c);
}
void kernel(void)
{
	POINTER(a) POINTER(b) POINTER(c)
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			T s = 0;
			INNER
			for (int k = 0; k < i; k++) {
				c[k][j] += (T)1.5 * b[i][j] * a[i][k];
				s += b[k][j] * a[i][k];
			}
			c[i][j] = (T)1.2 * c[i][j] + (T)1.5 * b[i][j] * a[i][i] + (T)1.5 * s;
		}
}
double check(void)
{
	double r = 0;
	SUM(r, c);
	return r;
}
