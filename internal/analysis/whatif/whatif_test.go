package whatif_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/engine"
	"incore/internal/analysis/uops"
	"incore/internal/analysis/whatif"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// kernel makes a kernel of assembly text on a machine.
func kernel(t testing.TB, isaName, syntax, arch, text string) *machine.Bound {
	t.Helper()
	a := catalog.ISA(isaName)
	m, err := machine.GetFor(a.Name, arch)
	if err != nil {
		t.Fatal(err)
	}
	k := &isa.Kernel{ISA: a, Syntax: syntax, Loop: true}
	for _, l := range strings.Split(strings.TrimSpace(text), "\n") {
		insts, err := a.Parse(nil, strings.TrimSpace(l), syntax)
		if err != nil {
			t.Fatal(l, err)
		}
		for i := range insts {
			k.Lines = append(k.Lines, isa.Line{Inst: insts[i], Text: strings.TrimSpace(l), No: len(k.Lines) + 1})
		}
	}
	return uops.Bind(m, k)
}

func base(b *machine.Bound, c engine.Choice) *whatif.Base {
	o := depgraph.Options{Memory: []depgraph.MemoryEdge{}}
	return &whatif.Base{Graph: depgraph.Build(b, o), Engine: c}
}

const triad = `vmovupd (%rsi,%rax), %ymm1
vmovupd (%rdx,%rax), %ymm2
vfmadd213pd (%rcx,%rax), %ymm0, %ymm1
vaddpd %ymm2, %ymm1, %ymm1
vmulpd %ymm1, %ymm0, %ymm3
vfmadd231pd %ymm3, %ymm4, %ymm5
vdivsd %xmm6, %xmm6, %xmm7
vmovupd %ymm1, (%rdi,%rax)
addq $32, %rax
cmpq %r8, %rax
jne .L4`

func ask(t *testing.T, b *whatif.Base, text string) float64 {
	t.Helper()
	q, err := whatif.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Check(b.Graph.Bound.Model); err != nil {
		t.Fatal(err)
	}
	e, err := b.Ask(q)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return e.Cycles
}

// TestAnswers holds answers that can be derived by hand, on kernels bound by one thing each.
func TestAnswers(t *testing.T) {
	chain := "vfmadd231pd %ymm1, %ymm2, %ymm0\naddq $8, %rax\njne .L1"
	loads := "movq (%rax), %rbx\nmovq 8(%rax), %rcx\nmovq 16(%rax), %rdx\nmovq 24(%rax), %rsi\nmovq 32(%rax), %rdi\nmovq 40(%rax), %r8\ndecq %r9\njne .L1"
	divisions := "vdivsd %xmm1, %xmm2, %xmm3\nvdivsd %xmm1, %xmm2, %xmm4\nmovq (%rax), %rbx\ndecq %r9\njne .L1"
	for _, c := range []struct {
		text, question string
		want           float64
	}{
		{chain, "rob=2x", 4},                                                       // the multiply-add's latency
		{chain, "latency(VFMADD*)-1", 3},                                           //
		{chain, "latency(VFMADD*)=10", 10},                                         //
		{chain, "latency(VFMADD*)=0.5x", 2},                                        //
		{chain, "dependences=free", 1},                                             // one taken branch
		{loads, "feature.zero-idioms=off", 3},                                      // two load ports
		{loads, "ports.load+1", 2},                                                 //
		{loads, "ports.load-1", 6},                                                 //
		{loads, "ports.23-1", 6},                                                   //
		{loads, "ports.load+2,frontend=free", 1.75},                                // dispatch: 7 slots, 4 a cycle
		{loads, "ports.load+2,dispatch-width=7,retire-width=7,frontend=free", 1.5}, // four load ports
		{loads, "uops(MOV64rm)=23/load 2*5", 12},                                   //
		{loads, "uops(MOV64rm)=23/load 2*5,ports.5+1", 6},                          //
		{loads, "ports=free,dispatch=free,frontend=free", 1},                       // one taken branch
		{divisions, "ports.load+1", 8},                                             // the divider is none of theirs
	} {
		for _, e := range []engine.Choice{engine.Bounds, engine.Simulator} {
			b := base(kernel(t, "x86-64", "att", "skx", c.text), e)
			if got := ask(t, b, c.question); got < c.want-1e-6 || got > c.want*1.02 {
				t.Errorf("%s of %q by %s: %.3f, want %.3f", c.question, c.text, e, got, c.want)
			}
		}
	}
}

// TestTogether: questions that are asked together name each cost that is free once, and add up the ports.
func TestTogether(t *testing.T) {
	for _, c := range []struct {
		questions []string
		want      string
	}{
		{[]string{"dependences=free", "dependences=free,frontend=free", "ports=free, dependences=free"}, "dependences=free,frontend=free,ports=free"},
		{[]string{"ports.load+1", "ports.load+1,rob=2x"}, "ports.load+1,ports.load+1,rob=2x"},
		{[]string{"rob=2x"}, "rob=2x"},
	} {
		var list []whatif.Question
		for _, text := range c.questions {
			q, err := whatif.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, q)
		}
		if got := whatif.Together(list).Text; got != c.want {
			t.Errorf("%q together: %s, want %s", c.questions, got, c.want)
		}
	}
}

// TestOriginal checks that asking changes neither the model nor the kernel that is asked about.
func TestOriginal(t *testing.T) {
	for _, e := range []engine.Choice{engine.Bounds, engine.Simulator} {
		b := base(kernel(t, "x86-64", "att", "skx", triad), e)
		before := e.Estimate(b.Graph, b.Layout).Cycles
		b.Sensitivity([]string{"VFMADD231PDYr"})
		b.Ladder()
		b.Interval(1)
		ask(t, b, "latency(*)=0,ports.01+3,rob=1,uops(*)=5,feature.micro-fusion=off")
		if after := e.Estimate(depgraph.Build(uops.Bind(b.Graph.Bound.Model, b.Graph.Bound.Kernel), depgraph.Options{Memory: []depgraph.MemoryEdge{}}), b.Layout).Cycles; after != before {
			t.Errorf("%s: %g before, %g after", e, before, after)
		}
	}
}

// TestMore checks on random kernels that more of a resource never lengthens the bound, that less
// never shortens it, and that nothing free costs more than what is not.
func TestMore(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	lines := strings.Split(triad, "\n")
	more := []string{"ports.load+1", "ports.01+1", "ports.5+1", "ports.0156+2", "dispatch-width=2x", "latency(*)-1", "latency(*)=0.5x", "latency(load)-1", "store-forward=0",
		"ports=free", "dispatch=free", "dependences=free", "memory=free", "window=free", "frontend=free"}
	less := []string{"ports.01-1", "ports.0156-1", "dispatch-width=0.5x", "latency(*)+1", "latency(*)=2x", "latency(load)+2"}
	for range 40 {
		var text []string
		for range 2 + rng.IntN(10) {
			text = append(text, lines[rng.IntN(len(lines)-1)])
		}
		b := base(kernel(t, "x86-64", "att", "skx", strings.Join(text, "\n")), engine.Bounds)
		now := engine.Bounds.Estimate(b.Graph, b.Layout).Cycles
		for i, list := range [][]string{more, less} {
			for _, text := range list {
				q, err := whatif.Parse(text)
				if err != nil {
					t.Fatal(err)
				}
				e, err := b.Ask(q)
				if err != nil {
					continue // does not apply to this kernel
				}
				if i == 0 && e.Cycles > now+1e-9 || i == 1 && e.Cycles < now-1e-9 {
					t.Errorf("%s turns %g into %g: %v", text, now, e.Cycles, strings.Join(text2(b), "; "))
				}
			}
		}
	}
}

// TestMoreSimulated: where a kernel takes longer on a simulated core that has more of something, or less on one that has less, the answer is the
// kernel as it is.
func TestMoreSimulated(t *testing.T) {
	b := base(kernel(t, "x86-64", "att", "zen4", "movq %r12, 8(%rsi)\naddq $8, %rdi\nvpaddd %ymm1, %ymm2, %ymm3\naddsd (%rdi), %xmm3\ncmpq %rcx, %rdi\njne .L1"), engine.Simulator)
	now := engine.Simulator.Estimate(b.Graph, b.Layout)
	if ask(t, b, "frontend=free") <= now.Cycles {
		t.Fatal("the kernel is not slower without a front end any more: this needs another")
	}
	b.Now = &now
	for _, c := range []struct {
		question    string
		least, most float64
	}{
		{"frontend=free", 0, now.Cycles},
		{"dispatch=free,frontend=free", 0, now.Cycles},
		{"rob=2x,ports.load+1,store-forward=0.5x,scheduler=inf", 0, now.Cycles},
		{"latency(*)-1", 0, now.Cycles},
		{"latency(*)+1", now.Cycles, 1e3},
		{"ports.load-1,rob=0.5x", now.Cycles, 1e3},
		{"frontend=free,rob=8", now.Cycles * 1.01, 1e3}, // more of one thing and less of another: what is simulated
	} {
		if got := ask(t, b, c.question); got < c.least || got > c.most {
			t.Errorf("%s: %g cycles, %g as it is", c.question, got, now.Cycles)
		}
	}
}

func text2(b *whatif.Base) (out []string) {
	for _, l := range b.Graph.Bound.Kernel.Lines {
		out = append(out, l.Text)
	}
	return out
}

// TestErrors checks that questions that make no sense say what would.
func TestErrors(t *testing.T) {
	b := base(kernel(t, "x86-64", "att", "skx", triad), engine.Auto)
	for _, c := range []struct{ question, want string }{
		{"", "expected"},
		{"rob", "expected"},
		{"rob=", "expected"},
		{"rob=x", "bad number"},
		{"rob=-1", "bad number"},
		{"rob=0", "1 or more"},
		{"robb=2x", "did you mean rob"},
		{"store-forward=inf", "cannot be inf"},
		{"forwarding=3", "several parts"},
		{"load-part=inf", "cannot be inf"},
		{"issue-delay=inf", "cannot be inf"},
		{"taken-branch=inf", "cannot be inf"},
		{"microcode=3", "several parts"},
		{"predecode=2x", "several parts"},
		{"loop-buffer=3", "loop-buffer"},
		{"ports.load", "how many"},
		{"ports.laod+1", "did you mean load"},
		{"ports.load+99", "1 to 32"},
		{"ports.01-2", "leaves no port"},
		{"ports.std+1,ports.DIVIDER+1", "no port or group"},
		{"feature.zero-idiom=off", "did you mean zero-idioms"},
		{"feature.zero-idioms=maybe", "on or off"},
		{"latency(VFNMADD*)-1", "no instruction of the kernel"},
		{"latency(VFMADD*", "which forms"},
		{"latency([)-1", "bad pattern"},
		{"latency(VFMADD*)", "no change"},
		{"uops(VFMADD*)=99", "unknown port"},
		{"caches=free", "cannot be free"},
		{"scheduler-int=2x", "scheduler"},
		{strings.Repeat("x", 5000), "at most"},
	} {
		q, err := whatif.Parse(c.question)
		if err == nil {
			err = q.Check(b.Graph.Bound.Model)
		}
		if err == nil {
			_, err = b.Ask(q)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q in it", c.question, err, c.want)
		}
	}
}

// TestSensitivity: each resource that some µop of the kernel uses is a line of the table, memory's ports by what they are for.
func TestSensitivity(t *testing.T) {
	b := base(kernel(t, "x86-64", "att", "skx", triad), engine.Bounds)
	var got []string
	for _, l := range b.Sensitivity([]string{"VFMADD231PDYr"}) {
		got = append(got, l.Resource)
	}
	slices.Sort(got)
	want := []string{"all dependences", "all ports", "dispatch width", "latency of VFMADD231PDYr", "load latency", "load ports", "ports 0", "ports 01", "ports 0156", "ports 06",
		"ports FPDIV", "store-address ports", "store-data ports"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// FuzzParse checks that no question makes the program crash.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"ports.load+1", "rob=2x", "latency(VFMADD*)-1", "uops(*)=01 5", "feature.micro-fusion=off", "ports=free", "scheduler=inf"} {
		f.Add(s)
	}
	b := base(kernel(f, "x86-64", "att", "skx", triad), engine.Bounds)
	f.Fuzz(func(t *testing.T, s string) {
		q, err := whatif.Parse(s)
		if err != nil || q.Check(b.Graph.Bound.Model) != nil {
			return
		}
		_, _ = b.Ask(q)
	})
}

// BenchmarkSensitivity is the whole table for a kernel, by the simulator.
func BenchmarkSensitivity(b *testing.B) {
	x := base(kernel(b, "x86-64", "att", "skx", triad), engine.Simulator)
	for b.Loop() {
		if len(x.Sensitivity([]string{"VFMADD231PDYr"})) == 0 {
			b.Fatal("no lines")
		}
	}
}

// BenchmarkLadder is what every report in full has.
func BenchmarkLadder(b *testing.B) {
	x := base(kernel(b, "x86-64", "att", "skx", triad), engine.Simulator)
	for b.Loop() {
		if len(x.Ladder()) == 0 {
			b.Fatal("no rungs")
		}
	}
}

// TestFreePorts asks a kernel that the divider bounds, whose µops wait in all that the core has for vectors, for ports without end: it takes less, though
// that nothing is busy moves its µops from queue to queue.
func TestFreePorts(t *testing.T) {
	b := base(kernel(t, "x86-64", "att", "zen4", `movsd (%rdi,%rbx,8), %xmm3
movhpd (%rsi,%rbx,8), %xmm3
addpd %xmm8, %xmm3
movapd %xmm3, %xmm1
mulsd %xmm3, %xmm1
movsd (%rdx,%rbx,8), %xmm2
subsd %xmm7, %xmm2
movapd %xmm2, %xmm0
mulsd %xmm2, %xmm0
addsd %xmm0, %xmm1
addsd %xmm6, %xmm1
sqrtsd %xmm1, %xmm0
mulsd %xmm0, %xmm1
movsd (%rcx,%rbx,8), %xmm0
divsd %xmm1, %xmm0
mulsd %xmm0, %xmm2
unpcklpd %xmm0, %xmm0
mulpd %xmm3, %xmm0
addsd %xmm2, %xmm4
addpd %xmm0, %xmm5
addq $1, %rbx
cmpq %rbx, %r9
jne .L1`), engine.Simulator)
	now, free := ask(t, b, "rob=320"), ask(t, b, "ports=free")
	if now < 12.99 || free > 0.6*now { // 8 and 5 cycles of the divider; 23 slots, 6 a cycle, and buffers that latency fills
		t.Errorf("%.2f cycles, with free ports %.2f", now, free)
	}
}

// TestDispatchLimits: limits of dispatch by ports are parameters like others.
func TestDispatchLimits(t *testing.T) {
	var text strings.Builder
	for i := range 12 { // Neoverse V2: four µops for S or B a cycle
		fmt.Fprintf(&text, "add x%d, x20, x21\n", i)
	}
	b := base(kernel(t, "aarch64", "", "neoverse-v2", text.String()), engine.Simulator)
	now := ask(t, b, "dispatch-limit-sb=4")
	if now < 2.9 {
		t.Fatalf("12 additions take %g cycles", now)
	}
	if half := ask(t, b, "dispatch-limit-sb=2"); half < 1.9*now {
		t.Errorf("half as many dispatched: %g cycles, %g before", half, now)
	}
	if got := ask(t, b, "dispatch-limit-sb=0.5x"); got != ask(t, b, "dispatch-limit-sb=2") {
		t.Errorf("0.5x: %g", got)
	}
	if got := ask(t, b, "dispatch-limit-sb=inf"); got > now {
		t.Errorf("inf: %g cycles, %g before", got, now)
	}
	for question, want := range map[string]string{"dispatch-limit-x=2": "has no 'dispatch-limit-x': did you mean dispatch-limit-", "dispatch-limit-sb=0": "1 or more", "dispatch-limit-sb=9999": "at most"} {
		q, err := whatif.Parse(question)
		if err == nil {
			_, err = b.Ask(q)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", question, err)
		}
	}
	q, err := whatif.Parse("dispatch-usops=8")
	if err == nil {
		_, err = b.Ask(q)
	}
	if err == nil || strings.Count(err.Error(), "dispatch-uops") != 1 {
		t.Errorf("a hint twice: %v", err)
	}
}
