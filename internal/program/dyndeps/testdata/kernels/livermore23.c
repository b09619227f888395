/* two-dimensional implicit hydrodynamics */
#define N 100
#define M 7
static double za[M][N], zr[M][N], zb[M][N], zu[M][N], zv[M][N], zz[M][N];
void init(void) { for (int j = 0; j < M; j++) for (int k = 0; k < N; k++) za[j][k] = 1, zr[j][k] = zb[j][k] = zu[j][k] = zv[j][k] = 0.2, zz[j][k] = 0.1; }
void kernel(void)
{
	for (int j = 1; j < M - 1; j++)
		for (int k = 1; k < N - 1; k++) {
			double qa = za[j + 1][k] * zr[j][k] + za[j - 1][k] * zb[j][k] + za[j][k + 1] * zu[j][k] + za[j][k - 1] * zv[j][k] + zz[j][k];
			za[j][k] += 0.175 * (qa - za[j][k]);
		}
}
