package analyze

import (
	"fmt"
	"strings"
	"testing"

	"incore/internal/base/growth"
	"incore/internal/base/long"
	"incore/internal/base/source"
)

// growing lists generators of inputs of any size whose analysis once needed quadratic time or memory.
var growing = []struct {
	name, arch string
	n          int
	text       func(n int) string
}{
	{"nested loops", "skx", 500, func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, ".L%d:\n inc %%eax\n", i)
		}
		for i := n - 1; i >= 0; i-- {
			fmt.Fprintf(&b, " jne .L%d\n", i)
		}
		return b.String()
	}},
	{"loops in one function", "skx", 1500, func(n int) string {
		var b strings.Builder
		b.WriteString("f:\n")
		for i := range n {
			fmt.Fprintf(&b, ".L%d:\n addsd %%xmm1, %%xmm0\n addq $1, %%rax\n cmpq %%rax, %%rcx\n jne .L%d\n", i, i)
		}
		return b.String() + " ret\n"
	}},
	{"microcode", "zen4", 500, func(n int) string {
		return ".L1:\n" + strings.Repeat(" fsin\n", n) + " decq %r8\n jne .L1\n"
	}},
	{"spills in a long loop", "skx", 1500, func(n int) string {
		var b strings.Builder
		b.WriteString(".L1:\n")
		for i := range n {
			fmt.Fprintf(&b, " addq $1, %d(%%rsp)\n movq %d(%%rsp), %%rax\n", i*37%200*8, i*53%200*8)
		}
		return b.String() + " decq %r15\n jne .L1\n"
	}},
	{"an unrolled stream", "skx", 1500, func(n int) string {
		var b strings.Builder
		b.WriteString(".L1:\n")
		for i := range n {
			fmt.Fprintf(&b, " vaddpd %d(%%rdi), %%ymm1, %%ymm0\n vmovupd %%ymm0, %d(%%rdi)\n", 32*i, 32*i)
		}
		return b.String() + " addq $640000, %rdi\n decq %r15\n jne .L1\n"
	}},
	{"steps of registers", "skx", 3000, func(n int) string { // each a candidate of what advances addresses
		var b strings.Builder
		b.WriteString(".L1:\n")
		for i := range n {
			fmt.Fprintf(&b, " addl $1, %%e%cx\n", "abcd"[i%4])
		}
		return b.String() + " decq %r15\n jne .L1\n"
	}},
}

// TestGrowth checks that time and memory grow about linearly with the input.
func TestGrowth(t *testing.T) {
	for _, c := range long.Some(growing, 3) {
		t.Run(c.name, func(t *testing.T) {
			growth.Check(t, c.n, func(n int) func() {
				f, err := source.New("growing.s", []byte(c.text(n)))
				if err != nil {
					t.Fatal(err)
				}
				return func() {
					if _, err := Run(f, Options{Archs: []string{c.arch}}); err != nil {
						t.Fatal(err)
					}
				}
			})
		})
	}
}
