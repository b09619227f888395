// Loops in which no load reads what a store wrote a few iterations before.
typedef unsigned char u8;
typedef unsigned u32;

void triad(double *a, const double *b, const double *c, double s, long n) {
	for (long i = 0; i < n; i++)
		a[i] = b[i] + s * c[i];
}

void triad_restrict(double *restrict a, const double *restrict b, const double *restrict c, double s, long n) {
	for (long i = 0; i < n; i++)
		a[i] = b[i] + s * c[i];
}

void axpy(double *restrict y, const double *restrict x, double a, int n) {
	for (int i = 0; i < n; i++)
		y[i] += a * x[i];
}

void scale(double *a, double s, long n) {
	for (long i = 0; i < n; i++)
		a[i] *= s;
}

void copy_down(double *a, double s, long n) {
	for (long i = 0; i < n; i++)
		a[i] = a[i + 1] * s;
}

void ahead(float *a, float s, int n) {
	for (int i = 0; i < n; i++)
		a[i] = a[i] + a[i + 2] * s;
}

void copy(long *restrict a, const long *restrict b, long n) {
	for (long i = 0; i < n; i++)
		a[i] = b[i] ^ 1;
}

void reverse(double *restrict a, const double *restrict b, long n) {
	for (long i = 0; i < n; i++)
		a[i] = b[n - 1 - i] + 1;
}

void stencil(double *restrict a, const double *restrict b, int n) {
	for (int i = 1; i < n - 1; i++)
		a[i] = (b[i - 1] + b[i] + b[i + 1]) / 3;
}

void jacobi_2d(double *restrict a, const double *restrict b, int n) {
	for (int i = 1; i < n - 1; i++)
		for (int j = 1; j < n - 1; j++)
			a[i * n + j] = 0.2 * (b[i * n + j] + b[i * n + j - 1] + b[i * n + j + 1] + b[(i - 1) * n + j] + b[(i + 1) * n + j]);
}

void wave(double *restrict u, const double *restrict v, int n) {
	for (int i = 1; i < n - 1; i++)
		for (int j = 1; j < n - 1; j++)
			u[i * n + j] = 2 * v[i * n + j] - u[i * n + j] + 0.1 * (v[i * n + j - 1] + v[i * n + j + 1]);
}

double gather(const double *a, const int *ix, long n) {
	double s = 0;
	for (long i = 0; i < n; i++)
		s += a[ix[i]];
	return s;
}

void gather_copy(double *restrict b, const double *restrict a, const int *restrict ix, int n) {
	for (int i = 0; i < n; i++)
		b[i] = a[ix[i]];
}

void scatter(double *restrict b, const double *restrict a, const int *restrict ix, int n) {
	for (int i = 0; i < n; i++)
		b[ix[i]] = a[i];
}

void histogram(int *restrict h, const u8 *restrict x, long n) {
	for (long i = 0; i < n; i++)
		h[x[i]]++;
}

long length(const char *s) {
	long n = 0;
	while (s[n])
		n++;
	return n;
}

void convert(float *restrict a, const int *restrict b, int n) {
	for (int i = 0; i < n; i++)
		a[i] = b[i];
}

void widen(unsigned short *restrict a, const u8 *restrict b, u32 n) {
	for (u32 i = 0; i < n; i++)
		a[i] = b[i] * 3;
}

void strided(double *restrict a, const double *restrict b, long m, long n) {
	for (long i = 0; i < n; i++)
		a[i * m] = b[i * m + 1];
}

void transpose(double *restrict a, const double *restrict b, int n) {
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			a[j * n + i] = b[i * n + j];
}

void lu(double *a, int n, int i, int k) {
	for (int j = k + 1; j < n; j++)
		a[i * n + j] -= a[i * n + k] * a[k * n + j];
}

void floyd(int *restrict d, const int *restrict k, int ik, int n) {
	for (int j = 0; j < n; j++)
		d[j] = d[j] < ik + k[j] ? d[j] : ik + k[j];
}

void durbin(double *restrict z, const double *restrict y, double alpha, int k) {
	for (int i = 0; i < k; i++)
		z[i] = y[i] + alpha * y[k - i - 1];
}

struct node { struct node *next; long v; };

void list(struct node *p) {
	for (; p; p = p->next)
		p->v++;
}

struct point { float x, y, z; };

void points(struct point *p, float s, int n) {
	for (int i = 0; i < n; i++) {
		p[i].x *= s;
		p[i].y += s;
		p[i].z = p[i].x + p[i].y;
	}
}

static double from[4096], to[4096];

void globals(int n) {
	for (int i = 0; i < n; i++)
		to[i] = from[i] + 1;
}

void split(double *restrict re, double *restrict im, const double *restrict a, long n) {
	for (long i = 0; i < n; i++) {
		re[i] = a[2 * i];
		im[i] = a[2 * i + 1];
	}
}

void tiles(double *restrict c, const double *restrict a, const double *restrict b, int n) {
	for (int j = 0; j < n; j++) {
		c[j] += a[0] * b[j];
		c[n + j] += a[1] * b[j];
	}
}
