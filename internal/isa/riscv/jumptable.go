package riscv

import (
	"strings"

	"incore/internal/isa"
)

// tableFinder recognises jump tables.
type tableFinder struct{ a *isa.ISA }

// find recognises the code that gcc and clang generate for a switch:
//
//	auipc+addi t;  slli i, 2;  add i, i, t;  lw x, (i);  add x, x, t;  jr x
//	lui/auipc+addi t;  slli i, 3;  add i, i, t;  ld x, (i);  jr x
func (f tableFinder) find(code []isa.Line) (t isa.JumpTable, ok bool) {
	n := len(code) - 1
	if n < 0 {
		return t, false
	}
	jump := &code[n].Inst
	r := jump.Reg(0)
	if f.name(&code[n]) == "JALR" || f.name(&code[n]) == "PseudoBRIND" {
		r = jump.Reg(1)
	}
	i := f.lastWrite(code[:n], r)
	if i < 0 {
		return t, false
	}
	if f.name(&code[i]) == "ADD" {
		in := &code[i].Inst
		for k, load := range [2]isa.Reg{in.Reg(1), in.Reg(2)} {
			base, known := f.constant(code[:i], in.Reg(2-k), 0)
			l := f.lastWrite(code[:i], load)
			if !known || l < 0 {
				continue
			}
			if t, ok = f.load(code[:l+1]); ok {
				t.Base = base
				return t, true
			}
		}
		return t, false
	}
	return f.load(code[:i+1])
}

// name is a form's name without the mark of compressed instructions.
func (f tableFinder) name(l *isa.Line) string {
	return strings.TrimPrefix(f.a.Forms.Name(l.Inst.Form), "C_")
}

// load describes the table from which the last instruction loads an entry.
func (f tableFinder) load(code []isa.Line) (t isa.JumpTable, ok bool) {
	n := len(code) - 1
	in := &code[n].Inst
	switch f.name(&code[n]) {
	case "LW":
		t.Size, t.Signed = 4, true
	case "LD":
		t.Size = 8
	default:
		return t, false
	}
	i := f.lastWrite(code[:n], in.Reg(1))
	if i < 0 || f.name(&code[i]) != "ADD" && !strings.HasSuffix(f.name(&code[i]), "ADD") {
		return t, false
	}
	add := &code[i].Inst
	for _, r := range [2]isa.Reg{add.Reg(1), add.Reg(2)} {
		if base, ok := f.constant(code[:i], r, 0); ok {
			t.Addr = base + uint64(in.Ops[2].Imm)
			return t, true
		}
	}
	return t, false
}

func (f tableFinder) lastWrite(code []isa.Line, r isa.Reg) int {
	for i := len(code) - 1; i >= 0; i-- {
		in := &code[i].Inst
		if f.a.Forms.NumDefs(in.Form) > 0 && in.Reg(0) == r && r != isa.NoReg {
			return i
		}
	}
	return -1
}

// constant returns the address that lui or auipc, with addi, write to a register.
func (f tableFinder) constant(code []isa.Line, r isa.Reg, depth int) (uint64, bool) {
	i := f.lastWrite(code, r)
	if i < 0 || depth > 4 {
		return 0, false
	}
	in := &code[i].Inst
	switch f.name(&code[i]) {
	case "AUIPC":
		return code[i].Addr + uint64(int64(int32(in.Ops[1].Imm<<12))), true
	case "LUI":
		return uint64(int64(int32(in.Ops[1].Imm << 12))), true
	case "ADDI":
		base, ok := f.constant(code[:i], in.Reg(1), depth+1)
		return base + uint64(in.Ops[2].Imm), ok
	}
	return 0, false
}
