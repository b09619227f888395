/* hydro: one material, explicit Lagrangian hydrodynamics on an unstructured mesh of hexahedra: the Sedov blast wave, the class of problem that LULESH is (R. D.
 * Hornung, J. A. Keasler, M. B. Gokhale, "Hydrodynamics Challenge Problem", LLNL-TR-490254). Written from the equations:
 *
 *   force on a node = sum of (p + q) times the area that each adjacent element turns to it
 *   acceleration = force / mass; velocity and position by the leapfrog scheme
 *   energy change = −(p + q) dV;  p = (γ − 1) ρ e;  q is a viscosity, linear and quadratic in the compression
 *
 * usage: hydro [elements along an edge [steps]]
 * It prints the energy and time reached, and a checksum. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef double real;
static int edge, nelem, nnode;
static int *corner;                                  /* eight nodes of each element */
static real *x, *y, *z, *u, *v, *w, *fx, *fy, *fz, *mass;
static real *vol, *vol0, *e, *p, *q, *em, *len;

static const real gamma_ = 1.4;
static const int face[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

static void *need(size_t n, size_t size)
{
	void *m = calloc(n, size);
	if (!m) {
		fprintf(stderr, "hydro: out of memory\n");
		exit(1);
	}
	return m;
}

static void mesh(int n)
{
	int m = n + 1;
	edge = n, nelem = n * n * n, nnode = m * m * m;
	corner = need(8 * (size_t)nelem, sizeof *corner);
	real **nodal[] = {&x, &y, &z, &u, &v, &w, &fx, &fy, &fz, &mass}, **elemental[] = {&vol, &vol0, &e, &p, &q, &em, &len};
	for (unsigned i = 0; i < sizeof nodal / sizeof *nodal; i++) *nodal[i] = need(nnode, sizeof(real));
	for (unsigned i = 0; i < sizeof elemental / sizeof *elemental; i++) *elemental[i] = need(nelem, sizeof(real));
	for (int k = 0, at = 0; k < m; k++)
		for (int j = 0; j < m; j++)
			for (int i = 0; i < m; i++, at++) x[at] = 1.125 * i / n, y[at] = 1.125 * j / n, z[at] = 1.125 * k / n;
	for (int k = 0, at = 0; k < n; k++)
		for (int j = 0; j < n; j++)
			for (int i = 0; i < n; i++, at++) {
				int first = (k * m + j) * m + i, *c = corner + 8 * at;
				c[0] = first, c[1] = first + 1, c[2] = first + m + 1, c[3] = first + m;
				for (int a = 0; a < 4; a++) c[4 + a] = c[a] + m * m;
			}
}

/* gather copies the coordinates of an element's corners. */
static inline void gather(const int *c, const real *from, real to[8])
{
	for (int a = 0; a < 8; a++) to[a] = from[c[a]];
}

/* normal is the area vector of a face: half the cross product of its diagonals. */
static inline void normal(const int *f, const real X[8], const real Y[8], const real Z[8], real n[3])
{
	real ax = X[f[2]] - X[f[0]], ay = Y[f[2]] - Y[f[0]], az = Z[f[2]] - Z[f[0]];
	real bx = X[f[3]] - X[f[1]], by = Y[f[3]] - Y[f[1]], bz = Z[f[3]] - Z[f[1]];
	n[0] = 0.5 * (ay * bz - az * by), n[1] = 0.5 * (az * bx - ax * bz), n[2] = 0.5 * (ax * by - ay * bx);
}

/* volume is that of an element by the divergence theorem, over its faces. */
static inline real volume(const real X[8], const real Y[8], const real Z[8])
{
	real sum = 0;
	for (int s = 0; s < 6; s++) {
		const int *f = face[s];
		real n[3];
		normal(f, X, Y, Z, n);
		sum += (X[f[0]] + X[f[1]] + X[f[2]] + X[f[3]]) * n[0] + (Y[f[0]] + Y[f[1]] + Y[f[2]] + Y[f[3]]) * n[1] + (Z[f[0]] + Z[f[1]] + Z[f[2]] + Z[f[3]]) * n[2];
	}
	return sum / 12;
}

static void start(void)
{
	for (int i = 0; i < nelem; i++) {
		const int *c = corner + 8 * i;
		real X[8], Y[8], Z[8];
		gather(c, x, X), gather(c, y, Y), gather(c, z, Z);
		vol0[i] = vol[i] = em[i] = volume(X, Y, Z); /* density 1 */
		for (int a = 0; a < 8; a++) mass[c[a]] += em[i] / 8;
		len[i] = cbrt(vol[i]);
	}
	e[0] = 1 / em[0]; /* one unit of energy, in the corner where the planes of symmetry meet */
	for (int i = 0; i < nelem; i++) p[i] = (gamma_ - 1) * em[i] / vol[i] * e[i];
}

/* forces adds up what elements press on their corners. */
static void forces(void)
{
	for (int i = 0; i < nnode; i++) fx[i] = fy[i] = fz[i] = 0;
	for (int i = 0; i < nelem; i++) {
		const int *c = corner + 8 * i;
		real X[8], Y[8], Z[8], F[8] = {0}, G[8] = {0}, H[8] = {0}, s = 0.25 * (p[i] + q[i]);
		gather(c, x, X), gather(c, y, Y), gather(c, z, Z);
		for (int a = 0; a < 6; a++) {
			real n[3];
			normal(face[a], X, Y, Z, n);
			for (int b = 0; b < 4; b++) {
				int at = face[a][b];
				F[at] += s * n[0], G[at] += s * n[1], H[at] += s * n[2];
			}
		}
		for (int a = 0; a < 8; a++) fx[c[a]] += F[a], fy[c[a]] += G[a], fz[c[a]] += H[a];
	}
}

/* advance moves the nodes. Those on the planes of symmetry stay on them. */
static void advance(real dt)
{
	for (int i = 0; i < nnode; i++) {
		real by = dt / mass[i];
		u[i] += by * fx[i], v[i] += by * fy[i], w[i] += by * fz[i];
	}
	int m = edge + 1;
	for (int j = 0; j < m; j++)
		for (int i = 0; i < m; i++) u[(j * m + i) * m] = 0, v[j * m * m + i] = 0, w[j * m + i] = 0;
	for (int i = 0; i < nnode; i++) x[i] += dt * u[i], y[i] += dt * v[i], z[i] += dt * w[i];
}

/* update brings the elements to the nodes' new places. It returns the next time step, by Courant's condition. */
static real update(real dt)
{
	real next = 1.1 * dt;
	for (int i = 0; i < nelem; i++) {
		const int *c = corner + 8 * i;
		real X[8], Y[8], Z[8];
		gather(c, x, X), gather(c, y, Y), gather(c, z, Z);
		real new = volume(X, Y, Z), dv = new - vol[i], rho = em[i] / new, rate = dv / (new * dt);
		e[i] -= (p[i] + q[i]) * dv / em[i];
		if (e[i] < 0) e[i] = 0;
		p[i] = (gamma_ - 1) * rho * e[i];
		real l = cbrt(new), sound = sqrt(gamma_ * p[i] / rho) + 1e-12, jump = l * rate;
		q[i] = rate < 0 ? rho * (0.5 * sound * -jump + 2.0 * jump * jump) : 0;
		vol[i] = new, len[i] = l;
		real limit = 0.3 * l / (sound + 2 * fabs(jump));
		if (limit < next) next = limit;
	}
	return next;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 20, steps = argc > 2 ? atoi(argv[2]) : 50;
	if (n < 2 || n > 400 || steps < 1) {
		fprintf(stderr, "usage: hydro [elements along an edge, 2 to 400 [steps]]\n");
		return 2;
	}
	mesh(n);
	start();
	real t = 0, dt = 1e-4 / n;
	for (int s = 0; s < steps; s++) {
		forces();
		advance(dt);
		t += dt;
		dt = update(dt);
	}
	real inner = 0, kinetic = 0, sum = 0;
	for (int i = 0; i < nelem; i++) inner += em[i] * e[i], sum += e[i] * (1 + i % 7);
	for (int i = 0; i < nnode; i++) kinetic += 0.5 * mass[i] * (u[i] * u[i] + v[i] * v[i] + w[i] * w[i]);
	printf("hydro: %d elements, %d steps, time %.6e, energy %.6e (kinetic %.3e), checksum %.8e\n", nelem, steps, t, inner + kinetic, kinetic, sum);
	return 0;
}
