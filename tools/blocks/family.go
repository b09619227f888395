package main

import (
	"fmt"
	"io"
	"strings"
)

// This file generates a family of kernels as C: what a tile of m × n results of a matrix product does for one step of the sum, left to compilers and written with
// intrinsics, stencils whose operands are not aligned, and sums of two arrays whose operations take operands from memory.

// element is a type of numbers: its name in C, the suffix of intrinsics, and how many are in a vector of 256 bits.
type element struct {
	name, short, packed, vector string
	width                       int
}

var elements = []element{{"double", "d", "pd", "__m256d", 4}, {"float", "s", "ps", "__m256", 8}}

// family prints the kernels.
func family(w io.Writer) error {
	var b strings.Builder
	b.WriteString("#include <immintrin.h>\n")
	for _, e := range elements {
		for _, m := range []int{1, 2, 3, 4, 6} {
			for vectors := 1; vectors <= 3; vectors++ {
				tile(&b, e, m, vectors*e.width)
			}
		}
	}
	for _, e := range elements {
		for _, s := range [][2]int{{1, 1}, {1, 4}, {2, 1}, {2, 2}, {2, 3}, {3, 2}, {3, 3}, {4, 1}, {4, 2}, {4, 3}, {5, 2}, {6, 2}, {8, 1}, {12, 1}} {
			direct(&b, e, s[0], s[1])
		}
	}
	for _, e := range elements {
		for _, k := range [][2]string{{"3", "x[i-1]+x[i]+x[i+1]"}, {"3w", "a*x[i-1]+b*x[i]+a*x[i+1]"}, {"5", "x[i-2]+x[i-1]+x[i]+x[i+1]+x[i+2]"}, {"2d5", "x[i-1]+x[i+1]+x[i-n]+x[i+n]+x[i]*a"}} {
			fmt.Fprintf(&b, "void stencil%s_%s(%[3]s *restrict y, const %[3]s *restrict x, long n, %[3]s a, %[3]s b) { for (long i = 2; i < n - 2; i++) y[i] = %[4]s; }\n", k[0], e.short, e.name, k[1])
		}
		for _, k := range [][2]string{{"axpy", "y[i] += a*x[i]"}, {"axpby", "y[i] = a*x[i]+b*y[i]"}, {"triad", "y[i] = x[i]+a*z[i]"}, {"scale", "y[i] = a*x[i]"}, {"add", "y[i] = x[i]+z[i]"}} {
			fmt.Fprintf(&b, "void %s_%s(%[3]s *restrict y, const %[3]s *restrict x, const %[3]s *restrict z, long n, %[3]s a, %[3]s b) { for (long i = 0; i < n; i++) %[4]s; }\n", k[0], e.short, e.name, k[1])
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// tile is a tile of m × n results as loops, of which compilers make what they like.
func tile(b *strings.Builder, e element, m, n int) {
	fmt.Fprintf(b, `void gemm_%s_%[2]dx%[3]d(const %[4]s *a, const %[4]s *b, %[4]s *c, long k) {
	%[4]s acc[%[2]d][%[3]d] = {0};
	for (long p = 0; p < k; p++) for (int i = 0; i < %[2]d; i++) for (int j = 0; j < %[3]d; j++) acc[i][j] += a[p*%[2]d+i] * b[p*%[3]d+j];
	for (int i = 0; i < %[2]d; i++) for (int j = 0; j < %[3]d; j++) c[i*%[3]d+j] += acc[i][j];
}
`, e.short, m, n, e.name)
}

// direct is a tile of m rows of so many vectors, all in registers.
func direct(b *strings.Builder, e element, m, vectors int) {
	fmt.Fprintf(b, "void direct_%s_%dx%d(const %[4]s *a, const %[4]s *b, %[4]s *c, long k) {\n", e.short, m, vectors, e.name)
	each := func(format string, args func(i, j int) []any) {
		for i := range m {
			for j := range vectors {
				fmt.Fprintf(b, "\t"+format+"\n", args(i, j)...)
			}
		}
	}
	each("%s c%d_%d = _mm256_setzero_%s();", func(i, j int) []any { return []any{e.vector, i, j, e.packed} })
	b.WriteString("\tfor (long p = 0; p < k; p++) {\n")
	for j := range vectors {
		fmt.Fprintf(b, "\t%s b%d = _mm256_loadu_%s(b + %d);\n", e.vector, j, e.packed, e.width*j)
	}
	for i := range m {
		fmt.Fprintf(b, "\t%s a%d = _mm256_broadcast_s%s(a + %[2]d);\n", e.vector, i, e.short)
		for j := range vectors {
			fmt.Fprintf(b, "\tc%d_%d = _mm256_fmadd_%s(a%[1]d, b%[2]d, c%[1]d_%[2]d);\n", i, j, e.packed)
		}
	}
	fmt.Fprintf(b, "\ta += %d; b += %d;\n\t}\n", m, e.width*vectors)
	each("_mm256_storeu_%s(c + %d, c%d_%d);", func(i, j int) []any { return []any{e.packed, (i*vectors + j) * e.width, i, j} })
	b.WriteString("}\n")
}
