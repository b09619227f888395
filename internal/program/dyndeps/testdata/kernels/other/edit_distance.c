#define N 60
static int d[N][N];
static char s[N], t[N];
void init(void) { for (int i = 0; i < N; i++) s[i] = i % 5, t[i] = i % 3, d[i][0] = d[0][i] = i; }
void kernel(void)
{
	for (int i = 1; i < N; i++)
		for (int j = 1; j < N; j++) {
			int a = d[i - 1][j] + 1, b = d[i][j - 1] + 1, c = d[i - 1][j - 1] + (s[i] != t[j]);
			a = a < b ? a : b;
			d[i][j] = a < c ? a : c;
		}
}
