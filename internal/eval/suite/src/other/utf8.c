/* code points of a text in UTF-8 */
#include "../nest.h"
#ifndef N
#define N 5000
#endif
static unsigned state;
static unsigned next(void)
{
	state = state * 1103515245u + 12345u;
	return state >> 16;
}
static unsigned char text[N + 4];
static unsigned points[2];
void init(void)
{
	state = 3;
	int i = 0;
	while (i < N - 4) {
		switch (next() % 8) {
		case 0:
			text[i++] = 0xc3;
			text[i++] = 0x80 | (next() & 63);
			break;
		case 1:
			text[i++] = 0xe2;
			text[i++] = 0x82;
			text[i++] = 0x80 | (next() & 63);
			break;
		default:
			text[i++] = 'a' + next() % 26;
		}
	}
	while (i < N)
		text[i++] = 'z';
}
void kernel(void)
{
	unsigned count = 0, sum = 0;
	for (int i = 0; i < N;) {
		unsigned c = text[i];
		if (c < 0x80)
			i++;
		else if (c < 0xe0) {
			c = (c & 31) << 6 | (text[i + 1] & 63);
			i += 2;
		} else {
			c = (c & 15) << 12 | (text[i + 1] & 63) << 6 | (text[i + 2] & 63);
			i += 3;
		}
		count++;
		sum += c;
	}
	points[0] = count;
	points[1] = sum;
}
double check(void)
{
	double r = 0;
	for (int i = 0; i < (int)(sizeof points / sizeof *points); i++)
		r += (double)points[i] * (i % 7 + 1);
	return r;
}
