/* L x = b, many right sides */
#include "../nest.h"
#ifndef N
#define N 40
#endif
#define REPEAT 12
static T l[N][N], x[N], b[N];
void init(void)
{
	FILL(l);
	FILL(b);
	for (int i = 0; i < N; i++)
		l[i][i] += N;
}
void kernel(void)
{
	POINTER(l) POINTER(x) POINTER(b)
	for (int r = 0; r < REPEAT; r++)
		for (int i = 0; i < N; i++) {
			T s = b[i] + (T)r;
			INNER
			for (int j = 0; j < i; j++)
				s -= l[i][j] * x[j];
			x[i] = s / l[i][i];
		}
}
double check(void)
{
	double r = 0;
	SUM(r, x);
	return r;
}
