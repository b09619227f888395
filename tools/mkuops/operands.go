package main

import (
	"fmt"
	"strings"

	"incore/internal/base/blob"
	"incore/internal/isa"
	"incore/internal/isa/x86"
)

// reader interprets one record with the operands of its form.
type reader struct {
	core    *core
	rec     *record
	form    *form
	table   *isa.FormTable
	memOp   int            // first MC operand of the memory operand, -1 none
	source  map[string]ref // the record's operand name → MC operands
	reads   bool           // memory is read, written
	writes  bool
	ld      float64
	vectors map[string]bool // the record's operands that are vector registers
}

// ref is the MC operand of an operand of the record.
type ref struct {
	use, def string // its names as source and as result in row syntax: "1", "i0", "m"; "" if it is not one
}

// classify maps the record's operands to MC operands: registers to the operand with the same register,
// flags to EFLAGS among the implicit operands, memory to m.
func (x *reader) classify() {
	f := x.form.inst.Form
	x.memOp, x.source, x.vectors = x.table.MemOp(f), map[string]ref{}, map[string]bool{}
	explicit, uses, defs := 0, 0, 0
	for _, o := range x.rec.Operands {
		switch {
		case o.Type == "mem":
			x.source[o.Name] = ref{"m", "m"}
			x.reads = x.reads || strings.Contains(o.RW, "r")
			x.writes = x.writes || strings.Contains(o.RW, "w")
			explicit++
		case o.Type == "agen": // a computed address, LEA's source
			x.source[o.Name] = ref{"a", ""}
			explicit++
		case o.Type == "flags":
			r := ref{x.flags(x.table.ImplicitUses(f)), x.flags(x.table.ImplicitDefs(f))}
			if r.use == "" && len(o.Read) > 0 {
				r.use = addedOperand
			}
			x.source[o.Name] = r
		case o.Type == "reg" && !o.Implicit && explicit < len(x.form.regs):
			if reg := x.form.regs[explicit]; reg != isa.NoReg {
				x.source[o.Name] = x.operands(reg)
				x.vectors[o.Name] = strings.Contains(x86.ISA().Regs.Name(reg), "MM")
			}
			explicit++
		case o.Type == "reg": // implicit registers come in the same order in both: rax before rdx
			var r ref
			if strings.Contains(o.RW, "r") {
				r.use = x.next(x.table.ImplicitUses(f), &uses)
			}
			if strings.Contains(o.RW, "w") {
				r.def = x.next(x.table.ImplicitDefs(f), &defs)
			}
			x.source[o.Name] = r
		default:
			explicit++
		}
	}
	x.ld = x.loadLatency()
}

// addedOperand represents an operand that an instruction reads and LLVM does not list, as the flags of shifts by a variable count (x86's extraOp).
const addedOperand = "i31"

// operands finds a register among the MC operands.
func (x *reader) operands(reg isa.Reg) (r ref) {
	in := &x.form.inst
	defs := x.table.NumDefs(in.Form)
	for i := 0; i < int(in.NOps); i++ {
		if in.Ops[i].Kind != isa.OpReg || in.Ops[i].Reg != reg {
			continue
		}
		if i < defs {
			r.def = fmt.Sprint(i)
		} else if r.use == "" {
			r.use = fmt.Sprint(i)
		}
	}
	return r
}

// flags returns the index of the flags among the implicit operands.
func (x *reader) flags(l blob.U16) string {
	for i := 0; i < l.Len(); i++ {
		if x86.ISA().Regs.Name(isa.Reg(l.At(i))) == "EFLAGS" {
			return fmt.Sprintf("i%d", i)
		}
	}
	return ""
}

// next returns the next implicit operand that is neither flags nor a control register.
func (x *reader) next(l blob.U16, at *int) string {
	for *at < l.Len() {
		i := *at
		*at++
		switch x86.ISA().Regs.Name(isa.Reg(l.At(i))) {
		case "EFLAGS", "MXCSR", "FPCW", "FPSW", "DF", "SSP":
			continue
		}
		return fmt.Sprintf("i%d", i)
	}
	return ""
}

// vector reports whether an instruction has a vector register.
func (x *reader) vector() bool {
	for _, o := range []string{"XMM", "YMM", "ZMM", "MM"} {
		if strings.Contains(x.rec.String, o) {
			return true
		}
	}
	return false
}

// isFlags reports whether an operand of the record is the flags.
func (x *reader) isFlags(name string) bool {
	for _, o := range x.rec.Operands {
		if o.Name == name {
			return o.Type == "flags"
		}
	}
	return false
}

// merges returns the result that keeps a part of the register's old value: "0" if the first definition is narrower than 32 bits.
func (x *reader) merges() string {
	if x.table.NumDefs(x.form.inst.Form) == 0 || x.form.inst.NOps == 0 || x.form.inst.Ops[0].Kind != isa.OpReg {
		return "none"
	}
	switch n := x86.ISA().Regs.Name(x.form.inst.Ops[0].Reg); {
	case strings.HasSuffix(n, "B"), strings.HasSuffix(n, "W"), len(n) == 2 && strings.ContainsAny(n[1:], "LXH"):
		return "0"
	}
	return "none"
}

// isMove reports whether the form copies a register.
func (x *reader) isMove() bool {
	_, _, ok := x86.ISA().RegMove(&x.form.inst)
	return ok
}

// sameRegs returns the two MC operands that are equal in the same-register variant.
func (x *reader) sameRegs() (i, j int, ok bool) {
	in := &x.form.inst
	var uses []int
	for k := x.table.NumDefs(in.Form); k < int(in.NOps); k++ {
		if in.Ops[k].Kind == isa.OpReg && in.Ops[k].Reg != isa.NoReg {
			uses = append(uses, k)
		}
	}
	if len(uses) < 2 {
		return 0, 0, false
	}
	return uses[len(uses)-2], uses[len(uses)-1], true
}
