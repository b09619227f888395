#define N 40
static double u[N][N], v[N][N], p[N][N], q[N][N];
void init(void) { for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) u[i][j] = i + N - j; }
void kernel(void)
{
	for (int i = 1; i < N - 1; i++) {
		v[0][i] = 1, p[i][0] = 0, q[i][0] = v[0][i];
		for (int j = 1; j < N - 1; j++) {
			p[i][j] = -0.3 / (0.2 * p[i][j - 1] + 1.1);
			q[i][j] = (-0.4 * u[j][i - 1] + 1.2 * u[j][i] - 0.1 * u[j][i + 1] - 0.2 * q[i][j - 1]) / (0.2 * p[i][j - 1] + 1.1);
		}
		v[N - 1][i] = 1;
		for (int j = N - 2; j >= 1; j--) v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
	}
}
