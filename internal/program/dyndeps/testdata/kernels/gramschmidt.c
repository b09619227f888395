#define N 30
static double a[N][N], r[N][N], q[N][N];
void init(void) { for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) a[i][j] = (i * j % 7) + 1; }
void kernel(void)
{
	for (int k = 0; k < N; k++) {
		double nrm = 1;
		for (int i = 0; i < N; i++) nrm += a[i][k] * a[i][k];
		r[k][k] = nrm;
		for (int i = 0; i < N; i++) q[i][k] = a[i][k] / r[k][k];
		for (int j = k + 1; j < N; j++) {
			r[k][j] = 0;
			for (int i = 0; i < N; i++) r[k][j] += q[i][k] * a[i][j];
			for (int i = 0; i < N; i++) a[i][j] -= q[i][k] * r[k][j];
		}
	}
}
