// Integer arithmetic of every width and signedness.
#include <stdint.h>
#include <stddef.h>
#define ALL(T, U, N)                                                                                               \
	T add##N(T a, T b) { return (T)(a + b); } T sub##N(T a, T b) { return (T)(a - b); } T mul##N(T a, T b) { return (T)(a * b); } \
	T div##N(T a, T b) { return (T)(a / b); } T mod##N(T a, T b) { return (T)(a % b); }                                        \
	T neg##N(T a) { return (T)-a; } T inv##N(T a) { return (T)~a; }                                                          \
	T shl##N(T a, int k) { return (T)(a << k); } T shr##N(T a, int k) { return (T)(a >> k); } T shr3_##N(T a) { return (T)(a >> 3); } \
	T muladd##N(T a, T b, T c) { return (T)(a * b + c); } T mulsub##N(T a, T b, T c) { return (T)(c - a * b); }                  \
	T by7_##N(T a) { return (T)(a * 7); } T by10_##N(T a) { return (T)(a * 10 + 3); } T by45_##N(T a) { return (T)(a * 45); }    \
	T d3_##N(T a) { return (T)(a / 3); } T d8_##N(T a) { return (T)(a / 8); } T m7_##N(T a) { return (T)(a % 7); } T m16_##N(T a) { return (T)(a % 16); } \
	T min##N(T a, T b) { return a < b ? a : b; } T max##N(T a, T b) { return a > b ? a : b; }                                    \
	int eq##N(T a, T b) { return a == b; } int le##N(T a, T b) { return a <= b; } int gt5_##N(T a) { return a > 5; }             \
	T pick##N(int c, T a, T b) { return c ? a : b; } T cinc##N(T a, T b, T c) { return a < b ? (T)(c + 1) : c; }                 \
	T cneg##N(T a, T c) { return a < 3 ? (T)-c : c; } T cinv##N(T a, T c) { return a >= 3 ? (T)~c : c; }                         \
	int64_t wide##N(T a) { return a; } double todouble##N(T a) { return (double)a; } float tofloat##N(T a) { return (float)a; }   \
	T fromd##N(double d) { return (T)d; } T fromf##N(float d) { return (T)d; }                                                 \
	void vmul##N(T *a, const T *b, size_t n) { for (size_t i = 0; i < n; i++) a[i] = (T)(a[i] * b[i]); }                         \
	void vshift##N(T *a, const T *b, size_t n) { for (size_t i = 0; i < n; i++) a[i] = (T)(a[i] >> (b[i] & 7)); }                \
	void vsat##N(U *a, const U *b, size_t n) { for (size_t i = 0; i < n; i++) { U s = (U)(a[i] + b[i]); a[i] = s < a[i] ? (U)-1 : s; } } \
	void vavg##N(U *restrict a, const U *restrict b, size_t n) { for (size_t i = 0; i < n; i++) a[i] = (U)(((uint64_t)a[i] + b[i] + 1) >> 1); } \
	void vabs##N(T *a, size_t n) { for (size_t i = 0; i < n; i++) a[i] = a[i] < 0 ? (T)-a[i] : a[i]; }                           \
	void vcmp##N(T *restrict a, const T *restrict b, size_t n) { for (size_t i = 0; i < n; i++) a[i] = a[i] > b[i] ? a[i] : (T)0; } \
	int64_t vdot##N(const T *a, const T *b, size_t n) { int64_t s = 0; for (size_t i = 0; i < n; i++) s += (int64_t)a[i] * b[i]; return s; } \
	int any##N(const T *a, size_t n, T x) { int r = 0; for (size_t i = 0; i < n; i++) r |= a[i] == x; return r; }
ALL(int8_t, uint8_t, s8)
ALL(uint8_t, uint8_t, u8)
ALL(int16_t, uint16_t, s16)
ALL(uint16_t, uint16_t, u16)
ALL(int32_t, uint32_t, s32)
ALL(uint32_t, uint32_t, u32)
ALL(int64_t, uint64_t, s64)
ALL(uint64_t, uint64_t, u64)
void widen8(const uint8_t *a, uint16_t *b, size_t n) { for (size_t i = 0; i < n; i++) b[i] = a[i]; }
void widen16(const int16_t *a, int64_t *b, size_t n) { for (size_t i = 0; i < n; i++) b[i] = a[i]; }
void narrow(const int32_t *a, int8_t *b, size_t n) { for (size_t i = 0; i < n; i++) b[i] = (int8_t)(a[i] < -128 ? -128 : a[i] > 127 ? 127 : a[i]); }
void mulhi16(const int16_t *a, const int16_t *b, int16_t *c, size_t n) { for (size_t i = 0; i < n; i++) c[i] = (int16_t)((a[i] * b[i]) >> 16); }
unsigned sad(const uint8_t *a, const uint8_t *b, size_t n) { unsigned s = 0; for (size_t i = 0; i < n; i++) s += (unsigned)(a[i] > b[i] ? a[i] - b[i] : b[i] - a[i]); return s; }
