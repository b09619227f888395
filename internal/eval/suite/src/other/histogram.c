/* how often each byte occurs */
#include "../nest.h"
#ifndef N
#define N 8000
#endif
static unsigned state;
static unsigned next(void)
{
	state = state * 1103515245u + 12345u;
	return state >> 16;
}
static unsigned char text[N];
static unsigned count[256];
void init(void)
{
	state = 1;
	for (int i = 0; i < N; i++)
		text[i] = next() & 63;
	for (int i = 0; i < 256; i++)
		count[i] = 0;
}
void kernel(void)
{
	POINTER(text) POINTER(count)
	INNER
	for (int i = 0; i < N; i++)
		count[text[i]]++;
}
double check(void)
{
	double r = 0;
	for (int i = 0; i < (int)(sizeof count / sizeof *count); i++)
		r += (double)count[i] * (i % 7 + 1);
	return r;
}
