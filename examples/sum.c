// Sum reduction: a chain of additions unless the compiler may reorder them (-Ofast).
double sum(const double *a, long n)
{
	double s = 0;
	for (long i = 0; i < n; i++)
		s += a[i];
	return s;
}
