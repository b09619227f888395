/* forces between bodies */
#include <math.h>
#include "../nest.h"
#ifndef N
#define N 40
#endif
#define STEPS 3
static T x[N], y[N], z[N], vx[N], vy[N], vz[N], m[N];
void init(void)
{
	FILL(m);
	for (int i = 0; i < N; i++) {
		x[i] = VALUE(i * 3);
		y[i] = VALUE(i * 5 + 1);
		z[i] = VALUE(i * 11 + 2);
		vx[i] = vy[i] = vz[i] = 0;
	}
}
void kernel(void)
{
	POINTER(x) POINTER(y) POINTER(z) POINTER(vx) POINTER(vy) POINTER(vz) POINTER(m)
	for (int t = 0; t < STEPS; t++) {
		for (int i = 0; i < N; i++) {
			T fx = 0, fy = 0, fz = 0;
			INNER
			for (int j = 0; j < N; j++) {
				T dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
				T d = dx * dx + dy * dy + dz * dz + (T)0.01;
				T f = m[j] / (d * sqrt(d));
				fx += f * dx;
				fy += f * dy;
				fz += f * dz;
			}
			vx[i] += (T)0.001 * fx;
			vy[i] += (T)0.001 * fy;
			vz[i] += (T)0.001 * fz;
		}
		INNER
		for (int i = 0; i < N; i++) {
			x[i] += (T)0.001 * vx[i];
			y[i] += (T)0.001 * vy[i];
			z[i] += (T)0.001 * vz[i];
		}
	}
}
double check(void)
{
	double r = 0;
	for (int i = 0; i < (int)(sizeof vx / sizeof *vx); i++)
		r += (double)vx[i] * (i % 7 + 1);
	return r;
}
