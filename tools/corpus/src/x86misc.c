// x87, MMX and system-flavoured user-mode instructions (x86 only).
#if defined(__x86_64__)
#include <x86intrin.h>
#include <math.h>
#include <stdint.h>
#include <stddef.h>
long double horner(const long double *c, int n, long double x) { long double s = 0; while (n--) s = s * x + c[n]; return s; }
long double dotl(const double *a, const float *b, size_t n) { long double s = 0; for (size_t i = 0; i < n; i++) s += (long double)a[i] * b[i]; return s; }
long double funcs(long double x, long double y) { return sqrtl(x) + fabsl(y) - x / y + __builtin_truncl(x) + copysignl(x, y); }
int cmpl(long double a, long double b) { return a < b ? -1 : a > b; }
int64_t toint(long double a) { return (int64_t)a + (int)a + (short)a; }
long double fromint(int64_t a, int b, short c, uint64_t d) { return (long double)a + b + c + d; }
double mixed(long double a, double b, float c) { return (double)(a * b + c - 1.0L + 3.14159265358979323846L); }
void mmx(__m64 *p) { p[0] = _mm_add_pi16(p[1], p[2]); p[3] = _mm_madd_pi16(p[1], p[2]); p[4] = _mm_unpacklo_pi8(p[1], p[2]); p[5] = _mm_cmpeq_pi32(p[1], p[2]); _mm_empty(); }
uint64_t clocks(unsigned *a) { return __rdtsc() + __rdtscp(a); }
uint32_t rots(uint32_t x, uint8_t k, uint16_t h) { return _rotl(x, k) ^ _rotr(x, 3) ^ (uint32_t)(uint16_t)(h << 8 | h >> 8); }
unsigned char carry(unsigned long long *r, unsigned long long a, unsigned long long b) { unsigned char c = _addcarry_u64(0, a, b, r); return _subborrow_u64(c, *r, b, r + 1); }
int asms(int a, int *p) { int r; __asm__ volatile("lock; xadd{l %0, %1| %1, %0}\n\tcmpxchg8b %2" : "+r"(a), "+m"(*p), "+m"(*(long *)p) :: "eax", "edx", "ebx", "ecx", "cc"); __asm__("bsf{l %1, %0| %0, %1}\n\tcmovz{l %1, %0| %0, %1}" : "=r"(r) : "r"(a) : "cc"); __asm__ volatile("vaddps {%%xmm1, %%xmm2, %%xmm3|xmm3, xmm2, xmm1}\n\tdata16 nop\n\t{nopw 0x10(%%rax,%%rax,1)|nop WORD PTR [rax+rax*1+16]}\n\tsahf\n\tlahf\n\tcld\n\txchg{l %%eax, %%ebx| ebx, eax}\n\tenter {$16, $0|16, 0}\n\tleave\n\tpushfq\n\tpopfq" ::: "xmm3", "eax", "ebx", "cc", "memory"); return r; }
#endif
