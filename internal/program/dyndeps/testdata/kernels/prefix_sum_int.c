#define N 1000
static int a[N];
void init(void) { for (int i = 0; i < N; i++) a[i] = i & 3; }
static void run(int *x, long n) { for (long i = 1; i < n; i++) x[i] += x[i - 1]; }
void (*volatile f)(int *, long) = run;
void kernel(void) { f(a, N); }
