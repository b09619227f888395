#define N 4000
static unsigned char a[N];
void init(void) { for (int i = 0; i < N; i++) a[i] = i & 3; }
static void run(unsigned char *x, int n) { for (int i = 1; i < n; i++) x[i] += x[i - 1]; }
void (*volatile f)(unsigned char *, int) = run;
void kernel(void) { f(a, N); }
