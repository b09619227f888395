// Containers and algorithms of the standard library.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>
std::vector<int> sorted(std::vector<int> v) { std::sort(v.begin(), v.end()); v.erase(std::unique(v.begin(), v.end()), v.end()); return v; }
void by_second(std::vector<std::pair<int, double>> &v) { std::stable_sort(v.begin(), v.end(), [](auto &a, auto &b) { return a.second < b.second; }); }
std::map<std::string, int> words(const std::vector<std::string> &w) { std::map<std::string, int> m; for (auto &s : w) m[s]++; return m; }
std::unordered_map<int64_t, int> counts(const std::vector<int64_t> &v) { std::unordered_map<int64_t, int> m; for (auto x : v) ++m[x]; return m; }
double mean(const std::vector<double> &v) { return std::accumulate(v.begin(), v.end(), 0.0) / v.size(); }
double inner(const std::vector<float> &a, const std::vector<float> &b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0f); }
std::string join(const std::vector<std::string> &v, char c) { std::string r; for (size_t i = 0; i < v.size(); i++) { if (i) r += c; r += v[i]; } return r; }
std::vector<std::string> split(const std::string &s, char c) { std::vector<std::string> r; size_t p = 0, q; while ((q = s.find(c, p)) != s.npos) { r.push_back(s.substr(p, q - p)); p = q + 1; } r.emplace_back(s.substr(p)); return r; }
std::vector<long> dijkstra(const std::vector<std::vector<std::pair<int, long>>> &g, int s) { std::vector<long> d(g.size(), 1l << 60); std::priority_queue<std::pair<long, int>, std::vector<std::pair<long, int>>, std::greater<>> q; q.push({d[s] = 0, s}); while (!q.empty()) { auto [c, u] = q.top(); q.pop(); if (c > d[u]) continue; for (auto [v, w] : g[u]) if (c + w < d[v]) q.push({d[v] = c + w, v}); } return d; }
int window(const std::vector<int> &a, size_t k) { std::deque<size_t> q; int s = 0; for (size_t i = 0; i < a.size(); i++) { while (!q.empty() && a[q.back()] <= a[i]) q.pop_back(); q.push_back(i); if (q.front() + k <= i) q.pop_front(); if (i + 1 >= k) s += a[q.front()]; } return s; }
void partial(std::vector<uint32_t> &v) { std::partial_sum(v.begin(), v.end(), v.begin()); std::reverse(v.begin(), v.end()); std::rotate(v.begin(), v.begin() + v.size() / 3, v.end()); std::nth_element(v.begin(), v.begin() + v.size() / 2, v.end()); }
bool common(const std::set<int> &a, const std::set<int> &b) { for (int x : a) if (b.count(x)) return true; return false; }
size_t lower(const std::vector<double> &v, double x) { return std::lower_bound(v.begin(), v.end(), x) - v.begin(); }
void heap(std::vector<short> &v) { std::make_heap(v.begin(), v.end()); std::sort_heap(v.begin(), v.end()); }
std::vector<bool> bitsof(const std::vector<int> &v) { std::vector<bool> b(v.size()); for (size_t i = 0; i < v.size(); i++) b[i] = v[i] & 1; return b; }
