package throughput

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"incore/internal/analysis/kernels"
	"incore/internal/machine"
)

// random makes a kernel of n instructions with random µops on p ports.
func random(r *rand.Rand, n, p int) *machine.Bound {
	b := &machine.Bound{Model: &machine.Model{Ports: make([]machine.Port, p)}, Insts: make([]machine.Inst, n)}
	for i := range b.Insts {
		for range r.IntN(4) {
			u := machine.Uop{Ports: machine.PortSet(r.Uint64N(1 << p)), Cycles: float64(1 + r.IntN(4))}
			if r.IntN(5) == 0 {
				u.Cycles = r.Float64() * 3
			}
			b.Insts[i].Uops = append(b.Insts[i].Uops, u)
		}
	}
	return b
}

// bound is the definition: max over port sets S of the work that fits only into S / |S|.
func bound(b *machine.Bound) float64 {
	best := 0.0
	for s := machine.PortSet(1); s < 1<<len(b.Model.Ports); s++ {
		work := 0.0
		for i := range b.Insts {
			for _, u := range b.Insts[i].Uops {
				if u.Ports != 0 && u.Ports&^s == 0 {
					work += u.Cycles
				}
			}
		}
		best = max(best, work/float64(bits.OnesCount64(uint64(s))))
	}
	return best
}

// TestOptimal holds the bound against its definition, and the assignment against what makes it one.
func TestOptimal(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 3000 {
		b := random(r, 1+r.IntN(12), 1+r.IntN(8))
		got, want := Analyze(b, Optimal), bound(b)
		if math.Abs(got.Cycles-want) > 1e-9*(1+want) {
			t.Fatalf("round %d: %g cycles, want %g", round, got.Cycles, want)
		}
		checkAssignment(t, b, got)
		if u := Analyze(b, Uniform); u.Cycles < want-1e-9 {
			t.Fatalf("round %d: uniform %g below the optimum %g", round, u.Cycles, want)
		} else {
			checkSums(t, b, u)
		}
	}
}

// checkSums checks that rows add up to the work of the instruction, columns to the load of the port.
func checkSums(t *testing.T, b *machine.Bound, r *Result) {
	t.Helper()
	col := make([]float64, len(r.Ports))
	for i := range b.Insts {
		work, sum := 0.0, 0.0
		var allowed machine.PortSet
		for _, u := range b.Insts[i].Uops {
			if u.Ports != 0 {
				work += u.Cycles
				allowed |= u.Ports
			}
		}
		for p, c := range r.Inst(i) {
			sum += c
			col[p] += c
			if c < -1e-12 || c > 0 && allowed>>p&1 == 0 {
				t.Fatalf("instruction %d: %g cycles on port %d, allowed are %b", i, c, p, allowed)
			}
		}
		if math.Abs(work-sum) > 1e-9*(1+work) {
			t.Fatalf("instruction %d: row sums to %g, its work is %g", i, sum, work)
		}
	}
	for p := range col {
		if math.Abs(col[p]-r.Ports[p]) > 1e-9*(1+col[p]) {
			t.Fatalf("port %d: column sums to %g, load is %g", p, col[p], r.Ports[p])
		}
	}
}

// checkAssignment checks that no work sits on a port while another one it may use is less busy.
func checkAssignment(t *testing.T, b *machine.Bound, r *Result) {
	t.Helper()
	checkSums(t, b, r)
	for i := range b.Insts {
		if len(b.Insts[i].Uops) != 1 {
			continue
		}
		s := b.Insts[i].Uops[0].Ports
		for p, c := range r.Inst(i) {
			for q := range r.Ports {
				if c > 1e-9 && s>>q&1 != 0 && r.Ports[p] > r.Ports[q]+1e-9 {
					t.Fatalf("instruction %d uses port %d (%g) though port %d (%g) is less busy", i, p, r.Ports[p], q, r.Ports[q])
				}
			}
		}
	}
	for p, load := range r.Ports {
		if busiest := load > 0 && load > r.Cycles-1e-9; busiest != (r.Bottleneck>>p&1 != 0) {
			t.Fatalf("port %d: load %g of %g, bottleneck %b", p, load, r.Cycles, r.Bottleneck)
		}
	}
}

// TestFused checks that a macro-fused pair counts once and how slots count.
func TestFused(t *testing.T) {
	b := kernels.Parse(kernels.ISA("x86"), 4, "cmp eflags <- rax rbx : p=03 fused1\njne <- eflags : p=3 fused2 slots=9\nadd rax <- rax rbx : p=0123 slots=2")
	r := Analyze(b, Optimal)
	if r.Slots != 3 || r.Dispatch != 0.75 || r.Cycles != 0.5 {
		t.Errorf("%g slots, %g cycles to dispatch, %g port cycles; want 3, 0.75, 0.5", r.Slots, r.Dispatch, r.Cycles)
	}
}

// TestUnknown checks the interval that an instruction without data causes.
func TestUnknown(t *testing.T) {
	for _, p := range []Policy{Optimal, Uniform} {
		b := kernels.Parse(kernels.ISA("x86"), 2, "add rax <- rax : p=0\nfrob rbx <- rbx : p=0:2 unknown=1-3")
		r := Analyze(b, p)
		if r.Low != 1 || r.Cycles != 3 || r.High != 6 || r.DispatchLow != 0.5 || r.DispatchHigh != 1 {
			t.Errorf("policy %d: %g … %g … %g, dispatch %g … %g", p, r.Low, r.Cycles, r.High, r.DispatchLow, r.DispatchHigh)
		}
		if r := Analyze(kernels.Parse(kernels.ISA("x86"), 2, "frob rbx <- rbx : p=0 unknown=1-1"), p); r.High != r.Cycles+1 {
			t.Errorf("policy %d: an unknown instruction of one µop: %g, at most %g", p, r.Cycles, r.High)
		}
	}
}

// TestUnroll checks that n copies of a kernel need n times the cycles.
func TestUnroll(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		b := random(r, 1+r.IntN(8), 1+r.IntN(12))
		n := 2 + r.IntN(4)
		long := &machine.Bound{Model: b.Model}
		for range n {
			long.Insts = append(long.Insts, b.Insts...)
		}
		for _, p := range []Policy{Optimal, Uniform} {
			one, many := Analyze(b, p), Analyze(long, p)
			if math.Abs(float64(n)*one.Cycles-many.Cycles) > 1e-9*(1+many.Cycles) || one.Bottleneck != many.Bottleneck {
				t.Fatalf("%d copies: %g cycles, one: %g", n, many.Cycles, one.Cycles)
			}
		}
	}
}

// TestLarge checks that many distinct port sets on many ports take no longer than they should.
func TestLarge(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	b := random(r, 2000, 40)
	res := Analyze(b, Optimal)
	checkAssignment(t, b, res)
}

func BenchmarkOptimal10(bm *testing.B) { benchmark(bm, 10, Optimal) }
func BenchmarkOptimal30(bm *testing.B) { benchmark(bm, 30, Optimal) }
func BenchmarkUniform30(bm *testing.B) { benchmark(bm, 30, Uniform) }

// benchmark analyses a kernel with the port sets of a Skylake-like core.
func benchmark(bm *testing.B, n int, p Policy) {
	sets := []machine.PortSet{1<<0 | 1<<1 | 1<<5 | 1<<6, 1<<0 | 1<<1, 1<<2 | 1<<3, 1 << 4, 1<<2 | 1<<3 | 1<<7, 1 << 5, 1<<0 | 1<<6, 1<<0 | 1<<1 | 1<<5, 1 << 8}
	b := &machine.Bound{Model: &machine.Model{Ports: make([]machine.Port, 10)}, Insts: make([]machine.Inst, n)}
	for i := range b.Insts {
		b.Insts[i].Uops = []machine.Uop{{Ports: sets[i%len(sets)], Cycles: 1}, {Ports: sets[i*5%len(sets)], Cycles: 1}}
	}
	bm.ReportAllocs()
	for bm.Loop() {
		Analyze(b, p)
	}
}
