/* sums over the last index of a tensor, in place */
#include "../nest.h"
#ifndef N
#define N 14
#endif
static T a[N][N][N], c[N][N], s[N];
void init(void)
{
	FILL(a);
	FILL(c);
}
void kernel(void)
{
	POINTER(a) POINTER(c) POINTER(s)
	for (int r = 0; r < N; r++)
		for (int q = 0; q < N; q++) {
			for (int p = 0; p < N; p++) {
				s[p] = 0;
				INNER
				for (int k = 0; k < N; k++)
					s[p] += a[r][q][k] * c[k][p];
			}
			INNER
			for (int p = 0; p < N; p++)
				a[r][q][p] = s[p];
		}
}
double check(void)
{
	double r = 0;
	SUM(r, a);
	return r;
}
