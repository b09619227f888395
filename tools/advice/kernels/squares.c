// kind: accumulators
// iterations: 4
double plain(const float *a, long n)
{
	double s = 0;
	for (long i = 0; i < n; i++)
		s += (double)a[i] * a[i];
	return s;
}

double remedied(const float *a, long n)
{
	double s = 0, t = 0, u = 0, v = 0;
	for (long i = 0; i < n; i += 4) {
		s += (double)a[i] * a[i];
		t += (double)a[i + 1] * a[i + 1];
		u += (double)a[i + 2] * a[i + 2];
		v += (double)a[i + 3] * a[i + 3];
	}
	return s + t + u + v;
}
