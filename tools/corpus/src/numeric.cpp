// Numerics in C++: std::complex, valarray, random, atomics, algorithms on iterators.
#include <atomic>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numeric>
#include <random>
#include <valarray>
#include <vector>
using C = std::complex<double>;
C roots(const std::vector<C> &c, C z) { for (int i = 0; i < 50; i++) { C p = c[0], d = 0; for (size_t k = 1; k < c.size(); k++) { d = d * z + p; p = p * z + c[k]; } z -= p / d; } return z; }
void rotate(std::vector<std::complex<float>> &v, std::complex<float> w) { for (auto &x : v) x *= w; }
double norm(const std::vector<C> &v) { double s = 0; for (auto &x : v) s += std::norm(x); return std::sqrt(s); }
std::valarray<double> wave(const std::valarray<double> &a, double k) { return a * k + (a - 1.0) * (a + 2.0); }
double monte(unsigned n) { std::mt19937 g(42); std::uniform_real_distribution<double> u(0, 1); unsigned k = 0; for (unsigned i = 0; i < n; i++) { double x = u(g), y = u(g); k += x * x + y * y < 1; } return 4.0 * k / n; }
struct Stats { std::atomic<uint64_t> n{0}; std::atomic<double> sum{0}; void add(double x) { n.fetch_add(1, std::memory_order_relaxed); double o = sum.load(); while (!sum.compare_exchange_weak(o, o + x)) ; } };
void add(Stats &s, double x) { s.add(x); }
double trapz(const std::vector<double> &x, const std::vector<double> &y) { double s = 0; for (size_t i = 1; i < x.size(); i++) s += (x[i] - x[i - 1]) * (y[i] + y[i - 1]); return s / 2; }
std::vector<double> convolve(const std::vector<double> &a, const std::vector<double> &b) { std::vector<double> r(a.size() + b.size() - 1); for (size_t i = 0; i < a.size(); i++) for (size_t j = 0; j < b.size(); j++) r[i + j] += a[i] * b[j]; return r; }
double variance(const double *a, size_t n) { double m = 0, s = 0; for (size_t i = 0; i < n; i++) { double d = a[i] - m; m += d / (i + 1); s += d * (a[i] - m); } return s / n; }
uint64_t gcds(const std::vector<uint64_t> &v) { return std::accumulate(v.begin(), v.end(), uint64_t(0), [](uint64_t a, uint64_t b) { return std::gcd(a, b); }); }
void rk4(double *y, size_t n, double h, double *k1, double *k2, double *k3, double *k4, void (*f)(const double *, double *)) { std::vector<double> t(n); f(y, k1); for (size_t i = 0; i < n; i++) t[i] = y[i] + h / 2 * k1[i]; f(t.data(), k2); for (size_t i = 0; i < n; i++) t[i] = y[i] + h / 2 * k2[i]; f(t.data(), k3); for (size_t i = 0; i < n; i++) t[i] = y[i] + h * k3[i]; f(t.data(), k4); for (size_t i = 0; i < n; i++) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]); }
int64_t checked(const std::vector<int64_t> &v) { int64_t s = 0; for (auto x : v) s += std::abs(x) % 97; return s; }
float lerp(const float *t, int n, float x) { float f = x * (n - 1); int i = std::min(std::max((int)f, 0), n - 2); f -= i; return t[i] + f * (t[i + 1] - t[i]); }
template <class It> void smooth(It b, It e) { auto p = *b; for (It i = b + 1; i + 1 < e; ++i) { auto c = *i; *i = (p + c + *(i + 1)) / 3; p = c; } }
void smooths(std::vector<float> &a, std::vector<int> &b) { smooth(a.begin(), a.end()); smooth(b.begin(), b.end()); }
