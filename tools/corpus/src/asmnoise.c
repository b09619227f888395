// Inline assembly, sections, symbols and attributes: the noise around instructions.
#include <stdint.h>
#include <stddef.h>
static inline void fence(void) { __asm__ volatile("" ::: "memory"); }
__attribute__((noinline, cold)) static int rare(int k) { return k * 31 + 7; }
__attribute__((section(".text.hot"))) int hot(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) { s += a[i]; fence(); if (__builtin_expect(s < 0, 0)) s = rare(s); } return s; }
__attribute__((aligned(64))) float table[64] = {1, 2, 3};
const double consts[4] = {0.5, 1.5, -2.25, 3e10};
static int counter;
extern int external;
extern int callee(int, const char *);
int weakling(int) __attribute__((weak));
int weakling(int k) { return k + external + counter++; }
__attribute__((visibility("hidden"))) int hidden_fn(int k) { return callee(k, "text, with # marks; and \"quotes\" /* inside */") + (int)table[k] + (int)consts[k & 3]; }
int alias_fn(int) __attribute__((alias("weakling")));
#if defined(__x86_64__)
uint64_t tsc(void) { uint32_t a, d; __asm__ volatile("lfence\n\trdtsc" : "=a"(a), "=d"(d)); return (uint64_t)d << 32 | a; }
void id(uint32_t r[4]) { __asm__ volatile("cpuid" : "+a"(r[0]), "=b"(r[1]), "+c"(r[2]), "=d"(r[3])); }
void pausing(volatile int *p) { while (!*p) __asm__ volatile("pause"); }
void rep_set(void *p, size_t n) { __asm__ volatile("xor{l %%eax, %%eax| eax, eax}\n\trep stosb" : "+D"(p), "+c"(n) :: "eax", "memory"); }
void rep_copy(void *d, const void *s, size_t n) { __asm__ volatile("rep movsq" : "+D"(d), "+S"(s), "+c"(n) :: "memory"); }
int bt(const uint64_t *p, long k) { int r; __asm__("bt{q %2, %1| %1, %2}\n\tsbb{l %0, %0| %0, %0}" : "=r"(r) : "m"(*p), "r"(k) : "cc"); return r; }
void prefetching(const char *p, size_t n) { for (size_t i = 0; i < n; i += 64) { __builtin_prefetch(p + i); __builtin_prefetch(p + i, 1); __builtin_prefetch(p + i, 0, 0); } }
unsigned fs_load(unsigned long off) { unsigned r; __asm__("mov{l %%fs:(%1), %0| %0, DWORD PTR fs:[%1]}" : "=r"(r) : "r"(off)); return r; }
#elif defined(__aarch64__)
uint64_t tsc(void) { uint64_t t; __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(t)); return t; }
void pausing(volatile int *p) { while (!*p) __asm__ volatile("yield"); }
void barriers(void) { __asm__ volatile("dmb ish\n\tdsb ishst\n\tdmb ishld\n\tisb"); }
void prefetching(const char *p, size_t n) { for (size_t i = 0; i < n; i += 64) { __builtin_prefetch(p + i); __builtin_prefetch(p + i, 1); __builtin_prefetch(p + i, 0, 0); } }
uint64_t exclusive(uint64_t *p, uint64_t v) { uint64_t o; uint32_t f; __asm__ volatile("1:\tldaxr %0, [%2]\n\tadd %0, %0, %3\n\tstlxr %w1, %0, [%2]\n\tcbnz %w1, 1b" : "=&r"(o), "=&r"(f) : "r"(p), "r"(v) : "memory"); return o; }
#elif defined(__riscv)
uint64_t tsc(void) { uint64_t t; __asm__ volatile("fence\n\trdcycle %0" : "=r"(t)); return t; }
void pausing(volatile int *p) { while (!*p) __asm__ volatile("nop"); }
long reserve(long *p, long v) { long o, f; __asm__ volatile("1:\tlr.d.aq %0, (%2)\n\tadd %0, %0, %3\n\tsc.d.rl %1, %0, (%2)\n\tbnez %1, 1b" : "=&r"(o), "=&r"(f) : "r"(p), "r"(v) : "memory"); return o; }
void csrs(void) { __asm__ volatile("csrr t0, fcsr\n\tfrflags t1\n\tfsrmi 2\n\tfence rw, w\n\tfence.i" ::: "t0", "t1"); }
#endif
void endless(void) { for (;;) fence(); }
int big_frame(int k) { volatile char b[70000]; b[k] = 1; return b[k + 1]; }
void far_index(double *p, long k) { p[k + 100000] = p[k - 5000] + p[4095] + p[4096] + p[-256] + p[-257]; }
uint64_t imms(int k) { static const uint64_t c[] = {1}; switch (k) { case 0: return 0x123456789abcdef0u; case 1: return 0xffffffff00000000u; case 2: return 0xffff; case 3: return 0x7ffff000; case 4: return ~0xfffull; case 5: return 0x00ff00ff00ff00ffu; case 6: return 0x8000000000000000u; default: return c[0]; } }
