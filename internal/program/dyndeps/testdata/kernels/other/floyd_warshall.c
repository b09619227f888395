#define N 40
static int d[N][N];
void init(void) { for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) d[i][j] = (i * 7 + j * 13) % 99 + 1; }
void kernel(void)
{
	for (int k = 0; k < N; k++) for (int i = 0; i < N; i++) for (int j = 0; j < N; j++)
		d[i][j] = d[i][j] < d[i][k] + d[k][j] ? d[i][j] : d[i][k] + d[k][j];
}
