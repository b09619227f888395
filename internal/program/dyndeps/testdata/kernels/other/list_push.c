#define N 500
struct node { struct node *next; long v; };
static struct node pool[N], *head;
void init(void) {}
static void run(struct node **h, struct node *p, int n) { for (int i = 0; i < n; i++) { p[i].v = i; p[i].next = *h; *h = &p[i]; } }
void (*volatile f)(struct node **, struct node *, int) = run;
void kernel(void) { head = 0; f(&head, pool, N); }
