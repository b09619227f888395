// Histogram: a read-modify-write chain through memory when neighbours fall into one bin.
void histogram(unsigned *restrict h, const unsigned char *restrict a, long n)
{
	for (long i = 0; i < n; i++)
		h[a[i]]++;
}
