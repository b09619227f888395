/* y = A x, A sparse, all rows as long as the longest, by columns */
#include "../nest.h"
#ifndef N
#define N 160
#endif
#define PER 8
#define REPEAT 10
static int col[PER][N];
static T val[PER][N], x[N], y[N];
void init(void)
{
	FILL(val);
	FILL(x);
	for (int j = 0; j < PER; j++)
		for (int i = 0; i < N; i++)
			col[j][i] = (i * 13 + j * 29) % N;
}
void kernel(void)
{
	POINTER(col) POINTER(val) POINTER(x) POINTER(y)
	for (int r = 0; r < REPEAT; r++) {
		for (int i = 0; i < N; i++)
			y[i] = (T)r;
		NEST2
		for (int j = 0; j < PER; j++)
			INNER
			for (int i = 0; i < N; i++)
				y[i] += val[j][i] * x[col[j][i]];
	}
}
double check(void)
{
	double r = 0;
	for (int i = 0; i < (int)(sizeof y / sizeof *y); i++)
		r += (double)y[i] * (i % 7 + 1);
	return r;
}
