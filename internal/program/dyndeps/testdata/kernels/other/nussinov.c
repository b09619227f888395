#define N 50
static int t[N][N];
static char s[N];
#define max(x, y) ((x) > (y) ? (x) : (y))
void init(void) { for (int i = 0; i < N; i++) s[i] = (i + 1) % 4; }
void kernel(void)
{
	for (int i = N - 1; i >= 0; i--)
		for (int j = i + 1; j < N; j++) {
			t[i][j] = max(t[i][j], t[i][j - 1]);
			if (i + 1 < N) t[i][j] = max(t[i][j], t[i + 1][j]);
			if (i + 1 < N) t[i][j] = max(t[i][j], t[i + 1][j - 1] + (i < j - 1 && s[i] + s[j] == 3));
			for (int k = i + 1; k < j; k++) t[i][j] = max(t[i][j], t[i][k] + t[k + 1][j]);
		}
}
