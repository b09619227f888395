/* the game of life */
#include "../nest.h"
#ifndef N
#define N 64
#endif
#define STEPS 4
static unsigned char a[N][N], b[N][N];
void init(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			a[i][j] = ((unsigned)(i * 67 + j) * 2654435761u >> 28) < 6;
			b[i][j] = 0;
		}
}
void kernel(void)
{
	POINTER(a) POINTER(b)
	for (int t = 0; t < STEPS; t++) {
		for (int i = 1; i < N - 1; i++)
			INNER
			for (int j = 1; j < N - 1; j++) {
				int n = a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1] + a[i][j - 1] + a[i][j + 1] + a[i + 1][j - 1] + a[i + 1][j] + a[i + 1][j + 1];
				b[i][j] = (n == 3) | (a[i][j] & (n == 2));
			}
		NEST2
		for (int i = 0; i < N; i++)
			INNER
			for (int j = 0; j < N; j++)
				a[i][j] = b[i][j];
	}
}
double check(void)
{
	double r = 0;
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			r += a[i][j] * (i + j % 7);
	return r;
}
