package machine_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"incore/internal/analysis/throughput"
	"incore/internal/analysis/uops"
	"incore/internal/isa"
	"incore/internal/machine"
)

// TestVectorThroughputs: what a table of measurements says of a vector instruction grows with the number of registers, with strides and segments.
// The figures are camel-cdr's (rvv-bench-results).
func TestVectorThroughputs(t *testing.T) {
	for _, c := range []struct {
		model  string
		sew    uint8
		lmul   uint8 // of 2
		text   string
		cycles float64
	}{
		{"ascalon-d8", 32, 3, "vle32.v v8, (a1)", 8. / 3}, {"ascalon-d8", 32, 0, "vlse32.v v8, (a1), a2", 3.35}, {"ascalon-d8", 32, 0, "vlsseg5e32.v v8, (a1), a2", 20},
		{"ascalon-d8", 32, 0, "vadd.vv v8, v16, v24", 0.5}, {"ascalon-d8", 32, 0, "vadd.vv v8, v16, v24, v0.t", 1}, {"ascalon-d8", 32, 3, "vadd.vv v8, v16, v24", 4},
		{"andes-45", 32, 0, "vadd.vv v8, v16, v24", 1}, {"andes-45", 32, 1, "vadd.vv v8, v16, v24", 2}, {"andes-45", 32, 3, "vadd.vv v8, v16, v24", 8},
		{"andes-45", 32, 0, "vdivu.vv v8, v16, v24", 36}, {"sifive-7", 32, 0, "vdivu.vv v8, v16, v24", 39},
		{"spacemit-x60", 8, 0, "vrgather.vv v8, v16, v24", 4},
	} {
		m := model(t, c.model)
		b := bind(m, typed(t, c.text, isa.VType{SEW: c.sew, LMUL: c.lmul}))
		if got := throughput.Analyze(b, throughput.Optimal).Cycles; math.Abs(got-c.cycles) > 0.1*c.cycles {
			t.Errorf("%s: '%s' at e%d, m%d takes %.2f cycles, want %.2f", c.model, c.text, c.sew, 1<<c.lmul, got, c.cycles)
		}
	}
}

// typed returns a kernel of one vector instruction under a type.
func typed(t *testing.T, text string, v isa.VType) *isa.Kernel {
	k := kernel(t, "riscv64", text)
	k.Lines[0].Inst.VType = v
	return k
}

// TestPlaceholders: an instruction of which LLVM only has a placeholder is unknown, and the check of models finds such costs.
func TestPlaceholders(t *testing.T) {
	m := model(t, "andes-45")
	b := bind(m, typed(t, "vssra.vv v8, v16, v24", isa.VType{SEW: 32, LMUL: 2}))
	if b.Insts[0].Flags&machine.Unknown == 0 {
		t.Error("Andes 45: vssra.vv is known, though no table has it and LLVM's cost is a placeholder")
	}
	llvm := model(t, "llvm/Andes45Model")
	n := 0
	for _, s := range llvm.Check(isas["riscv64"]).Suspicious {
		if strings.Contains(s.Why, "placeholder") {
			n += s.N
		}
	}
	if n < 100 {
		t.Errorf("%d placeholders found in LLVM's model of the Andes 45", n)
	}
}

// TestSegments: no core model has LLVM's placeholders for segments, which are found where they are.
func TestSegments(t *testing.T) {
	segments := func(name string) (forms []string) {
		_, rows := model(t, name).Placeholders(isas["riscv64"])
		for _, r := range rows {
			if strings.Contains(r.Why, "fields") {
				forms = append(forms, r.Form)
			}
		}
		return forms
	}
	for _, name := range machine.Names() {
		if forms := segments(name); model(t, name).ISA == "riscv64" && len(forms) > 0 {
			t.Errorf("%s: a placeholder for %s", name, strings.Join(forms, " "))
		}
	}
	for _, name := range []string{"llvm/SiFive7Model", "llvm/SiFiveP800Model"} {
		if n := len(segments(name)); n < 15 {
			t.Errorf("%s: %d placeholders", name, n)
		}
	}
	in := typed(t, "vlsseg5e32.v v8, (a1), a2", isa.VType{SEW: 32})
	if b := uops.Bind(model(t, "sifive-x280"), in); b.Insts[0].Flags&machine.Unknown == 0 {
		t.Error("X280: a load of segments at a stride is known, though no table has it")
	}
}

// TestVectorFamilies: on cores with published vector throughputs, whole registers are loaded and stored as fast as their elements, and the result of an operation that keeps its
// unit until the end does not come before, nor that of a floating-point operation before the scalar one's (but for a cycle). LLVM has one register's cost for eight, and a cycle
// for divisions.
func TestVectorFamilies(t *testing.T) {
	for _, name := range strings.Fields("ascalon-d8 andes-45 sifive-7 spacemit-x60 spacemit-x100 spacemit-a100 xuantie-c908") {
		m := model(t, name)
		cost := func(text string, sew, lmul uint8) *machine.Cost {
			k := typed(t, text, isa.VType{SEW: sew, LMUL: lmul})
			return m.Cost(k.ISA, &k.Lines[0].Inst)
		}
		for vector, scalar := range map[string]string{"vfadd.vv v8, v16, v24": "fadd.d f0, f1, f2", "vfmul.vv v8, v16, v24": "fmul.d f0, f1, f2", "vfmacc.vv v8, v16, v24": "fmadd.d f0, f1, f2, f3"} {
			if v, s := cost(vector, 64, 0).SourceLatency, cost(scalar, 64, 0).SourceLatency; v < s-1 {
				t.Errorf("%s: '%s' comes after %g cycles, '%s' after %g", name, vector, v, scalar, s)
			}
		}
		for lmul := range uint8(4) {
			for elements, registers := range map[string]string{"vle32.v v8, (a0)": "vl%dre32.v v8, (a0)", "vse32.v v8, (a0)": "vs%dr.v v8, (a0)"} {
				registers = fmt.Sprintf(registers, 1<<lmul)
				if e, r := cost(elements, 32, lmul).Each, cost(registers, 32, lmul).Each; math.Abs(e-r) > 0.35*e {
					t.Errorf("%s: '%s' takes %.2f cycles, '%s' of %d registers %.2f", name, registers, r, elements, 1<<lmul, e)
				}
			}
			for _, sew := range []uint8{16, 32, 64} {
				for _, text := range strings.Split("vdivu.vv v8, v16, v24;vrem.vv v8, v16, v24;vfdiv.vv v8, v16, v24;vfsqrt.v v8, v16;vredsum.vs v8, v16, v24;vfredusum.vs v8, v16, v24;vfredosum.vs v8, v16, v24", ";") {
					if c := cost(text, sew, lmul); c.Flags&machine.Unknown == 0 && c.SourceLatency < 0.75*c.Each-2 {
						t.Errorf("%s: '%s' at e%d, m%d comes after %g cycles, its unit is busy for %.2f", name, text, sew, 1<<lmul, c.SourceLatency, c.Each)
					}
				}
			}
		}
	}
}

// TestVectorGrowth: on cores with published vector throughputs, an operation on more registers does not take less time, nor one on a fraction of a register more than on a whole
// one; and an access takes the time of its own registers, however wide the elements are that vtype names. Tables begin with one register, or with elements as wide as
// in memory, and what lay under them had LLVM's worst case or its smallest figure.
func TestVectorGrowth(t *testing.T) {
	types := []struct {
		code, eighths uint8
	}{{5, 1}, {6, 2}, {7, 4}, {0, 8}, {1, 16}, {2, 32}, {3, 64}}
	const operations = "vadd.vv v8, v16, v24;vmul.vx v8, v16, a0;vdiv.vv v8, v16, v24;vremu.vx v8, v16, a0;vfadd.vv v8, v16, v24;vfdiv.vv v8, v16, v24;vfsqrt.v v8, v16;" +
		"vfredusum.vs v8, v16, v24;vfredosum.vs v8, v16, v24;vredsum.vs v8, v16, v24;vrgather.vv v8, v16, v24;vcompress.vm v8, v16, v0;vslideup.vi v8, v16, 3;vmerge.vvm v8, v16, v24, v0;" +
		"vsll.vi v8, v16, 3;vle%d.v v8, (a0);vse%d.v v8, (a0);vlse%d.v v8, (a0), a2;vsse%d.v v8, (a0), a2;vluxei32.v v8, (a0), v16;vlseg2e%d.v v8, (a0)"
	for _, name := range strings.Fields("ascalon-d8 andes-45 sifive-7 spacemit-x60 spacemit-x100 spacemit-a100 xuantie-c908") {
		m := model(t, name)
		each := func(text string, sew, lmul uint8) (cycles float64, known bool) {
			k := typed(t, text, isa.VType{SEW: sew, LMUL: lmul})
			c := m.Cost(k.ISA, &k.Lines[0].Inst)
			return c.Each, c.Flags&machine.Unknown == 0
		}
		for _, operation := range strings.Split(operations, ";") {
			for _, sew := range []uint8{16, 32, 64} {
				text, before := strings.ReplaceAll(operation, "%d", fmt.Sprint(sew)), 0.0
				for i, v := range types {
					if sew > 8*v.eighths || strings.Contains(text, "seg2") && v.eighths == 64 {
						continue
					}
					cycles, known := each(text, sew, v.code)
					fraction := v.eighths == 8 && i > 0 && before > 2*cycles+0.5
					if known && (before > 1.25*cycles+0.5 && v.eighths > 8 || fraction) {
						t.Errorf("%s: '%s' at e%d takes %.2f cycles with %d eighths of a register, %.2f with half as much", name, text, sew, cycles, v.eighths, before)
					}
					if known {
						before = cycles
					}
					if narrow := sew / 2; strings.Contains(operation, "%d") && v.eighths >= 2 {
						if n, ok := each(text, narrow, types[i-1].code); ok && known && math.Abs(n-cycles) > 0.05*cycles+0.05 {
							t.Errorf("%s: '%s' takes %.2f cycles under e%d and %d eighths of a register, %.2f for the same registers under e%d", name, text, n, narrow, v.eighths/2, cycles, sew)
						}
					}
				}
			}
		}
	}
}
