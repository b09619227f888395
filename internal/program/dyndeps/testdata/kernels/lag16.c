#define N 2000
static float a[N];
void init(void) { for (int i = 0; i < N; i++) a[i] = 1; }
void kernel(void) { for (int i = 16; i < N; i++) a[i] = a[i - 16] * 0.5f + a[i]; }
