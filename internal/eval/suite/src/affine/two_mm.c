/* D = alpha A B C + beta D */
#include "../nest.h"
#ifndef N
#define N 22
#endif
static T a[N][N], b[N][N], c[N][N], d[N][N], t[N][N];
void init(void)
{
	FILL(a);
	FILL(b);
	FILL(c);
	FILL(d);
}
void kernel(void)
{
	POINTER(a) POINTER(b) POINTER(c) POINTER(d) POINTER(t)
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			t[i][j] = 0;
			INNER
			for (int k = 0; k < N; k++)
				t[i][j] += (T)1.5 * a[i][k] * b[k][j];
		}
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			d[i][j] *= (T)1.2;
			INNER
			for (int k = 0; k < N; k++)
				d[i][j] += t[i][k] * c[k][j];
		}
}
double check(void)
{
	double r = 0;
	SUM(r, d);
	return r;
}
