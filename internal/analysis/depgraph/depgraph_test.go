package depgraph

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"incore/internal/analysis/kernels"
	"incore/internal/isa"
	"incore/internal/machine"
)

var arm, amd = kernels.ISA("aarch64"), kernels.ISA("x86")

// describe lists edges as "kind from→to+distance".
func describe(g *Graph) string {
	var out []string
	for _, e := range g.Edges {
		out = append(out, fmt.Sprintf("%c%d→%d+%d", "rafm"[e.Kind], e.From, e.To, e.Dist))
	}
	return strings.Join(out, " ")
}

// TestEdges holds small kernels and their edges.
func TestEdges(t *testing.T) {
	for _, c := range []struct {
		name string
		regs *isa.ISA
		code string
		want string
	}{
		{"chain", arm, "a d0 <- d1\nb d2 <- d0", "r0→1+0"},
		{"carried", arm, "a d2 <- d0\nb d0 <- d2", "r1→0+1 r0→1+0"},
		{"overwritten", arm, "a d0 <- d1\nb d0 <- d1\nc d2 <- d0", "r1→2+0"},
		{"views of a register overlap", arm, "a w0 <- w1\nb x2 <- x0", "r0→1+0"},
		{"low byte and the rest", amd, "a ah <- rcx\nb al <- rcx\nc rdx <- rax", "r0→2+0 r1→2+0"},
		{"merge", amd, "a rax <- rcx\nb al <- rdx : merge", "r0→1+0"},
		{"address", arm, "a x0 <- x1\nb d0 <- [x0]\nc [x0] <- d0", "a0→1+0 a0→2+0 r1→2+0"},
		{"flags", amd, "cmp eflags <- rax\njne <- eflags", "f0→1+0"},
		{"control", amd, "a mxcsr <- rax\nb xmm0 <- xmm1 mxcsr", ""},
		{"idiom cuts", amd, "a rax <- rcx\nxor rax <- rax rax : idiom\nb rdx <- rax", "r1→2+0"},
		{"memory, same address", arm, "s [x0+8] <- d0\nl d1 <- [x0+8]", "m0→1+0"},
		{"memory, other offset", arm, "s [x0+8] <- d0\nl d1 <- [x0]", ""},
		{"memory, overlap", arm, "s [x0+4] <- d0\nl d1 <- [x0]", "m0→1+0"},
		{"memory, other base", arm, "s [x0] <- d0\nl d1 <- [x1]", ""},
		{"memory, next iteration", arm, "l d1 <- [x0]\ns [x0] <- d0", "m1→0+1"},
		{"memory, stack slot rewritten", arm, "s [x0] <- d0\nl d1 <- [x0]\ns [x0] <- d2", "m0→1+0"},
		{"memory, two halves", arm, "s [x0]/4 <- d0\ns [x0+4]/4 <- d1\nl d2 <- [x0]", "m1→2+0 m0→2+0"},
		{"memory, half of it older", arm, "s [x0] <- d0\ns [x0+4]/4 <- d1\nl d2 <- [x0]", "m1→2+0 m0→2+0"},
		{"memory, hidden store", arm, "s [x0]/4 <- d0\ns [x0] <- d1\nl d2 <- [x0]", "m1→2+0"},
		{"memory, half of it hidden", arm, "s [x0+4]/4 <- d0\ns [x0]/4 <- d1\ns [x0]/4 <- d2\nl d3 <- [x0]", "m2→3+0 m0→3+0"},
		{"memory, base moves", arm, "l d1 <- [x0-8]\ns [x0] <- d0\nadd x0 <- x0 #8", "a2→0+1 m1→0+1 a2→1+1 r2→2+1"},
		{"memory, base moves down", arm, "l d1 <- [x0+16]\ns [x0] <- d0\nsub x0 <- x0 #-8", "a2→0+1 m1→0+2 a2→1+1 r2→2+1"},
		{"memory, base moves past", arm, "l d1 <- [x0+8]\ns [x0] <- d0\nadd x0 <- x0 #8", "a2→0+1 a2→1+1 r2→2+1"},
		{"memory, index moves", arm, "l d1 <- [x0-8,x1*8]\ns [x0,x1*8] <- d0\nadd x1 <- x1 #1", "a2→0+1 m1→0+1 a2→1+1 r2→2+1"},
		{"memory, unknown step", arm, "l d1 <- [x0-8]\ns [x0] <- d0\nadd x0 <- x0 x5", "a2→0+1 a2→1+1 r2→2+1"},
		{"memory, unknown step, same iteration", arm, "s [x0] <- d0\nl d1 <- [x0]\nadd x0 <- x0 x5", "a2→0+1 a2→1+1 m0→1+0 r2→2+1"},
		{"memory, copied base", arm, "mov x1 <- x0 #0\ns [x1]+8 <- d0\nl d1 <- [x0]\nl d2 <- [x1-8]", "a0→1+0 m1→2+0 a1→3+0 m1→3+0"},
		{"memory, pre-index", arm, "s [x0+8]! <- d0\nl d1 <- [x0]", "a0→0+1 a0→1+0 m0→1+0"},
		{"memory, copy from the iteration before", arm, "l d1 <- [x1]\ns [x0] <- d0\nmov x1 <- x0 #0\nadd x0 <- x0 #8",
			"a2→0+1 m1→0+1 a3→1+1 r3→2+1 r3→3+1"},
		{"memory, pointer loaded anew", arm, "l x1 <- [x0]\ns [x1] <- d0\nl d1 <- [x1+0]\nadd x0 <- x0 #8", "a3→0+1 a0→1+0 a0→2+0 m1→2+0 r3→3+1"},
	} {
		g := Build(kernels.Parse(c.regs, 2, c.code), Options{})
		if got := describe(g); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestOptions checks what the options leave out and put in.
func TestOptions(t *testing.T) {
	b := kernels.Parse(arm, 2, "s [x0] <- d0\nl d1 <- [x0]\nadds x5 nzcv <- x6 x7\nb <- nzcv")
	given := []MemoryEdge{{From: 0, To: 1, Dist: 4}, {From: 2, To: 0, Dist: 1}, {From: 1, To: 0, Dist: 0}, {From: 9, To: 1, Dist: 1}}
	for _, c := range []struct {
		opts Options
		want string
	}{
		{Options{}, "m0→1+0 f2→3+0"},
		{Options{NoFlags: true}, "m0→1+0"},
		{Options{NoMemory: true, Memory: given}, "f2→3+0"},
		{Options{Memory: []MemoryEdge{}}, "f2→3+0"},
		{Options{Memory: given}, "m2→0+1 m0→1+4 f2→3+0"},
	} {
		if got := describe(Build(b, c.opts)); got != c.want {
			t.Errorf("%+v: %s, want %s", c.opts, got, c.want)
		}
	}
}

// TestForward checks what forwarding costs, and what it is taken to cost where that isn't known.
func TestForward(t *testing.T) {
	b := kernels.Parse(arm, 2, "s [x0] <- d0\nl d1 <- [x0] : lat=6 load=6")
	for _, c := range []struct {
		forward float64
		load    int
		want    float64
		assumed bool
	}{{5, 4, 5, false}, {0, 4, 6, true}} {
		b.Model.Params.StoreForward, b.Model.Params.LoadLatency = c.forward, c.load
		g := Build(b, Options{})
		if len(g.Edges) != 1 || g.Edges[0].Latency != c.want || g.ForwardAssumed != c.assumed {
			t.Errorf("forward %g, load %d: %+v, assumed %v", c.forward, c.load, g.Edges, g.ForwardAssumed)
		}
	}
}

// randomMemory writes a kernel whose addresses are all known.
func randomMemory(r *rand.Rand, n int) string {
	var b strings.Builder
	x := func() int { return r.IntN(4) }
	at := func() string {
		size := 1 << r.IntN(4)
		if r.IntN(4) == 0 {
			return fmt.Sprintf("[x%d%+d,x4*8]/%d", x(), 4*r.IntN(9)-16, size)
		}
		return fmt.Sprintf("[x%d%+d]/%d", x(), 4*r.IntN(9)-16, size)
	}
	for range n {
		switch r.IntN(7) {
		case 0, 1:
			fmt.Fprintf(&b, "s %s <- d0\n", at())
		case 2, 3:
			fmt.Fprintf(&b, "l d1 <- %s\n", at())
		case 4:
			fmt.Fprintf(&b, "s [x%d]%+d <- d0\n", x(), 4*(r.IntN(5)-2)+2)
		case 5:
			fmt.Fprintf(&b, "add x%d <- x%d #%d\n", x(), x(), 4*(r.IntN(7)-3))
		default:
			fmt.Fprintf(&b, "add x4 <- x4 #%d\n", r.IntN(3)-1)
		}
	}
	return b.String()
}

// run executes a kernel of known addresses and returns the memory dependences seen in
// its last iteration.
func run(b *machine.Bound, start map[isa.Reg]int64) []MemoryEdge {
	type origin struct{ iter, inst, mem int32 }
	const iterations = MaxDistance + 20
	regs, written := start, map[int64]origin{}
	seen := map[MemoryEdge]bool{}
	for k := range int32(iterations) {
		for i := range b.Insts {
			in := &b.Insts[i]
			for _, load := range []bool{true, false} {
				for j, m := range in.Effects.Mem {
					addr := regs[m.Base] + regs[m.Index]*int64(m.Scale) + m.Disp
					if m.Post {
						addr = regs[m.Base]
					} else if m.Update != 0 {
						addr = regs[m.Base] + m.Update
					}
					for byte := addr; byte < addr+int64(m.Bits)/8; byte++ {
						w, ok := written[byte]
						switch {
						case load && m.Load && ok && k == iterations-1 && k-w.iter <= MaxDistance:
							seen[MemoryEdge{From: w.inst, To: int32(i), FromMem: int16(w.mem), ToMem: int16(j), Dist: k - w.iter}] = true
						case !load && m.Store:
							written[byte] = origin{k, int32(i), int32(j)}
						}
					}
				}
			}
			dst, src, imm, ok := b.Kernel.ISA.AddImm(&in.Line.Inst)
			for _, m := range in.Effects.Mem {
				if m.Update != 0 {
					dst, src, imm, ok = m.Base, m.Base, m.Update, true
				}
			}
			if ok {
				regs[dst] = regs[src] + imm
			}
		}
	}
	var out []MemoryEdge
	for e := range seen {
		out = append(out, e)
	}
	slices.SortFunc(out, order)
	return out
}

func order(a, b MemoryEdge) int {
	return cmp.Or(cmp.Compare(a.To, b.To), cmp.Compare(a.ToMem, b.ToMem), cmp.Compare(a.From, b.From), cmp.Compare(a.Dist, b.Dist))
}

// TestAddresses holds the symbolic analysis against execution. Where two values at entry differ by a
// constant that only the execution knows, bases are far apart; a register that is copied from
// another in a way that takes more than one iteration to settle is beyond the analysis, and left out.
func TestAddresses(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	edges, exact, rounds := 0, 0, 0
	for range 1500 {
		text := randomMemory(r, 2+r.IntN(9))
		b := kernels.Parse(arm, 2, text)
		start := map[isa.Reg]int64{}
		for k := range 5 {
			start[arm.Regs.Spelled(fmt.Sprintf("x%d", k))] = int64(k+1) << 32
		}
		want := run(b, start)
		got, _ := Addresses(b, false)
		slices.SortFunc(got, order)
		rounds++
		for _, e := range got {
			if _, ok := slices.BinarySearchFunc(want, e, order); !ok {
				t.Fatalf("false edge %+v, execution has %+v\n%s", e, want, text)
			}
		}
		edges += len(want)
		exact += len(got)
	}
	t.Logf("%d kernels: %d of %d dependences found, none wrong", rounds, exact, edges)
	if float64(exact) < 0.9*float64(edges) {
		t.Errorf("only %d of %d dependences found", exact, edges)
	}
}
