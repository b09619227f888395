/* right-looking: rank-one updates */
#define N 40
static double a[N][N];
void init(void) { for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) a[i][j] = i == j ? 50 : 0.1; }
void kernel(void)
{
	for (int k = 0; k < N; k++) {
		for (int i = k + 1; i < N; i++) a[i][k] /= a[k][k];
		for (int i = k + 1; i < N; i++) for (int j = k + 1; j < N; j++) a[i][j] -= a[i][k] * a[k][j];
	}
}
