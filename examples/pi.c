// pi by the midpoint rule: one division per iteration.
double pi(long n)
{
	double w = 1.0 / n, s = 0;
	for (long i = 0; i < n; i++) {
		double x = (i + 0.5) * w;
		s += 4.0 / (1.0 + x * x);
	}
	return s * w;
}
