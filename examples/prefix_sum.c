// Prefix sum in place: a chain through a register or through memory, as the compiler decides.
void prefix_sum(double *a, long n)
{
	for (long i = 1; i < n; i++)
		a[i] += a[i - 1];
}
