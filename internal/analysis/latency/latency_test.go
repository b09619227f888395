package latency

import (
	"math"
	"slices"
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/kernels"
	"incore/internal/analysis/throughput"
	"incore/internal/isa"
)

var arm, amd = kernels.ISA("aarch64"), kernels.ISA("x86")

// gaussSeidel is an in-place 5-point sweep, unrolled four times, with ThunderX2's
// figures (PMBS'19, table II: loads and stores 4 cycles, FP 6). Each update needs the west
// neighbour, which is the result before; the first sum of each begins with the north.
const gaussSeidel = `
ldr  d16 <- [x2,x6*8]      : lat=4 load=4 p=34
ldr  d17 <- [x2+8]         : lat=4 load=4 p=34
mov  x3 <- x2 #0           : p=01
add  x4 <- x2 #24          : p=012
ldr  d18 <- [x2,x7*8]      : lat=4 load=4 p=34
add  x2 <- x2 #32          : p=012
fadd d19 <- d16 d17        : lat=6 p=01
fadd d19 <- d19 d15        : lat=6 p=01
fadd d19 <- d19 d18        : lat=6 p=01
fmul d20 <- d19 d8         : lat=6 p=01
str  [x3]+8 <- d20         : lat=4 p=34 p=5
ldr  d21 <- [x3,x6*8]      : lat=4 load=4 p=34
ldr  d22 <- [x3+8]         : lat=4 load=4 p=34
add  x5 <- x3 #8           : p=012
ldr  d23 <- [x3,x7*8]      : lat=4 load=4 p=34
fadd d24 <- d21 d22        : lat=6 p=01
fadd d24 <- d24 d20        : lat=6 p=01
fadd d24 <- d24 d23        : lat=6 p=01
fmul d25 <- d24 d8         : lat=6 p=01
str  [x2-24] <- d25        : lat=4 p=34 p=5
ldr  d26 <- [x5,x6*8]      : lat=4 load=4 p=34
ldr  d27 <- [x3+16]        : lat=4 load=4 p=34
ldr  d28 <- [x5,x7*8]      : lat=4 load=4 p=34
fadd d29 <- d26 d27        : lat=6 p=01
fadd d29 <- d29 d25        : lat=6 p=01
fadd d29 <- d29 d28        : lat=6 p=01
fmul d30 <- d29 d8         : lat=6 p=01
str  [x3+8] <- d30         : lat=4 p=34 p=5
ldr  d0  <- [x2]           : lat=4 load=4 p=34
ldr  d1  <- [x4,x6*8]      : lat=4 load=4 p=34
ldr  d2  <- [x4,x7*8]      : lat=4 load=4 p=34
fadd d3  <- d1 d0          : lat=6 p=01
fadd d3  <- d3 d30         : lat=6 p=01
fadd d3  <- d3 d2          : lat=6 p=01
fmul d15 <- d3 d8          : lat=6 p=01
str  [x2-8] <- d15         : lat=4 p=34 p=5
cmp  nzcv <- x9 x2         : p=012
bne  <- nzcv               : lat=0
`

// TestGaussSeidel checks the figures that PMBS'19, table II gives for code of this shape.
func TestGaussSeidel(t *testing.T) {
	b := kernels.Parse(arm, 6, gaussSeidel)
	g := depgraph.Build(b, depgraph.Options{})
	for _, e := range g.Edges {
		if e.Kind == depgraph.Memory {
			t.Errorf("memory edge %d → %d, distance %d: the sweep reads what no store of a recent iteration wrote", e.From, e.To, e.Dist)
		}
	}
	cp, loop := CriticalPath(g), LoopCarried(g)
	if cp.Cycles != 100 || loop.Cycles != 72 {
		t.Errorf("CP %g, LCD %g, want 100 and 72", cp.Cycles, loop.Cycles)
	}
	want := []int{0, 6, 7, 8, 9, 10, 11, 15, 16, 17, 18, 24, 25, 26, 32, 33, 34, 35}
	if got := insts(cp.Steps); !slices.Equal(got, want) {
		t.Errorf("critical path %v, want %v", got, want)
	}
	sum := 0.0
	for _, s := range cp.Steps {
		sum += s.Cycles()
	}
	if sum != cp.Cycles || cp.Steps[0].Load != 4 || cp.Steps[5].Exec != 4 || cp.Steps[6].Load != 4 {
		t.Errorf("steps of the critical path sum to %g: %+v", sum, cp.Steps)
	}
	wantLoop := []int{7, 8, 9, 16, 17, 18, 24, 25, 26, 32, 33, 34}
	if got := insts(loop.Chains[0].Steps); !slices.Equal(got, wantLoop) || loop.Chains[0].Distance != 1 {
		t.Errorf("chain %v, want %v", got, wantLoop)
	}
	tp := throughput.Analyze(b, throughput.Uniform)
	for p, w := range []float64{9.83, 9.83, 1.33, 8, 8, 4} {
		if math.Abs(tp.Ports[p]-w) > 0.005 {
			t.Errorf("port %d: %.2f cycles, want %.2f", p, tp.Ports[p], w)
		}
	}
	if low, high := Bracket(tp.Cycles, loop.Cycles, cp.Cycles); low != 72 || high != 100 {
		t.Errorf("bracket %g … %g", low, high)
	}
}

func insts(steps []Step) []int {
	var out []int
	for _, s := range steps {
		out = append(out, s.Inst)
	}
	return out
}

// TestKernels holds small kernels with figures derived by hand.
func TestKernels(t *testing.T) {
	for _, c := range []struct {
		name, code string
		lcd, cp    float64
		chains     int
		opts       depgraph.Options
	}{
		{"independent", "fadd d0 <- d1 d2 : lat=6", 0, 6, 0, depgraph.Options{}},
		{"accumulator", "fadd d0 <- d0 d1 : lat=6", 6, 6, 1, depgraph.Options{}},
		{"two accumulators", "fadd d0 <- d0 d1 : lat=6\nfadd d2 <- d2 d1 : lat=5", 6, 6, 2, depgraph.Options{}},
		{"late accumulator", "fmadd d0 <- d0 d1 d2 : lat=4 fwd=2", 2, 4, 1, depgraph.Options{}},
		{"rotation over two iterations", "fmov d2 <- d1 : lat=2\nfadd d1 <- d0 d8 : lat=6\nfmov d0 <- d2 : lat=2", 5, 6, 1, depgraph.Options{}},
		{"flags carry", "adcs x0 nzcv <- x1 nzcv : lat=1", 1, 1, 1, depgraph.Options{}},
		{"no flags", "adcs x0 nzcv <- x1 nzcv : lat=1", 0, 1, 0, depgraph.Options{NoFlags: true}},
		{"control register", "fadd d0 fpcr <- d1 fpcr : lat=3", 0, 3, 0, depgraph.Options{}},
		{"zero idiom", "eor x0 <- x0 x0 : lat=0 idiom\nadd x0 <- x0 #1 : lat=1", 0, 1, 0, depgraph.Options{}},
		{"no idiom", "eor x0 <- x0 x0 : lat=1\nadd x0 <- x0 #1 : lat=1", 2, 2, 1, depgraph.Options{}},
		{"load heads the path", "ldr d1 <- [x0] : lat=5 load=5\nfadd d2 <- d1 d1 : lat=3", 0, 8, 0, depgraph.Options{}},
		{"load-op entered by a register", "fadd d1 <- d2 d3 : lat=3\nfaddm d4 <- d1 [x0] : lat=8 load=5", 0, 8, 0, depgraph.Options{}},
		{"load-op entered by its address", "add x0 <- x1 x2 : lat=1\nfaddm d4 <- d1 [x0] : lat=8 load=5", 0, 9, 0, depgraph.Options{}},
		{"load-op accumulates", "faddm d4 <- d4 [x0] : lat=8 load=5", 3, 8, 1, depgraph.Options{}},
		{"pointer chase", "ldr x0 <- [x0] : lat=4 load=4", 4, 4, 1, depgraph.Options{}},
		{"post-index does not carry data", "str [x0]+8 <- d0 : lat=4\nfadd d0 <- d1 d2 : lat=6", 1, 6, 1, depgraph.Options{}},
		{"path through the written-back base", "fadd d0 <- d1 d2 : lat=6\nstr [x0]+8 <- d0 : lat=4\nldr d3 <- [x0] : lat=4 load=4", 1, 14, 1, depgraph.Options{}},
		{"through memory", "ldr x1 <- [x0] : lat=4 load=4\nadd x1 <- x1 #1 : lat=1\nstr [x0] <- x1 : lat=4", 6, 9, 1, depgraph.Options{}},
		{"through memory, left out", "ldr x1 <- [x0] : lat=4 load=4\nadd x1 <- x1 #1 : lat=1\nstr [x0] <- x1 : lat=4", 0, 9, 0, depgraph.Options{NoMemory: true}},
		{"prefix sum in memory", "ldr d0 <- [x0-8] : lat=4 load=4\nfadd d0 <- d0 d1 : lat=3\nstr [x0] <- d0 : lat=1\nadd x0 <- x0 #8 : lat=1", 8, 8, 2, depgraph.Options{}},
		{"memory, two iterations", "ldr d0 <- [x0-16] : lat=4 load=4\nfadd d0 <- d0 d1 : lat=3\nstr [x0] <- d0 : lat=1\nadd x0 <- x0 #8 : lat=1", 4, 8, 2, depgraph.Options{}},
		{"given memory edge", "ldr d0 <- [x0] : lat=4 load=4\nfadd d0 <- d0 d1 : lat=3\nstr [x5] <- d0 : lat=1", 8.0 / 3, 8, 1,
			depgraph.Options{Memory: []depgraph.MemoryEdge{{From: 2, To: 0, Dist: 3}}}},
		{"partial write merges", "ldrb al <- [rdi] : lat=6 load=5 merge", 1, 6, 1, depgraph.Options{}},
		{"fused pair ends the path", "sub x0 nzcv <- x0 #1 : lat=1 fused1\nbne <- nzcv : lat=1 fused2", 1, 1, 1, depgraph.Options{}},
		{"unfused pair", "sub x0 nzcv <- x0 #1 : lat=1\nbne <- nzcv : lat=1", 1, 2, 1, depgraph.Options{}},
	} {
		b := kernels.Parse(isaOf(c.code), 6, c.code)
		g := depgraph.Build(b, c.opts)
		cp, loop := CriticalPath(g), LoopCarried(g)
		if math.Abs(loop.Cycles-c.lcd) > 1e-9 || cp.Cycles != c.cp || len(loop.Chains) != c.chains || !loop.Complete {
			t.Errorf("%s: LCD %g, CP %g, %d chains; want %g, %g, %d", c.name, loop.Cycles, cp.Cycles, len(loop.Chains), c.lcd, c.cp, c.chains)
		}
		if loop.Low != loop.Cycles || cp.High != cp.Cycles {
			t.Errorf("%s: interval without unknowns", c.name)
		}
	}
}

// TestUnknown checks that a latency that is not known makes the results intervals.
func TestUnknown(t *testing.T) {
	b := kernels.Parse(arm, 2, "frob d0 <- d0 d1 : lat=3 unknown=1-8\nfadd d0 <- d0 d2 : lat=2")
	g := depgraph.Build(b, depgraph.Options{})
	cp, loop := CriticalPath(g), LoopCarried(g)
	if cp.Low != 3 || cp.Cycles != 5 || cp.High != 10 || loop.Low != 3 || loop.Cycles != 5 || loop.High != 10 {
		t.Errorf("CP %g … %g … %g, LCD %g … %g … %g", cp.Low, cp.Cycles, cp.High, loop.Low, loop.Cycles, loop.High)
	}
}

// TestCompetingChains checks that all chains through a shared value are listed.
func TestCompetingChains(t *testing.T) {
	b := kernels.Parse(arm, 2, `
		fadd d1 <- d0 d9 : lat=3
		fmul d2 <- d0 d9 : lat=5
		fdiv d3 <- d0 d9 : lat=9
		fmax d0 <- d1 d2 d3 : lat=2`)
	l := LoopCarried(depgraph.Build(b, depgraph.Options{}))
	var got []float64
	for _, c := range l.Chains {
		got = append(got, c.Cycles)
	}
	if !slices.Equal(got, []float64{11, 7, 5}) || !l.Complete {
		t.Errorf("chains of %v cycles, want 11, 7, 5", got)
	}
}

// isaOf tells by a register whose notation a test kernel is in.
func isaOf(code string) *isa.ISA {
	if strings.Contains(code, "rdi") {
		return amd
	}
	return arm
}
