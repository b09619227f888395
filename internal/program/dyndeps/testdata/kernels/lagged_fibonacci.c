#define N 55
static unsigned s[N];
void init(void) { for (int i = 0; i < N; i++) s[i] = i * 2654435761u; }
void kernel(void)
{
	for (int i = 0; i < 24; i++) s[i] += s[i + 31];
	for (int i = 24; i < N; i++) s[i] += s[i - 24];
}
