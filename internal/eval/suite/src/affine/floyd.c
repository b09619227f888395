/* shortest ways between all pairs (Floyd and Warshall) */
#include "../nest.h"
#ifndef N
#define N 36
#endif
static T d[N][N];
void init(void)
{
	FILL(d);
}
void kernel(void)
{
	POINTER(d)
	for (int k = 0; k < N; k++)
		NEST2
		for (int i = 0; i < N; i++)
			INNER
			for (int j = 0; j < N; j++)
				d[i][j] = d[i][j] < d[i][k] + d[k][j] ? d[i][j] : d[i][k] + d[k][j];
}
double check(void)
{
	double r = 0;
	SUM(r, d);
	return r;
}
