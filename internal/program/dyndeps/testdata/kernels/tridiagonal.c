#define N 1000
static double a[N], b[N], c[N], d[N], x[N];
void init(void) { for (int i = 0; i < N; i++) a[i] = 1, b[i] = 4, c[i] = 1, d[i] = i; }
void kernel(void)
{
	double w[N], g[N];
	w[0] = c[0] / b[0], g[0] = d[0] / b[0];
	for (int i = 1; i < N; i++) {
		double m = b[i] - a[i] * w[i - 1];
		w[i] = c[i] / m;
		g[i] = (d[i] - a[i] * g[i - 1]) / m;
	}
	x[N - 1] = g[N - 1];
	for (int i = N - 2; i >= 0; i--) x[i] = g[i] - w[i] * x[i + 1];
}
