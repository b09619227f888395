package machine_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"incore/internal/isa"
	"incore/internal/isa/aarch64"
	"incore/internal/isa/riscv"
	"incore/internal/isa/x86"
	"incore/internal/machine"
)

var isas = map[string]*isa.ISA{"x86-64": x86.ISA(), "aarch64": aarch64.ISA(), "riscv64": riscv.ISA()}

// kernel parses statements separated by newlines.
func kernel(t testing.TB, name, text string) *isa.Kernel {
	t.Helper()
	a := isas[name]
	k := &isa.Kernel{ISA: a, Syntax: a.Syntaxes[0], Loop: true}
	for _, l := range strings.Split(strings.TrimSpace(text), "\n") {
		l = strings.TrimSpace(l)
		in, err := a.Parse(nil, l, k.Syntax)
		if err != nil {
			in = []isa.Inst{{}}
		}
		for _, i := range in {
			k.Lines = append(k.Lines, isa.Line{Inst: i, Text: l, Err: err})
		}
	}
	return k
}

func model(t testing.TB, name string) *machine.Model {
	t.Helper()
	m, err := machine.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// bind returns the costs of a kernel's instructions by themselves.
func bind(m *machine.Model, k *isa.Kernel) *machine.Bound {
	insts, foreign := m.Costs(k)
	return &machine.Bound{Kernel: k, Model: m, Insts: insts, Foreign: foreign}
}

// pressure is the load of each port if every µop is spread evenly over its ports.
func pressure(b *machine.Bound) map[string]float64 {
	out := map[string]float64{}
	for _, in := range b.Insts {
		for _, u := range in.Uops {
			names := b.Model.PortNames(u.Ports)
			for _, n := range names {
				out[n] += u.Cycles / float64(len(names))
			}
		}
	}
	return out
}

// TestHost checks that whatever machine the test runs on is either recognised as an embedded model, or explained.
func TestHost(t *testing.T) {
	name, why, ok := machine.Host()
	t.Log(name, why, ok)
	if why == "" {
		t.Error("no explanation")
	}
	if !ok {
		t.Skip("host not recognised: " + why)
	}
	model(t, name)
}

// TestValidate joins every model with its ISA as it is used, vector types included.
func TestValidate(t *testing.T) {
	for _, n := range machine.Names() {
		m := model(t, n)
		if err := m.Validate(isas[m.ISA]); err != nil {
			t.Errorf("%s: %v", n, err)
		}
	}
}

// TestBind checks costs and the latencies between inputs and outputs of single instructions. Expected
// pairs are "from>to:cycles"; "mem" is the memory operand.
func TestBind(t *testing.T) {
	for _, c := range []struct{ model, text, ports, pairs string }{
		{"skylake-server", "vaddpd (%rax),%ymm1,%ymm2", "01 23/load", "YMM1>YMM2:4 RAX>YMM2:11 mem>YMM2:4"},
		{"skylake-server", "movq (%rax),%rbx", "23/load", "RAX>RBX:5 mem>RBX:0"},
		{"skylake-server", "movq %rbx,(%rax)", "237/sta 4/std", "RAX>mem:0 RBX>mem:0"},
		{"skylake-server", "movq %rbx,(%rax,%rcx)", "23/sta 4/std", "RAX>mem:0 RCX>mem:0 RBX>mem:0"},
		{"skylake-server", "imulq %rbx,%rax", "1", "RAX>RAX:3 RBX>RAX:3"},
		{"skylake-server", "xorl %eax,%eax", "-", ""},
		{"skylake-server", "vpxor %xmm3,%xmm3,%xmm4", "-", ""},
		{"skylake-server", "movq %rbx,%rax", "-", "RBX>RAX:0"},
		{"skylake-server", "movq %rax,%rax", "0156", "RAX>RAX:1"},
		{"skylake-server", "divsd %xmm1,%xmm2", "0 FPDIV:4", "XMM2>XMM2:13 XMM1>XMM2:13"},
		{"cascadelake", "vfmadd213pd (%r14,%rax),%ymm1,%ymm0", "01 23/load", "YMM0>YMM0:4 YMM1>YMM0:4 R14>YMM0:11 RAX>YMM0:11 mem>YMM0:4"},
		{"cascadelake", "movq (%rax),%rbx", "23/load", "RAX>RBX:5 mem>RBX:0"},
		{"skylake-server", "leaq 8(%rax,%rbx,4),%rcx", "1", "RAX>RCX:3 RBX>RCX:3"},
		{"icelake-client", "leaq 8(%rax,%rbx),%rcx", "0156", "RAX>RCX:1 RBX>RCX:1"},
		{"icelake-client", "leaq 8(%rax,%rbx,4),%rcx", "15", "RAX>RCX:1 RBX>RCX:1"},
		{"alderlake-p", "leaq 8(%rax,%rbx),%rcx", "0_1_5_6_10", "RAX>RCX:1 RBX>RCX:1"},
		{"alderlake-p", "leaq 8(%rax,%rbx,4),%rcx", "0_5_6", "RAX>RCX:2 RBX>RCX:2"},
		{"alderlake-p", "addq $1,%rax", "RADD", "RAX>RAX:0"},
		{"alderlake-p", "shlq %cl,%rax", "2*0_6", "RAX>RAX:1 CL>RAX:1"},
		{"zen1", "addsd %xmm1,%xmm2", "FPU23", "XMM2>XMM2:3 XMM1>XMM2:3"},
		{"zen1", "mulsd (%rax),%xmm2", "AGU/load FPU01", "XMM2>XMM2:4 RAX>XMM2:8 mem>XMM2:4"},
		{"zen1", "movsd (%rax),%xmm2", "AGU/load", "RAX>XMM2:4 mem>XMM2:0"},
		{"thunderx2", "ldr d31, [x15, x18, lsl 3]", "LS01/load", "X15>D31:4 X18>D31:4 mem>D31:0"},
		{"thunderx2", "ldr d1, [x2], 8", "LS01/load", "X2>X2:1 X2>D1:4 mem>D1:0"},
		{"thunderx2", "str d5, [x14], 8", "LS01/sta P5/std", "D5>mem:4 X14>X14:1 X14>mem:4"},
		{"thunderx2", "mov x14, x15", "F01", "X15>X14:1"},
		{"thunderx2", "fmul d5, d4, d9", "F01", "D4>D5:6 D9>D5:6"},
		{"neoverse-v2", "fmadd d0, d1, d2, d3", "V", "D1>D0:4 D2>D0:4 D3>D0:4"},
		{"neoverse-v2", "ror w1, w2, #7", "S", "W2>W1:1"},
		{"neoverse-v2", "extr x1, x2, x3, #7", "M S", "X2>X1:2 X3>X1:3"},
		{"neoverse-n2", "ror x1, x2, #7", "I", "X2>X1:1"},
		{"neoverse-n1", "udiv x1, x2, x3", "M:20", "X2>X1:20"},
		{"neoverse-n2", "fmov d1, x2", "M0", "X2>D1:3"},
		{"neoverse-n2", "fmov x1, d2", "V1", "D2>X1:2"},
		{"a64fx", "fdiv v0.2d, v1.2d, v2.2d", "IPFLA:43", "Q1>Q0:43"},
		{"neoverse-v2", "ldr x1, [x2, 8]!", "L/load S", "X2>X2:1 X2>X1:4 mem>X1:0"},
		{"spacemit-x60", "fmadd.d fa0, fa1, fa2, fa3", "B", "F11_D>F10_D:6 F12_D>F10_D:6 F13_D>F10_D:6"},
		{"sifive-7", "ld a0, 8(a1)", "A/load", "X11>X10:3 mem>X10:0"},
	} {
		m := model(t, c.model)
		b := bind(m, kernel(t, m.ISA, c.text))
		in := &b.Insts[0]
		if in.Flags&machine.Unknown != 0 {
			t.Errorf("%s: '%s' is unknown: %v", c.model, c.text, in.Line.Err)
			continue
		}
		if got := m.UopText(in.Uops); got != c.ports {
			t.Errorf("%s: '%s' ports %s, want %s", c.model, c.text, got, c.ports)
		}
		got := pairs(in, isas[m.ISA].Regs)
		for _, w := range strings.Fields(c.pairs) {
			if !strings.Contains(" "+got+" ", " "+w+" ") {
				t.Errorf("%s: '%s' has no latency %s; has %s", c.model, c.text, w, got)
			}
		}
		if c.pairs == "" && got != "" {
			t.Errorf("%s: '%s' depends on operands: %s", c.model, c.text, got)
		}
		for _, no := range []string{"D5>X14", "mem>X2", "X1>X2"} {
			if strings.Contains(got, no) {
				t.Errorf("%s: '%s': %s: a written-back base depends on the address alone", c.model, c.text, no)
			}
		}
	}
}

func pairs(in *machine.Inst, regs *isa.RegTable) string {
	var out []string
	name := func(l []isa.Access, i int) string {
		if i < len(l) {
			return regs.Name(l[i].Reg)
		}
		return "mem"
	}
	for x := 0; x < in.Inputs(); x++ {
		for y := 0; y < in.Outputs(); y++ {
			if c, ok := in.Pair(x, y); ok {
				out = append(out, fmt.Sprintf("%s>%s:%g", name(in.Effects.Reads, x), name(in.Effects.Writes, y), c))
			}
		}
	}
	return strings.Join(out, " ")
}

// TestPressure checks port loads of a kernel of our own, in the manner of PMBS'19 table II: a
// three-point update in place, unrolled twice, with every addressing mode.
func TestPressure(t *testing.T) {
	b := bind(model(t, "tx2"), kernel(t, "aarch64", `
		ldr d0, [x1, x9, lsl 3]
		ldr d1, [x1, 16]
		mov x3, x1
		fadd d2, d0, d1
		fadd d3, d2, d30
		fmul d4, d3, d8
		str d4, [x3], 8
		ldr d5, [x3, x9, lsl 3]
		ldr d6, [x3, 16]
		fadd d7, d5, d6
		fadd d16, d7, d4
		fmul d30, d16, d8
		str d30, [x3]
		add x1, x1, 16
		cmp x1, x6
		bne .L3`))
	got := pressure(b)
	for p, want := range map[string]float64{"P0": 3.5 + 2.0/3, "P1": 3.5 + 2.0/3, "P2": 2.0 / 3, "P3": 3, "P4": 3, "P5": 2} {
		if math.Abs(got[p]-want) > 1e-9 {
			t.Errorf("%s: %g cycles, want %g", p, got[p], want)
		}
	}
	for _, in := range b.Insts {
		if in.Flags&machine.Unknown != 0 {
			t.Errorf("'%s' is unknown", in.Line.Text)
		}
	}
}

// TestUnknown checks that what has no data costs an interval, never nothing.
func TestUnknown(t *testing.T) {
	m := model(t, "sandybridge")
	m2 := model(t, "thunderx2")
	for _, b := range []*machine.Bound{bind(m, kernel(t, "x86-64", "frobnicate %rax\nvaddsd nonsense")), bind(m2, kernel(t, "aarch64", "sqdmulh z0.b, z1.b, z2.b"))} {
		for i := range b.Insts {
			in := &b.Insts[i]
			if in.Flags&machine.Unknown == 0 {
				t.Errorf("'%s' is not marked unknown", in.Line.Text)
			}
			if in.Latency <= 0 || in.LowLatency <= 0 || in.HighLatency < in.LowLatency || in.Slots <= 0 || in.HighSlots < in.LowSlots || in.Source == "" {
				t.Errorf("'%s': no interval: %+v", in.Line.Text, in)
			}
		}
		if b.Unknown() == 0 {
			t.Error("no instruction counts as unknown")
		}
	}
	// a kernel of another ISA, and none at all
	for _, k := range []*isa.Kernel{kernel(t, "aarch64", "add x0, x1, x2"), {}} {
		bind(m, k)
	}
}

// TestIndexedSlots checks which instructions take a second slot for an address of base and index (Zen 4, measured 2026-11-23; none does on a Zen 5).
func TestIndexedSlots(t *testing.T) {
	for text, want := range map[string]float64{
		"movl %eax, (%rsi)": 1, "movl %eax, (%rsi,%rbp)": 2, "movl %eax, 64(,%rbp,8)": 1, "movl %eax, 64(%rip)": 1, "movb $1, (%rsi,%rbp)": 2,
		"addl (%rsi), %eax": 1, "addl (%rsi,%rbp), %eax": 2, "cmpl %eax, 8(%rsi,%rbp,4)": 2, "movslq (%rsi,%rbp), %rax": 2, "movb (%rsi,%rbp), %al": 2,
		"movl (%rsi,%rbp), %eax": 1, "movzwl (%rsi,%rbp), %eax": 1, "prefetcht0 (%rsi,%rbp)": 1, "incl (%rsi)": 2, "incl (%rsi,%rbp)": 2, "leaq (%rsi,%rbp), %rax": 1, "leaq 8(%rsi,%rbp), %rax": 2,
		"movlps %xmm0, (%rsi,%rbp)": 1, "vmovups %ymm0, (%rsi,%rbp)": 1, "vaddps (%rsi,%rbp), %ymm0, %ymm1": 1, "kmovw %k1, (%rsi,%rbp)": 1, "movq %mm0, (%rsi,%rbp)": 1,
	} {
		in := &bind(model(t, "zen4"), kernel(t, "x86-64", text)).Insts[0]
		if in.Slots != want || in.LowSlots != want || in.HighSlots != want {
			t.Errorf("%s: %g slots, want %g", text, in.Slots, want)
		}
	}
	if n := bind(model(t, "zen5"), kernel(t, "x86-64", "movl %eax, (%rsi,%rbp)")).Insts[0].Slots; n != 1 {
		t.Errorf("%g slots on a Zen 5, want 1", n)
	}
}

// BenchmarkCosts looks up the costs of a ten-instruction kernel.
func BenchmarkCosts(b *testing.B) {
	k := kernel(b, "x86-64", `vmovapd (%r13,%rax),%ymm0
		vfmadd213pd (%r14,%rax),%ymm1,%ymm0
		vmovapd %ymm0,(%r12,%rax)
		vmovapd 32(%r13,%rax),%ymm2
		vfmadd213pd 32(%r14,%rax),%ymm1,%ymm2
		vmovapd %ymm2,32(%r12,%rax)
		xorl %ecx,%ecx
		addq $64,%rax
		cmpq %rax,%r15
		jne .L22`)
	m := model(b, "skx")
	m.Costs(k)
	b.ReportAllocs()
	for b.Loop() {
		m.Costs(k)
	}
}

// TestWideLoads: a load of more than "load-bytes" uses its ports more often, whatever the form; a broadcast of one element does not.
func TestWideLoads(t *testing.T) {
	b := bind(model(t, "zen4"), kernel(t, "x86-64", "vpaddd (%rdi), %zmm0, %zmm1\nvpaddd (%rdi), %ymm0, %ymm1\nvpaddd (%rdi){1to16}, %zmm0, %zmm1\nvmovups (%rdi), %zmm0\nvpmovzxbq (%rdi), %zmm0"))
	for i, want := range []int{2, 1, 1, 2, 1} {
		got := 0
		for _, u := range b.Insts[i].Uops {
			if u.Kind == machine.UopLoad {
				got++
			}
		}
		if got != want {
			t.Errorf("%s: %d uses of the load ports, want %d", b.Insts[i].Line.Text, got, want)
		}
	}
}

// TestPlainLoad: on every core a plain load is a µop that loads, so that what it loads comes after the load's latency.
func TestPlainLoad(t *testing.T) {
	loads := map[string]string{"x86-64": "movq (%rax), %rbx", "aarch64": "ldr x0, [x1]", "riscv64": "ld a0, 0(a1)"}
	for _, n := range machine.Names() {
		m := model(t, n)
		in := &bind(m, kernel(t, m.ISA, loads[m.ISA])).Insts[0]
		k := slices.IndexFunc(in.Uops, func(u machine.Uop) bool { return u.Kind == machine.UopLoad && !u.Resource })
		if k < 0 || in.Load <= 0 {
			t.Errorf("%s: '%s' is %s, its load takes %g cycles", n, loads[m.ISA], m.UopText(in.Uops), in.Load)
		}
	}
}

// TestCall: a call that the linker makes one instruction of costs what that does.
func TestCall(t *testing.T) {
	for _, n := range machine.Names() {
		if m := model(t, n); m.ISA == "riscv64" {
			b := bind(m, kernel(t, m.ISA, "call f\ntail f\njal f"))
			for i := range b.Insts {
				if in := &b.Insts[i]; in.Flags&machine.Unknown != 0 || m.UopText(in.Uops) != m.UopText(b.Insts[2].Uops) {
					t.Errorf("%s: '%s' is %s", n, in.Line.Text, m.UopText(in.Uops))
				}
			}
		}
	}
}

// TestDisplaced: an address of rbp or r13 and an index is encoded with a displacement, and costs what one of three parts does.
func TestDisplaced(t *testing.T) {
	const text = "leaq 8(%rbx,%rax), %rcx\nleaq (%rbp,%rax), %rcx\nleaq (%r13,%rax,4), %rcx\nleaq (%rbx,%rax), %rcx\nleaq (%rax,%rbp), %rcx\nleaq (%rbp), %rcx"
	for _, n := range []string{"zen4", "zen5", "skylake"} {
		m := model(t, n)
		b := bind(m, kernel(t, "x86-64", text))
		for i, slow := range []bool{true, true, true, false, false, false} {
			in := &b.Insts[i]
			if got := in.Latency == b.Insts[0].Latency && m.UopText(in.Uops) == m.UopText(b.Insts[0].Uops); got != slow {
				t.Errorf("%s: '%s' takes %g cycles on %s, '%s' %g on %s", n, in.Line.Text, in.Latency, m.UopText(in.Uops), b.Insts[0].Line.Text, b.Insts[0].Latency, m.UopText(b.Insts[0].Uops))
			}
		}
	}
}

// TestFalseDependence checks which instructions wait for the register that they write.
func TestFalseDependence(t *testing.T) {
	const text = "popcntq %rax, %rcx\nlzcntl %eax, %ecx\nblsrq %rax, %rcx\nvpermd %ymm0, %ymm2, %ymm1\nvpcompressd %ymm0, %ymm1{%k1}{z}\nxorl %ecx, %ecx"
	for n, want := range map[string][6]bool{"sandybridge": {true, true}, "haswell": {true, true}, "skylake": {true}, "skylake-server": {true}, "cascadelake": {true}, "icelake-client": {},
		"sapphirerapids": {3: true}, "zen4": {4: true}, "zen5": {2: true, 4: true}} {
		b := bind(model(t, n), kernel(t, "x86-64", text))
		for i := range b.Insts {
			in := &b.Insts[i]
			at := slices.IndexFunc(in.Effects.Reads, func(r isa.Access) bool { return r.Op == 0 })
			if got := at >= 0; got != want[i] {
				t.Errorf("%s: '%s' reads its result: %t", n, in.Line.Text, got)
			} else if c, ok := in.Pair(max(0, at), 0); got && (!ok || c <= 0 || c > in.Latency) {
				t.Errorf("%s: '%s' has its result %g cycles after the old one, after others %g", n, in.Line.Text, c, in.Latency)
			}
		}
	}
}
