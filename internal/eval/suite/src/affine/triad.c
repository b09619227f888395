/* a = b + s c */
#include "../nest.h"
#ifndef N
#define N 900
#endif
#define REPEAT 50
static T a[N], b[N], c[N];
void init(void)
{
	FILL(b);
	FILL(c);
}
void kernel(void)
{
	POINTER(a) POINTER(b) POINTER(c)
	for (int r = 0; r < REPEAT; r++)
		INNER
		for (int i = 0; i < N; i++)
			a[i] = b[i] + (T)r * c[i];
}
double check(void)
{
	double r = 0;
	SUM(r, a);
	return r;
}
