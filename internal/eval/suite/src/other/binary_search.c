/* keys looked up in a sorted list */
#include "../nest.h"
#ifndef N
#define N 1024
#endif
static unsigned state;
static unsigned next(void)
{
	state = state * 1103515245u + 12345u;
	return state >> 16;
}
#define KEYS 400
static int list[N], keys[KEYS], at[KEYS];
void init(void)
{
	state = 5;
	for (int i = 0; i < N; i++)
		list[i] = i * 31;
	for (int i = 0; i < KEYS; i++)
		keys[i] = next() % (N * 31);
}
void kernel(void)
{
	for (int i = 0; i < KEYS; i++) {
		const int *base = list;
		for (int n = N; n > 1; n -= n / 2)
			base = base[n / 2] <= keys[i] ? base + n / 2 : base;
		at[i] = (int)(base - list);
	}
}
double check(void)
{
	double r = 0;
	for (int i = 0; i < (int)(sizeof at / sizeof *at); i++)
		r += (double)at[i] * (i % 7 + 1);
	return r;
}
