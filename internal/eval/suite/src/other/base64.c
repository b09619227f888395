/* bytes written as letters */
#include "../nest.h"
#ifndef N
#define N 6000
#endif
static unsigned char in[N];
static char out[N / 3 * 4];
static const char letters[64] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
void init(void)
{
	for (int i = 0; i < N; i++)
		in[i] = (unsigned char)(i * 37);
}
void kernel(void)
{
	INNER
	for (int i = 0; i < N / 3; i++) {
		unsigned v = in[3 * i] << 16 | in[3 * i + 1] << 8 | in[3 * i + 2];
		out[4 * i] = letters[v >> 18];
		out[4 * i + 1] = letters[v >> 12 & 63];
		out[4 * i + 2] = letters[v >> 6 & 63];
		out[4 * i + 3] = letters[v & 63];
	}
}
double check(void)
{
	double r = 0;
	for (int i = 0; i < (int)(sizeof out / sizeof *out); i++)
		r += (double)out[i] * (i % 7 + 1);
	return r;
}
