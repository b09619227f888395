typedef double *restrict only;
struct pair { long a, b; };

void plain(double *a, const double *b, double s, long n) { for (long i = 0; i < n; i++) a[i] = b[i] * s + 1; }
void stored(double *restrict a, const double *b, double s, long n) { for (long i = 0; i < n; i++) a[i] = b[i] * s + 1; }
void loaded(double s, double *a, const double *restrict b, long n) { for (long i = 0; i < n; i++) a[i] = b[i] * s + 1; }
void named(only a, const double *b, double s, long n) { for (long i = 0; i < n; i++) a[i] = b[i] * s + 1; }
void moved(int k, double *restrict a, const double *b, long n) { a += k; for (long i = 0; i < n; i++) a[i] = b[i] + 1; }
/* Two pointers that come from one restrict pointer may meet. */
void same(double *restrict a, long k, long n) { double *b = a + k; for (long i = 0; i < n; i++) a[i] = b[i] + 1; }
/* Of the pairs of c and a, b and a, the first is told apart. */
void third(double *restrict c, double *a, double *b, long n) { for (long i = 0; i < n; i++) { c[i] = a[i] + 1; b[i] = a[i] * 2; } }
/* The register of the pointer is that behind the structure's two. */
void behind(struct pair p, double *restrict a, const double *b) { for (long i = p.a; i < p.b; i++) a[i] = b[i] + 1; }
