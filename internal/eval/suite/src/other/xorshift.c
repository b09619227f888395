/* random numbers and how many lie in a circle */
#include "../nest.h"
#ifndef N
#define N 4000
#endif
static unsigned long hits[1];
void init(void) { hits[0] = 0; }
void kernel(void)
{
	unsigned long s = 88172645463325252ul, n = 0;
	for (int i = 0; i < N; i++) {
		s ^= s << 13;
		s ^= s >> 7;
		s ^= s << 17;
		T x = (T)(s & 0xffff) / (T)65536, y = (T)(s >> 16 & 0xffff) / (T)65536;
		n += x * x + y * y < (T)1;
	}
	hits[0] = n;
}
double check(void)
{
	double r = 0;
	for (int i = 0; i < (int)(sizeof hits / sizeof *hits); i++)
		r += (double)hits[i] * (i % 7 + 1);
	return r;
}
