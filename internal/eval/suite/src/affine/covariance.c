/* covariance of the columns of a table */
#include "../nest.h"
#ifndef N
#define N 30
#endif
static T x[N][N], c[N][N], mean[N];
void init(void)
{
	FILL(x);
}
void kernel(void)
{
	POINTER(x) POINTER(c) POINTER(mean)
	for (int j = 0; j < N; j++) {
		mean[j] = 0;
		INNER
		for (int i = 0; i < N; i++)
			mean[j] += x[i][j];
		mean[j] /= N;
	}
	NEST2
	for (int i = 0; i < N; i++)
		INNER
		for (int j = 0; j < N; j++)
			x[i][j] -= mean[j];
	for (int i = 0; i < N; i++)
		OUTER
		for (int j = i; j < N; j++) {
			T s = 0;
			INNER
			for (int k = 0; k < N; k++)
				s += x[k][i] * x[k][j];
			c[i][j] = c[j][i] = s / (T)(N - 1);
		}
}
double check(void)
{
	double r = 0;
	SUM(r, c);
	return r;
}
