/* fem: finite elements and conjugate gradients, the class of problem that MiniFE is (M. A. Heroux et al., "Improving Performance via Mini-applications",
 * SAND2009-5574): Poisson's equation on a cube of trilinear hexahedra. The operator of each element is integrated with 2 × 2 × 2 Gauss points and added to a sparse
 * matrix (compressed rows), values on the boundary are prescribed, and the system is solved without preconditioner.
 *
 * usage: fem [elements along an edge [iterations]]
 * It prints the residual and a checksum. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int edge, nodes, side;
static int *row, *col;
static double *val, *rhs, *sol, *r, *p, *ap;

static void *need(size_t n, size_t size)
{
	void *m = calloc(n, size);
	if (!m) {
		fprintf(stderr, "fem: out of memory\n");
		exit(1);
	}
	return m;
}

static int node(int i, int j, int k) { return (k * side + j) * side + i; }

/* structure makes the rows of the matrix: each node is coupled with its 27 neighbours. */
static void structure(int n)
{
	edge = n, side = n + 1, nodes = side * side * side;
	row = need(nodes + 1, sizeof *row);
	col = need(27 * (size_t)nodes, sizeof *col);
	int at = 0;
	for (int k = 0; k < side; k++)
		for (int j = 0; j < side; j++)
			for (int i = 0; i < side; i++) {
				row[node(i, j, k)] = at;
				for (int c = k - 1; c <= k + 1; c++)
					for (int b = j - 1; b <= j + 1; b++)
						for (int a = i - 1; a <= i + 1; a++)
							if (a >= 0 && a < side && b >= 0 && b < side && c >= 0 && c < side) col[at++] = node(a, b, c);
			}
	row[nodes] = at;
	val = need(at, sizeof *val);
	double **vectors[] = {&rhs, &sol, &r, &p, &ap};
	for (unsigned i = 0; i < sizeof vectors / sizeof *vectors; i++) *vectors[i] = need(nodes, sizeof(double));
}

/* add adds to an entry of the matrix, which it finds by bisection. */
static void add(int i, int j, double v)
{
	int lo = row[i], hi = row[i + 1] - 1;
	while (lo < hi) {
		int mid = (lo + hi) / 2;
		if (col[mid] < j) lo = mid + 1;
		else hi = mid;
	}
	val[lo] += v;
}

/* element integrates the operator and the source of an element whose corners lie at x. */
static void element(double x[8][3], double k[8][8], double f[8])
{
	static const double sign[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}};
	const double g = 0.57735026918962576;
	for (int a = 0; a < 8; a++) {
		f[a] = 0;
		for (int b = 0; b < 8; b++) k[a][b] = 0;
	}
	for (int q = 0; q < 8; q++) {
		double s = g * sign[q][0], t = g * sign[q][1], u = g * sign[q][2], shape[8], d[8][3], jac[3][3] = {{0}}, inv[3][3], grad[8][3];
		for (int a = 0; a < 8; a++) {
			double ls = 1 + s * sign[a][0], lt = 1 + t * sign[a][1], lu = 1 + u * sign[a][2];
			shape[a] = 0.125 * ls * lt * lu;
			d[a][0] = 0.125 * sign[a][0] * lt * lu, d[a][1] = 0.125 * sign[a][1] * ls * lu, d[a][2] = 0.125 * sign[a][2] * ls * lt;
			for (int m = 0; m < 3; m++)
				for (int c = 0; c < 3; c++) jac[m][c] += d[a][m] * x[a][c];
		}
		for (int m = 0; m < 3; m++)
			for (int c = 0; c < 3; c++) {
				int m1 = (m + 1) % 3, m2 = (m + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
				inv[c][m] = jac[m1][c1] * jac[m2][c2] - jac[m1][c2] * jac[m2][c1];
			}
		double det = jac[0][0] * inv[0][0] + jac[0][1] * inv[1][0] + jac[0][2] * inv[2][0], over = 1 / det;
		for (int a = 0; a < 8; a++)
			for (int c = 0; c < 3; c++) grad[a][c] = over * (inv[c][0] * d[a][0] + inv[c][1] * d[a][1] + inv[c][2] * d[a][2]);
		for (int a = 0; a < 8; a++) {
			f[a] += shape[a] * det;
			for (int b = 0; b < 8; b++) k[a][b] += det * (grad[a][0] * grad[b][0] + grad[a][1] * grad[b][1] + grad[a][2] * grad[b][2]);
		}
	}
}

static void assemble(void)
{
	static const int off[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
	double h = 1.0 / edge;
	for (int k = 0; k < edge; k++)
		for (int j = 0; j < edge; j++)
			for (int i = 0; i < edge; i++) {
				double x[8][3], ke[8][8], fe[8];
				int id[8];
				for (int a = 0; a < 8; a++) {
					int n[3] = {i + off[a][0], j + off[a][1], k + off[a][2]};
					for (int c = 0; c < 3; c++) x[a][c] = h * n[c];
					id[a] = node(n[0], n[1], n[2]);
				}
				element(x, ke, fe);
				for (int a = 0; a < 8; a++) {
					rhs[id[a]] += fe[a];
					for (int b = 0; b < 8; b++) add(id[a], id[b], ke[a][b]);
				}
			}
}

/* boundary prescribes zero at the boundary. */
static void boundary(void)
{
	for (int k = 0; k < side; k++)
		for (int j = 0; j < side; j++)
			for (int i = 0; i < side; i++) {
				int n = node(i, j, k), on = i == 0 || j == 0 || k == 0 || i == edge || j == edge || k == edge;
				for (int e = row[n]; e < row[n + 1]; e++) {
					int c = col[e] % side, b = col[e] / side % side, a = col[e] / side / side;
					int other = a == 0 || b == 0 || c == 0 || a == edge || b == edge || c == edge;
					if (on || other) val[e] = on && col[e] == n;
				}
				if (on) rhs[n] = 0;
			}
}

static void multiply(const double *restrict v, double *restrict out)
{
	for (int i = 0; i < nodes; i++) {
		double sum = 0;
		for (int e = row[i]; e < row[i + 1]; e++) sum += val[e] * v[col[e]];
		out[i] = sum;
	}
}

static double dot(const double *restrict a, const double *restrict b)
{
	double sum = 0;
	for (int i = 0; i < nodes; i++) sum += a[i] * b[i];
	return sum;
}

/* axpby is out = a x + b y. */
static void axpby(double a, const double *restrict v, double b, double *restrict out)
{
	for (int i = 0; i < nodes; i++) out[i] = a * v[i] + b * out[i];
}

static double solve(int most)
{
	for (int i = 0; i < nodes; i++) sol[i] = 0, r[i] = p[i] = rhs[i];
	double rr = dot(r, r);
	for (int i = 0; i < most && rr > 0; i++) {
		multiply(p, ap);
		double alpha = rr / dot(p, ap);
		axpby(alpha, p, 1, sol);
		axpby(-alpha, ap, 1, r);
		double new = dot(r, r);
		axpby(1, r, new / rr, p);
		rr = new;
	}
	return sqrt(rr);
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 24, iterations = argc > 2 ? atoi(argv[2]) : 40;
	if (n < 2 || n > 300 || iterations < 1) {
		fprintf(stderr, "usage: fem [elements along an edge, 2 to 300 [iterations]]\n");
		return 2;
	}
	structure(n);
	assemble();
	boundary();
	double residual = solve(iterations), sum = 0;
	for (int i = 0; i < nodes; i++) sum += sol[i];
	printf("fem: %d elements, %d iterations, residual %.3e, checksum %.10e\n", n * n * n, iterations, residual, sum / nodes);
	return 0;
}
