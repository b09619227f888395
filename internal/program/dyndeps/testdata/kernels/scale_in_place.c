#define N 1000
static double a[N];
void init(void) { for (int i = 0; i < N; i++) a[i] = i; }
static void run(double *x, int n) { for (int i = 0; i < n; i++) x[i] = x[i] * 1.0001; }
void (*volatile f)(double *, int) = run;
void kernel(void) { f(a, N); }
