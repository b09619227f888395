#define N 60
static double a[N][N], x[N], y[N], t[N];
void init(void) { for (int i = 0; i < N; i++) { x[i] = i; for (int j = 0; j < N; j++) a[i][j] = i + j; } }
void kernel(void)
{
	for (int i = 0; i < N; i++) y[i] = 0;
	for (int i = 0; i < N; i++) {
		t[i] = 0;
		for (int j = 0; j < N; j++) t[i] += a[i][j] * x[j];
		for (int j = 0; j < N; j++) y[j] += a[i][j] * t[i];
	}
}
