#define N 1000
static int a[N];
void init(void) { for (int i = 0; i < N; i++) a[i] = i; }
void kernel(void) { for (int i = 0, j = N - 1; i < j; i++, j--) { int t = a[i]; a[i] = a[j]; a[j] = t; } }
