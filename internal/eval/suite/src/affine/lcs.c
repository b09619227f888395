/* the longest common subsequence of two texts */
#include "../nest.h"
#ifndef N
#define N 70
#endif
static int length[N + 1][N + 1];
static char a[N], b[N];
void init(void)
{
	for (int i = 0; i < N; i++) {
		a[i] = i * 5 % 7;
		b[i] = i * 3 % 5;
	}
}
void kernel(void)
{
	POINTER(length) POINTER(a) POINTER(b)
	for (int i = 1; i <= N; i++)
		INNER
		for (int j = 1; j <= N; j++) {
			int up = length[i - 1][j], left = length[i][j - 1];
			int best = up > left ? up : left;
			length[i][j] = a[i - 1] == b[j - 1] ? length[i - 1][j - 1] + 1 : best;
		}
}
double check(void)
{
	double r = 0;
	for (int i = 0; i <= N; i++)
		for (int j = 0; j <= N; j++)
			r += length[i][j] * (j % 3 + 1);
	return r;
}
