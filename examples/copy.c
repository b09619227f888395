// a = b
void copy(double *restrict a, const double *restrict b, long n)
{
	for (long i = 0; i < n; i++)
		a[i] = b[i];
}
