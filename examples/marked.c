// The same dot product between markers of two tools; the markers are comments in the assembly.
#if defined(__aarch64__)
#define COMMENT "//"
#else
#define COMMENT "#"
#endif
double marked(const double *a, const double *b, long n)
{
	double s = 0;
	__asm__ volatile(COMMENT " OSACA-BEGIN");
	for (long i = 0; i < n; i++)
		s += a[i] * b[i];
	__asm__ volatile(COMMENT " OSACA-END");
	__asm__ volatile(COMMENT " LLVM-MCA-BEGIN sum");
	for (long i = 0; i < n; i++)
		s += a[i];
	__asm__ volatile(COMMENT " LLVM-MCA-END sum");
	return s;
}
