/* colours become grey */
#include "../nest.h"
#ifndef N
#define N 3000
#endif
#define REPEAT 3
static unsigned char rgb[3 * N], gray[N];
void init(void)
{
	for (int i = 0; i < 3 * N; i++)
		rgb[i] = (unsigned char)(i * 29);
}
void kernel(void)
{
	POINTER(rgb) POINTER(gray)
	for (int r = 0; r < REPEAT; r++)
		INNER
		for (int i = 0; i < N; i++)
			gray[i] = (unsigned char)((77 * rgb[3 * i] + 150 * rgb[3 * i + 1] + 29 * rgb[3 * i + 2] + r) >> 8);
}
double check(void)
{
	double r = 0;
	for (int i = 0; i < (int)(sizeof gray / sizeof *gray); i++)
		r += (double)gray[i] * (i % 7 + 1);
	return r;
}
