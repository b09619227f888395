/* the most pairs in a folded chain of bases (Nussinov) */
#include "../nest.h"
#ifndef N
#define N 36
#endif
static int table[N][N];
static signed char seq[N];
void init(void)
{
	for (int i = 0; i < N; i++) {
		seq[i] = (i * 7 + i / 3) % 4;
		for (int j = 0; j < N; j++)
			table[i][j] = 0;
	}
}
static int most(int a, int b) { return a > b ? a : b; }
void kernel(void)
{
	POINTER(table) POINTER(seq)
	for (int i = N - 1; i >= 0; i--)
		for (int j = i + 1; j < N; j++) {
			table[i][j] = most(table[i][j], table[i][j - 1]);
			if (i + 1 < N) {
				table[i][j] = most(table[i][j], table[i + 1][j]);
				table[i][j] = most(table[i][j], table[i + 1][j - 1] + (i < j - 1 && seq[i] + seq[j] == 3));
			}
			INNER
			for (int k = i + 1; k < j; k++)
				table[i][j] = most(table[i][j], table[i][k] + table[k + 1][j]);
		}
}
double check(void)
{
	double r = 0;
	for (int i = 0; i < N * N; i++)
		r += table[i / N][i % N] * (i % 11 + 1);
	return r;
}
