/* bits of words, by shifts and masks */
#include "../nest.h"
#ifndef N
#define N 1200
#endif
#define REPEAT 40
static unsigned long words[N];
static unsigned long bits[1];
void init(void)
{
	for (int i = 0; i < N; i++)
		words[i] = (unsigned long)i * 0x9e3779b97f4a7c15ul;
	bits[0] = 0;
}
void kernel(void)
{
	for (int r = 0; r < REPEAT; r++) {
		unsigned long sum = bits[0];
		INNER
		for (int i = 0; i < N; i++) {
			unsigned long x = words[i];
			x -= x >> 1 & 0x5555555555555555ul;
			x = (x & 0x3333333333333333ul) + (x >> 2 & 0x3333333333333333ul);
			x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0ful;
			sum += x * 0x0101010101010101ul >> 56;
		}
		bits[0] = sum;
	}
}
double check(void)
{
	double r = 0;
	for (int i = 0; i < (int)(sizeof bits / sizeof *bits); i++)
		r += (double)bits[i] * (i % 7 + 1);
	return r;
}
