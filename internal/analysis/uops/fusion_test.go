package uops_test

import (
	"slices"
	"strings"
	"testing"

	"incore/internal/analysis/uops"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

func model(t testing.TB, name string) *machine.Model {
	t.Helper()
	m, err := machine.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestFusion checks that a fused pair takes one slot and the branch's ports.
func TestFusion(t *testing.T) {
	b := uops.Bind(model(t, "skylake-server"), kernel(t, catalog.ISA("x86-64"), "cmpq %rax,%rbx\njne .L1"))
	a, j := &b.Insts[0], &b.Insts[1]
	if a.Flags&machine.FusedFirst == 0 || j.Flags&machine.FusedSecond == 0 || a.Slots+j.Slots != 1 || len(a.Uops)+len(j.Uops) != 1 {
		t.Errorf("cmp+jne is not one µop: %+v %+v", a, j)
	}
	b = uops.Bind(model(t, "skylake-server"), kernel(t, catalog.ISA("x86-64"), "cmpq %rax,%rbx\njs .L1"))
	if b.Insts[0].Flags&machine.FusedFirst != 0 {
		t.Error("cmp+js fused: Intel doesn't fuse it")
	}
}

// TestFusedOperands checks that a pair waits for all its operands: pmull and eor of its result take three cycles together, from the other operand of eor too.
func TestFusedOperands(t *testing.T) {
	b := uops.Bind(model(t, "apple-m1"), kernel(t, catalog.ISA("aarch64"), "pmull v0.1q, v1.1d, v2.1d\neor v0.16b, v0.16b, v3.16b"))
	eor := &b.Insts[1]
	if eor.Flags&machine.FusedSecond == 0 {
		t.Fatal("pmull+eor is not fused")
	}
	for i, want := range []float64{0, 3} {
		if got, ok := eor.Pair(i, 0); !ok || got != want {
			t.Errorf("operand %d: %v cycles, want %v", i, got, want)
		}
	}
}

// TestNopFusion checks which instructions that do nothing take no slot, in slots of the kernel (Zen 4, measured 2026-11-22).
func TestNopFusion(t *testing.T) {
	const m, n = "movq %rax,%rbx\n", "nop\n"
	for text, want := range map[string]float64{n + m: 1, n + n: 1, n + m + m: 2, n + n + m: 2, n + n + n + m: 3, n + n + n + n + m: 3, n + m + n + m + n + m: 3, m + "nopw 512(%rax,%rax)\n": 1, m: 1} {
		slots := 0.0
		for _, in := range uops.Bind(model(t, "zen4"), kernel(t, catalog.ISA("x86-64"), text)).Insts {
			slots += in.Slots
		}
		if slots != want {
			t.Errorf("%q takes %g slots, want %g", text, slots, want)
		}
	}
	// Measured in copies, in slots of .167 cycles (heldout-zen4): a nop takes none behind an instruction of integers if
	// both have up to 15 bytes.
	const nine = "nopw 512(%rax,%rax)\n"
	for text, want := range map[string]float64{
		"xorl %eax,%eax\nvxorpd %xmm0,%xmm0,%xmm0\n" + n: 3, "vxorpd %xmm0,%xmm0,%xmm0\nxorl %r14d,%r14d\n" + nine: 2, "movl $16,%ebx\nvmovdqa64 %zmm6,%zmm10\n" + n: 3,
		"xorl %edx,%edx\nmovapd %xmm0,%xmm2\n" + n: 3, "movl $8,%edx\nmovl %eax,%esi\n" + nine: 2, "movq %rcx,%rsi\nxorl %edi,%edi\n" + nine: 2,
	} {
		slots := 0.0
		for _, in := range uops.Bind(model(t, "zen4"), kernel(t, catalog.ISA("x86-64"), text)).Insts {
			slots += in.Slots
		}
		if slots != want {
			t.Errorf("%q takes %g slots, want %g", text, slots, want)
		}
	}
	long := kernel(t, catalog.ISA("x86-64"), "movl $1,%edx\n"+n)
	for size, want := range map[uint8]float64{10: 0, 11: 1} {
		long.Lines[0].Inst.Size, long.Lines[1].Inst.Size = 5, size
		if got := uops.Bind(model(t, "zen4"), long).Insts[1].Slots; got != want {
			t.Errorf("a nop of %d bytes behind an operation of 5 takes %g slots, want %g", size, got, want)
		}
	}
	for _, in := range uops.Bind(model(t, "skylake"), kernel(t, catalog.ISA("x86-64"), n+m)).Insts {
		if in.Slots != 1 {
			t.Errorf("'%s' takes %g slots where nops are not joined", in.Line.Text, in.Slots)
		}
	}
}

// TestMoveFusion checks which moves take no slot: those whose result the next instruction works on.
func TestMoveFusion(t *testing.T) {
	b := uops.Bind(model(t, "zen5"), kernel(t, catalog.ISA("x86-64"), "movq %rax, %rcx\naddq $1, %rcx\nmovq %rax, %rdx\naddq $1, %rsi\nmovq %rax, %rdi\naddq (%rsi), %rdi\nmovq %rax, %r8\nshrq $3, %r8\nmovq %rax, %r9\nnegq %r9"))
	for i, want := range []float64{0, 1, 1, 1, 1, 1, 0, 1, 1, 1} {
		if in := &b.Insts[i]; in.Slots != want {
			t.Errorf("'%s' takes %g slots, want %g", in.Line.Text, in.Slots, want)
		}
	}
}

// TestPrefix checks which movprfx cost nothing, as the guides list them: those whose copy the next instruction, on that core, makes itself.
func TestPrefix(t *testing.T) {
	const text = "movprfx z0, z4\nfadd z0.d, p0/m, z0.d, z1.d\nmovprfx z0.d, p0/z, z4.d\nfmla z0.d, p0/m, z1.d, z2.d\nmovprfx z0.d, p0/m, z4.d\nfmla z0.d, p0/m, z1.d, z2.d\n" +
		"movprfx z0, z4\nsplice z0.d, p0, z0.d, z1.d\nmovprfx z0, z4\nfmla z0.d, p0/m, z1.d, z2.d\nmovprfx z0, z4\nfadd z3.d, p0/m, z3.d, z1.d\nmovprfx z0, z4\nadd z0.d, z0.d, z1.d"
	for n, want := range map[string][7]bool{"neoverse-v1": {true, false, false, true}, "neoverse-v2": {true, true, false, true, true}, "cortex-x4": {true, true, false, true, true},
		"cortex-a720": {true, true, true, false, true}, "neoverse-n2": {}} {
		b := uops.Bind(model(t, n), kernel(t, catalog.ISA("aarch64"), text))
		for i, joined := range want {
			in := &b.Insts[2*i]
			c, ok := in.Pair(slices.IndexFunc(in.Effects.Reads, func(r isa.Access) bool { return int(r.Op) == int(in.Line.Inst.NOps)-1 }), 0)
			if !ok || joined != (in.Slots == 0 && len(in.Uops) == 0 && c == 0) || !joined && (in.Slots == 0 || len(in.Uops) == 0 || c == 0) {
				t.Errorf("%s: '%s' before '%s' takes %g slots, %s and %g cycles; fused: %t", n, in.Line.Text, b.Insts[2*i+1].Line.Text, in.Slots, b.Model.UopText(in.Uops), c, joined)
			}
			if op := &b.Insts[2*i+1]; op.Slots == 0 || len(op.Uops) == 0 || op.Latency == 0 {
				t.Errorf("%s: '%s' takes %g slots, %g cycles", n, op.Line.Text, op.Slots, op.Latency)
			}
		}
	}
}

// TestNops: instructions that do nothing take no slot where the core joins them with others, on cores with another's costs as well.
func TestNops(t *testing.T) {
	for n, want := range map[string]float64{"neoverse-v1": 0, "neoverse-v2": 0, "neoverse-v3": 0, "cortex-x1": 0, "cortex-x4": 0, "neoverse-n1": 1, "zen3": 1, "zen4": 0} {
		m := model(t, n)
		b := uops.Bind(m, kernel(t, catalog.ISA(m.ISA), map[string]string{"aarch64": "nop\nadd x0, x0, 1", "x86-64": "nop\naddq $1, %rax"}[m.ISA]))
		if b.Insts[0].Slots != want || b.Insts[1].Slots != 1 {
			t.Errorf("%s: a nop takes %g slots, what follows %g; want %g and 1", n, b.Insts[0].Slots, b.Insts[1].Slots, want)
		}
	}
}

// TestMarkers: endbr64 does nothing, so that on Zen 4 it shares the slot of what is before it, as a nop does.
func TestMarkers(t *testing.T) {
	b := uops.Bind(model(t, "zen4"), kernel(t, catalog.ISA("x86-64"), "movq %rax, %rbx\nendbr64\nlfence"))
	if b.Insts[0].Slots != 1 || b.Insts[1].Slots != 0 || b.Insts[2].Slots != 1 {
		t.Errorf("slots %g, %g and %g, want 1, 0 and 1", b.Insts[0].Slots, b.Insts[1].Slots, b.Insts[2].Slots)
	}
}

// TestWide: an operation on vectors of 512 bits closes the vector units of port 1 to all others, but neither to integers nor where it is a load or store
// alone.
func TestWide(t *testing.T) {
	for _, c := range []struct{ model, text, ports string }{
		{"emeraldrapids", "vpshufb %ymm1,%ymm2,%ymm3; vpaddd %zmm1,%zmm2,%zmm3", "5"},
		{"emeraldrapids", "vaddsd %xmm1,%xmm2,%xmm3; vpaddd %zmm1,%zmm2,%zmm3", "5"},
		{"emeraldrapids", "vpshufb %ymm1,%ymm2,%ymm3; vpaddd %ymm1,%ymm2,%ymm3", "1_5"},
		{"emeraldrapids", "vpshufb %ymm1,%ymm2,%ymm3; vmovups (%rax),%zmm3", "1_5"},
		{"emeraldrapids", "imulq %rax,%rbx; vpaddd %zmm1,%zmm2,%zmm3", "1"},
		{"skylake-server", "vpaddd %ymm1,%ymm2,%ymm3; vpaddd %zmm1,%zmm2,%zmm3", "05"},
		{"rocketlake", "vmulpd %ymm1,%ymm2,%ymm3; vpaddd %zmm1,%zmm2,%zmm3", "0"},
	} {
		m := model(t, c.model)
		b := uops.Bind(m, kernel(t, catalog.ISA(m.ISA), strings.ReplaceAll(c.text, "; ", "\n")))
		if got := m.UopText(b.Insts[0].Uops); got != c.ports {
			t.Errorf("%s %s: ports %s, want %s", c.model, c.text, got, c.ports)
		}
	}
}
