#define N 1000
static unsigned long a[N];
void init(void) { a[0] = 0; a[1] = 1; }
void kernel(void) { for (int i = 2; i < N; i++) a[i] = a[i - 1] + a[i - 2]; }
