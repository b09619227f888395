package uops_test

import (
	"math"
	"math/rand"
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/uops"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// pools are instructions of all kinds, by instruction set.
var pools = map[string][]string{
	"x86-64": {"addq %rax, %rbx", "movq 8(%rsi), %rax", "movq %rcx, 16(%rdi)", "addq %rcx, 24(%rdi)", "imulq %rbx, %rdx", "vfmadd231pd (%rsi), %ymm2, %ymm4", "pushq %rbx", "popq %rbx",
		"movaps %xmm1, %xmm5", "xorl %eax, %eax", "divl %ecx", "vmulpd %ymm1, %ymm2, %ymm3", "vpaddd %xmm0, %xmm1, %xmm2", "cmovlq %rcx, %rdx", "movb %ah, %cl", "leaq (%rax,%rbx,4), %rcx",
		"xaddl %eax, (%rsi)", "xchgq %rax, (%rsi)", "vpaddd (%rsi), %ymm1, %ymm1", "vmovups %ymm1, (%rsi)"},
	"aarch64": {"add x0, x1, x2", "ldr x0, [x1, #8]", "str x3, [x4], #8", "ldp x5, x6, [x7]", "fmadd d0, d1, d2, d0", "mul x3, x4, x5", "cmp x0, x1", "csel x0, x1, x2, eq"},
}

// random binds random kernels to some cores, and to cores that need several µops for a load, and compiles them.
func random(t *testing.T, n int, check func(g *depgraph.Graph, core *uops.Core, p *uops.Program)) {
	rng := rand.New(rand.NewSource(5))
	var p uops.Program
	for _, arch := range []string{"skylake", "haswell", "emeraldrapids", "zen2", "zen3", "zen4", "zen5", "neoverse-n1", "cortex-a53"} {
		m, err := machine.Get(arch)
		if err != nil {
			t.Fatal(err)
		}
		core, err := uops.Available(m)
		if err != nil {
			t.Fatal(err)
		}
		pool := pools[m.ISA]
		for i := range n {
			if i == n/2 {
				if m, err = m.With(machine.Fact{Name: "load-bytes", Value: "2"}); err != nil {
					t.Fatal(err)
				}
				if core, err = uops.Available(m); err != nil {
					t.Fatal(err)
				}
			}
			text := ""
			for range 1 + rng.Intn(8) {
				text += pool[rng.Intn(len(pool))] + "\n"
			}
			k := kernel(t, catalog.ISA(m.ISA), text)
			g := depgraph.Build(uops.Bind(m, k), depgraph.Options{})
			p.Compile(g, core, uops.Layout{})
			check(g, core, &p)
		}
	}
}

func kernel(t *testing.T, a *isa.ISA, text string) *isa.Kernel {
	k := &isa.Kernel{ISA: a, Loop: true}
	for s := range strings.Lines(text) {
		insts, err := a.Parse(nil, strings.TrimSpace(s), a.Syntaxes[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range insts {
			k.Lines = append(k.Lines, isa.Line{Inst: in, Text: strings.TrimSpace(s)})
		}
	}
	return k
}

// TestDistances: a µop waits for µops of its own iteration that come before it, or of earlier iterations, and the distance says how far they are.
func TestDistances(t *testing.T) {
	random(t, 60, func(g *depgraph.Graph, _ *uops.Core, p *uops.Program) {
		for i := range p.Uops {
			for _, d := range p.Uops[i].Deps {
				if want := int(d.Delta)*len(p.Uops) + i - int(d.Uop); int(d.Dist) != want || want < 0 || want == 0 {
					t.Errorf("µop %d waits for µop %d of %d iterations before: distance %d", i, d.Uop, d.Delta, d.Dist)
				}
			}
		}
	})
}

// TestColumns: the sums over the µops of an instruction are the figures of its row: the cycles of its ports, and its slots.
func TestColumns(t *testing.T) {
	random(t, 60, func(g *depgraph.Graph, core *uops.Core, p *uops.Program) {
		busy := make([]float64, len(g.Bound.Insts))
		slots := make([]int32, len(g.Bound.Insts))
		for i := range p.Uops {
			u := &p.Uops[i]
			slots[u.Inst] += int32(u.Slots)
			if u.Ports != 0 && u.Kind != uops.KindSync {
				busy[u.Inst] += float64(u.Occ)
			}
		}
		for i := range g.Bound.Insts {
			in, want := &g.Bound.Insts[i], 0.0
			for k := range in.Uops {
				if u := &in.Uops[k]; !u.Resource && u.Ports != 0 && u.Kind != machine.UopResult {
					want += math.Max(float64(u.Times()), math.Round(u.Cycles))
				}
			}
			if busy[i] != want {
				t.Errorf("%s: %s: µops keep ports busy for %g cycles, the row's for %g", g.Bound.Model.Name, in.Line.Text, busy[i], want)
			}
			if slots[i] != p.Slots[i] {
				t.Errorf("%s: %s: %d slots, the sum over its µops is %d", g.Bound.Model.Name, in.Line.Text, p.Slots[i], slots[i])
			}
			if slots[i] < int32(in.WholeSlots()) {
				t.Errorf("%s: %s: %d slots, the row's %d", g.Bound.Model.Name, in.Line.Text, slots[i], in.WholeSlots())
			}
		}
	})
}
