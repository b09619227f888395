/* a fast Fourier transform, radix 2, in place */
#include "../nest.h"
#ifndef N
#define N 512
#endif
static T re[N], im[N], c[N / 2], s[N / 2];
void init(void)
{
	FILL(re);
	FILL(im);
	T x = 1, y = 0; /* powers of the first root of unity */
	const T cr = (T)0.99992470183914454, ci = (T)-0.012271538285719925;
	for (int i = 0; i < N / 2; i++) {
		c[i] = x;
		s[i] = y;
		T t = x * cr - y * ci;
		y = x * ci + y * cr;
		x = t;
	}
}
void kernel(void)
{
	POINTER(re) POINTER(im) POINTER(c) POINTER(s)
	for (int i = 1, j = 0; i < N; i++) {
		int bit = N >> 1;
		for (; j & bit; bit >>= 1)
			j ^= bit;
		j ^= bit;
		if (i < j) {
			T t = re[i];
			re[i] = re[j];
			re[j] = t;
			t = im[i];
			im[i] = im[j];
			im[j] = t;
		}
	}
	for (int len = 2; len <= N; len *= 2)
		for (int i = 0; i < N; i += len)
			INNER
			for (int k = 0; k < len / 2; k++) {
				int a = i + k, b = a + len / 2, w = k * (N / len);
				T x = re[b] * c[w] - im[b] * s[w], y = re[b] * s[w] + im[b] * c[w];
				re[b] = re[a] - x;
				im[b] = im[a] - y;
				re[a] += x;
				im[a] += y;
			}
}
double check(void)
{
	double r = 0;
	for (int i = 0; i < (int)(sizeof re / sizeof *re); i++)
		r += (double)re[i] * (i % 7 + 1);
	return r;
}
