#define N 1000
static double a[N], b[N];
void init(void) { for (int i = 0; i < N; i++) a[i] = 1.0 + i % 7, b[i] = 2.0 / (1 + i % 5); }
void kernel(void)
{
	for (int i = 1; i < N - 1; i++) b[i] = 0.33 * (a[i - 1] + a[i] + a[i + 1]);
	for (int i = 1; i < N - 1; i++) a[i] = 0.33 * (b[i - 1] + b[i] + b[i + 1]);
}
