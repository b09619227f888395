package frontend_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"incore/internal/analysis/frontend"
	"incore/internal/analysis/uops"
	"incore/internal/isa"
	"incore/internal/isa/x86"
	"incore/internal/machine"
)

func bind(t testing.TB, arch, text string) *machine.Bound {
	t.Helper()
	m, err := machine.Get(arch)
	if err != nil {
		t.Fatal(err)
	}
	a := x86.ISA()
	k := &isa.Kernel{ISA: a, Loop: true}
	for _, s := range strings.Split(text, ";") {
		insts, err := a.Parse(nil, strings.TrimSpace(s), "att")
		if err != nil {
			t.Fatal(err)
		}
		code, err := a.Encode(nil, &insts[0], 0)
		if err != nil {
			t.Fatal(err)
		}
		insts[0].Size = uint8(len(code))
		k.Lines = append(k.Lines, isa.Line{Inst: insts[0], Text: s})
	}
	return uops.Bind(m, k)
}

// TestBound holds the front end to hand-computed figures.
func TestBound(t *testing.T) {
	unrolled := frontend.Layout{Unrolled: true}
	for _, c := range []struct {
		arch, text string
		layout     frontend.Layout
		want       float64
	}{
		{"skylake", "nop", unrolled, 0.25},                                                   // four decoders
		{"skylake", "movl $6608480, %esi", unrolled, 5.0 / 16},                               // 16 bytes a cycle
		{"skylake", "movabsq $1234567890123, %rax", unrolled, 10.0 / 16},                     // likewise
		{"skylake", "testq %rcx, %rcx; movq %rcx, %rdi", unrolled, 0.625},                    // 16 instructions in 3 blocks, some in two: 1 + 2 + 2 cycles
		{"skylake", "cmpw $1024, %si", unrolled, 3.31},                                       // a length-changing prefix each
		{"haswell", "addq %rax, 8(%rdi)", unrolled, 1},                                       // the complex decoder alone
		{"haswell", "movl %ebx, %eax; movzbl (%r8,%rax), %eax; btl %ecx, %eax", unrolled, 2}, // bt is decoded alone; bhive-intel: 1.98
		{"haswell", "sete %dl; nop; nop; nop", unrolled, 2},                                  // two beside sete
		{"skylake", "sete %dl; nop; nop; nop", unrolled, 1},
		{"skylake", "nop; nop; nop; nop; nop; nop", frontend.Layout{}, 1.5},
		{"tremont", "nop", unrolled, 1.0 / 3},                                                                 // one of two clusters of decoders; InstLatx64: 0.34
		{"tremont", "addq $1000, %rbx", unrolled, 0.5},                                                        // 7 bytes; InstLatx64: 0.51
		{"tremont", "nop; nop; nop; nop; nop", frontend.Layout{}, 1.25},                                       // both, dispatch has four slots
		{"icelake-client", "pcmpestri $1, %xmm1, %xmm2", frontend.Layout{}, 4},                                // microcode: 8 slots, 4 a cycle, and 2 cycles to switch; uops.info: 4
		{"icelake-client", "btcq %rax, (%rdi)", frontend.Layout{}, 5},                                         // 9 to 12 slots; uops.info: 5
		{"skylake-server", "pcmpestri $1, %xmm1, %xmm2", frontend.Layout{}, 4},                                // uops.info: 4
		{"haswell", "pcmpestri $1, %xmm1, %xmm2", frontend.Layout{}, 7},                                       // 1 to hand over, 2 to switch, 8 slots, 2 to switch back
		{"skylake", "nop; nop; nop; pcmpestri $1, %xmm1, %xmm2", frontend.Layout{}, 5},                        // the cycle with other slots is not one of switching
		{"icelake-client", "shll %cl, (%rdi)", frontend.Layout{}, 3},                                          // microcode, though of 4 slots
		{"alderlake-p", "adcl %eax, (%rdi); adcl %ecx, 8(%rdi)", frontend.Layout{}, 2},                        // 5 slots of the decoders
		{"alderlake-p", "dpps $1, %xmm1, %xmm2", frontend.Layout{}, 4},                                        // 6 of microcode; uops.info: 3.95
		{"alderlake-p", "cmpxchgl %eax, (%rdi); nop", frontend.Layout{}, 4 + 1.},                              // 5 of microcode
		{"zen5", "nop; nop; nop; nop", frontend.Layout{Copies: 25}, 13.0 / 25},                                // 100 of one byte, measured: 12.2 to 14.0 at all places in a line
		{"zen5", "movq %rax, %rbx; movq %rcx, %rdx", frontend.Layout{Copies: 50}, 0.26},                       // 300 bytes; measured: 0.25
		{"zen5", "addq $1, %rax; addq $1, %rbx; addq $1, %rcx", frontend.Layout{Copies: 34}, 14.6 / 34},       // 408 bytes, measured
		{"zen5", "movq %rax, %rbx; movq %rcx, %rdx; movq %rsi, %rdi", frontend.Layout{Copies: 34}, 15.6 / 34}, // 306 bytes, measured; 300 take 12.5
		{"zen5", "cmpl $1, 16(%rdi)", frontend.Layout{Copies: 100}, 0.32},                                     // two constants in 4 bytes, measured
	} {
		got, err := frontend.Bound(bind(t, c.arch, c.text), c.layout)
		if err != nil || math.Abs(got-c.want) > 0.04*c.want {
			t.Errorf("%s: %s: %.3f, %v, want %.3f", c.arch, c.text, got, err, c.want)
		}
	}
}

// TestTakenBranch checks that a loop takes the cycles that its core needs between taken branches.
func TestTakenBranch(t *testing.T) {
	b := bind(t, "skylake", "addq $1, %rax; cmpq %rax, %rbx")
	for cycles, want := range map[int]float64{0: 1, 1: 1, 2: 2, 3: 3} {
		m, err := b.Model.With(machine.Fact{Name: "taken-branch", Value: strconv.Itoa(cycles)})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := frontend.Bound(uops.Bind(m, b.Kernel), frontend.Layout{}); err != nil || math.Abs(got-want) > 0.02 {
			t.Errorf("%d cycles between branches: %.2f, %v, want %g", cycles, got, err, want)
		}
	}
}

func BenchmarkBound(b *testing.B) {
	k := bind(b, "skylake", "movq 8(%rsi), %rax; addq %rax, %rbx; movl %ecx, 16(%rdi); leaq (%rbx,%rax,4), %rdx; cmpq %rdx, %r8; movzbl (%rdx), %r9d")
	b.ReportAllocs()
	for range b.N {
		if _, err := frontend.Bound(k, frontend.Layout{Unrolled: true}); err != nil {
			b.Fatal(err)
		}
	}
}
