#define N 2000
static unsigned char data[N];
static long bins[4];
void init(void) { unsigned x = 1; for (int i = 0; i < N; i++) data[i] = (x = x * 1103515245 + 12345) >> 30; }
static void run(long *h, unsigned char *d, int n) { for (int i = 0; i < n; i++) h[d[i]] += 1; }
void (*volatile f)(long *, unsigned char *, int) = run;
void kernel(void) { f(bins, data, N); }
