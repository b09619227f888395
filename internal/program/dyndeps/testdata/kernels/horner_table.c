#define N 400
static double p[N + 1], x = 0.99;
void init(void) { p[N] = 1; }
void kernel(void) { for (int i = N - 1; i >= 0; i--) p[i] = p[i + 1] * x + i; }
