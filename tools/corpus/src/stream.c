// Streaming kernels in several element types.
#include <stddef.h>
#include <stdint.h>
#define KERNELS(T, N)                                                                              \
	void copy_##N(T *restrict a, const T *restrict b, size_t n) { for (size_t i = 0; i < n; i++) a[i] = b[i]; }            \
	void scale_##N(T *restrict a, const T *restrict b, T s, size_t n) { for (size_t i = 0; i < n; i++) a[i] = s * b[i]; }  \
	void add_##N(T *a, const T *b, const T *c, size_t n) { for (size_t i = 0; i < n; i++) a[i] = b[i] + c[i]; }            \
	void triad_##N(T *restrict a, const T *restrict b, const T *restrict c, T s, size_t n) { for (size_t i = 0; i < n; i++) a[i] = b[i] + s * c[i]; } \
	void schoenauer_##N(T *a, const T *b, const T *c, const T *d, size_t n) { for (size_t i = 0; i < n; i++) a[i] = b[i] + c[i] * d[i]; }             \
	void stride_##N(T *a, const T *b, size_t n, size_t st) { for (size_t i = 0; i < n; i++) a[i * st] = b[i * 3] - b[i]; } \
	void reverse_##N(T *a, const T *b, size_t n) { for (size_t i = 0; i < n; i++) a[i] = b[n - 1 - i]; }                   \
	T sum_##N(const T *a, size_t n) { T s = 0; for (size_t i = 0; i < n; i++) s += a[i]; return s; }                       \
	T max_##N(const T *a, size_t n) { T s = a[0]; for (size_t i = 1; i < n; i++) s = a[i] > s ? a[i] : s; return s; }
KERNELS(double, f64)
KERNELS(float, f32)
KERNELS(int8_t, i8)
KERNELS(uint16_t, u16)
KERNELS(int32_t, i32)
KERNELS(uint64_t, u64)
