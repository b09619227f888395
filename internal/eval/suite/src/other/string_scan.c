/* lengths of texts, and where they have a character */
#include "../nest.h"
#ifndef N
#define N 4000
#endif
static char text[N];
static int lengths[3];
void init(void)
{
	for (int i = 0; i < N; i++)
		text[i] = i % 97 == 96 ? 0 : 'a' + i * 7 % 26;
	text[N - 1] = 0;
}
void kernel(void)
{
	int words = 0, long_ones = 0, commas = 0;
	for (const char *p = text; p < text + N;) {
		const char *q = p;
		while (*q) {
			commas += *q == 'q';
			q++;
		}
		long_ones += q - p > 95;
		words++;
		p = q + 1;
	}
	lengths[0] = words;
	lengths[1] = long_ones;
	lengths[2] = commas;
}
double check(void)
{
	double r = 0;
	for (int i = 0; i < (int)(sizeof lengths / sizeof *lengths); i++)
		r += (double)lengths[i] * (i % 7 + 1);
	return r;
}
