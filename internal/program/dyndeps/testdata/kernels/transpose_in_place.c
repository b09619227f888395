#define N 50
static double a[N][N];
void init(void) { for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) a[i][j] = i - j; }
void kernel(void) { for (int i = 0; i < N; i++) for (int j = i + 1; j < N; j++) { double t = a[i][j]; a[i][j] = a[j][i]; a[j][i] = t; } }
