package aarch64

import (
	"strings"

	"incore/internal/isa"
)

// jumpTable recognises the code that gcc and clang generate for a switch:
//
//	adrp+add t;  ldr{b,h,sw} x, [t, i …];  adr b;  add x, b, x {sxtb #2 | lsl #2};  br x
//	adrp+add t;  ldrsw x, [t, i, lsl #2];  add x, t, x;  br x
//	adrp+add t;  ldr x, [t, i, lsl #3];  br x
func (x *arch) jumpTable(code []isa.Line) (t isa.JumpTable, ok bool) {
	n := len(code) - 1
	if n < 0 || x.nameOf(&code[n]) != "BR" {
		return t, false
	}
	i := x.lastWrite(code[:n], code[n].Inst.Reg(0))
	if i < 0 {
		return t, false
	}
	in := &code[i].Inst
	switch name := x.nameOf(&code[i]); {
	case strings.HasPrefix(name, "LDRXro"):
		t, ok = x.tableLoad(code[:i+1])
	case name == "ADDXrs" || name == "ADDXrx":
		k := x.lastWrite(code[:i], in.Reg(2))
		if k < 0 {
			return t, false
		}
		if t, ok = x.tableLoad(code[:k+1]); !ok {
			return t, false
		}
		t.Base, ok = x.constantIn(code[:i], in.Reg(1), 0)
		t.Shift = uint(in.Ops[3].Imm & 63)
		if name == "ADDXrx" { // extend in bits 5:3, 4 and more are signed
			t.Shift = uint(in.Ops[3].Imm & 7)
			t.Signed = t.Signed || in.Ops[3].Imm>>3&7 >= 4
		}
	}
	if ok {
		t.Count = x.tableBound(code)
	}
	return t, ok
}

func (x *arch) nameOf(l *isa.Line) string { return x.t.Forms.Name(l.Inst.Form) }

// tableLoads are the loads of table entries: their bytes, and whether they are signed.
var tableLoads = map[string]struct {
	size   int
	signed bool
}{"LDRBB": {1, false}, "LDRHH": {2, false}, "LDRW": {4, false}, "LDRSW": {4, true}, "LDRX": {8, false},
	"LDRSBX": {1, true}, "LDRSBW": {1, true}, "LDRSHX": {2, true}, "LDRSHW": {2, true}}

// tableLoad describes the table from which the last instruction loads an entry.
func (x *arch) tableLoad(code []isa.Line) (t isa.JumpTable, ok bool) {
	n := len(code) - 1
	name := x.nameOf(&code[n])
	stem, _, ok := strings.Cut(name, "ro")
	load, known := tableLoads[stem]
	if !ok || !known {
		return t, false
	}
	t.Size, t.Signed = load.size, load.signed
	t.Addr, ok = x.constantIn(code[:n], code[n].Inst.Reg(1), 0)
	return t, ok
}

// lastWrite returns the last instruction whose first definitions hold a register, -1 if none.
func (x *arch) lastWrite(code []isa.Line, r isa.Reg) int {
	f := x.t.Forms
	for i := len(code) - 1; i >= 0; i-- {
		in := &code[i].Inst
		for d := 0; d < f.NumDefs(in.Form); d++ {
			if w := in.Reg(d); w != isa.NoReg && r != isa.NoReg && x.t.Regs.Overlap(w, r) {
				return i
			}
		}
	}
	return -1
}

// constantIn returns the address that adr, or adrp and add, write to a register.
func (x *arch) constantIn(code []isa.Line, r isa.Reg, depth int) (uint64, bool) {
	i := x.lastWrite(code, r)
	if i < 0 || depth > 4 {
		return 0, false
	}
	in := &code[i].Inst
	switch x.nameOf(&code[i]) {
	case "ADR", "ADRP":
		return uint64(in.Ops[1].Imm), true
	case "ADDXri":
		base, ok := x.constantIn(code[:i], in.Reg(1), depth+1)
		return base + uint64(in.Ops[2].Imm)<<(in.Ops[3].Imm&63), ok
	}
	return 0, false
}

// tableBound looks for the check of the index, cmp and b.hi or b.hs, and returns the number of entries.
func (x *arch) tableBound(code []isa.Line) int {
	const hs, hi = 2, 8
	for i := len(code) - 2; i >= 0; i-- {
		in, next := &code[i].Inst, &code[i+1].Inst
		if name := x.nameOf(&code[i]); name != "SUBSWri" && name != "SUBSXri" || x.nameOf(&code[i+1]) != "Bcc" {
			continue
		}
		n := in.Ops[2].Imm << (in.Ops[3].Imm & 63)
		switch next.Ops[0].Imm {
		case hi:
			return int(n) + 1
		case hs:
			return int(n)
		}
		return 0
	}
	return 0
}
