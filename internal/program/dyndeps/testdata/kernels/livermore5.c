/* tri-diagonal elimination, below diagonal */
#define N 1000
static double x[N], y[N], z[N];
void init(void) { for (int i = 0; i < N; i++) x[i] = i, y[i] = 2, z[i] = 0.5; }
void kernel(void) { for (int i = 1; i < N; i++) x[i] = z[i] * (y[i] - x[i - 1]); }
