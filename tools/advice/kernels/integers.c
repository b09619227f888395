// kind: accumulators
// iterations: 4
long plain(const long *a, long n)
{
	long s = 0;
	for (long i = 0; i < n; i++)
		s += a[i];
	return s;
}

long remedied(const long *a, long n)
{
	long s = 0, t = 0, u = 0, v = 0;
	for (long i = 0; i < n; i += 4) {
		s += a[i];
		t += a[i + 1];
		u += a[i + 2];
		v += a[i + 3];
	}
	return s + t + u + v;
}
