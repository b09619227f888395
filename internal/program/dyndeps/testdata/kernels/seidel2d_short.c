/* rows so short that the dependence on the row before is near */
#define N 200
#define M 10
static float a[N][M];
void init(void) { for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) a[i][j] = i * j; }
void kernel(void)
{
	for (int i = 1; i < N - 1; i++)
		for (int j = 1; j < M - 1; j++)
			a[i][j] = 0.2f * (a[i - 1][j] + a[i][j - 1] + a[i][j] + a[i][j + 1] + a[i + 1][j]);
}
