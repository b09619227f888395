/* Deriche's recursive smoothing of a picture, along its rows */
#include "../nest.h"
#ifndef N
#define N 30
#endif
static T in[N][N], y1[N][N], out[N][N];
void init(void)
{
	FILL(in);
}
void kernel(void)
{
	POINTER(in) POINTER(y1) POINTER(out)
	const T a1 = (T)0.3, a2 = (T)-0.1, b1 = (T)0.7, b2 = (T)-0.2;
	for (int i = 0; i < N; i++) {
		T p1 = 0, p2 = 0, px = 0;
		INNER
		for (int j = 0; j < N; j++) {
			y1[i][j] = a1 * in[i][j] + a2 * px + b1 * p1 + b2 * p2;
			px = in[i][j];
			p2 = p1;
			p1 = y1[i][j];
		}
		p1 = p2 = px = 0;
		T q = 0;
		INNER
		for (int j = N - 1; j >= 0; j--) {
			T v = a2 * px + a1 * q + b1 * p1 + b2 * p2;
			q = px;
			px = in[i][j];
			p2 = p1;
			p1 = v;
			out[i][j] = y1[i][j] + v;
		}
	}
}
double check(void)
{
	double r = 0;
	SUM(r, out);
	return r;
}
