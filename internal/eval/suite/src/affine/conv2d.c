/* a picture convolved with 3 by 3 weights */
#include "../nest.h"
#ifndef N
#define N 40
#endif
#define REPEAT 20
static T in[N][N], out[N][N], w[3][3];
void init(void)
{
	FILL(in);
	FILL(w);
}
void kernel(void)
{
	POINTER(in) POINTER(out) POINTER(w)
	for (int r = 0; r < REPEAT; r++)
		OUTER
		for (int i = 1; i < N - 1; i++)
			INNER
			for (int j = 1; j < N - 1; j++)
				out[i][j] = w[0][0] * in[i - 1][j - 1] + w[0][1] * in[i - 1][j] + w[0][2] * in[i - 1][j + 1] + w[1][0] * in[i][j - 1] + w[1][1] * in[i][j] + w[1][2] * in[i][j + 1] +
					    w[2][0] * in[i + 1][j - 1] + w[2][1] * in[i + 1][j] + w[2][2] * in[i + 1][j + 1];
}
double check(void)
{
	double r = 0;
	SUM(r, out);
	return r;
}
