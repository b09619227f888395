/* products of vectors of bytes, as quantised networks have them */
#include "../nest.h"
#ifndef N
#define N 4096
#endif
#define ROWS 3
#define REPEAT 20
static signed char w[ROWS][N], x[N];
static int y[ROWS];
void init(void)
{
	for (int i = 0; i < N; i++) {
		x[i] = (signed char)(i * 11);
		for (int r = 0; r < ROWS; r++)
			w[r][i] = (signed char)(i * 7 + r);
	}
}
void kernel(void)
{
	POINTER(w) POINTER(x) POINTER(y)
	for (int t = 0; t < REPEAT; t++)
		for (int r = 0; r < ROWS; r++) {
			int s = t;
			INNER
			for (int i = 0; i < N; i++)
				s += w[r][i] * x[i];
			y[r] = s;
		}
}
double check(void)
{
	double r = 0;
	for (int i = 0; i < (int)(sizeof y / sizeof *y); i++)
		r += (double)y[i] * (i % 7 + 1);
	return r;
}
