#define N 400
static long stack[64];
void init(void) {}
static long run(long *sp, int n)
{
	*sp = 1;
	for (int i = 0; i < n; i++) { sp[1] = sp[0]; sp[0] = sp[1] * 3; sp[0] += i; }
	return *sp;
}
long (*volatile f)(long *, int) = run;
void kernel(void) { f(stack, N); }
