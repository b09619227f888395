#define N 1000
static double a[N], b[N], s;
void init(void) { for (int i = 0; i < N; i++) a[i] = 1.0 + i % 7, b[i] = 2.0 / (1 + i % 5); }
void kernel(void) { double t = 0; for (int i = 0; i < N; i++) t += a[i] * b[i]; s = t; }
