// Templates: expression templates, fixed-size matrices, constexpr, concepts-free generic code.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
template <class E> struct Ex { const E &self() const { return static_cast<const E &>(*this); } };
template <class A, class B, class O> struct Bin : Ex<Bin<A, B, O>> { const A &a; const B &b; Bin(const A &a, const B &b) : a(a), b(b) {} double operator[](size_t i) const { return O::f(a[i], b[i]); } };
struct Plus { static double f(double a, double b) { return a + b; } };
struct Times { static double f(double a, double b) { return a * b; } };
struct Max { static double f(double a, double b) { return a > b ? a : b; } };
struct Vec : Ex<Vec> { double *p; size_t n; double operator[](size_t i) const { return p[i]; } template <class E> Vec &operator=(const Ex<E> &e) { for (size_t i = 0; i < n; i++) p[i] = e.self()[i]; return *this; } };
template <class A, class B> Bin<A, B, Plus> operator+(const Ex<A> &a, const Ex<B> &b) { return {a.self(), b.self()}; }
template <class A, class B> Bin<A, B, Times> operator*(const Ex<A> &a, const Ex<B> &b) { return {a.self(), b.self()}; }
void fused(Vec &r, const Vec &a, const Vec &b, const Vec &c, const Vec &d) { r = a * b + c * d + a; }
template <class T, int N> struct Mat { T v[N][N]; Mat operator*(const Mat &o) const { Mat r{}; for (int i = 0; i < N; i++) for (int k = 0; k < N; k++) for (int j = 0; j < N; j++) r.v[i][j] += v[i][k] * o.v[k][j]; return r; } Mat t() const { Mat r; for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) r.v[j][i] = v[i][j]; return r; } };
template struct Mat<float, 4>; template struct Mat<double, 3>; template struct Mat<int, 8>; template struct Mat<double, 4>;
template <class T> T ipow(T x, unsigned n) { T r = 1; for (; n; n >>= 1, x *= x) if (n & 1) r *= x; return r; }
template int ipow(int, unsigned); template double ipow(double, unsigned); template uint64_t ipow(uint64_t, unsigned);
template <unsigned N> constexpr std::array<uint32_t, N> primes() { std::array<uint32_t, N> a{}; unsigned k = 0; for (uint32_t c = 2; k < N; c++) { bool p = true; for (uint32_t d = 2; d * d <= c; d++) if (c % d == 0) p = false; if (p) a[k++] = c; } return a; }
uint32_t nth(unsigned i) { static constexpr auto t = primes<64>(); return t[i & 63]; }
template <class F> double integrate(F f, double a, double b, int n) { double h = (b - a) / n, s = 0; for (int i = 0; i < n; i++) s += f(a + (i + 0.5) * h); return s * h; }
double gauss(double s) { return integrate([s](double x) { return x * x / (s + x * x * x * x); }, 0, s, 1000); }
template <class T> struct Dual { T x, d; Dual operator*(Dual o) const { return {x * o.x, x * o.d + d * o.x}; } Dual operator+(Dual o) const { return {x + o.x, d + o.d}; } Dual operator/(Dual o) const { return {x / o.x, (d * o.x - x * o.d) / (o.x * o.x)}; } };
Dual<double> ad(Dual<double> x) { Dual<double> s{1, 0}; for (int i = 0; i < 10; i++) s = s * x + x / (s + x); return s; }
Dual<float> adf(Dual<float> x) { return (x * x + x) / (x + x * x * x); }
template <int K> struct Unroll { static void go(float *a, const float *b, float s) { Unroll<K - 1>::go(a, b, s); a[K - 1] += s * b[K - 1]; } };
template <> struct Unroll<0> { static void go(float *, const float *, float) {} };
void unrolled(float *a, const float *b, float s, int n) { for (int i = 0; i < n; i += 16) Unroll<16>::go(a + i, b + i, s); }
struct Q { double w, x, y, z; Q operator*(const Q &o) const { return {w * o.w - x * o.x - y * o.y - z * o.z, w * o.x + x * o.w + y * o.z - z * o.y, w * o.y - x * o.z + y * o.w + z * o.x, w * o.z + x * o.y - y * o.x + z * o.w}; } };
Q chain(const Q *q, size_t n) { Q r{1, 0, 0, 0}; for (size_t i = 0; i < n; i++) r = r * q[i]; return r; }
