/* The program around a kernel. Its region of interest is one call of kernel() behind init().
 *
 *   BENCH check            init, kernel, print what check returns
 *   BENCH time CPU MS      time stamps of windows for MS milliseconds, a line each (see window)
 *   BENCH record IMAGE ENTRY OUT BYTES
 *                          run the copy of kernel in the file IMAGE; it records into OUT (package clone)
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <unistd.h>

void init(void);
void kernel(void);
double check(void);

#if defined(__x86_64__)
static inline uint64_t ticks(void)
{
	uint32_t lo, hi;
	__asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(lo), "=d"(hi)::"memory");
	return (uint64_t)hi << 32 | lo;
}
/* n rounds of a hundred additions, each of which waits for the one before: one core cycle each. */
static void chain(long n)
{
	uint64_t a = 1, b = 3;
	__asm__ volatile("1:\n\t.rept 100\n\tadd %1, %0\n\t.endr\n\tdec %2\n\tjnz 1b" : "+r"(a), "+r"(b), "+r"(n)::"cc");
}
/* n rounds of a hundred instructions that depend on nothing: as many in a cycle as the core takes, half of them where a second thread runs on it. */
static void wide(long n) { __asm__ volatile("1:\n\t.rept 100\n\tnop\n\t.endr\n\tdec %0\n\tjnz 1b" : "+r"(n)::"cc"); }
/* n rounds of two loads, an addition and a store, in a cycle each: more where another thread of the core leaves too little room for iterations in flight. */
static void room(long n)
{
	static uint64_t a[16];
	__asm__ volatile(".p2align 6\n1:\n\tmov %1, %%rax\n\tadd %2, %%rax\n\tmov %%rax, %3\n\tdec %0\n\tjnz 1b" : "+r"(n) : "m"(a[0]), "m"(a[1]), "m"(a[14]) : "rax", "cc", "memory");
}
#define ROOM
#elif defined(__aarch64__)
static inline uint64_t ticks(void)
{
	uint64_t t;
	__asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(t)::"memory");
	return t;
}
static void chain(long n)
{
	uint64_t a = 1, b = 3;
	__asm__ volatile("1:\n\t.rept 100\n\tadd %0, %0, %1\n\t.endr\n\tsubs %2, %2, #1\n\tb.ne 1b" : "+r"(a), "+r"(b), "+r"(n)::"cc");
}
static void wide(long n) { __asm__ volatile("1:\n\t.rept 100\n\tnop\n\t.endr\n\tsubs %0, %0, #1\n\tb.ne 1b" : "+r"(n)::"cc"); }
#elif defined(__riscv)
static inline uint64_t ticks(void)
{
	uint64_t t;
	__asm__ volatile("fence\n\trdtime %0" : "=r"(t)::"memory");
	return t;
}
static void chain(long n)
{
	uint64_t a = 1, b = 3;
	__asm__ volatile("1:\n\t.rept 100\n\tadd %0, %0, %1\n\t.endr\n\taddi %2, %2, -1\n\tbnez %2, 1b" : "+r"(a), "+r"(b), "+r"(n));
}
static void wide(long n) { __asm__ volatile("1:\n\t.rept 100\n\tnop\n\t.endr\n\taddi %0, %0, -1\n\tbnez %0, 1b" : "+r"(n)); }
#endif

__attribute__((noinline)) static void nothing(void) { __asm__ volatile(""); }

static uint64_t timed(void (*f)(void))
{
	uint64_t t = ticks();
	f();
	return ticks() - t;
}

static uint64_t timed_rounds(void (*f)(long), long n)
{
	uint64_t t = ticks();
	f(n);
	return ticks() - t;
}

#ifndef ROOM
static void room(long n) { (void)n; }
#endif

enum { ROOM_SHORT = 1000, ROOM_LONG = 5000 };
enum { SHORT = 20, LONG = 320 }; /* rounds: 30,000 cycles between them, as some counters tick every 26th only */

/* A window: chain of additions, the kernel once untimed, the kernel timed, nothing timed, chain of additions; probes of the core's width and room around it. */
static void window(uint64_t w[8])
{
	w[0] = timed_rounds(chain, LONG) - timed_rounds(chain, SHORT);
	w[1] = timed_rounds(wide, LONG) - timed_rounds(wide, SHORT);
	w[6] = timed_rounds(room, ROOM_LONG) - timed_rounds(room, ROOM_SHORT);
	init();
	kernel();
	init();
	__asm__ volatile("" ::: "memory");
	w[2] = timed(kernel);
	w[3] = timed(nothing);
	w[7] = timed_rounds(room, ROOM_LONG) - timed_rounds(room, ROOM_SHORT);
	w[4] = timed_rounds(wide, LONG) - timed_rounds(wide, SHORT);
	w[5] = timed_rounds(chain, LONG) - timed_rounds(chain, SHORT);
}

static int time_windows(int cpu, double milliseconds)
{
	enum { MOST = 2000, LEAST = 25 };
	static uint64_t w[MOST][8];
	if (cpu >= 0) {
		cpu_set_t set;
		CPU_ZERO(&set);
		CPU_SET(cpu, &set);
		sched_setaffinity(0, sizeof set, &set);
	}
	memset(w, 1, sizeof w);
	uint64_t begin = ticks();
	window(w[0]);
	usleep(1000);
	uint64_t t = ticks();
	usleep(1000);
	double per_ms = (double)(ticks() - t);
	int n = 0;
	begin = ticks();
	while (n < MOST && (n < LEAST || (double)(ticks() - begin) < milliseconds * per_ms))
		window(w[n++]);
	for (int i = 0; i < n; i++)
		printf("%llu %llu %llu %llu %llu %llu %llu %llu\n", (unsigned long long)w[i][0], (unsigned long long)w[i][1], (unsigned long long)w[i][2], (unsigned long long)w[i][3],
		       (unsigned long long)w[i][4], (unsigned long long)w[i][5], (unsigned long long)w[i][6], (unsigned long long)w[i][7]);
	return 0;
}

static void *map(const char *file, uint64_t at, size_t bytes, int prot, int flags)
{
	int fd = file ? open(file, O_RDWR) : -1;
	if (file && fd < 0)
		return NULL;
	void *p = mmap((void *)at, bytes, prot, flags | MAP_FIXED_NOREPLACE | (file ? 0 : MAP_ANONYMOUS), fd, 0);
	if (fd >= 0)
		close(fd);
	return p == (void *)at ? p : NULL;
}

static int record(const char *image, const char *entry, const char *out, const char *bytes)
{
	enum { BASE = 0x20000000, CONTROL = 0x2f000000, RECORD = 0x30000000 };
	struct stat s;
	if (stat(image, &s) != 0 || !map(image, BASE, s.st_size, PROT_READ | PROT_EXEC, MAP_PRIVATE))
		return 3;
	volatile uint64_t *control = map(NULL, CONTROL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE);
	uint64_t *to = map(out, RECORD, strtoull(bytes, NULL, 10), PROT_READ | PROT_WRITE, MAP_SHARED);
	if (!control || !to)
		return 3;
	init();
	control[0] = RECORD + 8;
	((void (*)(void))strtoull(entry, NULL, 16))();
	to[0] = control[0] - (RECORD + 8);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 2 && !(personality(0xffffffff) & ADDR_NO_RANDOMIZE) && personality(ADDR_NO_RANDOMIZE) >= 0 && !getenv("FIXED")) {
		char *env[] = {"FIXED=1", NULL}; /* the stack lies the same in every run */
		execve("/proc/self/exe", argv, env);
	}
	int r = 2;
	if (argc == 4 && !strcmp(argv[1], "time"))
		return time_windows(atoi(argv[2]), atof(argv[3]));
	if (argc == 6 && !strcmp(argv[1], "record"))
		r = record(argv[2], argv[3], argv[4], argv[5]);
	else if (argc == 2 && !strcmp(argv[1], "check")) {
		init();
		kernel();
		r = 0;
	}
	if (r == 0)
		printf("%.17g\n", check());
	return r;
}
