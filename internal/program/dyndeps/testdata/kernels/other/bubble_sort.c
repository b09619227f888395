#define N 100
static int a[N], b[N];
void init(void) { unsigned x = 1; for (int i = 0; i < N; i++) b[i] = (x = x * 1103515245 + 12345) >> 16; }
void kernel(void)
{
	for (int i = 0; i < N; i++) a[i] = b[i];
	for (int n = N; n > 1; n--)
		for (int i = 1; i < n; i++)
			if (a[i - 1] > a[i]) { int t = a[i]; a[i] = a[i - 1]; a[i - 1] = t; }
}
