/* a short list sorted by insertion */
#include "../nest.h"
#ifndef N
#define N 120
#endif
static unsigned state;
static unsigned next(void)
{
	state = state * 1103515245u + 12345u;
	return state >> 16;
}
static int list[N];
void init(void)
{
	state = 9;
	for (int i = 0; i < N; i++)
		list[i] = next() % 1000;
}
void kernel(void)
{
	POINTER(list)
	for (int i = 1; i < N; i++) {
		int v = list[i], j = i;
		while (j > 0 && list[j - 1] > v) {
			list[j] = list[j - 1];
			j--;
		}
		list[j] = v;
	}
}
double check(void)
{
	double r = 0;
	for (int i = 0; i < (int)(sizeof list / sizeof *list); i++)
		r += (double)list[i] * (i % 7 + 1);
	return r;
}
