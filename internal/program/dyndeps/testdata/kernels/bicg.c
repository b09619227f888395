#define N 60
static double a[N][N], s[N], q[N], p[N], r[N];
void init(void) { for (int i = 0; i < N; i++) { p[i] = r[i] = i; for (int j = 0; j < N; j++) a[i][j] = i + j; } }
static void run(double (*m)[N], double *u, double *v, double *w, double *z)
{
	for (int i = 0; i < N; i++) u[i] = 0;
	for (int i = 0; i < N; i++) {
		v[i] = 0;
		for (int j = 0; j < N; j++) { u[j] += z[i] * m[i][j]; v[i] += m[i][j] * w[j]; }
	}
}
void (*volatile f)(double (*)[N], double *, double *, double *, double *) = run;
void kernel(void) { f(a, s, q, p, r); }
