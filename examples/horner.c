// Polynomials of degree 7 by Horner's rule: independent over i, a chain within each.
void horner(double *restrict y, const double *restrict x, const double *restrict c, long n)
{
	for (long i = 0; i < n; i++) {
		double s = c[7];
		for (int k = 6; k >= 0; k--)
			s = s * x[i] + c[k];
		y[i] = s;
	}
}
