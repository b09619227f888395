#define N 1000
static short a[N];
void init(void) { for (int i = 0; i < N; i++) a[i] = i; }
void kernel(void) { for (int i = N - 1; i > 0; i--) a[i] = a[i - 1] + a[i]; }
