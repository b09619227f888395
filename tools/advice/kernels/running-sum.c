// kind: keep-in-register
// iterations: 1
void plain(double *sum, const double *a, long n)
{
	for (long i = 0; i < n; i++)
		*sum += a[i];
}

void remedied(double *sum, const double *a, long n)
{
	double s = *sum;
	for (long i = 0; i < n; i++) {
		s += a[i];
		*(volatile double *)sum = s;
	}
}
