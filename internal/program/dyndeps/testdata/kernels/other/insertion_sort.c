#define N 100
static int a[N], b[N];
void init(void) { unsigned x = 1; for (int i = 0; i < N; i++) b[i] = (x = x * 1103515245 + 12345) >> 16; }
void kernel(void)
{
	for (int i = 0; i < N; i++) a[i] = b[i];
	for (int i = 1; i < N; i++) {
		int v = a[i], j = i;
		for (; j > 0 && a[j - 1] > v; j--) a[j] = a[j - 1];
		a[j] = v;
	}
}
