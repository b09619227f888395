/* y = A x, A sparse, its rows compressed */
#include "../nest.h"
#ifndef N
#define N 150
#endif
#define PER 9
#define REPEAT 8
static int row[N + 1], col[N * PER];
static T val[N * PER], x[N], y[N];
void init(void)
{
	FILL(val);
	FILL(x);
	int k = 0;
	for (int i = 0; i < N; i++) {
		row[i] = k;
		for (int j = 0; j < 5 + i % 5; j++)
			col[k++] = (i * 13 + j * 29) % N;
	}
	row[N] = k;
}
void kernel(void)
{
	POINTER(row) POINTER(col) POINTER(val) POINTER(x) POINTER(y)
	for (int r = 0; r < REPEAT; r++)
		for (int i = 0; i < N; i++) {
			T s = (T)r;
			INNER
			for (int k = row[i]; k < row[i + 1]; k++)
				s += val[k] * x[col[k]];
			y[i] = s;
		}
}
double check(void)
{
	double r = 0;
	for (int i = 0; i < (int)(sizeof y / sizeof *y); i++)
		r += (double)y[i] * (i % 7 + 1);
	return r;
}
