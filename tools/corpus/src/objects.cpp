// Virtual calls, exceptions, RTTI, smart pointers, variants, function objects.
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>
struct Shape { virtual ~Shape() = default; virtual double area() const = 0; virtual void scale(double) {} int id = 0; };
struct Circle final : Shape { double r; explicit Circle(double r) : r(r) {} double area() const override { return 3.14159 * r * r; } void scale(double k) override { r *= k; } };
struct Box : Shape { double a, b; Box(double a, double b) : a(a), b(b) {} double area() const override { return a * b; } };
double total(const std::vector<std::unique_ptr<Shape>> &v) { double s = 0; for (auto &p : v) s += p->area(); return s; }
std::unique_ptr<Shape> make(int k, double x) { if (k == 0) return std::make_unique<Circle>(x); if (k == 1) return std::make_unique<Box>(x, x); throw std::invalid_argument("kind " + std::to_string(k)); }
int guarded(int k) { try { return (int)make(k, 2)->area(); } catch (const std::exception &e) { return -(int)e.what()[0]; } catch (...) { return 0; } }
bool is_circle(const Shape *s) { return dynamic_cast<const Circle *>(s) != nullptr; }
long shared(std::shared_ptr<long> p, int n) { std::vector<std::shared_ptr<long>> v; for (int i = 0; i < n; i++) v.push_back(p); return p.use_count() + *v.back(); }
using Value = std::variant<int, double, std::string>;
struct Len { double operator()(int k) const { return k; } double operator()(double d) const { return d; } double operator()(const std::string &s) const { return (double)s.size(); } };
double weigh(const std::vector<Value> &v) { double s = 0; for (auto &x : v) s += std::visit(Len{}, x); return s; }
std::optional<int> parse(const std::string &s) { if (s.empty()) return std::nullopt; int r = 0; for (char c : s) { if (c < '0' || c > '9') return {}; r = r * 10 + (c - '0'); } return r; }
int apply(const std::function<int(int)> &f, int n) { int s = 0; for (int i = 0; i < n; i++) s += f(i); return s; }
int closure(int k) { return apply([&k](int i) { return k += i; }, 10); }
struct Base1 { virtual int f() { return 1; } long a; }; struct Base2 { virtual int g() { return 2; } long b; };
struct Both : Base1, virtual Base2 { int f() override { return 3 + (int)b; } int g() override { return 4 + (int)a; } };
int multi(Base2 *p) { return p->g(); }
int member(Both &b, int (Both::*m)()) { return (b.*m)(); }
struct Arena { std::vector<char> buf; size_t top = 0; void *get(size_t n) { n = (n + 15) & ~size_t(15); if (top + n > buf.size()) throw std::bad_alloc(); void *p = buf.data() + top; top += n; return p; } };
void *take(Arena &a, size_t n) { return a.get(n); }
struct Counter { std::mutex m; long n = 0; void add(long k) { std::lock_guard<std::mutex> l(m); n += k; } };
void bump(Counter &c) { c.add(2); }
static const std::string names[] = {"alpha", "beta", "gamma"};
const std::string &name(unsigned k) { static std::string none = "none"; return k < 3 ? names[k] : none; }
std::string moved(std::string s) { s += "!"; s.insert(0, "<"); return s; }
struct Node { int key; std::unique_ptr<Node> l, r; void put(int k) { auto &c = k < key ? l : r; if (c) c->put(k); else c.reset(new Node{k, nullptr, nullptr}); } };
void put(Node &n, int k) { n.put(k); }
