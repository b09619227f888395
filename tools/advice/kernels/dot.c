// kind: accumulators
// iterations: 4
double plain(const double *a, const double *b, long n)
{
	double s = 0;
	for (long i = 0; i < n; i++)
		s += a[i] * b[i];
	return s;
}

double remedied(const double *a, const double *b, long n)
{
	double s = 0, t = 0, u = 0, v = 0;
	for (long i = 0; i < n; i += 4) {
		s += a[i] * b[i];
		t += a[i + 1] * b[i + 1];
		u += a[i + 2] * b[i + 2];
		v += a[i + 3] * b[i + 3];
	}
	return s + t + u + v;
}
