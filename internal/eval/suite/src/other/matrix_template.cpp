/* products of matrices by a class template */
#include "../nest.h"
#ifndef N
#define N 28
#endif
template <typename V, int size> class Matrix {
	V value[size][size];

      public:
	V &operator()(int i, int j) { return value[i][j]; }
	const V &operator()(int i, int j) const { return value[i][j]; }
	void multiply(const Matrix &a, const Matrix &b)
	{
		for (int i = 0; i < size; i++)
			for (int j = 0; j < size; j++) {
				V sum{};
				INNER
				for (int k = 0; k < size; k++)
					sum += a(i, k) * b(k, j);
				(*this)(i, j) = sum;
			}
	}
};
static Matrix<T, N> a, b, c;
extern "C" void init(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			a(i, j) = VALUE(i * N + j);
			b(i, j) = VALUE(j * N + i + 3);
		}
}
extern "C" void kernel(void) { c.multiply(a, b); }
extern "C" double check(void)
{
	double r = 0;
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			r += c(i, j) * (j % 5 + 1);
	return r;
}
