#define N 300
static int best[N];
void init(void) { for (int i = 0; i < N; i++) best[i] = 0; }
void kernel(void) { for (int w = 3; w < 20; w++) for (int c = w; c < N; c++) best[c] = best[c] > best[c - w] + w ? best[c] : best[c - w] + w; }
