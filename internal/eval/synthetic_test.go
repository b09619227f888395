package eval

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"incore/internal/analysis/engine"
	"incore/internal/analysis/sim"
	"incore/internal/analyze/predict"
	"incore/internal/base/long"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// This file draws random blocks in which addresses, stored and loaded data depend on each other: pointers that are loaded from the place just
// stored to, pushes and pops of memory, addresses that an access updates, accesses of other widths and at other offsets.

// words are the templates of an instruction set's statements, and what stands for each placeholder in them.
type words struct {
	statements []string
	parts      map[string][]string
	nop        string
}

var vocabulary = map[string]words{
	"x86-64": {
		nop: "nop",
		statements: []string{"movq M,R", "movq M,R", "movl M,D", "movzbl M,D", "movslq M,R", "movq R,M", "movq R,M", "movl D,M", "movb B,M", "movq $5,M",
			"movups X,M", "movups M,X", "movsd X,M", "movsd M,X", "movd D,X", "movq X,R", "addq R,M", "addl $1,M", "addq M,R", "cmpq M,R", "incq M", "notl M", "shrq M",
			"pushq R", "pushq M", "pushq M", "popq R", "popq M", "pushq $3", "leaq M,R", "addq $8,R", "subq $16,R", "addq R,R", "imulq R,R", "movq R,R", "xorl D,D",
			"xchgq R,M", "lock addq R,M", "lock cmpxchgq R,M", "lock xaddq R,M", "setne M", "cmovneq M,R", "addsd M,X", "addsd X,X", "paddd M,X", "movsq", "lodsq", "stosq", "nop",
			"addq R,4(%rsp)", "movq 8(%rsp),R", "movq R,(%rsp)"},
		parts: map[string][]string{
			"M": {"O(R)", "O(R)", "O(R)", "O(R,R)", "O(R,R,8)", "O(%rsp)"}, "O": {"", "", "4", "8", "-8", "1", "64"},
			"R": {"%rax", "%rbx", "%rdx", "%rsi", "%rdi", "%r8"}, "D": {"%eax", "%ebx", "%edx", "%esi", "%edi", "%r8d"}, "B": {"%al", "%bl", "%dl"}, "X": {"%xmm0", "%xmm1", "%xmm2"},
		},
	},
	"aarch64": {
		nop: "nop",
		statements: []string{"ldr R, [R]", "ldr R, [R, #O]", "ldr R, [R, R]", "ldr R, [R, R, lsl #3]", "ldr W, [R, #O]", "ldrb W, [R]", "ldrsw R, [R, #O]", "str R, [R]", "str R, [R, #O]",
			"str R, [R, R, lsl #3]", "str W, [R, #O]", "strb W, [R]", "ldr R, [P], #O", "str R, [P], #O", "ldr R, [P, #O]!", "str R, [P, #O]!", "ldp R, x9, [R]", "ldp R, x9, [P], #O",
			"stp R, R, [R]", "stp R, R, [P, #O]!", "stp R, R, [sp, #-16]!", "ldp R, x9, [sp], #16", "ldr Q, [R]", "str Q, [R, #16]", "str Q, [P], #16", "ldr S, [R, #O]", "str S, [R]", "add R, R, #8",
			"add R, R, R", "sub R, R, #O", "mul R, R, R", "mov R, R", "fadd V, V, V", "fmov S, W", "ldar R, [R]", "stlr R, [R]", "ldxr R, [R]", "stxr w9, R, [R]", "ldadd R, R, [R]", "swp R, R, [R]", "nop"},
		parts: map[string][]string{
			"R": {"x0", "x1", "x2", "x3", "x4"}, "P": {"x5", "x6", "x7"}, "W": {"w0", "w1", "w2", "w3"}, "O": {"8", "16", "0", "32"}, "Q": {"q0", "q1"}, "S": {"s0", "s1", "s2"}, "V": {"d0", "d1"},
		},
	},
	"riscv64": {
		nop: "nop",
		statements: []string{"ld R, O(R)", "ld R, O(R)", "lw R, O(R)", "lbu R, O(R)", "sd R, O(R)", "sd R, O(R)", "sw R, O(R)", "sb R, O(R)", "fld F, O(R)", "fsd F, O(R)", "fsw F, O(R)",
			"flw F, O(R)", "ld R, O(sp)", "sd R, O(sp)", "addi R, R, 8", "addi sp, sp, -16", "add R, R, R", "mul R, R, R", "mv R, R", "fadd.d F, F, F", "fmv.x.d R, F", "amoadd.d R, R, (R)",
			"amoswap.w R, R, (R)", "lr.d R, (R)", "sc.d R, R, (R)", "nop"},
		parts: map[string][]string{"R": {"a0", "a1", "a2", "a3", "a4", "t0"}, "O": {"0", "0", "4", "8", "-8", "16"}, "F": {"fa0", "fa1", "fa2"}},
	},
}

// draw fills the placeholders of a template.
func (w *words) draw(rng *rand.Rand, template string) string {
	var out strings.Builder
	for i := 0; i < len(template); i++ {
		choices := w.parts[template[i:i+1]]
		if choices == nil {
			out.WriteByte(template[i])
			continue
		}
		out.WriteString(w.draw(rng, choices[rng.Intn(len(choices))]))
	}
	return out.String()
}

// block draws the statements of a block, one to eight.
func (w *words) block(rng *rand.Rand) []string {
	out := make([]string, 1+rng.Intn(1+rng.Intn(8)))
	for i := range out {
		out[i] = w.draw(rng, w.statements[rng.Intn(len(w.statements))])
	}
	return out
}

// parsed is the kernel of statements, the body of a loop.
func parsed(t testing.TB, a *isa.ISA, statements []string) *isa.Kernel {
	t.Helper()
	k := &isa.Kernel{ISA: a}
	for _, s := range statements {
		insts, err := a.Parse(nil, s, "")
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		for _, in := range insts {
			k.Lines = append(k.Lines, isa.Line{Inst: in, Text: s})
		}
	}
	return k
}

// repeats predicts every how many cycles a core repeats code, whose statements "; " divides.
func repeats(t testing.TB, m *machine.Model, code string) float64 {
	t.Helper()
	x := predict.Predictor{Model: m}
	_, e := x.Estimate(parsed(t, catalog.ISA(m.ISA), strings.Split(code, "; ")))
	return e.Cycles
}

// drawn calls do with random blocks for every core of every instruction set, a number for each. A core's blocks depend on its name alone, not on the other cores.
func drawn(t *testing.T, perCore int, do func(t *testing.T, m *machine.Model, a *isa.ISA, w *words, block []string, rng *rand.Rand)) {
	for _, name := range machine.Names() {
		m, err := machine.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		w, known := vocabulary[m.ISA]
		if !known {
			t.Fatal("no words for " + m.ISA)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seed := fnv.New64a()
			seed.Write([]byte(name))
			rng := rand.New(rand.NewSource(int64(seed.Sum64())))
			for range perCore {
				do(t, m, catalog.ISA(m.ISA), &w, w.block(rng), rng)
			}
		})
	}
}

// randomBlocks is the number of random blocks for each core.
func randomBlocks() int {
	if long.Tests() {
		return 3_500 // 0.4 million on all cores
	}
	return 25
}

// TestRandomNotBelowBounds: on random blocks the simulator is not below the bounds, neither its prediction nor the figure of the simulation itself.
func TestRandomNotBelowBounds(t *testing.T) {
	drawn(t, randomBlocks(), func(t *testing.T, m *machine.Model, a *isa.ISA, _ *words, block []string, rng *rand.Rand) {
		x := predict.Predictor{Model: m}
		x.EqualRegs = rng.Intn(4) == 0 // all pointers meet
		g, e := x.Estimate(parsed(t, a, block))
		least := engine.Bounds.Estimate(g, engine.Layout{}).Cycles
		if r := e.Result; r != nil && r.Exact && r.Cycles < least*(1-tolerance)-tolerance {
			t.Errorf("simulated %.3f cycles, bounds %.3f: %s", r.Cycles, least, strings.Join(block, "; "))
		} else if e.Cycles < least*(1-tolerance)-tolerance {
			t.Errorf("predicted %.3f cycles, bounds %.3f: %s", e.Cycles, least, strings.Join(block, "; "))
		}
	})
}

// TestStoresToLoadedAddresses: the simulator is not below the bounds where a store's address comes from what was just loaded from there, whatever is stored: on
// Bonnell, where a store is one µop, a stored constant was ready before its address.
func TestStoresToLoadedAddresses(t *testing.T) {
	var blocks [][]string
	for _, store := range []string{"movq $5,", "movq %rax,", "addq $5,", "addq %rax,", "xchgq %rax,", "movups %xmm0,"} {
		for _, offset := range []string{"", "4", "-4", "8"} {
			for _, load := range []string{"movq (%rdx),%rdi", "xchgq %rdi,(%rdx)", "addq (%rdx),%rdi", "xaddq %rdi,(%rdx)", "lock xaddq %rdi,(%rdx)"} {
				for _, again := range []string{"", "movq %rdi,(%rdx)", "movl %esi,(%rdx)"} {
					block := []string{store + offset + "(%rdi)", load}
					if again != "" {
						block = append(block, again)
					}
					blocks = append(blocks, block)
				}
			}
		}
	}
	for _, name := range machine.Names() {
		m, err := machine.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		if m.ISA != "x86-64" {
			continue
		}
		for _, block := range long.Spread(blocks, 20) {
			x := predict.Predictor{Model: m}
			x.EqualRegs = true
			g, e := x.Estimate(parsed(t, catalog.ISA(m.ISA), block))
			if least := engine.Bounds.Estimate(g, engine.Layout{}).Cycles; e.Cycles < least*(1-tolerance)-tolerance {
				t.Errorf("%s: predicted %.3f cycles, bounds %.3f: %s", name, e.Cycles, least, strings.Join(block, "; "))
			}
		}
	}
}

// TestResultsBesideOperations: the simulator is not below the bounds where results of vector units take the way of an ALU's results, beside operations that leave
// this way free, as they write memory or flags alone. Cycles are measured on Zen 4 (zen4.model) and Zen 3 (zen3.model).
func TestResultsBesideOperations(t *testing.T) {
	measured := map[string]float64{
		"zen4 vmovd+6cmp": 1.49, "zen4 vmovd+4lea": 1.98, "zen4 vmovd+6lea": 2.48, "zen4 vcomisd+4cmp": 1.95, "zen4 vcomisd+6cmp": 2.45,
		"zen4 vcomisd+6lea": 1.49, "zen3 vmovd+2cmp": 1.08, "zen3 vmovd+4lea": 1.99,
	}
	results := map[string]string{"vmovd": "vmovd %xmm0, %r9d", "vmovmskpd": "vmovmskpd %xmm0, %r9d", "vcomisd": "vcomisd %xmm0, %xmm1", "vptest": "vptest %xmm0, %xmm1"}
	operations := map[string]string{"cmp": "cmp %rax, %rbx", "setne": "setne 8(%rdi)", "lea": "lea 1(%rax), %rcx", "add": "add %rdx, 16(%rdi)"}
	for _, core := range []string{"zen3", "zen4", "zen5"} {
		m, err := machine.Get(core)
		if err != nil {
			t.Fatal(err)
		}
		for name, result := range results {
			for with, operation := range operations {
				for n := range 8 {
					block := append([]string{result}, slices.Repeat([]string{operation}, n)...)
					x := predict.Predictor{Model: m}
					g, e := x.Estimate(parsed(t, catalog.ISA(m.ISA), block))
					least := engine.Bounds.Estimate(g, engine.Layout{}).Cycles
					if r := e.Result; r != nil && r.Exact && r.Cycles < least*(1-tolerance)-tolerance {
						t.Errorf("%s: simulated %.3f cycles, bounds %.3f: %s", core, r.Cycles, least, strings.Join(block, "; "))
					}
					what := fmt.Sprintf("%s %s+%d%s", core, name, n, with)
					if want := measured[what]; want > 0 && math.Abs(e.Cycles-want) > 0.1*want {
						t.Errorf("%s: %.2f cycles, measured %.2f", what, e.Cycles, want)
					}
				}
			}
		}
	}
}

// TestRandomNop: a nop more does not make a prediction quicker by more than a fifth, unless the report names the cause (quickens).
func TestRandomNop(t *testing.T) {
	drawn(t, randomBlocks()/5, func(t *testing.T, m *machine.Model, a *isa.ISA, w *words, block []string, rng *rand.Rand) {
		x := predict.Predictor{Model: m}
		g, without := x.Estimate(parsed(t, a, block))
		at := rng.Intn(len(block) + 1)
		h, with := x.Estimate(parsed(t, a, slices.Insert(slices.Clone(block), at, w.nop)))
		if with.Cycles < without.Cycles/1.2-tolerance && !(g.Crowded && !h.Crowded) && !quickens(without, with) {
			t.Errorf("%.3f cycles (%s), with a nop at %d %.3f (%s): %s", without.Cycles, without.Limit, at, with.Cycles, with.Limit, strings.Join(block, "; "))
		}
	})
}

// quickens reports whether a report says why a block with a nop more takes less time: loads no longer wait for the addresses of stores, or scheduling, as the order
// in which µops take ports depends on the cycles in which they are dispatched (explained): then it costs a third at most, and little more than one cycle where it is not a
// full store queue that ends dispatch.
func quickens(without, with engine.Estimate) bool {
	r, s := without.Result, with.Result
	if r != nil && s != nil && r.Waits && !s.Waits {
		return true
	}
	full := r != nil && r.Stalls[sim.StoreQueueFull] > without.Cycles/4
	return without.Limit == engine.Scheduling && with.Cycles > without.Cycles*0.65 && (full || with.Cycles > without.Cycles-1.25)
}
