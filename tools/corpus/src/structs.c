// Structures, unions, bit-fields, lists, trees.
#include <stdint.h>
#include <stddef.h>
#include <stdlib.h>
typedef struct { double x, y, z, m; } body;
typedef struct { float *x, *y, *z; size_t n; } cloud;
void aos(body *b, size_t n, double dt, const body *v) { for (size_t i = 0; i < n; i++) { b[i].x += dt * v[i].x; b[i].y += dt * v[i].y; b[i].z += dt * v[i].z; } }
void soa(cloud c, float dt, cloud v) { for (size_t i = 0; i < c.n; i++) { c.x[i] += dt * v.x[i]; c.y[i] += dt * v.y[i]; c.z[i] += dt * v.z[i]; } }
body centre(const body *b, size_t n) { body s = {0, 0, 0, 0}; for (size_t i = 0; i < n; i++) { s.x += b[i].m * b[i].x; s.y += b[i].m * b[i].y; s.z += b[i].m * b[i].z; s.m += b[i].m; } s.x /= s.m; s.y /= s.m; s.z /= s.m; return s; }
typedef struct { unsigned a : 3, b : 7, c : 1; int d : 13; unsigned long long e : 40; signed f : 5; } packed;
unsigned bf_get(const packed *p) { return p->a + p->b * p->c + (unsigned)p->d + (unsigned)p->e + (unsigned)p->f; }
void bf_set(packed *p, int k) { p->a = k & 7; p->b = (unsigned)k >> 2 & 127; p->c ^= 1; p->d -= k; p->e += (unsigned)k; p->f = -1; }
union pun { double d; uint64_t u; float f[2]; uint8_t b[8]; };
uint64_t exponent(double d) { union pun p = {.d = d}; return p.u >> 52 & 0x7ff; }
float low(double d) { union pun p = {.d = d}; return p.f[0] + (float)p.b[7]; }
typedef struct node { struct node *l, *r; int key; short depth; char tag; } node;
node *lookup(node *t, int k) { while (t && t->key != k) t = k < t->key ? t->l : t->r; return t; }
int height(const node *t) { if (!t) return 0; int a = height(t->l), b = height(t->r); return 1 + (a > b ? a : b); }
node *insert(node *t, int k) { if (!t) { t = calloc(1, sizeof *t); if (t) t->key = k; return t; } if (k < t->key) t->l = insert(t->l, k); else if (k > t->key) t->r = insert(t->r, k); t->depth++; return t; }
node *rotate(node *t) { node *r = t->r; t->r = r->l; r->l = t; return r; }
typedef struct list { struct list *next; long v; } list;
long chase(const list *l) { long s = 0; for (; l; l = l->next) s += l->v; return s; }
list *reverse_list(list *l) { list *r = 0; while (l) { list *n = l->next; l->next = r; r = l; l = n; } return r; }
struct __attribute__((packed)) wire { uint8_t kind; uint32_t len; uint16_t port; uint64_t id; };
uint64_t wire_sum(const struct wire *w, int n) { uint64_t s = 0; for (int i = 0; i < n; i++) s += w[i].kind + w[i].len + w[i].port + w[i].id; return s; }
typedef struct { int a[8]; } eight;
eight pass(eight e, int k) { for (int i = 0; i < 8; i++) e.a[i] *= k; return e; }
typedef struct { double re; int tag; } mixed;
mixed mix(mixed a, mixed b, float f) { return (mixed){a.re * b.re + f, a.tag - b.tag}; }
typedef int (*op)(int, int);
int dispatch(const op *t, int k, int a, int b) { return t[k](a, b) + t[k + 1](b, a); }
