/* transport: Monte Carlo transport of particles through a mesh of boxes, the class of problem that Quicksilver is (D. F. Richards et al., "Quicksilver: A Proxy App
 * for the Monte Carlo Transport Code Mercury", CLUSTER 2017): each particle flies until it collides, reaches a facet of its cell or the end of the time step;
 * cross sections are looked up by energy for each nuclide of the cell's material. Written from the algorithm; the data are made up.
 *
 * usage: transport [cells along an edge [particles [steps]]]
 * It prints what became of the particles and a checksum of the tallies. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { nuclides = 20, points = 1000, materials = 3, perMaterial = 8 };
enum fate { collides, crosses, census };

struct particle {
	double x[3], dir[3], energy, weight, left; /* left: distance to the end of the time step */
	uint64_t seed;
	int cell[3], alive;
};

static double grid[points], absorb[nuclides][points], scatter[nuclides][points], density[materials][perMaterial];
static int member[materials][perMaterial], edge;
static double *flux, size;
static long count[3], absorbed, escaped;

static void *need(size_t n, size_t bytes)
{
	void *m = calloc(n, bytes);
	if (!m) {
		fprintf(stderr, "transport: out of memory\n");
		exit(1);
	}
	return m;
}

/* uniform is the next number of a particle's own sequence, in (0, 1): a linear congruence of 64 bits (Knuth). */
static double uniform(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
	return ((double)(*seed >> 11) + 0.5) * 0x1p-53;
}

static void data(void)
{
	uint64_t seed = 42;
	for (int i = 0; i < points; i++) grid[i] = 1e-9 * pow(2e10, (double)i / (points - 1));
	for (int n = 0; n < nuclides; n++)
		for (int i = 0; i < points; i++) {
			double resonance = uniform(&seed) < 0.05 ? 10 * uniform(&seed) : 0;
			absorb[n][i] = 0.002 / sqrt(grid[i] + 1e-3) * (0.5 + uniform(&seed)) + 0.02 * resonance;
			scatter[n][i] = 0.3 + 0.2 * uniform(&seed) + resonance;
		}
	for (int m = 0; m < materials; m++)
		for (int k = 0; k < perMaterial; k++) member[m][k] = (m * 5 + k * 3) % nuclides, density[m][k] = 0.05 + 0.1 * uniform(&seed);
}

/* isotropic makes a direction. */
static void isotropic(struct particle *p)
{
	double mu = 2 * uniform(&p->seed) - 1, phi = 6.283185307179586 * uniform(&p->seed), s = sqrt(1 - mu * mu);
	p->dir[0] = s * cos(phi), p->dir[1] = s * sin(phi), p->dir[2] = mu;
}

/* bin is the last point of the energy grid that is not above an energy, by bisection. */
static int bin(double energy)
{
	int lo = 0, hi = points - 1;
	while (hi - lo > 1) {
		int mid = (lo + hi) / 2;
		if (grid[mid] > energy) hi = mid;
		else lo = mid;
	}
	return lo;
}

static int material(const int c[3]) { return (c[0] / 2 + c[1] / 2 + c[2] / 2) % materials; }

/* sections looks up the cross sections of a material, linear between points. */
static double sections(int m, double energy, double *capture)
{
	int i = bin(energy);
	double t = (energy - grid[i]) / (grid[i + 1] - grid[i]), all = 0, a = 0;
	if (t < 0) t = 0;
	if (t > 1) t = 1;
	for (int k = 0; k < perMaterial; k++) {
		const double *ab = absorb[member[m][k]] + i, *sc = scatter[member[m][k]] + i;
		double one = ab[0] + t * (ab[1] - ab[0]), two = sc[0] + t * (sc[1] - sc[0]);
		a += density[m][k] * one, all += density[m][k] * (one + two);
	}
	*capture = a;
	return all;
}

/* facet is the distance to the cell's wall along the way, and through which it leads. */
static double facet(const struct particle *p, int *axis)
{
	double least = 1e30;
	for (int d = 0; d < 3; d++) {
		double wall = size * (p->cell[d] + (p->dir[d] > 0));
		double at = p->dir[d] != 0 ? (wall - p->x[d]) / p->dir[d] : 1e30;
		if (at < least) least = at, *axis = d;
	}
	return least > 0 ? least : 0;
}

static void collide(struct particle *p, double capture, double total)
{
	if (uniform(&p->seed) < capture / total) {
		p->alive = 0, absorbed++;
		return;
	}
	const double mass = 12, alpha = (mass - 1) * (mass - 1) / (mass + 1) / (mass + 1); /* elastic, of a nucleus so many times as heavy */
	p->energy *= alpha + (1 - alpha) * uniform(&p->seed);
	if (p->energy < grid[0]) p->energy = grid[0];
	isotropic(p);
}

/* track follows a particle to the end of the time step. */
static void track(struct particle *p)
{
	while (p->alive) {
		double capture, total = sections(material(p->cell), p->energy, &capture);
		int axis = 0;
		double fly = -log(uniform(&p->seed)) / total, wall = facet(p, &axis), d = p->left;
		enum fate next = census;
		if (wall < d) d = wall, next = crosses;
		if (fly < d) d = fly, next = collides;
		for (int i = 0; i < 3; i++) p->x[i] += d * p->dir[i];
		p->left -= d;
		flux[(p->cell[2] * edge + p->cell[1]) * edge + p->cell[0]] += d * p->weight;
		count[next]++;
		if (next == census) return;
		if (next == collides) collide(p, capture, total);
		else {
			p->cell[axis] += p->dir[axis] > 0 ? 1 : -1;
			if (p->cell[axis] < 0 || p->cell[axis] >= edge) p->alive = 0, escaped++;
			else p->x[axis] = size * (p->cell[axis] + (p->dir[axis] < 0));
		}
	}
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 16, particles = argc > 2 ? atoi(argv[2]) : 20000, steps = argc > 3 ? atoi(argv[3]) : 3;
	if (n < 1 || n > 300 || particles < 1 || steps < 1) {
		fprintf(stderr, "usage: transport [cells along an edge, 1 to 300 [particles [steps]]]\n");
		return 2;
	}
	edge = n, size = 10.0 / n;
	data();
	flux = need((size_t)n * n * n, sizeof *flux);
	struct particle *all = need(particles, sizeof *all);
	for (int i = 0; i < particles; i++) {
		struct particle *p = all + i;
		p->seed = 0x9e3779b97f4a7c15ull * (i + 1), p->alive = 1, p->energy = 10, p->weight = 1.0 / particles;
		for (int d = 0; d < 3; d++) {
			p->x[d] = 10 * uniform(&p->seed), p->cell[d] = p->x[d] / size;
			if (p->cell[d] >= n) p->cell[d] = n - 1;
		}
		isotropic(p);
	}
	for (int s = 0; s < steps; s++)
		for (int i = 0; i < particles; i++) {
			all[i].left = 3;
			track(all + i);
		}
	long alive = 0;
	double sum = 0;
	for (int i = 0; i < particles; i++) alive += all[i].alive;
	for (int i = 0; i < n * n * n; i++) sum += flux[i];
	printf("transport: %d particles, %ld collisions, %ld facets, %ld absorbed, %ld escaped, %ld alive, checksum %.10e\n", particles, count[collides], count[crosses], absorbed, escaped, alive, sum);
	return absorbed + escaped + alive != particles;
}
