/* edges in a picture of 16-bit numbers */
#include "../nest.h"
#ifndef N
#define N 72
#endif
#define REPEAT 4
static short in[N][N], out[N][N];
void init(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			in[i][j] = (short)((i * 13 + j * 7) % 255);
}
static short size(int v) { return (short)(v < 0 ? -v : v); }
void kernel(void)
{
	POINTER(in) POINTER(out)
	for (int r = 0; r < REPEAT; r++)
		for (int i = 1; i < N - 1; i++)
			INNER
			for (int j = 1; j < N - 1; j++) {
				int gx = in[i - 1][j + 1] + 2 * in[i][j + 1] + in[i + 1][j + 1] - in[i - 1][j - 1] - 2 * in[i][j - 1] - in[i + 1][j - 1];
				int gy = in[i + 1][j - 1] + 2 * in[i + 1][j] + in[i + 1][j + 1] - in[i - 1][j - 1] - 2 * in[i - 1][j] - in[i - 1][j + 1];
				out[i][j] = (short)(size(gx) + size(gy));
			}
}
double check(void)
{
	double r = 0;
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			r += out[i][j] * (j % 7 + 1);
	return r;
}
