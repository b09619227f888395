#define N 40
static double a[N][N];
void init(void) { for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) a[i][j] = i == j ? 1000 : 0.1; }
static void run(double (*x)[N])
{
	for (int i = 0; i < N; i++) {
		for (int j = 0; j < i; j++) {
			for (int k = 0; k < j; k++) x[i][j] -= x[i][k] * x[j][k];
			x[i][j] /= x[j][j];
		}
		for (int k = 0; k < i; k++) x[i][i] -= x[i][k] * x[i][k];
		x[i][i] = 0.5 * (x[i][i] + 900);
	}
}
void (*volatile f)(double (*)[N]) = run;
void kernel(void) { f(a); }
