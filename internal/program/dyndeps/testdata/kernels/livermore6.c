/* general linear recurrence */
#define N 100
static double w[N], b[N][N];
void init(void) { for (int i = 0; i < N; i++) { w[i] = 0.01; for (int j = 0; j < N; j++) b[i][j] = 0.01; } }
void kernel(void) { for (int i = 1; i < N; i++) for (int k = 0; k < i; k++) w[i] += b[k][i] * w[i - k - 1]; }
