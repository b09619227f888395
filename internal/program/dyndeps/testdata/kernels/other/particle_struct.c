/* state kept in a struct behind a pointer */
struct p { double x, v, m; int n; };
static struct p s = {1, 0.5, 2, 0};
void init(void) {}
static void run(struct p *q, double *out, int n) { for (int i = 0; i < n; i++) { q->v -= 0.01 * q->x / q->m; q->x += 0.01 * q->v; q->n++; out[i] = q->x; } }
static double o[500];
void (*volatile f)(struct p *, double *, int) = run;
void kernel(void) { f(&s, o, 500); }
