// Small vectors, rays, boxes, quaternions.
#include <math.h>
#include <stddef.h>
typedef struct { float x, y, z; } v3;
static v3 sub(v3 a, v3 b) { return (v3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static float dot(v3 a, v3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static v3 cross(v3 a, v3 b) { return (v3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
v3 normalize(v3 a) { float s = 1 / sqrtf(dot(a, a)); return (v3){a.x * s, a.y * s, a.z * s}; }
int triangle(v3 o, v3 d, v3 a, v3 b, v3 c, float *t) { v3 e = sub(b, a), f = sub(c, a), p = cross(d, f); float k = dot(e, p); if (fabsf(k) < 1e-7f) return 0; k = 1 / k; v3 s = sub(o, a); float u = k * dot(s, p); if (u < 0 || u > 1) return 0; v3 q = cross(s, e); float v = k * dot(d, q); if (v < 0 || u + v > 1) return 0; *t = k * dot(f, q); return *t > 0; }
int box(const float o[3], const float inv[3], const float lo[3], const float hi[3]) { float a = 0, b = 1e30f; for (int i = 0; i < 3; i++) { float x = (lo[i] - o[i]) * inv[i], y = (hi[i] - o[i]) * inv[i]; a = fmaxf(a, fminf(x, y)); b = fminf(b, fmaxf(x, y)); } return a <= b; }
int sphere(v3 o, v3 d, v3 c, float r, float *t) { v3 m = sub(o, c); float b = dot(m, d), q = dot(m, m) - r * r, e = b * b - q; if (e < 0) return 0; *t = -b - sqrtf(e); return *t > 0; }
void transform(const float m[16], const float *restrict p, float *restrict o, size_t n) { for (size_t i = 0; i < n; i++) for (int r = 0; r < 4; r++) o[4 * i + r] = m[r] * p[4 * i] + m[4 + r] * p[4 * i + 1] + m[8 + r] * p[4 * i + 2] + m[12 + r] * p[4 * i + 3]; }
double area(const double (*p)[2], size_t n) { double s = 0; for (size_t i = 0; i < n; i++) { size_t j = i + 1 == n ? 0 : i + 1; s += p[i][0] * p[j][1] - p[j][0] * p[i][1]; } return s / 2; }
int inside(const float (*p)[2], int n, float x, float y) { int c = 0; for (int i = 0, j = n - 1; i < n; j = i++) if ((p[i][1] > y) != (p[j][1] > y) && x < (p[j][0] - p[i][0]) * (y - p[i][1]) / (p[j][1] - p[i][1]) + p[i][0]) c = !c; return c; }
void bounds(const v3 *p, size_t n, v3 *lo, v3 *hi) { *lo = *hi = p[0]; for (size_t i = 1; i < n; i++) { lo->x = fminf(lo->x, p[i].x); lo->y = fminf(lo->y, p[i].y); lo->z = fminf(lo->z, p[i].z); hi->x = fmaxf(hi->x, p[i].x); hi->y = fmaxf(hi->y, p[i].y); hi->z = fmaxf(hi->z, p[i].z); } }
double haversine(double a, double b, double c, double d) { double s = sin((c - a) / 2), t = sin((d - b) / 2); return 2 * asin(sqrt(s * s + cos(a) * cos(c) * t * t)); }
