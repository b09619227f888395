#define N 1000
static double a[N], b[N], c[N];
void init(void) { for (int i = 0; i < N; i++) a[i] = 1.0 + i % 7, b[i] = 2.0 / (1 + i % 5); }
void kernel(void) { for (int i = 0; i < N; i++) c[i] = a[i] + 3.0 * b[i]; }
