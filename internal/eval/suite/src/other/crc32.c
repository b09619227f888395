/* cyclic redundancy check by a table */
#include "../nest.h"
#ifndef N
#define N 4000
#endif
static unsigned table[256], crc[1];
static unsigned char text[N];
void init(void)
{
	for (unsigned i = 0; i < 256; i++) {
		unsigned c = i;
		for (int k = 0; k < 8; k++)
			c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
		table[i] = c;
	}
	for (int i = 0; i < N; i++)
		text[i] = i * 31;
}
void kernel(void)
{
	unsigned c = ~0u;
	INNER
	for (int i = 0; i < N; i++)
		c = table[(c ^ text[i]) & 255] ^ c >> 8;
	crc[0] = ~c;
}
double check(void)
{
	double r = 0;
	for (int i = 0; i < (int)(sizeof crc / sizeof *crc); i++)
		r += (double)crc[i] * (i % 7 + 1);
	return r;
}
