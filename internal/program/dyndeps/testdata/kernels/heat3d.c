#define N 18
static double a[N][N][N], b[N][N][N];
void init(void) { for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) for (int k = 0; k < N; k++) a[i][j][k] = b[i][j][k] = i + j + k; }
static void step(double (*y)[N][N], double (*x)[N][N])
{
	for (int i = 1; i < N - 1; i++) for (int j = 1; j < N - 1; j++) for (int k = 1; k < N - 1; k++)
		y[i][j][k] = 0.125 * (x[i + 1][j][k] - 2 * x[i][j][k] + x[i - 1][j][k]) + 0.125 * (x[i][j + 1][k] - 2 * x[i][j][k] + x[i][j - 1][k])
			+ 0.125 * (x[i][j][k + 1] - 2 * x[i][j][k] + x[i][j][k - 1]) + x[i][j][k];
}
void kernel(void) { step(b, a); step(a, b); }
