/* particles as structures, moved */
#include "../nest.h"
#ifndef N
#define N 350
#endif
#define STEPS 10
static struct particle {
	T x, y, z, vx, vy, vz, mass, age;
} all[N];
void init(void)
{
	for (int i = 0; i < N; i++)
		all[i] = (struct particle){VALUE(i), VALUE(i + 1), VALUE(i + 2), VALUE(i + 3), VALUE(i + 4), VALUE(i + 5), VALUE(i + 6), 0};
}
void kernel(void)
{
	for (int t = 0; t < STEPS; t++)
		INNER
		for (int i = 0; i < N; i++) {
			struct particle *p = &all[i];
			p->vy -= (T)0.01 * p->mass;
			p->x += (T)0.01 * p->vx;
			p->y += (T)0.01 * p->vy;
			p->z += (T)0.01 * p->vz;
			p->age += 1;
		}
}
double check(void)
{
	double r = 0;
	for (int i = 0; i < N; i++)
		r += (all[i].x + all[i].y + all[i].z) * (i % 5 + 1) + all[i].age;
	return r;
}
