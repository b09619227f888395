/* s = transposed(A) r, q = A p: the kernel of BiCGStab */
#include "../nest.h"
#ifndef N
#define N 48
#endif
#define REPEAT 8
static T a[N][N], s[N], q[N], p[N], x[N];
void init(void)
{
	FILL(a);
	FILL(p);
	FILL(x);
}
void kernel(void)
{
	POINTER(a) POINTER(s) POINTER(q) POINTER(p) POINTER(x)
	for (int r = 0; r < REPEAT; r++) {
		for (int i = 0; i < N; i++)
			s[i] = (T)r;
		for (int i = 0; i < N; i++) {
			q[i] = 0;
			INNER
			for (int j = 0; j < N; j++) {
				s[j] += x[i] * a[i][j];
				q[i] += a[i][j] * p[j];
			}
		}
	}
}
double check(void)
{
	double r = 0;
	SUM(r, s); SUM(r, q);
	return r;
}
