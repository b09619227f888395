/* the accumulator stays in memory: the arrays may overlap it */
#define N 1000
static double a[N], b[N], s[1];
void init(void) { for (int i = 0; i < N; i++) a[i] = 1.0 + i % 7, b[i] = 2.0 / (1 + i % 5); }
static void run(double *x, double *y, double *t) { for (int i = 0; i < N; i++) *t += x[i] * y[i]; }
void (*volatile f)(double *, double *, double *) = run;
void kernel(void) { f(a, b, s); }
