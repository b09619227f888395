// kind: reciprocal
// iterations: 1
void plain(double *restrict a, const double *restrict b, double x, long n)
{
	for (long i = 0; i < n; i++)
		a[i] = (b[i] + 1) / x;
}

void remedied(double *restrict a, const double *restrict b, double x, long n)
{
	double r = 1 / x;
	for (long i = 0; i < n; i++)
		a[i] = (b[i] + 1) * r;
}
