#define N 500
struct c { double re, im; };
static struct c a[N];
void init(void) { for (int i = 0; i < N; i++) a[i].re = 1, a[i].im = 0.5; }
static void run(struct c *x, int n)
{
	for (int i = 1; i < n; i++) {
		double re = x[i].re + 0.5 * (x[i - 1].re * 0.6 - x[i - 1].im * 0.8), im = x[i].im + 0.5 * (x[i - 1].re * 0.8 + x[i - 1].im * 0.6);
		x[i].re = re, x[i].im = im;
	}
}
void (*volatile f)(struct c *, int) = run;
void kernel(void) { f(a, N); }
