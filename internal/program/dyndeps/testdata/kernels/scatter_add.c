#define N 1000
static int at[N];
static double v[N], y[64];
void init(void) { for (int i = 0; i < N; i++) at[i] = i * 7 % 64, v[i] = i; }
static void run(double *o, int *k, double *x) { for (int i = 0; i < N; i++) o[k[i]] += x[i]; }
void (*volatile f)(double *, int *, double *) = run;
void kernel(void) { f(y, at, v); }
