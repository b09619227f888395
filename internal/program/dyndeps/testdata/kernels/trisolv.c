#define N 80
static double l[N][N], x[N], b[N];
void init(void) { for (int i = 0; i < N; i++) { b[i] = -999; for (int j = 0; j < N; j++) l[i][j] = 2.0 * (i + N - j + 1) / N; } }
void kernel(void)
{
	for (int i = 0; i < N; i++) {
		x[i] = b[i];
		for (int j = 0; j < i; j++) x[i] -= l[i][j] * x[j];
		x[i] /= l[i][i];
	}
}
