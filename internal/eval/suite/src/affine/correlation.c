/* correlation of the columns of a table */
#include <math.h>
#include "../nest.h"
#ifndef N
#define N 26
#endif
static T x[N][N], c[N][N], mean[N], dev[N];
void init(void)
{
	FILL(x);
	for (int i = 0; i < N; i++)
		x[i][i] += (T)(i % 3);
}
void kernel(void)
{
	POINTER(x) POINTER(c) POINTER(mean) POINTER(dev)
	for (int j = 0; j < N; j++) {
		mean[j] = 0;
		INNER
		for (int i = 0; i < N; i++)
			mean[j] += x[i][j];
		mean[j] /= N;
		dev[j] = 0;
		INNER
		for (int i = 0; i < N; i++)
			dev[j] += (x[i][j] - mean[j]) * (x[i][j] - mean[j]);
		dev[j] = sqrt(dev[j] / N) + (T)0.1;
	}
	NEST2
	for (int i = 0; i < N; i++)
		INNER
		for (int j = 0; j < N; j++)
			x[i][j] = (x[i][j] - mean[j]) / (sqrt((T)N) * dev[j]);
	for (int i = 0; i < N - 1; i++) {
		c[i][i] = 1;
		for (int j = i + 1; j < N; j++) {
			T s = 0;
			INNER
			for (int k = 0; k < N; k++)
				s += x[k][i] * x[k][j];
			c[i][j] = c[j][i] = s;
		}
	}
}
double check(void)
{
	double r = 0;
	SUM(r, c);
	return r;
}
