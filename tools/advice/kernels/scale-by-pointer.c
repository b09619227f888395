// kind: hoist
// iterations: 1
void plain(double *a, const double *x, long n)
{
	for (long i = 0; i < n; i++)
		a[i] /= *x + 2;
}

void remedied(double *a, const double *x, long n)
{
	double y = *x + 2;
	for (long i = 0; i < n; i++)
		a[i] /= y;
}
