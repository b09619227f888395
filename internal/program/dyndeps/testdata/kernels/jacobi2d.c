#define N 60
static double a[N][N], b[N][N];
void init(void) { for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) a[i][j] = b[i][j] = i + j; }
void kernel(void)
{
	for (int i = 1; i < N - 1; i++) for (int j = 1; j < N - 1; j++) b[i][j] = 0.2 * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i + 1][j] + a[i - 1][j]);
	for (int i = 1; i < N - 1; i++) for (int j = 1; j < N - 1; j++) a[i][j] = 0.2 * (b[i][j] + b[i][j - 1] + b[i][j + 1] + b[i + 1][j] + b[i - 1][j]);
}
