package fewtrips

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/engine"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/uops"
	"incore/internal/analyze/predict"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// graph makes the dependence graph of a loop's text on a core.
func graph(t *testing.T, arch, text string) *depgraph.Graph {
	t.Helper()
	m, err := machine.Get(arch)
	if err != nil {
		t.Fatal(err)
	}
	k, err := (&predict.Reader{ISA: catalog.ISA(m.ISA)}).Text(text)
	if err != nil {
		t.Fatal(err)
	}
	return depgraph.Build(uops.Bind(m, k), depgraph.Options{})
}

var loops = []struct {
	name, arch, text string
	chained          bool // a chain through a register limits the steady state
}{
	{"sum", "zen5", "vaddsd (%rsi,%rax,8), %xmm0, %xmm0; incq %rax; cmpq %rdx, %rax; jne 1b", true},
	{"sum", "skylake", "vaddsd (%rsi,%rax,8), %xmm0, %xmm0; incq %rax; cmpq %rdx, %rax; jne 1b", true},
	{"sum", "zen3", "vaddsd (%rsi,%rax,8), %xmm0, %xmm0; incq %rax; cmpq %rdx, %rax; jne 1b", true},
	{"sum", "neoverse-v2", "ldr d1, [x1], #8; fadd d0, d0, d1; cmp x1, x2; b.ne 1b", true},
	{"sum", "sifive-p670", "fld fa1, 0(a1); addi a1, a1, 8; fadd.d fa0, fa0, fa1; bne a1, a2, 1b", true},
	{"copy", "zen4", "vmovups (%rsi,%rax), %xmm1; vmovups %xmm1, (%rdi,%rax); addq $16, %rax; cmpq %rdx, %rax; jne 1b", false},
	{"copy", "alderlake-p", "vmovups (%rsi,%rax), %xmm1; vmovups %xmm1, (%rdi,%rax); addq $16, %rax; cmpq %rdx, %rax; jne 1b", false},
	{"an element carried through memory", "zen4", "movsd -8(%rdi,%rax), %xmm0; mulsd (%rsi,%rax), %xmm0; movsd %xmm0, (%rdi,%rax); addq $8, %rax; cmpq %rdx, %rax; jne 1b", true},
	{"in order", "cortex-a55", "ldr d1, [x1], #8; fadd d0, d0, d1; cmp x1, x2; b.ne 1b", false},
}

// TestPredict: entries overlap where the last branch is predicted, so that a chain costs less than in the steady state; a misprediction ends the overlap. Many iterations
// come to the steady state, by a few more or less than are simulated.
func TestPredict(t *testing.T) {
	for _, c := range loops {
		g := graph(t, c.arch, c.text)
		steady := engine.Auto.Estimate(g, engine.Layout{}).Cycles
		penalty, _ := sim.Penalty(g.Bound.Model)
		last := Times{}
		for _, k := range []int{1, 2, 4, 8, 16, 64, 512} {
			x, err := Predict(g, k, penalty, nil)
			if err != nil {
				t.Fatalf("%s on %s: %v", c.name, c.arch, err)
			}
			n := float64(k)
			if x.Predicted <= 0 || x.Missed < x.Predicted*0.999 || x.Missed < float64(penalty) || x.Predicted < last.Predicted-0.01 || x.Missed < last.Missed-0.01 {
				t.Errorf("%s on %s, %d iterations: %+v after %+v", c.name, c.arch, k, x, last)
			}
			if x.Predicted > n*steady*1.1+3 || c.chained && k <= 16 && x.Predicted > 0.8*n*steady+3 {
				t.Errorf("%s on %s, %d iterations: %+v, steady %.2f an iteration", c.name, c.arch, k, x, steady)
			}
			last = x
		}
		core, err := sim.Available(g.Bound.Model)
		if err != nil {
			t.Fatal(err)
		}
		window := float64(core.ROB) / float64(len(g.Bound.Insts)) // iterations of an entry that overlap with the next one
		if last.Missed > 512*steady*1.05+float64(penalty+30) || last.Missed < (512-window)*steady*0.95 {
			t.Errorf("%s on %s: 512 iterations take %+v, steady %.2f each", c.name, c.arch, last, steady)
		}
	}
}

// TestLonger: what is taken from shorter entries agrees with what is simulated.
func TestLonger(t *testing.T) {
	body := "vaddsd (%rsi,%rax,8), %xmm0, %xmm0; incq %rax; cmpq %rdx, %rax; jne 1b"
	a := graph(t, "zen4", body)
	few := longest / len(a.Bound.Insts)
	at, err := Predict(a, few, 14, nil)
	if err != nil {
		t.Fatal(err)
	}
	more, err := Predict(a, 3*few, 14, nil)
	if err != nil {
		t.Fatal(err)
	}
	if each := (more.Missed - at.Missed) / float64(2*few); math.Abs(each-3) > 0.02 {
		t.Errorf("further iterations take %.3f cycles: %+v, %+v", each, at, more)
	}
}

// TestNoBranch: code without a branch at its end has no misprediction, and no entry has no iteration.
func TestNoBranch(t *testing.T) {
	g := graph(t, "zen4", "addq $1, %rax; imulq %rbx, %rbx")
	if x, err := Predict(g, 3, 14, nil); err != nil || x.Missed != 0 || x.Predicted <= 0 {
		t.Errorf("%+v, %v", x, err)
	}
	if _, err := Predict(g, 0, 14, nil); err != ErrNoIterations {
		t.Errorf("no iterations: %v", err)
	}
	if _, err := Predict(graph(t, "zen4", strings.Repeat("nop; ", 5000)+"decq %rcx; jne 1b"), 100, 14, nil); err != nil {
		t.Errorf("a long body: %v", err)
	}
}

// TestStopped: closing done ends the prediction of a large loop before its end.
func TestStopped(t *testing.T) {
	g := graph(t, "zen4", strings.Repeat("vfmadd231pd (%rdi), %ymm1, %ymm2; addq %rax, %rbx; ", 2000)+"decq %rcx; jne 1b")
	begin := time.Now()
	if _, err := Predict(g, 1000, 14, nil); err != nil {
		t.Fatal(err)
	}
	whole := time.Since(begin)
	closed := make(chan struct{})
	close(closed)
	if _, err := Predict(g, 1000, 14, closed); !errors.Is(err, sim.ErrStopped) {
		t.Errorf("stopped before it begins: %v", err)
	}
	for _, part := range []time.Duration{50, 4, 2} {
		done := make(chan struct{})
		begin := time.Now()
		closing := time.AfterFunc(whole/part, func() { close(done) })
		_, err := Predict(g, 1000, 14, done)
		if err == nil && closing.Stop() {
			continue // on a shared machine the first prediction may have taken far longer than this one
		}
		if !errors.Is(err, sim.ErrStopped) {
			t.Errorf("stopped after %v of %v, it took %v: %v", whole/part, whole, time.Since(begin), err)
		}
	}
}
