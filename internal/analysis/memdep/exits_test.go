package memdep_test

import (
	"encoding/hex"
	"testing"

	"incore/internal/analysis/memdep"
	"incore/internal/isa"
	"incore/internal/isa/x86"
	"incore/internal/machine"
)

// walked returns a path through machine code at 0x1000, given by the numbers of its instructions.
func walked(t *testing.T, code string, path []int) *isa.Kernel {
	t.Helper()
	b, err := hex.DecodeString(code)
	if err != nil {
		t.Fatal(err)
	}
	a, addr := x86.ISA(), uint64(0x1000)
	var all []isa.Line
	for len(b) > 0 {
		var in isa.Inst
		n, err := a.Decode(b, addr, &in)
		if err != nil || n == 0 {
			t.Fatal(err)
		}
		in.Size = uint8(n)
		all = append(all, isa.Line{Inst: in, Addr: addr})
		b, addr = b[n:], addr+uint64(n)
	}
	k := &isa.Kernel{ISA: a, Loop: true}
	for _, i := range path {
		k.Lines = append(k.Lines, all[i])
	}
	return k
}

// TestPathExits: of a path through a triangular solver, whose outer iteration i loads what the outer iterations before it
// have stored, the ends of the inner loops tell which of its loads read what the last ones stored. The remainder of an
// unrolled loop is likewise, and a loop whose end does not depend on the outer one has no such loads.
func TestPathExits(t *testing.T) {
	m, err := machine.Get("zen5")
	if err != nil {
		t.Fatal(err)
	}
	// xor %eax,%eax; 1: movsd (%rdi,%rax,8),%xmm1; mulsd (%rsi,%rax,8),%xmm1; subsd %xmm1,%xmm0; inc %rax; cmp %rdx,%rax;
	// jne 1b; movsd %xmm0,(%rdi,%rdx,8); inc %rdx; cmp $100,%rdx; jne
	const solver = "31c0f20f100cc7f20f590cc6f20f5cc148ffc04839d075eaf20f1104d748ffc24883fa6475da"
	// xor %eax,%eax; mov %rdx,%r9; and $-4,%r9; je 3f; 2: movupd (%rdi,%rax,8),%xmm1; movupd 16(%rdi,%rax,8),%xmm2;
	// addpd %xmm1,%xmm0; addpd %xmm2,%xmm0; add $4,%rax; cmp %r9,%rax; jb 2b; 3: cmp %rdx,%rax; je 5f;
	// 4: addsd (%rdi,%rax,8),%xmm0; inc %rax; cmp %rdx,%rax; jne 4b; 5: movsd %xmm0,(%rdi,%rdx,8); inc %rdx; cmp $100,%rdx; jne
	const unrolled = "31c04989d14983e1fc741c660f100cc7660f1054c710660f58c1660f58c24883c0044c39c872e44839d0740df20f5804c748ffc04839d075f3f20f1104d748ffc24883fa6475b9"
	solve := func(n int) (path []int) {
		path = []int{0}
		for range n {
			path = append(path, 1, 2, 3, 4, 5, 6)
		}
		return append(path, 7, 8, 9, 10)
	}
	sum := func(n int) (path []int) {
		path = []int{0, 1, 2, 3}
		for range n / 4 {
			path = append(path, 4, 5, 6, 7, 8, 9, 10)
		}
		path = append(path, 11, 12)
		for range n % 4 {
			path = append(path, 13, 14, 15, 16)
		}
		return append(path, 17, 18, 19, 20)
	}
	type edge struct{ from, to, dist int32 }
	for _, c := range []struct {
		name, code string
		path       []int
		want       []edge
	}{
		{"solver, 5 columns", solver, solve(5), []edge{{31, 25, 1}, {31, 19, 2}, {31, 13, 3}}},
		{"solver, 20 columns", solver, solve(20), []edge{{121, 115, 1}, {121, 109, 2}, {121, 103, 3}}},
		{"sum, 7 columns", unrolled, sum(7), []edge{{25, 21, 1}, {25, 17, 2}, {25, 13, 3}}},
		{"sum, 14 columns", unrolled, sum(14), []edge{{35, 31, 1}, {35, 27, 2}, {35, 19, 3}}},
		{"sum, 8 columns", unrolled, sum(8), []edge{{20, 12, 1}, {20, 12, 2}, {20, 11, 3}}},
	} {
		k := walked(t, c.code, c.path)
		entered := *k
		entered.Entry = walked(t, "31d2", []int{0}).Lines // xor %edx,%edx
		for i, path := range []bool{true, true, false} {
			b := m.Bind(k)
			if i == 1 {
				b = m.Bind(&entered)
			}
			found, _ := memdep.Find(b, memdep.Options{Path: path})
			has := map[edge]bool{}
			for _, e := range found {
				has[edge{e.From, e.To, e.Dist}] = true
			}
			for _, e := range c.want {
				if has[e] != path {
					t.Errorf("%s, a path %v: %v is %v among %v", c.name, path, e, has[e], has)
				}
			}
			if path && len(has) > len(c.want)+2 {
				t.Errorf("%s: %v", c.name, has)
			}
		}
	}
}
