/* keys looked up in a hash table with linear probing */
#include "../nest.h"
#ifndef N
#define N 1024
#endif
static unsigned state;
static unsigned next(void)
{
	state = state * 1103515245u + 12345u;
	return state >> 16;
}
#define KEYS 1500
static unsigned slots[N], keys[KEYS], found[1];
static unsigned place(unsigned key) { return key * 2654435761u >> 22; }
void init(void)
{
	state = 7;
	found[0] = 0;
	for (int i = 0; i < N; i++)
		slots[i] = 0;
	for (int i = 0; i < N / 2; i++) {
		unsigned k = next() | 1, at = place(k);
		while (slots[at] && slots[at] != k)
			at = (at + 1) & (N - 1);
		slots[at] = k;
		keys[i] = k;
	}
	for (int i = N / 2; i < KEYS; i++)
		keys[i] = i % 2 ? keys[i % (N / 2)] : next() | 1;
}
void kernel(void)
{
	unsigned hits = 0;
	for (int i = 0; i < KEYS; i++) {
		unsigned at = place(keys[i]);
		while (slots[at] && slots[at] != keys[i])
			at = (at + 1) & (N - 1);
		hits += slots[at] == keys[i];
	}
	found[0] = hits;
}
double check(void)
{
	double r = 0;
	for (int i = 0; i < (int)(sizeof found / sizeof *found); i++)
		r += (double)found[i] * (i % 7 + 1);
	return r;
}
