/* a list followed to its end, many times */
#include <stddef.h>
#include "../nest.h"
#ifndef N
#define N 500
#endif
#define REPEAT 10
struct node {
	struct node *next;
	long value;
};
static struct node nodes[N];
static long total[1];
void init(void)
{
	for (int i = 0; i < N; i++) {
		int at = (int)((long)i * 211 % N), to = (int)((long)(i + 1) * 211 % N);
		nodes[at].next = i + 1 < N ? &nodes[to] : NULL;
		nodes[at].value = i;
	}
	total[0] = 0;
}
void kernel(void)
{
	for (int r = 0; r < REPEAT; r++)
		for (const struct node *p = nodes; p; p = p->next)
			total[0] += p->value;
}
double check(void)
{
	double r = 0;
	for (int i = 0; i < (int)(sizeof total / sizeof *total); i++)
		r += (double)total[i] * (i % 7 + 1);
	return r;
}
