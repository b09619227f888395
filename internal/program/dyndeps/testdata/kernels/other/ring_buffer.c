#define N 64
static unsigned ring[N], head;
void init(void) { for (int i = 0; i < N; i++) ring[i] = i; }
void kernel(void) { for (int i = 0; i < 2000; i++) { ring[head % N] = ring[(head - 3) % N] * 5 + 1; head++; } }
