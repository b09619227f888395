#define N 2000
static unsigned char data[N];
static int bins[256];
void init(void) { unsigned x = 1; for (int i = 0; i < N; i++) data[i] = (x = x * 1103515245 + 12345) >> 24; }
void kernel(void) { for (int i = 0; i < N; i++) bins[data[i]]++; }
