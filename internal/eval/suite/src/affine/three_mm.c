/* G = (A B) (C D) */
#include "../nest.h"
#ifndef N
#define N 20
#endif
static T a[N][N], b[N][N], c[N][N], d[N][N], e[N][N], f[N][N], g[N][N];
void init(void)
{
	FILL(a);
	FILL(b);
	FILL(c);
	FILL(d);
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			e[i][j] = f[i][j] = g[i][j] = 0;
}
void kernel(void)
{
	POINTER(a) POINTER(b) POINTER(c) POINTER(d) POINTER(e) POINTER(f) POINTER(g)
	NEST3
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			INNER
			for (int k = 0; k < N; k++)
				e[i][j] += a[i][k] * b[k][j];
	NEST3
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			INNER
			for (int k = 0; k < N; k++)
				f[i][j] += c[i][k] * d[k][j];
	NEST3
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			INNER
			for (int k = 0; k < N; k++)
				g[i][j] += e[i][k] * f[k][j];
}
double check(void)
{
	double r = 0;
	SUM(r, g);
	return r;
}
