#define N 1000
static unsigned a[N];
void init(void) { a[0] = 0; a[1] = 1; }
static void run(unsigned *p, unsigned *end) { for (; p < end; p++) p[2] = p[0] + p[1]; }
void (*volatile f)(unsigned *, unsigned *) = run;
void kernel(void) { f(a, a + N - 2); }
