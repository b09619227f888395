// Loops whose iterations depend on each other through memory, at least as some compilers and levels of
// optimisation compile them. All have one signature; n is at least 16 less than the arrays' 1024 elements, and p is
// read and written as longs, ints or bytes. The last ones depend on nothing of the kind.
#include <math.h>

#define S 0.501
#define KERNEL(name) __attribute__((noinline)) void name(double *a, double *b, double *c, long *p, long n)

KERNEL(recurrence)   { for (long i = 8; i < n; i++) a[i] = a[i - 1] * S + b[i]; }
KERNEL(prefix_sum)   { for (long i = 8; i < n; i++) a[i] += a[i - 1]; }
KERNEL(prefix_long)  { for (long i = 8; i < n; i++) p[i] += p[i - 1]; }
KERNEL(prefix_int)   { int *q = (int *)p; for (long i = 8; i < n; i++) q[i] += q[i - 1]; }
KERNEL(prefix_byte)  { signed char *q = (signed char *)p; for (long i = 8; i < n; i++) q[i] += q[i - 1]; }
KERNEL(prefix_float) { float *f = (float *)a; for (long i = 8; i < n; i++) f[i] += f[i - 1]; }
KERNEL(fibonacci)    { for (long i = 8; i < n; i++) p[i] = p[i - 1] + p[i - 2]; }
KERNEL(fibonacci_fp) { for (long i = 8; i < n; i++) a[i] = (a[i - 1] + a[i - 2]) * S; }
KERNEL(seidel_1d)    { for (long i = 8; i < n; i++) a[i] = (a[i - 1] + a[i] + a[i + 1]) * (1.0 / 3); }
KERNEL(seidel_2d)    { for (long i = 64; i < n; i++) a[i] = (a[i - 64] + a[i - 1] + a[i] + a[i + 1] + a[i + 64 & 1023]) * 0.2; }
KERNEL(distance_2)   { for (long i = 8; i < n; i++) a[i] = a[i - 2] * S + b[i]; }
KERNEL(distance_3)   { for (long i = 8; i < n; i++) a[i] = a[i - 3] * S + b[i]; }
KERNEL(distance_8)   { for (long i = 8; i < n; i++) a[i] = a[i - 8] * S + b[i]; }
KERNEL(backwards)    { for (long i = n; i > 7; i--) a[i] = a[i + 1] * S + b[i]; }
KERNEL(stride_2)     { for (long i = 8; i < n; i++) a[2 * i & 1023] = a[2 * i - 2 & 1023] * S + b[i]; }
KERNEL(coupled)      { for (long i = 8; i < n; i++) { a[i] = a[i - 1] * S + b[i - 1]; b[i] = b[i - 1] * S + a[i]; } }
KERNEL(two_chains)   { for (long i = 8; i < n; i++) { a[i] = a[i - 1] * S; b[i] = b[i - 1] + 1.0; } }
KERNEL(biquad)       { for (long i = 8; i < n; i++) b[i] = a[i] * S + a[i - 1] * 0.2 - b[i - 1] * 0.1 - b[i - 2] * 0.05; }
KERNEL(smoothing)    { for (long i = 8; i < n; i++) a[i] = a[i - 1] + (b[i] - a[i - 1]) * S; }
KERNEL(thomas)       { for (long i = 8; i < n; i++) c[i] = c[i] / (b[i] - a[i] * c[i - 1]); }
KERNEL(forward)      { for (long i = 8; i < n; i++) b[i] -= a[i] * b[i - 1]; }
KERNEL(durbin)       { for (long i = 8; i < n; i++) { c[0] = c[0] * S + a[i]; b[i] = b[i - 1] + c[0]; } }
KERNEL(running_max)  { for (long i = 8; i < n; i++) a[i] = a[i] > a[i - 1] ? a[i] : a[i - 1]; }
KERNEL(shortest)     { for (long i = 8; i < n; i++) p[i] = p[i] < p[i - 1] + 3 ? p[i] : p[i - 1] + 3; }
KERNEL(generator)    { for (long i = 8; i < n; i++) p[i] = p[i - 1] * 6364136223846793005 + 1442695040888963407; }
KERNEL(xor_shift)    { for (long i = 8; i < n; i++) p[i] = p[i - 1] ^ (long)((unsigned long)p[i - 1] << 13); }
KERNEL(accumulate)   { for (long i = 8; i < n; i++) c[0] += a[i] * b[i]; }
KERNEL(horner)       { for (long i = 8; i < n; i++) c[0] = c[0] * S + a[i]; }
KERNEL(two_sums)     { for (long i = 8; i < n; i++) { c[0] += a[i]; c[1] += b[i]; } }
KERNEL(counter)      { for (long i = 8; i < n; i++) p[0] += p[i]; }
KERNEL(index_in_memory) { for (p[0] = 8; p[0] < n; p[0]++) a[p[0]] = b[p[0]] * S; }
KERNEL(root)         { for (long i = 8; i < n; i++) a[i] = __builtin_sqrt(a[i - 1] + b[i]); }

KERNEL(triad)        { for (long i = 8; i < n; i++) a[i] = b[i] * S + c[i]; }
KERNEL(update)       { for (long i = 8; i < n; i++) a[i] += b[i] * S; }
KERNEL(jacobi)       { for (long i = 8; i < n; i++) b[i] = (a[i - 1] + a[i] + a[i + 1]) * (1.0 / 3); }
KERNEL(shift_down)   { for (long i = 8; i < n; i++) a[i - 1] = a[i] * S; }
KERNEL(dot)          { double s = 0; for (long i = 8; i < n; i++) s += a[i] * b[i]; c[0] = s; }
