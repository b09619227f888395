package memdep_test

import (
	"encoding/hex"
	"slices"
	"testing"

	"incore/internal/analysis/memdep"
	"incore/internal/analysis/uops"
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
	solved := func(n int) (out []edge) {
		for j := range n {
			out = append(out, edge{int32(6*n + 1), int32(1 + 6*j), int32(n - j)})
		}
		return out
	}
	summed := func(n int) (out []edge) {
		rest := n / 4 * 4
		store := int32(6 + n/4*7 + n%4*4)
		for j := range n {
			load := int32(6 + n/4*7 + (j-rest)*4)
			if j < rest {
				load = int32(4 + j/4*7 + j%4/2)
			}
			out = append(out, edge{store, load, int32(n - j)})
		}
		return out
	}
	for _, c := range []struct {
		name, code string
		path       []int
		want       []edge
	}{
		{"solver, 5 columns", solver, solve(5), solved(5)},
		{"solver, 20 columns", solver, solve(20), solved(20)},
		{"sum, 7 columns", unrolled, sum(7), summed(7)},
		{"sum, 14 columns", unrolled, sum(14), summed(14)},
		{"sum, 8 columns", unrolled, sum(8), summed(8)},
	} {
		k := walked(t, c.code, c.path)
		entered := *k
		entered.Entry = walked(t, "31d2", []int{0}).Lines // xor %edx,%edx
		for i, path := range []bool{true, true, false} {
			b := uops.Bind(m, k)
			if i == 1 {
				b = uops.Bind(m, &entered)
			}
			found, _ := memdep.Find(b, memdep.Options{Path: path})
			has := map[edge]bool{}
			for _, e := range found {
				has[edge{e.From, e.To, e.Dist}] = true
			}
			all := 0
			for _, e := range c.want {
				near := i == 1 || e.dist < 4 // without values at the entry, few iterations are executed
				if all++; has[e] != (path && near) {
					t.Errorf("%s, a path %v: %v is %v among %v", c.name, path, e, has[e], has)
				}
			}
			if len(has) > all {
				t.Errorf("%s: %v", c.name, has)
			}
		}
	}
}

// TestPathFar: the few iterations of a path that tell how its loops end do not tell that a load further back reads nothing.
func TestPathFar(t *testing.T) {
	m, err := machine.Get("zen5")
	if err != nil {
		t.Fatal(err)
	}
	// the solver above, with addsd -48(%rdi,%rdx,8),%xmm0 in front of its store
	const solver = "31c0f20f100cc7f20f590cc6f20f5cc148ffc04839d075eaf20f5844d7d0f20f1104d748ffc24883fa6475d4"
	k := walked(t, solver, []int{0, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
	for range 2 {
		found, _ := memdep.Find(uops.Bind(m, k), memdep.Options{Path: true})
		var dist []int32
		for _, e := range found {
			if e.From == 14 {
				dist = append(dist, e.Dist)
			}
		}
		if !slices.Equal(dist, []int32{2, 1, 6}) {
			t.Errorf("%v", found)
		}
		k.Entry = walked(t, "31d2", []int{0}).Lines // xor %edx,%edx
	}
}

// TestPathTurns: a path of every second iteration has the dependences of all these iterations, not of the first of them.
func TestPathTurns(t *testing.T) {
	m, err := machine.Get("zen5")
	if err != nil {
		t.Fatal(err)
	}
	// test $1,%al; jne 2f; movsd (%rdi,%rax,8),%xmm0; addsd (%rsi,%rax,8),%xmm0; movsd %xmm0,16(%rdi); movsd %xmm0,32(%rsi,%rax,8);
	// 2: inc %rax; cmp $40,%rax; jne
	k := walked(t, "a8017515f20f1004c7f20f5804c6f20f114710f20f1144c62048ffc04883f82875de", []int{0, 1, 2, 3, 4, 5, 6, 7, 8})
	k.Entry = walked(t, "31c0", []int{0}).Lines // xor %eax,%eax
	found, _ := memdep.Find(uops.Bind(m, k), memdep.Options{Path: true})
	if len(found) != 1 || found[0].From != 5 || found[0].To != 3 || found[0].Dist != 4 {
		t.Errorf("%v", found)
	}
}

// TestPathWithout: a path may have no accesses, or end in an instruction that is not known.
func TestPathWithout(t *testing.T) {
	m, err := machine.Get("zen5")
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range []string{"31c031c9", "8b0631c9"} { // xor %eax,%eax or mov (%rsi),%eax; xor %ecx,%ecx
		k := walked(t, code, []int{0, 1})
		for range 2 {
			if found, _ := memdep.Find(uops.Bind(m, k), memdep.Options{Path: true}); len(found) > 0 {
				t.Errorf("%s: %v", code, found)
			}
			k.Lines[1].Inst = isa.Inst{Form: isa.NoForm, Size: 2}
		}
	}
}

// TestInductions: registers to which each iteration of a loop around a path adds once are related, and the addresses that
// they lead to are known but for the number of these iterations.
func TestInductions(t *testing.T) {
	m, err := machine.Get("zen5")
	if err != nil {
		t.Fatal(err)
	}
	// movsd (%rsi,%rax,8),%xmm0; imul $0x140,%rcx,%rdx; movsd %xmm1,0x10008(%rdx,%rax,8); inc %rax; cmp $40,%rax; jne
	k := walked(t, "f20f1004c64869d140010000f20f118cc20800010048ffc04883f82875e0", []int{0, 1, 2, 3, 4, 5})
	// xor %ecx,%ecx; mov $0x10000,%esi; xor %eax,%eax; inc %rcx; add $0x140,%rsi
	entry := walked(t, "31c9be0000010031c048ffc14881c640010000", []int{0, 1, 2, 3, 4}).Lines
	for _, once := range []bool{true, false} {
		turn := []isa.Line{entry[3], entry[4]}
		turn[0].Once, turn[1].Once = once, once
		k.Entry = []isa.Line{entry[0], entry[1], entry[2]}
		k.Entry[2].Join, k.Entry[2].Between = true, turn
		found, r := memdep.Find(uops.Bind(m, k), memdep.Options{Path: true})
		has := false
		for _, e := range found {
			has = has || e.From == 2 && e.To == 0 && e.Dist == 1
		}
		if has != once {
			t.Errorf("once %v: %v", once, found)
		}
		if once && (r == nil || len(r.Places) != 2) || !once && r != nil && len(r.Places) > 0 {
			t.Fatalf("once %v: %+v", once, r)
		}
		for i := 0; once && i < len(r.Places); i++ {
			at := r.Places[i].At
			if at[0]%64 != int64(8*i) || at[1]-at[0] != 8 || at[0] == at[len(at)-4] {
				t.Errorf("place %d: %#x", i, at)
			}
		}
	}
}
