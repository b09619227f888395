package x86

import (
	"strings"
	"sync"

	"incore/internal/isa"
	"incore/internal/isa/x86/enc"
)

// tableForms are the forms that compilers use for jumps through tables.
type tableForms struct{ jmpReg, jmpMem, lea, loadSigned, load, add, addRev isa.FormID }

var jumpForms = sync.OnceValue(func() tableForms {
	n := codes().table.Named
	return tableForms{jmpReg: n("JMP64r"), jmpMem: n("JMP64m"), lea: n("LEA64r"), loadSigned: n("MOVSX64rm32"), load: n("MOV64rm"), add: n("ADD64rr"), addRev: n("ADD64rr_REV")}
})

// jumpTable recognises
//
//	lea table(%rip), %t;  movslq (%t,%i,4), %x;  add %t, %x;  jmp *%x     (gcc, clang, position-independent)
//	jmp *table(,%i,8)                                                   (fixed addresses)
//	lea table(%rip), %t;  [mov (%t,%i,8), %x;  jmp *%x | jmp *(%t,%i,8)]  (Go and others)
func jumpTable(code []isa.Line) (t isa.JumpTable, ok bool) {
	f := jumpForms()
	n := len(code) - 1
	if n < 0 {
		return t, false
	}
	jmp := &code[n].Inst
	switch jmp.Form {
	case f.jmpMem:
		t, ok = pointers(code[:n], jmp, 0)
	case f.jmpReg:
		t, ok = offsets(code[:n], jmp.Reg(0))
	}
	if ok {
		t.Count = tableBound(code[:n])
	}
	return t, ok
}

// pointers describes a table of addresses; the memory operand at op loads one entry.
func pointers(code []isa.Line, in *isa.Inst, op int) (t isa.JumpTable, ok bool) {
	if in.Reg(op+2) == isa.NoReg || in.Ops[op+1].Imm != 8 {
		return t, false
	}
	t = isa.JumpTable{Addr: uint64(in.Ops[op+3].Imm), Size: 8}
	if base := in.Reg(op); base != isa.NoReg {
		a, ok := loadedAddress(code, base)
		if !ok {
			return t, false
		}
		t.Addr += a
	}
	return t, t.Addr != 0
}

// offsets follows the register of a jump back to the load of an address or offset.
func offsets(code []isa.Line, target isa.Reg) (t isa.JumpTable, ok bool) {
	f := jumpForms()
	i := lastWrite(code, target)
	if i < 0 {
		return t, false
	}
	def := &code[i].Inst
	if def.Form == f.load {
		return pointers(code[:i], def, 1)
	}
	if def.Form != f.add && def.Form != f.addRev {
		return t, false
	}
	for _, r := range [2]isa.Reg{def.Reg(1), def.Reg(2)} { // one is the table's address, the other the offset
		k := lastWrite(code[:i], r)
		if k < 0 || code[k].Inst.Form != f.loadSigned {
			continue
		}
		load := &code[k].Inst
		base, ok := loadedAddress(code[:k], load.Reg(1))
		if !ok || load.Ops[2].Imm != 4 || load.Reg(3) == isa.NoReg {
			continue
		}
		return isa.JumpTable{Addr: base + uint64(load.Ops[4].Imm), Size: 4, Signed: true, Base: base}, true
	}
	return t, false
}

// lastWrite returns the last instruction that writes a register as its result, -1 if none.
func lastWrite(code []isa.Line, r isa.Reg) int {
	forms := codes().table
	for i := len(code) - 1; i >= 0; i-- {
		in := &code[i].Inst
		if in.Form == isa.NoForm {
			return -1
		}
		for d := 0; d < forms.NumDefs(in.Form); d++ {
			if same64(in.Reg(d), r) {
				return i
			}
		}
	}
	return -1
}

// same64 reports whether two registers are the same, or parts of the same 64-bit register.
func same64(a, b isa.Reg) bool {
	if a == b {
		return a != isa.NoReg
	}
	c := regCodes()
	return a < numRegs && b < numRegs && c[a].known && c[b].known && c[a].num == c[b].num && general(c[a].class) && general(c[b].class)
}

func general(class uint8) bool { return class >= enc.Class8 && class <= enc.Class64 }

// loadedAddress returns the address that lea wrote to a register.
func loadedAddress(code []isa.Line, r isa.Reg) (uint64, bool) {
	i := lastWrite(code, r)
	if i < 0 || code[i].Inst.Form != jumpForms().lea || code[i].Inst.Reg(1) != RIP {
		return 0, false
	}
	in := &code[i].Inst
	return code[i].Addr + uint64(in.Size) + uint64(in.Ops[4].Imm), true
}

// tableBound looks for the check of the index, cmp $n and ja or jae, and returns the number of entries.
func tableBound(code []isa.Line) int {
	forms := codes().table
	for i := len(code) - 2; i >= 0; i-- {
		in, next := &code[i].Inst, &code[i+1].Inst
		if in.Form == isa.NoForm || !strings.HasPrefix(forms.Name(in.Form), "CMP") || !strings.HasPrefix(forms.Name(next.Form), "JCC_") {
			continue
		}
		if in.NOps == 0 {
			return 0
		}
		o := &in.Ops[in.NOps-1]
		if o.Kind != isa.OpImm || o.Imm < 0 || o.Imm > 1<<16 {
			return 0
		}
		switch next.Ops[1].Imm {
		case 7: // ja
			return int(o.Imm) + 1
		case 3: // jae
			return int(o.Imm)
		}
		return 0
	}
	return 0
}
