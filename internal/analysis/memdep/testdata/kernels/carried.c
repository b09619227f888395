// Loops with dependences through memory. "want" lists the distances, in iterations of the source, at which a load of
// the innermost loop reads what a store of it wrote. The barrier makes compilers load and store in
// every iteration; without it they keep what they can in registers.
#define BARRIER __asm__ volatile("" ::: "memory")
typedef unsigned char u8;
typedef unsigned u32;

// want 1 2
void fibonacci(double *a, long n) {
	for (long i = 2; i < n; i++) {
		a[i] = a[i - 1] + a[i - 2];
		BARRIER;
	}
}

// want 1
void prefix(double *a, long n) {
	for (long i = 1; i < n; i++) {
		a[i] += a[i - 1];
		BARRIER;
	}
}

// want 1
void prefix_down(double *a, long n) {
	for (long i = n - 2; i >= 0; i--) {
		a[i] += a[i + 1];
		BARRIER;
	}
}

// want 1
void recurrence(double *a, const double *b, double c, long n) {
	for (long i = 1; i < n; i++) {
		a[i] = a[i - 1] * c + b[i];
		BARRIER;
	}
}

// want 3
void third(double *a, double c, long n) {
	for (long i = 3; i < n; i++) {
		a[i] = a[i - 3] * c;
		BARRIER;
	}
}

// want 8
void eighth(float *a, float c, int n) {
	for (int i = 8; i < n; i++) {
		a[i] = a[i - 8] * c;
		BARRIER;
	}
}

// want 1
void seidel(double *a, int n) {
	for (int i = 1; i < n - 1; i++) {
		a[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
		BARRIER;
	}
}

// want 1
void seidel_2d(double *a, int n) {
	for (int i = 1; i < n - 1; i++)
		for (int j = 1; j < n - 1; j++) {
			a[i * n + j] = (a[(i - 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1] + a[(i + 1) * n + j]) / 4;
			BARRIER;
		}
}

// want 1
void sum_to_memory(double *s, const double *a, long n) {
	for (long i = 0; i < n; i++) {
		*s += a[i];
		BARRIER;
	}
}

struct pair { double x, y; };

// want 1 stores=2
void two_sums(struct pair *p, const double *a, long n) {
	for (long i = 0; i < n; i++) {
		p->x += a[i];
		p->y -= a[i];
		BARRIER;
	}
}

// want 1
void on_the_stack(long n) {
	volatile long c = 0;
	for (long i = 0; i < n; i++)
		c += i;
}

// want 1
void cholesky(double *a, int n, int i) {
	for (int j = 0; j < i; j++)
		for (int k = 0; k < j; k++) {
			a[i * n + j] -= a[i * n + k] * a[j * n + k];
			BARRIER;
		}
}

// want 4
void ring(double *b, double c, u32 n) {
	for (u32 i = 0; i < n; i++) {
		b[i & 1023] = b[(i - 4) & 1023] * c;
		BARRIER;
	}
}

// want 1
void unsigned_index(float *a, u32 j, u32 n) {
	for (u32 i = 0; i < n; i++, j++) {
		a[j] = a[j - 1] + 1;
		BARRIER;
	}
}

// want 1
void bytes(u8 *b, int n) {
	for (int i = 1; i < n; i++) {
		b[i] = b[i - 1] * 5 + 1;
		BARRIER;
	}
}

// want 2
void halves(short *b, long n) {
	for (long i = 2; i < n; i++) {
		b[i] = b[i - 2] ^ 3;
		BARRIER;
	}
}

static double table[4096];

// want 1
void global(double c, int n) {
	for (int i = 1; i < n; i++) {
		table[i] = table[i - 1] * c;
		BARRIER;
	}
}

struct vector { double *p; long n; };

// want 1
void through_pointer(struct vector *v, double c) {
	for (long i = 1; i < v->n; i++) {
		v->p[i] = v->p[i - 1] * c;
		BARRIER;
	}
}

// want 1
void column(double *a, long n, long m) {
	for (long i = 1; i < n; i++) {
		a[i * m] = a[(i - 1) * m] + 1;
		BARRIER;
	}
}

// want 1 stores=2
void complex(double *a, double c, long n) {
	for (long i = 1; i < n; i++) {
		double re = a[2 * i - 2] * c, im = a[2 * i - 1] * c;
		a[2 * i] = re;
		a[2 * i + 1] = im;
		BARRIER;
	}
}

// want 0 stores=2
void store_then_load(double *a, double *b, double c, long n) {
	for (long i = 0; i < n; i++) {
		a[i] = c;
		BARRIER;
		b[0] = a[i] + c;
	}
}

// want 1
void two_pointers(double *a, double c, long n) {
	double *p = a, *q = a + 1, *end = a + n;
	while (q != end) {
		*q++ = *p++ * c;
		BARRIER;
	}
}

// want 2
void two_indices(double *a, double c, int n) {
	for (int i = 2, j = 0; i < n; i++, j++) {
		a[i] = a[j] * c;
		BARRIER;
	}
}

// want 1
void wrapped(double *a, double c, int m, long n) {
	int i = 1, j = 0;
	for (long k = 0; k < n; k++) {
		a[i] = a[j] * c;
		j = i;
		i = i + 1 == m ? 0 : i + 1;
		BARRIER;
	}
}

// want 1
void xorshift(unsigned long *s, long n) {
	for (long i = 0; i < n; i++) {
		unsigned long x = *s;
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		*s = x;
		BARRIER;
	}
}
