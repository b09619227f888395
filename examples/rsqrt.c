// Divider and square root, vectorised.
void rsqrt(double *restrict y, const double *restrict x, long n)
{
	for (long i = 0; i < n; i++)
		y[i] = 1.0 / __builtin_sqrt(x[i]);
}
