/* FNV-1a of many short texts */
#include "../nest.h"
#ifndef N
#define N 300
#endif
#define LENGTH 24
static unsigned char text[N][LENGTH];
static unsigned long hashes[N];
void init(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < LENGTH; j++)
			text[i][j] = (unsigned char)(i * 3 + j * 5);
}
void kernel(void)
{
	POINTER(text) POINTER(hashes)
	for (int i = 0; i < N; i++) {
		unsigned long h = 14695981039346656037ul;
		INNER
		for (int j = 0; j < LENGTH; j++)
			h = (h ^ text[i][j]) * 1099511628211ul;
		hashes[i] = h >> 40;
	}
}
double check(void)
{
	double r = 0;
	for (int i = 0; i < (int)(sizeof hashes / sizeof *hashes); i++)
		r += (double)hashes[i] * (i % 7 + 1);
	return r;
}
