// Graphs and dynamic programming.
#include <stdint.h>
#include <stddef.h>
#include <limits.h>
int bfs(int n, const int *off, const int *adj, int s, int *dist, int *q) { for (int i = 0; i < n; i++) dist[i] = -1; int h = 0, t = 0; dist[s] = 0; q[t++] = s; while (h < t) { int u = q[h++]; for (int k = off[u]; k < off[u + 1]; k++) if (dist[adj[k]] < 0) { dist[adj[k]] = dist[u] + 1; q[t++] = adj[k]; } } return t; }
void floyd(int n, int *d) { for (int k = 0; k < n; k++) for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { int t = d[i * n + k] + d[k * n + j]; if (t < d[i * n + j]) d[i * n + j] = t; } }
int root(int *p, int x) { while (p[x] != x) x = p[x] = p[p[x]]; return x; }
int unite(int *p, unsigned char *r, int a, int b) { a = root(p, a); b = root(p, b); if (a == b) return 0; if (r[a] < r[b]) { int t = a; a = b; b = t; } p[b] = a; r[a] += r[a] == r[b]; return 1; }
void relax(int m, const int *u, const int *v, const float *w, float *d) { for (int i = 0; i < m; i++) if (d[u[i]] + w[i] < d[v[i]]) d[v[i]] = d[u[i]] + w[i]; }
void pagerank(int n, const int *off, const int *src, const double *r, const int *deg, double *out) { for (int i = 0; i < n; i++) { double s = 0; for (int k = off[i]; k < off[i + 1]; k++) s += r[src[k]] / deg[src[k]]; out[i] = 0.15 / n + 0.85 * s; } }
int lcs(const char *a, int n, const char *b, int m, int *t) { for (int i = 1; i <= n; i++) for (int j = 1; j <= m; j++) { int *c = &t[i * (m + 1) + j]; if (a[i - 1] == b[j - 1]) *c = c[-(m + 2)] + 1; else *c = c[-(m + 1)] > c[-1] ? c[-(m + 1)] : c[-1]; } return t[n * (m + 1) + m]; }
int edit(const char *a, int n, const char *b, int m, int *r) { for (int j = 0; j <= m; j++) r[j] = j; for (int i = 1; i <= n; i++) { int p = r[0]; r[0] = i; for (int j = 1; j <= m; j++) { int q = r[j], x = p + (a[i - 1] != b[j - 1]); if (r[j - 1] + 1 < x) x = r[j - 1] + 1; if (q + 1 < x) x = q + 1; r[j] = x; p = q; } } return r[m]; }
long knapsack(int n, const int *w, const long *v, int cap, long *t) { for (int i = 0; i < n; i++) for (int c = cap; c >= w[i]; c--) { long x = t[c - w[i]] + v[i]; if (x > t[c]) t[c] = x; } return t[cap]; }
int chain(const int *p, int n, int *m) { for (int l = 2; l < n; l++) for (int i = 1; i + l - 1 < n; i++) { int j = i + l - 1, b = INT_MAX; for (int k = i; k < j; k++) { int q = m[i * n + k] + m[(k + 1) * n + j] + p[i - 1] * p[k] * p[j]; if (q < b) b = q; } m[i * n + j] = b; } return m[n + n - 1]; }
size_t sieve(uint8_t *s, size_t n) { size_t c = 0; for (size_t i = 0; i < n; i++) s[i] = 1; for (size_t i = 2; i < n; i++) if (s[i]) { c++; for (size_t j = i * i; j < n; j += i) s[j] = 0; } return c; }
void closure(int n, uint64_t *a, int w) { for (int k = 0; k < n; k++) for (int i = 0; i < n; i++) if (a[i * w + k / 64] >> (k % 64) & 1) for (int j = 0; j < w; j++) a[i * w + j] |= a[k * w + j]; }
void sift(double *h, int n, int i) { for (;;) { int l = 2 * i + 1, m = i; if (l < n && h[l] < h[m]) m = l; if (l + 1 < n && h[l + 1] < h[m]) m = l + 1; if (m == i) return; double t = h[i]; h[i] = h[m]; h[m] = t; i = m; } }
