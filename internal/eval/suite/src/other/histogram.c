/* how often each byte occurs */
#include "../nest.h"
#ifndef N
#define N 8000
#endif
static unsigned char text[N];
static unsigned count[256];
void init(void)
{
	unsigned x = 12345;
	for (int i = 0; i < N; i++) {
		x = x * 1103515245u + 12345u;
		text[i] = x >> 16 & 63;
	}
	for (int i = 0; i < 256; i++)
		count[i] = 0;
}
void kernel(void)
{
	INNER
	for (int i = 0; i < N; i++)
		count[text[i]]++;
}
double check(void)
{
	double r = 0;
	for (int i = 0; i < 256; i++)
		r += (double)count[i] * (i + 1);
	return r;
}
