package plan

import (
	"fmt"

	"incore/internal/isa"
)

// A mode is an addressing mode of a form; one of its registers depends on the loaded value.
type mode struct {
	name  string
	index int           // MC operand of the index, -1 if there is none
	waits bool          // the index waits, else the base
	imms  map[int]int64 // displacement, scale and extension of the index: immediates by MC operand
}

// displacements are those of the load-to-use latency experiments: on some cores the latency depends on the
// displacement's size.
var displacements = []int64{64, 4096 + 192}

// modes lists the addressing modes of a form: those of the single address operand (x86), or of the form's address
// operands.
func (t *Target) modes(f isa.FormID) []mode {
	x, _, err := t.first(f)
	switch {
	case err != nil:
		return nil
	case t.index == "":
		return oneOperand(t.ISA.Forms.MemOp(f))
	case x.base < 0:
		return nil
	case x.index >= 0:
		return x.indexed()
	}
	out := []mode{{name: "(base)", index: -1}}
	for _, d := range displacements {
		if x.reaches(d) {
			in, _ := x.build(choice{disp: d})
			out = append(out, mode{fmt.Sprintf("%d(base)", d), -1, false, map[int]int64{x.disp: in.Ops[x.disp].Imm}})
		}
	}
	return out
}

// oneOperand lists the modes of an address that is one operand: base, scale, index, displacement.
func oneOperand(m int) (out []mode) {
	for _, a := range []struct {
		name        string
		waits       bool // whether the index depends on the load
		scale, disp int64
	}{
		{"(base)", false, 1, 0}, {"disp8(base)", false, 1, displacements[0]}, {"disp32(base)", false, 1, displacements[1]},
		{"(base,index)", true, 1, 0}, {"disp8(base,index)", true, 1, displacements[0]}, {"(base,index,8)", true, 8, 0}, {"disp32(base,index,8)", true, 8, displacements[1]},
	} {
		out = append(out, mode{a.name, m + 2, a.waits, map[int]int64{m + 1: a.scale, m + 3: a.disp}})
	}
	return out
}

// indexed lists the modes of a form with an index: all variants of its immediates, and for the first also a dependent
// base.
func (x *instance) indexed() (out []mode) {
	in, err := x.build(choice{})
	if err != nil {
		return nil
	}
	var imms []int
	for _, o := range x.ops {
		if o.Class.Kind == "imm" && o.MC != x.disp {
			imms = append(imms, o.MC)
		}
	}
	seen := map[string]bool{}
	var vary func(left []int, in isa.Inst, set map[int]int64)
	vary = func(left []int, in isa.Inst, set map[int]int64) {
		if len(left) > 0 {
			const most = 3 // number of shifts; extensions and the shift flag are 0 or 1
			for v := range int64(most + 1) {
				in.Ops[left[0]].Imm = v
				with := map[int]int64{left[0]: v}
				for k, w := range set {
					with[k] = w
				}
				vary(left[1:], in, with)
			}
			return
		}
		if _, err := x.t.encode(&in); err != nil {
			return
		}
		var e isa.Effects
		x.t.ISA.Effects(&in, &e)
		if len(e.Mem) != 1 || e.Mem[0].Index != in.Reg(x.index) {
			return
		}
		name := "(base,index" + map[byte]string{'s': ",signed", 'u': ",unsigned"}[e.Mem[0].Extend]
		if s := e.Mem[0].Scale; s > 1 {
			name += fmt.Sprintf(",%d", s)
		}
		if name += ")"; !seen[name] {
			seen[name] = true
			out = append(out, mode{name, x.index, true, set})
		}
	}
	vary(imms, in, nil)
	if len(out) > 0 {
		out = append(out, mode{out[0].name + " from the base", x.index, false, out[0].imms})
	}
	return out
}

// apply sets an instance's address to a mode with the given dependent register.
func (x *instance) apply(in *isa.Inst, a mode, waits isa.Reg) {
	for op, v := range a.imms {
		in.Ops[op].Imm = v
	}
	if !a.waits {
		return
	}
	if x.index >= 0 {
		waits = x.member(x.t.ISA.Forms.OperandClass(x.form, x.index), waits)
	}
	in.Ops[a.index] = isa.Operand{Kind: isa.OpReg, Reg: waits}
}

// reaches reports whether displacements reach disp bytes beyond the other data.
func (x *instance) reaches(disp int64) bool {
	var here, there isa.Effects
	in, err := x.build(choice{})
	if err != nil {
		return false
	}
	x.t.ISA.Effects(&in, &here)
	if in, err = x.build(choice{disp: disp}); err != nil {
		return false
	}
	if _, err := x.t.encode(&in); err != nil {
		return false
	}
	x.t.ISA.Effects(&in, &there)
	return len(here.Mem) == 1 && len(there.Mem) == 1 && there.Mem[0].Disp-here.Mem[0].Disp == disp && there.Mem[0].Sym == here.Mem[0].Sym
}
