#define N 30
static double a[N][N], b[N][N], c[N][N];
void init(void) { for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) a[i][j] = i, b[i][j] = j, c[i][j] = 1; }
static void run(double (*x)[N], double (*y)[N], double (*z)[N]) { for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) for (int k = 0; k < N; k++) z[i][j] += x[i][k] * y[k][j]; }
void (*volatile f)(double (*)[N], double (*)[N], double (*)[N]) = run;
void kernel(void) { f(a, b, c); }
