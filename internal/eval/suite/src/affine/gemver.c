/* A += u1 v1 + u2 v2; x = beta transposed(A) y + z; w = alpha A x */
#include "../nest.h"
#ifndef N
#define N 48
#endif
#define REPEAT 4
static T a[N][N], u1[N], v1[N], u2[N], v2[N], w[N], x[N], y[N], z[N];
void init(void)
{
	FILL(a);
	FILL(u1);
	FILL(v1);
	FILL(u2);
	FILL(v2);
	FILL(w);
	FILL(x);
	FILL(y);
	FILL(z);
}
void kernel(void)
{
	POINTER(a) POINTER(u1) POINTER(v1) POINTER(u2) POINTER(v2) POINTER(w) POINTER(x) POINTER(y) POINTER(z)
	for (int r = 0; r < REPEAT; r++) {
		NEST2
		for (int i = 0; i < N; i++)
			INNER
			for (int j = 0; j < N; j++)
				a[i][j] += (T)0.01 * (u1[i] * v1[j] + u2[i] * v2[j]);
		NEST2
		for (int i = 0; i < N; i++)
			INNER
			for (int j = 0; j < N; j++)
				x[i] += (T)0.01 * a[j][i] * y[j];
		INNER
		for (int i = 0; i < N; i++)
			x[i] = x[i] + z[i];
		NEST2
		for (int i = 0; i < N; i++)
			INNER
			for (int j = 0; j < N; j++)
				w[i] += (T)0.01 * a[i][j] * x[j];
	}
}
double check(void)
{
	double r = 0;
	SUM(r, w); SUM(r, x); SUM(r, a);
	return r;
}
