/* after how many steps z^2 + c leaves the circle */
#include "../nest.h"
#ifndef N
#define N 16
#endif
#define MOST 40
static int steps[N * N];
void init(void) {}
void kernel(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			T cr = (T)-2 + (T)3 * j / N, ci = (T)-1.5 + (T)3 * i / N, zr = 0, zi = 0;
			int n = 0;
			while (n < MOST && zr * zr + zi * zi < (T)4) {
				T t = zr * zr - zi * zi + cr;
				zi = 2 * zr * zi + ci;
				zr = t;
				n++;
			}
			steps[i * N + j] = n;
		}
}
double check(void)
{
	double r = 0;
	for (int i = 0; i < (int)(sizeof steps / sizeof *steps); i++)
		r += (double)steps[i] * (i % 7 + 1);
	return r;
}
