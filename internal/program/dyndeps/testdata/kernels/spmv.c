#define N 200
static int rows[N + 1], cols[4 * N];
static double val[4 * N], x[N], y[N];
void init(void) { for (int i = 0; i < N; i++) { rows[i + 1] = 4 * i + 4; for (int k = 0; k < 4; k++) cols[4 * i + k] = (i * 3 + k * 17) % N, val[4 * i + k] = 0.1; x[i] = i; } }
void kernel(void) { for (int i = 0; i < N; i++) { double s = 0; for (int k = rows[i]; k < rows[i + 1]; k++) s += val[k] * x[cols[k]]; y[i] = s; } }
