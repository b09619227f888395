/* bits of words, by the instruction where there is one */
#include "../nest.h"
#ifndef N
#define N 2000
#endif
#define REPEAT 20
static unsigned long words[N];
static unsigned long bits[1];
void init(void)
{
	for (int i = 0; i < N; i++)
		words[i] = (unsigned long)i * 0x9e3779b97f4a7c15ul;
	bits[0] = 0;
}
static inline int count(unsigned long x)
{
#ifdef __POPCNT__
	return __builtin_popcountl(x);
#else
	int n = 0;
	for (; x; x &= x - 1)
		n++;
	return n;
#endif
}
void kernel(void)
{
	for (int r = 0; r < REPEAT; r++) {
		unsigned long sum = bits[0];
		INNER
		for (int i = 0; i < N; i++)
			sum += count(words[i]);
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
