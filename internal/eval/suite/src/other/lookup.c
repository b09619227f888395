/* a function by a table and interpolation */
#include "../nest.h"
#ifndef N
#define N 1400
#endif
#define SIZE 256
#define REPEAT 4
static T table[SIZE + 1], x[N], y[N];
void init(void)
{
	FILL(x);
	for (int i = 0; i <= SIZE; i++)
		table[i] = (T)(i * i % 91);
}
void kernel(void)
{
	POINTER(table) POINTER(x) POINTER(y)
	for (int r = 0; r < REPEAT; r++)
		INNER
		for (int i = 0; i < N; i++) {
			T p = x[i] * (T)(SIZE - r - 1);
			int at = (int)p;
			T f = p - (T)at;
			y[i] = table[at] + f * (table[at + 1] - table[at]);
		}
}
double check(void)
{
	double r = 0;
	for (int i = 0; i < (int)(sizeof y / sizeof *y); i++)
		r += (double)y[i] * (i % 7 + 1);
	return r;
}
