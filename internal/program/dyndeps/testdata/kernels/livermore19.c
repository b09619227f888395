/* general linear recurrence, both directions, accumulator in memory */
#define N 1000
static double sa[N], sb[N], b5[N], stb5[1];
void init(void) { for (int i = 0; i < N; i++) sa[i] = 0.1, sb[i] = 0.2; }
static void run(double *restrict o, double *s, double *p, double *q, int n)
{
	for (int k = 0; k < n; k++) { o[k] = p[k] + *s * q[k]; *s = o[k] - *s; }
	for (int k = n - 1; k >= 0; k--) { o[k] = p[k] + *s * q[k]; *s = o[k] - *s; }
}
void (*volatile f)(double *restrict, double *, double *, double *, int) = run;
void kernel(void) { f(b5, stb5, sa, sb, N); }
