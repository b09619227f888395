/* A = L U, then forward and backward substitution */
#include "../nest.h"
#ifndef N
#define N 38
#endif
static T a[N][N], b[N], x[N], y[N];
void init(void)
{
	FILL(a);
	FILL(b);
	for (int i = 0; i < N; i++)
		a[i][i] += N;
}
void kernel(void)
{
	POINTER(a) POINTER(b) POINTER(x) POINTER(y)
	for (int i = 0; i < N; i++) {
		for (int j = 0; j < i; j++) {
			T w = a[i][j];
			INNER
			for (int k = 0; k < j; k++)
				w -= a[i][k] * a[k][j];
			a[i][j] = w / a[j][j];
		}
		for (int j = i; j < N; j++) {
			T w = a[i][j];
			INNER
			for (int k = 0; k < i; k++)
				w -= a[i][k] * a[k][j];
			a[i][j] = w;
		}
	}
	for (int i = 0; i < N; i++) {
		T w = b[i];
		INNER
		for (int j = 0; j < i; j++)
			w -= a[i][j] * y[j];
		y[i] = w;
	}
	for (int i = N - 1; i >= 0; i--) {
		T w = y[i];
		INNER
		for (int j = i + 1; j < N; j++)
			w -= a[i][j] * x[j];
		x[i] = w / a[i][i];
	}
}
double check(void)
{
	double r = 0;
	SUM(r, x);
	return r;
}
