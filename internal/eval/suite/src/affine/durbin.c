/* Yule and Walker's equations by Durbin's recursion */
#include "../nest.h"
#ifndef N
#define N 120
#endif
static T r_[N], y[N], z[N];
void init(void)
{
	for (int i = 0; i < N; i++)
		r_[i] = (T)1 / (T)(i + 3);
}
void kernel(void)
{
	POINTER(r_) POINTER(y) POINTER(z)
	T alpha = -r_[0], beta = 1;
	y[0] = -r_[0];
	for (int k = 1; k < N; k++) {
		T s = 0;
		beta = (1 - alpha * alpha) * beta;
		INNER
		for (int i = 0; i < k; i++)
			s += r_[k - i - 1] * y[i];
		alpha = -(r_[k] + s) / beta;
		INNER
		for (int i = 0; i < k; i++)
			z[i] = y[i] + alpha * y[k - i - 1];
		INNER
		for (int i = 0; i < k; i++)
			y[i] = z[i];
		y[k] = alpha;
	}
}
double check(void)
{
	double r = 0;
	SUM(r, y);
	return r;
}
