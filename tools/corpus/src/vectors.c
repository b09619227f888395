// GNU vector extensions of several sizes: arithmetic, comparison, shuffles, conversions.
#include <stdint.h>
#define V(T, N, B) typedef T N __attribute__((vector_size(B)))
V(double, d2, 16); V(double, d4, 32); V(double, d8, 64); V(float, f4, 16); V(float, f8, 32); V(float, f16, 64);
V(int8_t, b16, 16); V(int8_t, b32, 32); V(int16_t, h8, 16); V(int16_t, h16, 32); V(int32_t, i4, 16); V(int32_t, i8, 32); V(int32_t, i16, 64); V(int64_t, l2, 16); V(int64_t, l4, 32); V(uint32_t, u4, 16); V(uint8_t, c16, 16);
#define FL(N) void fa_##N(N *a, const N *b, const N *c) { *a = *b + *c; a[1] = *b * *c - a[1]; a[2] = *b / *c; a[3] = -*b; a[4] = *b * 3 + *c; }
FL(d2) FL(d4) FL(d8) FL(f4) FL(f8) FL(f16)
#define IN(N) void ia_##N(N *a, const N *b, const N *c) { *a = *b + *c; a[1] = *b * *c; a[2] = *b ^ *c; a[3] = *b & ~*c; a[4] = *b << 3; a[5] = *b >> 2; a[6] = *b > *c; a[7] = *b == *c; a[8] = *b | 5; a[9] = (*b < *c) & *b; a[10] = -*b; }
IN(b16) IN(b32) IN(h8) IN(h16) IN(i4) IN(i8) IN(i16) IN(l2) IN(l4) IN(u4) IN(c16)
i4 cmpf(f4 a, f4 b) { return (a < b) | (a != b); }
l4 cmpd(d4 *a, d4 *b) { return *a <= *b; }
f4 shuf(f4 a) { return __builtin_shufflevector(a, a, 3, 2, 1, 0); }
f4 shuf2(f4 a, f4 b) { return __builtin_shufflevector(a, b, 0, 4, 1, 5); }
i4 shuf3(i4 a, i4 b) { return __builtin_shufflevector(a, b, 1, 2, 6, 7); }
b16 shufb(b16 a) { return __builtin_shufflevector(a, a, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0); }
h8 shufh(h8 a, h8 b) { return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11); }
d2 shufd(d2 a, d2 b) { return __builtin_shufflevector(a, b, 1, 2); }
void shufd4(d4 *a) { *a = __builtin_shufflevector(*a, *a, 2, 3, 0, 1); }
void shuff8(f8 *a, f8 *b) { *a = __builtin_shufflevector(*a, *b, 0, 8, 2, 10, 4, 12, 6, 14); }
d2 lo(d4 *a) { return __builtin_shufflevector(*a, *a, 0, 1); }
d2 hi(d4 *a) { return __builtin_shufflevector(*a, *a, 2, 3); }
f4 cvt(i4 a) { return __builtin_convertvector(a, f4); }
i4 cvti(f4 a) { return __builtin_convertvector(a, i4); }
void cvtd(i4 *a, d4 *b) { *b = __builtin_convertvector(*a, d4); }
void cvtf(d4 *a, f4 *b) { *b = __builtin_convertvector(*a, f4); }
void cvth(h8 *a, i8 *b) { *b = __builtin_convertvector(*a, i8); }
void cvtn(i8 *a, h8 *b) { *b = __builtin_convertvector(*a, h8); }
float get(f4 a, int k) { return a[k] + a[2]; }
f4 put(f4 a, float x, int k) { a[1] = x; a[k] = x; return a; }
i4 splat(int x) { return (i4){x, x, x, x}; }
b16 splatb(int8_t x) { return (b16){x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x}; }
d2 pair(double a, double b) { return (d2){a, b}; }
i4 consts(void) { return (i4){1, 2, 3, 4}; }
int hsum(i4 a) { return a[0] + a[1] + a[2] + a[3]; }
double dsum(d4 *a) { return (*a)[0] + (*a)[1] + (*a)[2] + (*a)[3]; }
int mask(b16 a) { b16 m = a < 0; int r = 0; for (int i = 0; i < 16; i++) r |= (m[i] & 1) << i; return r; }
f4 blend(i4 m, f4 a, f4 b) { return (f4)((m & (i4)a) | (~m & (i4)b)); }
f4 sel(f4 a, f4 b) { i4 m = a > b; return (f4)((m & (i4)a) | (~m & (i4)b)); }
i4 varshift(i4 a, i4 b) { return (a << b) ^ (a >> b); }
u4 vdiv(u4 a, u4 b) { return a / b + a % 7; }
void loop(f8 *a, const f8 *b, float s, int n) { for (int i = 0; i < n; i++) a[i] += b[i] * s; }
void loop16(f16 *a, const f16 *b, int n) { f16 s = {0}; for (int i = 0; i < n; i++) s += a[i] * b[i]; *a = s; }
