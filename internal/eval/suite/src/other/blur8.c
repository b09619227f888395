/* a picture of bytes, smoothed */
#include "../nest.h"
#ifndef N
#define N 96
#endif
#define REPEAT 3
static unsigned char in[N][N], out[N][N];
void init(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			in[i][j] = (unsigned char)(i * 13 + j * 7);
}
void kernel(void)
{
	POINTER(in) POINTER(out)
	for (int r = 0; r < REPEAT; r++)
		for (int i = 1; i < N - 1; i++)
			INNER
			for (int j = 1; j < N - 1; j++)
				out[i][j] = (unsigned char)((in[i - 1][j] + in[i + 1][j] + in[i][j - 1] + in[i][j + 1] + 4 * in[i][j] + 4) >> 3);
}
double check(void)
{
	double r = 0;
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			r += out[i][j] * (j % 7 + 1);
	return r;
}
