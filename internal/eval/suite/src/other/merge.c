/* two sorted lists become one */
#include "../nest.h"
#ifndef N
#define N 1200
#endif
static int a[N], b[N], out[2 * N];
void init(void)
{
	for (int i = 0; i < N; i++) {
		a[i] = i * 5 + i % 3;
		b[i] = i * 5 + i * i % 7;
	}
}
void kernel(void)
{
	POINTER(a) POINTER(b) POINTER(out)
	int i = 0, j = 0, k = 0;
	while (i < N && j < N)
		out[k++] = a[i] <= b[j] ? a[i++] : b[j++];
	while (i < N)
		out[k++] = a[i++];
	while (j < N)
		out[k++] = b[j++];
}
double check(void)
{
	double r = 0;
	for (int i = 0; i < (int)(sizeof out / sizeof *out); i++)
		r += (double)out[i] * (i % 7 + 1);
	return r;
}
