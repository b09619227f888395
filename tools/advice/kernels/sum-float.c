// kind: accumulators
// iterations: 4
float plain(const float *a, long n)
{
	float s = 0;
	for (long i = 0; i < n; i++)
		s += a[i];
	return s;
}

float remedied(const float *a, long n)
{
	float s = 0, t = 0, u = 0, v = 0;
	for (long i = 0; i < n; i += 4) {
		s += a[i];
		t += a[i + 1];
		u += a[i + 2];
		v += a[i + 3];
	}
	return s + t + u + v;
}
