package eval

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"incore/internal/machine"
)

// TestMicrocodedMemory: AMD's cores rename no memory of operations that microcode executes, so that those on one address take as long as a store and a load,
// whatever the width; operations of one or two slots on Zen 5 take a cycle. Measured on Zen 5, by uops.info on Zen 3.
func TestMicrocodedMemory(t *testing.T) {
	long := map[string]float64{"zen3": 8, "zen4": 8, "zen5": 9}
	for core, want := range long {
		m, err := machine.Get(core)
		if err != nil {
			t.Fatal(err)
		}
		cycles := func(code string) float64 { return repeats(t, m, code) }
		for _, width := range []struct{ suffix, register string }{{"l", "%ebx"}, {"q", "%rbx"}} {
			for _, op := range []string{"bts%s $3, (%%rsi)", "btr%s $3, (%%rsi)", "btc%s $3, (%%rsi)", "shld%s $3, R, (%%rsi)", "shrd%s %%cl, R, (%%rsi)", "xadd%s R, (%%rsi)",
				"cmpxchg%s R, (%%rsi)", "rcl%s $3, (%%rsi)", "rcr%s %%cl, (%%rsi)"} {
				s := strings.ReplaceAll(fmt.Sprintf(op, width.suffix), "R", width.register)
				if got := cycles(s); math.Abs(got-want) > 2 {
					t.Errorf("%s: %s repeats every %.1f cycles, want %g", core, s, got, want)
				}
			}
			if core != "zen5" {
				continue
			}
			for _, op := range strings.Fields("add sub and or xor adc sbb shl shr sar rol ror") {
				s := fmt.Sprintf("%s%s $3, (%%rsi)", op, width.suffix)
				if got := cycles(s); got > 1.1 {
					t.Errorf("%s: %s repeats every %.1f cycles, want 1", core, s, got)
				}
			}
		}
		for s, want := range map[string]float64{"cmpxchg %rbx, %rcx": 3, "cmpxchg %rbx, %rcx; cmpxchg %rdi, %rdx": 6, "cmpxchg %rbx, %rcx; lodsq": 6, "rclq $3, %rdx; cmpxchg %rbx, %rcx": 7,
			"lodsb": 3, "lodsw": 3, "lodsl": 3, "lodsq": 3, "stosb": 3, "stosq": 3, "movsb": 3, "movsq": 3, "scasb": 3, "scasq": 3, "cmpsb": 3, "cmpsq": 3, "lodsq; stosq": 6} {
			if got := cycles(s); math.Abs(got-want) > 0.2 {
				t.Errorf("%s: %s takes %.2f cycles, want %g", core, s, got, want)
			}
		}
	}
}

// TestNarrowRenaming: on Zen 5 memory renaming serves loads of 8 and 16 bits whose value an operation takes, and no others; the store of a part of a register
// costs a cycle. Measured on Zen 5.
func TestNarrowRenaming(t *testing.T) {
	m, err := machine.Get("zen5")
	if err != nil {
		t.Fatal(err)
	}
	for _, store := range []struct {
		text  string
		bits  int
		after float64
	}{{"movb %al, (%rsi)", 8, 1}, {"movw %ax, (%rsi)", 16, 1}, {"movl %eax, (%rsi)", 32, 0}, {"movq %rax, (%rsi)", 64, 0}} {
		for _, load := range []struct {
			text string
			bits int
			want float64 // behind a store of a whole register
		}{
			{"movb (%rsi), %al", 8, 1}, {"addb (%rsi), %al", 8, 1}, {"orb (%rsi), %al", 8, 1}, {"movsbl (%rsi), %eax", 8, 1}, {"movsbq (%rsi), %rax", 8, 1},
			{"movzbw (%rsi), %ax", 8, 1}, {"movzbl (%rsi), %eax", 8, 7}, {"movw (%rsi), %ax", 16, 1}, {"addw (%rsi), %ax", 16, 1}, {"movswl (%rsi), %eax", 16, 1},
			{"imulw (%rsi), %ax", 16, 3}, {"movzwl (%rsi), %eax", 16, 7}, {"movslq (%rsi), %rax", 32, 1}, {"addl (%rsi), %eax", 32, 1}, {"imull (%rsi), %eax", 32, 3},
		} {
			want := load.want + store.after
			switch {
			case load.bits > store.bits:
				continue
			case load.want == 7: // forwarded, which the store's width does not change
				want = 7
			}
			code := store.text + "; " + load.text
			if got := repeats(t, m, code); math.Abs(got-want) > 0.1 {
				t.Errorf("%s repeats every %.2f cycles, want %g", code, got, want)
			}
		}
	}
}

// TestZen5MicrocodeAlone: dispatch takes nothing else while the sequencer delivers an instruction (measured by incore
// measure, 2026-11-30, beside nops), and a cycle more if the instruction reads the stack pointer after a push or pop.
func TestZen5MicrocodeAlone(t *testing.T) {
	m, err := machine.Get("zen5")
	if err != nil {
		t.Fatal(err)
	}
	for code, want := range map[string][2]float64{ // alone, with 16 nops
		"rclq $3, %r15": {3.99, 5.15}, "stosq": {3.00, 4.02}, "lodsq": {2.99, 4.06}, "movsq": {3.01, 4.02}, "scasb": {2.99, 4.10}, "cmpsq": {3.00, 4.02}, "pushfq": {3.99, 5.13}, "popw %dx": {1.00, 3.06},
		"pushw (%rdi)": {2.00, 3.04}, "popq (%rsi,%rdx)": {2.00, 3.05}, "btq %rax, (%rdi)": {3.00, 4.04}, "cmpxchgq %rcx, %rdx": {3.00, 4.04}, "vdpps $1, %xmm0, %xmm1, %xmm2": {3.99, 5.06},
		"vdppd $1, %xmm0, %xmm1, %xmm2": {3.01, 4.07}, "vhaddps %xmm0, %xmm1, %xmm2": {2.00, 3.04}, "vphaddd %ymm0, %ymm1, %ymm2": {1.99, 3.04}, "vmpsadbw $1, (%rsi), %xmm1, %xmm2": {2.99, 4.00},
		"vpclmulqdq $0, (%rsi), %xmm1, %xmm2": {2.00, 3.02}, "vpcmpistri $1, (%rsi), %xmm1": {2.99, 4.03}, "vreduceps $1, (%rsi), %ymm2": {3.01, 3.05},
		"vpconflictd (%rsi), %zmm2": {3.00, 3.00}, "vzeroupper": {1.00, 3.00}, "vzeroall": {6.00, 7.11}, "cld": {2.99, 4.04}, "fnstcw (%rsi)": {2.00, 3.00}, "enter $16, $0; leave": {20.0, 22.0},
		"vpcompressd %zmm1, (%rsi){%k1}": {3.00, 4.03}, "fld1; fstpt (%rsi)": {5.01, 7.04}, "pushq %rax; popq (%rsi,%rdx)": {3.01, 5.0},
	} {
		for k, nops := range []string{"", strings.Repeat("; nop", 16)} {
			if got := repeats(t, m, code+nops); math.Abs(got/want[k]-1) > 0.07 {
				t.Errorf("%s%s repeats every %.2f cycles, measured %.2f", code, nops, got, want[k])
			}
		}
	}
	for code, want := range map[string]float64{
		"pushq %rax; popq 16(%rsp)": 2.99, "pushq 8(%rsp); popq 16(%rsp)": 3.00, "pushq %rax; popq (%rsi,%rdx); pushq %rcx; popq 8(%rsi,%rdx)": 6.00,
		"pushq %rax; pushq %rcx; popq (%rsi,%rdx); popq 8(%rsi,%rdx)": 4.02, "pushq %rax; pushq %rbx; popq (%rsi,%rdx); popq %rcx": 3.00, "pushfq; popq %rax": 5.01, "pushq %rbx; popw (%rdi)": 2.99,
		"pushq %rbx; pushw %bx": 1.99, "subq $8, %rsp; popq (%rsi,%rdx)": 2.00, "popq (%rsi,%rdx); nop; nop; nop; nop; nop; nop; nop; nop; nop": 3.01,
	} {
		if got := repeats(t, m, code); math.Abs(got/want-1) > 0.07 {
			t.Errorf("%s repeats every %.2f cycles, measured %.2f", code, got, want)
		}
	}
}
