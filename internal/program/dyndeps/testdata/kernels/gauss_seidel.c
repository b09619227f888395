#define N 50
static double a[N][N], b[N], x[N];
void init(void) { for (int i = 0; i < N; i++) { b[i] = i; for (int j = 0; j < N; j++) a[i][j] = i == j ? 100 : 0.5; } }
void kernel(void)
{
	for (int i = 0; i < N; i++) {
		x[i] = b[i];
		for (int j = 0; j < N; j++) if (j != i) x[i] -= a[i][j] * x[j];
		x[i] /= a[i][i];
	}
}
