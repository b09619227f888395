#define N 1000
static double a[N];
void init(void) { for (int i = 0; i < N; i++) a[i] = i; }
void kernel(void) { for (int i = 1; i < N - 1; i++) a[i] = 0.33 * (a[i - 1] + a[i] + a[i + 1]); }
