#define N 1000
static double a[N], b[N];
void init(void) { for (int i = 0; i < N; i++) a[i] = 1.0 + i % 7, b[i] = 2.0 / (1 + i % 5); }
static void run(double *x, double *y, int n) { for (int i = 2; i < n; i++) y[i] = 0.3 * x[i] + 0.2 * x[i - 1] + 0.5 * y[i - 1] - 0.1 * y[i - 2]; }
void (*volatile f)(double *, double *, int) = run;
void kernel(void) { f(a, b, N); }
