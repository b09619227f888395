#define N 3000
static char c[N];
void init(void) {}
void kernel(void)
{
	for (int i = 0; i < N; i++) c[i] = 0;
	for (int i = 2; i * i < N; i++) if (!c[i]) for (int j = i * i; j < N; j += i) c[j] = 1;
}
