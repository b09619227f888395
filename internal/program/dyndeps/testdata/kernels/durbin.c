#define N 100
static double r[N], y[N], z[N];
void init(void) { for (int i = 0; i < N; i++) r[i] = 0.001 * i; }
void kernel(void)
{
	double alpha = -r[0], beta = 1;
	y[0] = -r[0];
	for (int k = 1; k < N; k++) {
		beta = (1 - alpha * alpha) * beta;
		double sum = 0;
		for (int i = 0; i < k; i++) sum += r[k - i - 1] * y[i];
		alpha = -(r[k] + sum) / beta;
		for (int i = 0; i < k; i++) z[i] = y[i] + alpha * y[k - i - 1];
		for (int i = 0; i < k; i++) y[i] = z[i];
		y[k] = alpha;
	}
}
