/* a vector of complex numbers added to another */
#include <complex>
#include "../nest.h"
#ifndef N
#define N 700
#endif
static std::complex<T> x[N], y[N];
extern "C" void init(void)
{
	for (int i = 0; i < N; i++) {
		x[i] = std::complex<T>(VALUE(i), VALUE(i + 5));
		y[i] = std::complex<T>(VALUE(i + 2), VALUE(i + 7));
	}
}
extern "C" void kernel(void)
{
	const T re = (T)0.6, im = (T)-0.8;
	for (int r = 0; r < 12; r++)
		INNER
		for (int i = 0; i < N; i++) {
			T a = x[i].real(), b = x[i].imag();
			y[i] = std::complex<T>(y[i].real() + re * a - im * b, y[i].imag() + re * b + im * a);
		}
}
extern "C" double check(void)
{
	double r = 0;
	for (int i = 0; i < N; i++)
		r += y[i].real() * (i % 5 + 1) + y[i].imag();
	return r;
}
