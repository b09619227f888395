/* diffusion in a plane by alternating directions */
#include "../nest.h"
#ifndef N
#define N 24
#endif
#define STEPS 3
static T u[N][N], v[N][N], p[N][N], q[N][N];
void init(void)
{
	FILL(u);
}
void kernel(void)
{
	POINTER(u) POINTER(v) POINTER(p) POINTER(q)
	const T a = (T)-0.3, b = (T)1.6, d = (T)-0.4, f = (T)-0.4;
	for (int t = 0; t < STEPS; t++) {
		for (int i = 1; i < N - 1; i++) {
			v[0][i] = 1;
			p[i][0] = 0;
			q[i][0] = v[0][i];
			INNER
			for (int j = 1; j < N - 1; j++) {
				p[i][j] = -a / (a * p[i][j - 1] + b);
				q[i][j] = (-d * u[j][i - 1] + (1 + 2 * d) * u[j][i] - f * u[j][i + 1] - a * q[i][j - 1]) / (a * p[i][j - 1] + b);
			}
			v[N - 1][i] = 1;
			INNER
			for (int j = N - 2; j >= 1; j--)
				v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
		}
		NEST2
		for (int i = 1; i < N - 1; i++)
			INNER
			for (int j = 1; j < N - 1; j++)
				u[i][j] = (T)0.5 * (u[i][j] + v[i][j]);
	}
}
double check(void)
{
	double r = 0;
	SUM(r, u);
	return r;
}
