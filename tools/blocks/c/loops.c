/* Loops for corpora of compiled code (tools/blocks -loops): small kernels of integers, bits, bytes, reductions, recurrences,
   gathers, stencils and divisions. Each function is one or two innermost loops. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define R restrict
typedef float f32;
typedef double f64;

void rgb_to_grey(uint8_t *R out, const uint8_t *R in, size_t n) {
	for (size_t i = 0; i < n; i++)
		out[i] = (77 * in[3 * i] + 150 * in[3 * i + 1] + 29 * in[3 * i + 2]) >> 8;
}
uint32_t fletcher(const uint8_t *p, size_t n) {
	uint32_t a = 1, b = 0;
	for (size_t i = 0; i < n; i++) {
		a += p[i];
		b += a;
	}
	return b << 16 | (a & 0xffff);
}
uint64_t xorshift_sum(uint64_t x, size_t n) {
	uint64_t s = 0;
	for (size_t i = 0; i < n; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		s += x;
	}
	return s;
}
uint32_t murmur_mix(const uint32_t *p, size_t n) {
	uint32_t h = 1;
	for (size_t i = 0; i < n; i++) {
		uint32_t k = p[i] * 0xcc9e2d51u;
		k = k << 15 | k >> 17;
		h ^= k * 0x1b873593u;
		h = (h << 13 | h >> 19) * 5 + 0xe6546b64u;
	}
	return h;
}
size_t count_less(const int32_t *p, int32_t t, size_t n) {
	size_t c = 0;
	for (size_t i = 0; i < n; i++)
		c += p[i] < t;
	return c;
}
int popcounts(const uint64_t *p, const uint64_t *q, size_t n) {
	int c = 0;
	for (size_t i = 0; i < n; i++)
		c += __builtin_popcountll(p[i] & ~q[i]);
	return c;
}
void saturate(int16_t *R out, const int32_t *R in, size_t n) {
	for (size_t i = 0; i < n; i++)
		out[i] = in[i] > 32767 ? 32767 : in[i] < -32768 ? -32768 : in[i];
}
void interleave(f32 *R out, const f32 *R a, const f32 *R b, size_t n) {
	for (size_t i = 0; i < n; i++) {
		out[2 * i] = a[i];
		out[2 * i + 1] = b[i];
	}
}
f64 norm_inf(const f64 *p, size_t n) {
	f64 m = 0;
	for (size_t i = 0; i < n; i++) {
		f64 v = fabs(p[i]);
		m = v > m ? v : m;
	}
	return m;
}
f64 horner8(const f64 *c, f64 x, size_t n) {
	f64 s = 0;
	for (size_t i = 0; i < n; i++)
		s = s * x + c[i];
	return s;
}
void iir2(f32 *R y, const f32 *R x, f32 a, f32 b, size_t n) {
	f32 u = 0, v = 0;
	for (size_t i = 0; i < n; i++) {
		f32 t = x[i] + a * u - b * v;
		v = u;
		u = t;
		y[i] = t;
	}
}
void prefix_int(int32_t *p, size_t n) {
	for (size_t i = 1; i < n; i++)
		p[i] += p[i - 1];
}
void fib_array(uint64_t *p, size_t n) {
	for (size_t i = 2; i < n; i++)
		p[i] = p[i - 1] + p[i - 2];
}
void laplace(f64 *R out, const f64 *R in, size_t n, size_t row) {
	for (size_t i = 1; i < n; i++)
		out[i] = 0.25 * (in[i - 1] + in[i + 1] + in[i - row] + in[i + row]);
}
void rsqrt_scale(f32 *R x, const f32 *R y, size_t n) {
	for (size_t i = 0; i < n; i++)
		x[i] /= sqrtf(y[i]);
}
void div_round(uint32_t *R q, const uint32_t *R p, uint32_t d, size_t n) {
	for (size_t i = 0; i < n; i++)
		q[i] = p[i] / d;
}
void mod_const(uint16_t *R q, const uint32_t *R p, size_t n) {
	for (size_t i = 0; i < n; i++)
		q[i] = p[i] % 10007;
}
f32 gather_dot(const f32 *R v, const f32 *R x, const int32_t *R at, size_t n) {
	f32 s = 0;
	for (size_t i = 0; i < n; i++)
		s += v[i] * x[at[i] & 1023];
	return s;
}
void histogram(uint32_t *R h, const uint8_t *R p, size_t n) {
	for (size_t i = 0; i < n; i++)
		h[p[i]]++;
}
void complex_mul(f32 *R z, const f32 *R a, const f32 *R b, size_t n) {
	for (size_t i = 0; i < n; i++) {
		z[2 * i] = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
		z[2 * i + 1] = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
	}
}
void add_carry(uint64_t *R z, const uint64_t *R a, const uint64_t *R b, size_t n) {
	unsigned char c = 0;
	for (size_t i = 0; i < n; i++) {
		unsigned __int128 t = (unsigned __int128)a[i] + b[i] + c;
		z[i] = (uint64_t)t;
		c = (unsigned char)(t >> 64);
	}
}
uint64_t mul_limb(uint64_t *R z, const uint64_t *R a, uint64_t m, size_t n) {
	uint64_t c = 0;
	for (size_t i = 0; i < n; i++) {
		unsigned __int128 t = (unsigned __int128)a[i] * m + c;
		z[i] = (uint64_t)t;
		c = (uint64_t)(t >> 64);
	}
	return c;
}
void reverse_bytes(uint32_t *R z, const uint32_t *R a, size_t n) {
	for (size_t i = 0; i < n; i++)
		z[i] = __builtin_bswap32(a[i]);
}
void to_double(f64 *R z, const int32_t *R a, f64 s, size_t n) {
	for (size_t i = 0; i < n; i++)
		z[i] = a[i] * s;
}
void to_byte(uint8_t *R z, const f32 *R a, size_t n) {
	for (size_t i = 0; i < n; i++)
		z[i] = (uint8_t)(int)(a[i] * 255.0f + 0.5f);
}
void masked_add(f32 *R z, const f32 *R a, const int32_t *R m, size_t n) {
	for (size_t i = 0; i < n; i++)
		if (m[i] > 0)
			z[i] += a[i];
}
int32_t sad(const uint8_t *a, const uint8_t *b, size_t n) {
	int32_t s = 0;
	for (size_t i = 0; i < n; i++)
		s += a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
	return s;
}
void compress(int32_t *R z, const int32_t *R a, size_t n, size_t *k) {
	size_t j = 0;
	for (size_t i = 0; i < n; i++) {
		z[j] = a[i];
		j += a[i] & 1;
	}
	*k = j;
}
uint64_t lists(const uint64_t *next, uint64_t at, size_t n) {
	uint64_t s = 0;
	for (size_t i = 0; i < n; i++) {
		at = *(const uint64_t *)at;
		s ^= at + i;
	}
	return s + (next != 0);
}
f64 lerp_sum(const f64 *R a, const f64 *R b, const f64 *R t, size_t n) {
	f64 s = 0;
	for (size_t i = 0; i < n; i++)
		s += a[i] + t[i] * (b[i] - a[i]);
	return s;
}
