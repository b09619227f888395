// kind: wider-vectors
// iterations: 8
typedef float v8 __attribute__((vector_size(32), aligned(4)));

void plain(float *restrict y, const float *restrict x, float a, long n)
{
	for (long i = 0; i < n; i++)
		y[i] += a * x[i];
}

void remedied(float *restrict y, const float *restrict x, float a, long n)
{
	for (long i = 0; i < n; i += 8)
		*(v8 *)(y + i) += a * *(const v8 *)(x + i);
}
