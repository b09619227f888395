package latency

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/kernels"
	"incore/internal/analysis/throughput"
)

// randomKernel writes a kernel of n instructions on a few registers, so that they depend on each other a lot.
func randomKernel(r *rand.Rand, n int) string {
	var b strings.Builder
	d := func() int { return r.IntN(6) }
	x := func() int { return r.IntN(3) }
	for range n {
		switch r.IntN(8) {
		case 0:
			fmt.Fprintf(&b, "ldr d%d <- [x%d+%d] : lat=4 load=4 p=34\n", d(), x(), 8*r.IntN(3))
		case 1:
			fmt.Fprintf(&b, "ldr d%d <- [x%d]+8 : lat=5 load=4 p=34\n", d(), x())
		case 2:
			fmt.Fprintf(&b, "str [x%d-%d] <- d%d : lat=2 p=34 p=5\n", x(), 8*r.IntN(3), d())
		case 3:
			k := x()
			fmt.Fprintf(&b, "add x%d <- x%d #%d : lat=1 p=012\n", k, k, 8*r.IntN(3)-8)
		case 4:
			fmt.Fprintf(&b, "faddm d%d <- d%d [x%d] : lat=7 load=4 p=34 p=01\n", d(), d(), x())
		case 5:
			fmt.Fprintf(&b, "fcsel d%d <- d%d d%d nzcv : lat=2 p=01\n", d(), d(), d())
		case 6:
			fmt.Fprintf(&b, "subs x3 nzcv <- x3 x%d : lat=1 p=012\n", x())
		default:
			fmt.Fprintf(&b, "fmadd d%d <- d%d d%d d%d : lat=%d fwd=2 p=01\n", d(), d(), d(), d(), 3+r.IntN(4))
		}
	}
	return b.String()
}

// dataflow runs a kernel's iterations one by one, every result as early as its operands
// allow, and returns the cycles per iteration it settles at: what LoopCarried must predict.
func dataflow(g *depgraph.Graph) float64 {
	const settle, period = 600, 840 // 840: a multiple of most distances
	off := outputs(nil, g.Bound)
	n := int(off[len(off)-1])
	times := make([][]float64, settle+period)
	last := func(k int) float64 { return slices.Max(append(times[k], 0)) }
	for k := range times {
		times[k] = make([]float64, n)
		for i := range g.Bound.Insts {
			edges, _ := g.Into(i)
			for _, e := range edges {
				if k-int(e.Dist) < 0 {
					continue
				}
				for o := range g.Bound.Insts[i].Outputs() {
					if c, ok := g.Bound.Insts[i].Pair(int(e.In), o); ok {
						at := &times[k][off[i]+int32(o)]
						*at = max(*at, times[k-int(e.Dist)][off[e.From]+int32(e.Out)]+e.Latency+c)
					}
				}
			}
		}
	}
	return (last(settle+period-1) - last(settle-1)) / period
}

// longest finds the critical path by trying all paths.
func longest(g *depgraph.Graph) float64 {
	c := newCosts(g, stated)
	best := 0.0
	var from func(i, out int, t float64)
	from = func(i, out int, t float64) {
		for _, e := range g.Edges {
			if e.Dist != 0 || int(e.From) != i || int(e.Out) != out {
				continue
			}
			to, in := int(e.To), int(e.In)
			best = max(best, t+e.Latency+c.end(to, in))
			for o := range g.Bound.Insts[to].Outputs() {
				from(to, o, t+e.Latency+c.vertex(to, in, o))
			}
		}
	}
	for i := range g.Bound.Insts {
		best = max(best, c.whole(i, -1))
		for o := range g.Bound.Insts[i].Outputs() {
			from(i, o, c.start(i, o))
		}
	}
	return best
}

// TestRandomKernels holds both bounds against their definitions.
func TestRandomKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for round := range 150 {
		text := randomKernel(r, 1+r.IntN(9))
		g := depgraph.Build(kernels.Parse(arm, 6, text), depgraph.Options{})
		loop, cp := LoopCarried(g), CriticalPath(g)
		if want := dataflow(g); math.Abs(loop.Cycles-want) > 0.02 {
			t.Fatalf("round %d: LCD %g, simulated dataflow settles at %g\n%s", round, loop.Cycles, want, text)
		}
		if want := longest(g); cp.Cycles != want {
			t.Fatalf("round %d: CP %g, longest of all paths %g\n%s", round, cp.Cycles, want, text)
		}
		checkChains(t, g, loop)
	}
}

// checkChains checks that chains are cycles of the graph whose steps add up.
func checkChains(t *testing.T, g *depgraph.Graph, l *Loop) {
	t.Helper()
	for k, c := range l.Chains {
		sum, dist := 0.0, 0
		for i, s := range c.Steps {
			e := g.Edges[s.Edge]
			prev := c.Steps[(i+len(c.Steps)-1)%len(c.Steps)]
			if int(e.To) != s.Inst || int(e.From) != prev.Inst || int(e.Out) != prev.Out {
				t.Fatalf("chain %d: step %d is not reached from the one before", k, i)
			}
			sum, dist = sum+s.Cycles(), dist+int(e.Dist)
		}
		if math.Abs(sum-c.Latency) > 1e-9 || dist != c.Distance || math.Abs(c.Cycles-sum/float64(dist)) > 1e-9 {
			t.Fatalf("chain %d: steps add up to %g over %d iterations, says %g over %d", k, sum, dist, c.Latency, c.Distance)
		}
		if k > 0 && c.Cycles > l.Chains[k-1].Cycles {
			t.Fatal("chains not sorted")
		}
	}
	if len(l.Chains) > 0 && l.Chains[0].Cycles != l.Cycles {
		t.Fatalf("first chain %g, bound %g", l.Chains[0].Cycles, l.Cycles)
	}
}

// TestRenaming checks that names of registers don't matter.
func TestRenaming(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	reg := regexp.MustCompile(`\b[dx][0-9]\b`)
	for range 100 {
		text := randomKernel(r, 2+r.IntN(30))
		perm := r.Perm(28)
		renamed := reg.ReplaceAllStringFunc(text, func(s string) string {
			return fmt.Sprintf("%c%d", s[0], perm[s[1]-'0'])
		})
		a := depgraph.Build(kernels.Parse(arm, 6, text), depgraph.Options{})
		b := depgraph.Build(kernels.Parse(arm, 6, renamed), depgraph.Options{})
		la, lb := LoopCarried(a), LoopCarried(b)
		ta, tb := throughput.Analyze(a.Bound, throughput.Optimal), throughput.Analyze(b.Bound, throughput.Optimal)
		if la.Cycles != lb.Cycles || len(la.Chains) != len(lb.Chains) || CriticalPath(a).Cycles != CriticalPath(b).Cycles || ta.Cycles != tb.Cycles {
			t.Fatalf("renaming changes the result of\n%s", text)
		}
	}
}

// TestUnroll checks that n copies of a kernel need n times the cycles.
func TestUnroll(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for range 100 {
		text := randomKernel(r, 1+r.IntN(12))
		n := 2 + r.IntN(4)
		one := LoopCarried(depgraph.Build(kernels.Parse(arm, 6, text), depgraph.Options{}))
		many := LoopCarried(depgraph.Build(kernels.Parse(arm, 6, strings.Repeat(text, n)), depgraph.Options{}))
		if math.Abs(many.Cycles-float64(n)*one.Cycles) > 1e-9*(1+many.Cycles) {
			t.Fatalf("%d copies: %g, one: %g\n%s", n, many.Cycles, one.Cycles, text)
		}
	}
}

// TestDeterministic checks that the same kernel gives the same result in every detail.
func TestDeterministic(t *testing.T) {
	text := randomKernel(rand.New(rand.NewPCG(17, 18)), 60)
	first := fmt.Sprintf("%+v", LoopCarried(depgraph.Build(kernels.Parse(arm, 6, text), depgraph.Options{})))
	for range 5 {
		if again := fmt.Sprintf("%+v", LoopCarried(depgraph.Build(kernels.Parse(arm, 6, text), depgraph.Options{}))); again != first {
			t.Fatal("results differ")
		}
	}
}

// TestHuge checks that 2,000 densely dependent instructions are analysed in bounded time.
func TestHuge(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	var text strings.Builder
	for range 2000 { // every result depends on two, so that chains are beyond counting
		a := r.IntN(8)
		fmt.Fprintf(&text, "fadd d%d <- d%d d%d : lat=%d p=01\n", a, a, r.IntN(8), 2+r.IntN(3))
	}
	b := kernels.Parse(arm, 6, text.String())
	begin := time.Now()
	g := depgraph.Build(b, depgraph.Options{})
	built := time.Since(begin)
	l, cp := LoopCarried(g), CriticalPath(g)
	t.Logf("%d edges built in %v, all in %v: LCD %g, CP %g, %d chains", len(g.Edges), built, time.Since(begin), l.Cycles, cp.Cycles, len(l.Chains))
	if l.Complete || len(l.Chains) == 0 {
		t.Error("cannot be complete")
	}
	if time.Since(begin) > 5*time.Second {
		t.Error("too slow")
	}
	checkChains(t, g, l)
}

func BenchmarkWhole10(b *testing.B)   { benchmark(b, triad) }
func BenchmarkWhole40GS(b *testing.B) { benchmark(b, gaussSeidel) }
func BenchmarkWhole30(b *testing.B)   { benchmark(b, strings.Repeat(triad, 3)) }

// triad is a loop of ten instructions as compilers make it.
const triad = `
ldr d0 <- [x0] : lat=4 load=4 p=34
ldr d1 <- [x1] : lat=4 load=4 p=34
fmadd d2 <- d0 d1 d8 : lat=4 p=01
str [x2] <- d2 : lat=1 p=34 p=5
add x0 <- x0 #8 : p=012
add x1 <- x1 #8 : p=012
add x2 <- x2 #8 : p=012
fadd d9 <- d9 d2 : lat=2 p=01
subs x4 nzcv <- x4 x5 : p=012 fused1
bne <- nzcv : p=2 fused2
`

// benchmark runs all static analyses of a kernel.
func benchmark(bm *testing.B, text string) {
	b := kernels.Parse(arm, 6, text)
	bm.ReportAllocs()
	for bm.Loop() {
		g := depgraph.Build(b, depgraph.Options{})
		throughput.Analyze(b, throughput.Optimal)
		CriticalPath(g)
		LoopCarried(g)
	}
}
