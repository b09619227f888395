/* A = Q R by the modified process of Gram and Schmidt */
#include <math.h>
#include "../nest.h"
#ifndef N
#define N 28
#endif
static T a[N][N], r_[N][N], q[N][N];
void init(void)
{
	FILL(a);
	for (int i = 0; i < N; i++)
		a[i][i] += 9;
}
void kernel(void)
{
	POINTER(a) POINTER(r_) POINTER(q)
	for (int k = 0; k < N; k++) {
		T s = 0;
		INNER
		for (int i = 0; i < N; i++)
			s += a[i][k] * a[i][k];
		r_[k][k] = sqrt(s);
		INNER
		for (int i = 0; i < N; i++)
			q[i][k] = a[i][k] / r_[k][k];
		OUTER
		for (int j = k + 1; j < N; j++) {
			r_[k][j] = 0;
			INNER
			for (int i = 0; i < N; i++)
				r_[k][j] += q[i][k] * a[i][j];
			INNER
			for (int i = 0; i < N; i++)
				a[i][j] -= q[i][k] * r_[k][j];
		}
	}
}
double check(void)
{
	double r = 0;
	SUM(r, r_);
	return r;
}
