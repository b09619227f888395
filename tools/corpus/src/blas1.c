// Level-1 linear algebra.
#include <math.h>
void daxpy(int n, double a, const double *x, double *y) { for (int i = 0; i < n; i++) y[i] += a * x[i]; }
void saxpy(int n, float a, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] += a * x[i]; }
double ddot(int n, const double *x, const double *y) { double s = 0; for (int i = 0; i < n; i++) s += x[i] * y[i]; return s; }
float sdot(int n, const float *x, int ix, const float *y, int iy) { float s = 0; for (int i = 0; i < n; i++) s += x[i * ix] * y[i * iy]; return s; }
double dsdot(int n, const float *x, const float *y) { double s = 0; for (int i = 0; i < n; i++) s += (double)x[i] * y[i]; return s; }
double dnrm2(int n, const double *x) {
	double scale = 0, ssq = 1;
	for (int i = 0; i < n; i++)
		if (x[i] != 0) {
			double a = fabs(x[i]);
			if (scale < a) { ssq = 1 + ssq * (scale / a) * (scale / a); scale = a; }
			else ssq += (a / scale) * (a / scale);
		}
	return scale * sqrt(ssq);
}
double dasum(int n, const double *x) { double s = 0; for (int i = 0; i < n; i++) s += fabs(x[i]); return s; }
int idamax(int n, const double *x) { int k = 0; for (int i = 1; i < n; i++) if (fabs(x[i]) > fabs(x[k])) k = i; return k; }
void drot(int n, double *x, double *y, double c, double s) {
	for (int i = 0; i < n; i++) { double t = c * x[i] + s * y[i]; y[i] = c * y[i] - s * x[i]; x[i] = t; }
}
void dswap(int n, double *x, double *y) { for (int i = 0; i < n; i++) { double t = x[i]; x[i] = y[i]; y[i] = t; } }
void drotg(double *a, double *b, double *c, double *s) {
	double r = hypot(*a, *b);
	if (r == 0) { *c = 1; *s = 0; return; }
	*c = *a / r; *s = *b / r; *a = r; *b = 0;
}
void waxpby(int n, double a, const double *x, double b, const double *y, double *w) {
	if (a == 1.0) for (int i = 0; i < n; i++) w[i] = x[i] + b * y[i];
	else if (b == 1.0) for (int i = 0; i < n; i++) w[i] = a * x[i] + y[i];
	else for (int i = 0; i < n; i++) w[i] = a * x[i] + b * y[i];
}
