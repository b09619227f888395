#define N 50
static double ex[N][N], ey[N][N], hz[N][N];
void init(void) { for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) ex[i][j] = i, ey[i][j] = j, hz[i][j] = 1; }
void kernel(void)
{
	for (int i = 1; i < N; i++) for (int j = 0; j < N; j++) ey[i][j] -= 0.5 * (hz[i][j] - hz[i - 1][j]);
	for (int i = 0; i < N; i++) for (int j = 1; j < N; j++) ex[i][j] -= 0.5 * (hz[i][j] - hz[i][j - 1]);
	for (int i = 0; i < N - 1; i++) for (int j = 0; j < N - 1; j++) hz[i][j] -= 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
}
