/* the elements above a threshold, put together */
#include "../nest.h"
#ifndef N
#define N 2500
#endif
#define REPEAT 3
static unsigned state;
static unsigned next(void)
{
	state = state * 1103515245u + 12345u;
	return state >> 16;
}
static int in[N], out[N], kept[1];
void init(void)
{
	state = 11;
	for (int i = 0; i < N; i++)
		in[i] = next() % 1000;
}
void kernel(void)
{
	POINTER(in) POINTER(out) POINTER(kept)
	for (int r = 0; r < REPEAT; r++) {
		int k = 0;
		for (int i = 0; i < N; i++) {
			out[k] = in[i];
			k += in[i] > 500 + r;
		}
		kept[0] = k;
	}
}
double check(void)
{
	double r = kept[0];
	for (int i = 0; i < (int)(sizeof out / sizeof *out); i++)
		r += (double)out[i] * (i % 7 + 1);
	return r;
}
