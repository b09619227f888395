// Switch tables, state machines, interpreters, recursion, calls.
#include <stdarg.h>
#include <stdint.h>
#include <setjmp.h>
#include <alloca.h>
#include <string.h>
int dense(int k, int a) { switch (k) { case 0: return a + 1; case 1: return a * 3; case 2: return a - 7; case 3: return a << 2; case 4: return ~a; case 5: return a / 3; case 6: return a % 10; case 7: return a & 0xff; case 8: return a | 1; case 9: return a ^ 85; case 10: return -a; default: return 0; } }
const char *sparse(unsigned k) { switch (k) { case 3: return "three"; case 77: return "many"; case 1000: return "k"; case 65537: return "fermat"; case 1u << 30: return "gi"; default: return "?"; } }
enum { PUSH, ADD, SUB, MUL, DIV, JMP, JZ, DUP, SWP, HALT };
long interpret(const int *code, long *st) {
	long *sp = st;
	for (const int *pc = code;;)
		switch (*pc++) {
		case PUSH: *sp++ = *pc++; break;
		case ADD: sp--; sp[-1] += *sp; break;
		case SUB: sp--; sp[-1] -= *sp; break;
		case MUL: sp--; sp[-1] *= *sp; break;
		case DIV: sp--; sp[-1] /= *sp; break;
		case JMP: pc = code + *pc; break;
		case JZ: pc = *--sp ? pc + 1 : code + *pc; break;
		case DUP: *sp = sp[-1]; sp++; break;
		case SWP: { long t = sp[-1]; sp[-1] = sp[-2]; sp[-2] = t; break; }
		case HALT: return sp[-1];
		}
}
long threaded(const uint8_t *p, long a) {
	static void *const lab[] = {&&inc, &&dec, &&dbl, &&out};
	goto *lab[*p & 3];
inc: a++; goto *lab[*++p & 3];
dec: a--; goto *lab[*++p & 3];
dbl: a += a; goto *lab[*++p & 3];
out: return a;
}
int lexer(const char *s) { int st = 0, n = 0; for (; *s; s++) switch (st) { case 0: if (*s == '"') st = 1; else if (*s >= '0' && *s <= '9') { st = 2; n++; } else if (*s == '/' && s[1] == '/') st = 3; break; case 1: if (*s == '\\') s++; else if (*s == '"') { st = 0; n++; } break; case 2: if (*s < '0' || *s > '9') st = 0; break; case 3: if (*s == '\n') st = 0; } return n; }
void duff(short *to, const short *from, int n) { int k = (n + 7) / 8; switch (n % 8) { case 0: do { *to = *from++; case 7: *to = *from++; case 6: *to = *from++; case 5: *to = *from++; case 4: *to = *from++; case 3: *to = *from++; case 2: *to = *from++; case 1: *to = *from++; } while (--k > 0); } }
unsigned fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
unsigned ack(unsigned m, unsigned n) { return !m ? n + 1 : !n ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
void hanoi(int n, int a, int b, int c, void (*f)(int, int)) { if (!n) return; hanoi(n - 1, a, c, b, f); f(a, c); hanoi(n - 1, b, a, c, f); }
int queens(int n, unsigned c, unsigned d, unsigned e) { if (c == (1u << n) - 1) return 1; int r = 0; for (unsigned p = ~(c | d | e) & ((1u << n) - 1); p; p &= p - 1) { unsigned b = p & -p; r += queens(n, c | b, (d | b) << 1, (e | b) >> 1); } return r; }
int even(unsigned n);
int odd(unsigned n) { return n ? even(n - 1) : 0; }
int even(unsigned n) { return n ? odd(n - 1) : 1; }
double vsum(int n, ...) { va_list ap; double s = 0; va_start(ap, n); while (n--) s += va_arg(ap, double); va_end(ap); return s; }
int isum(int n, ...) { va_list ap; int s = 0; va_start(ap, n); while (n--) s += va_arg(ap, int); va_end(ap); return s; }
double use_vsum(int a) { return vsum(3, 1.0, (double)a, 2.5) + isum(9, 1, 2, 3, 4, 5, 6, 7, 8, a); }
long many(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, double x, double y) { return a * b + c - d * e + f - g * h + i * j + (long)(x * y); }
long call_many(long k) { return many(k, k + 1, k + 2, k + 3, k + 4, k + 5, k + 6, k + 7, k + 8, k + 9, (double)k, 2.0); }
static jmp_buf env;
int tryit(int (*f)(void)) { if (setjmp(env)) return -1; return f(); }
void fail(void) { longjmp(env, 1); }
int scratch(int n, const char *s) { char *b = alloca((unsigned)n + 16); memcpy(b, s, (unsigned)n); b[n] = 0; int v[n]; v[0] = 1; for (int i = 1; i < n; i++) v[i] = v[i - 1] + b[i]; return v[n - 1]; }
void permute(char *s, int k, int n, void (*f)(const char *)) { if (k == n) f(s); else for (int i = k; i < n; i++) { char t = s[k]; s[k] = s[i]; s[i] = t; permute(s, k + 1, n, f); t = s[k]; s[k] = s[i]; s[i] = t; } }
long double ld(long double a, long double b, int k) { long double r = a * b - k; return r > 1.5L ? r / a : -r; }
int unreachable_if(int k) { if (k > 9) __builtin_unreachable(); return "0123456789"[k]; }
void trap_if(int k) { if (k < 0) __builtin_trap(); }
