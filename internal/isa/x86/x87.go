package x86

import (
	"strings"

	"incore/internal/isa"
)

// x87Op describes an x87 instruction's effect on the register stack. Registers are
// counted from the top before the instruction.
type x87Op struct {
	on       bool
	read     uint8 // stack registers read
	write    uint8 // stack registers written
	readsOp  bool  // reads the register operand
	writesOp bool  // writes the register operand
	pushes   bool  // writes a new top
	move     int8  // change of the stack's depth
	compares bool  // its result is in the status word
	status   bool  // reads the status word
}

// x87Ops lists the forms by name; x87Of adds the regular families.
var x87Ops = map[string]x87Op{
	"F2XM1": {read: 1, write: 1}, "FCOS": {read: 1, write: 1}, "FSIN": {read: 1, write: 1}, "FRNDINT": {read: 1, write: 1},
	"ABS_F": {read: 1, write: 1}, "CHS_F": {read: 1, write: 1}, "SQRT_F": {read: 1, write: 1},
	"FPREM": {read: 3, write: 1}, "FPREM1": {read: 3, write: 1}, "FSCALE": {read: 3, write: 1},
	"FPATAN": {read: 3, write: 2, move: -1}, "FYL2X": {read: 3, write: 2, move: -1}, "FYL2XP1": {read: 3, write: 2, move: -1},
	"FPTAN": {read: 1, write: 1, pushes: true, move: 1}, "FSINCOS": {read: 1, write: 1, pushes: true, move: 1},
	"FXTRACT": {read: 1, write: 1, pushes: true, move: 1},
	"FLDL2E":  {pushes: true, move: 1}, "FLDL2T": {pushes: true, move: 1}, "FLDLG2": {pushes: true, move: 1}, "FLDLN2": {pushes: true, move: 1},
	"FLDPI": {pushes: true, move: 1}, "LD_F0": {pushes: true, move: 1}, "LD_F1": {pushes: true, move: 1}, "FBLDm": {pushes: true, move: 1},
	"LD_Frr": {readsOp: true, pushes: true, move: 1}, "XCH_F": {read: 1, readsOp: true, write: 1, writesOp: true},
	"ST_Frr": {read: 1, writesOp: true}, "ST_FPrr": {read: 1, writesOp: true, move: -1}, "FBSTPm": {read: 1, move: -1},
	"COM_FST0r": {read: 1, readsOp: true, compares: true}, "COMP_FST0r": {read: 1, readsOp: true, compares: true, move: -1},
	"UCOM_Fr": {read: 1, readsOp: true, compares: true}, "UCOM_FPr": {read: 1, readsOp: true, compares: true, move: -1},
	"FCOMPP": {read: 3, compares: true, move: -2}, "UCOM_FPPr": {read: 3, compares: true, move: -2},
	"TST_F": {read: 1, compares: true}, "XAM_F": {read: 1, compares: true},
	"COM_FIr": {read: 1, readsOp: true}, "UCOM_FIr": {read: 1, readsOp: true},
	"COM_FIPr": {read: 1, readsOp: true, move: -1}, "UCOM_FIPr": {read: 1, readsOp: true, move: -1},
	"FFREE": {}, "FFREEP": {move: -1}, "FINCSTP": {move: -1}, "FDECSTP": {move: 1},
	"FNSTSW16r": {status: true}, "FNSTSWm": {status: true},
}

// x87Of returns the stack effect of a form; on is false for other instructions.
func x87Of(name string) x87Op {
	op, ok := x87Ops[name]
	if !ok {
		op, ok = x87Family(name)
	}
	op.on = ok
	return op
}

// onRegisterStack reports whether a form is one of x87's, of which each has its control or status word as an implicit operand: isa.ISA.OnRegisterStack.
func onRegisterStack(f isa.FormID) bool {
	uses, defs := db().forms.ImplicitUses(f), db().forms.ImplicitDefs(f)
	return listed(uses, FPCW) || listed(uses, FPSW) || listed(defs, FPCW) || listed(defs, FPSW)
}

// x87Family returns the stack effect of forms with regular names: OP_FST0r, OP_FrST0, OP_FPrST0,
// OP_F32m, loads, stores, compares with memory and conditional moves.
func x87Family(name string) (x87Op, bool) {
	base, kind, ok := strings.Cut(name, "_F")
	has := func(p string) bool { return strings.HasPrefix(name, p) }
	switch {
	case has("FCOMP"), has("FICOMP"):
		return x87Op{read: 1, compares: true, move: -1}, true
	case has("FCOM"), has("FICOM"):
		return x87Op{read: 1, compares: true}, true
	case !ok:
		return x87Op{}, false
	}
	pops := strings.HasPrefix(kind, "P")
	switch base {
	case "ADD", "SUB", "SUBR", "MUL", "DIV", "DIVR":
		switch {
		case kind == "ST0r":
			return x87Op{read: 1, readsOp: true, write: 1}, true
		case kind == "rST0":
			return x87Op{read: 1, readsOp: true, writesOp: true}, true
		case kind == "PrST0":
			return x87Op{read: 1, readsOp: true, writesOp: true, move: -1}, true
		case strings.HasSuffix(kind, "m"):
			return x87Op{read: 1, write: 1}, true
		}
	case "LD", "ILD":
		return x87Op{pushes: true, move: 1}, true
	case "ST", "IST", "ISTT":
		if pops {
			return x87Op{read: 1, move: -1}, true
		}
		return x87Op{read: 1}, true
	case "CMOVB", "CMOVNB", "CMOVE", "CMOVNE", "CMOVBE", "CMOVNBE", "CMOVP", "CMOVNP":
		if kind == "" {
			return x87Op{read: 1, readsOp: true, write: 1}, true
		}
	}
	return x87Op{}, false
}

// add appends the accesses of an x87 instruction. Where the top of the stack is
// known, registers are the physical FP0 to FP7, so that push and pop
// add no dependences; else they are relative to the top, and an instruction that moves
// the stack reads and writes all of it.
func (x *x87Op) add(in *isa.Inst, e *isa.Effects) {
	reads := e.Reads[:0]
	for _, a := range e.Reads { // the tables' own, incomplete view
		if a.Op >= 0 || a.Reg < ST0 || a.Reg > ST7 {
			reads = append(reads, a)
		}
	}
	e.Reads = reads
	at := func(i int) isa.Reg {
		if in.Top == 0 {
			return ST0 + isa.Reg(i&7)
		}
		return FP0 + isa.Reg((int(in.Top)-1+i)&7)
	}
	if in.Top == 0 && x.move != 0 {
		for i := 0; i < 8; i++ {
			e.Reads = append(e.Reads, isa.Access{Reg: ST0 + isa.Reg(i), Op: extraOp})
			e.Writes = append(e.Writes, isa.Access{Reg: ST0 + isa.Reg(i), Op: extraOp})
		}
		return
	}
	read, write := x.read, x.write
	if r := in.Reg(0); r >= ST0 && r <= ST7 {
		if x.readsOp {
			read |= 1 << (r - ST0)
		}
		if x.writesOp {
			write |= 1 << (r - ST0)
		}
	}
	for i := 0; i < 8; i++ {
		if read>>i&1 != 0 {
			e.Reads = append(e.Reads, isa.Access{Reg: at(i), Op: extraOp})
		}
		if write>>i&1 != 0 {
			e.Writes = append(e.Writes, isa.Access{Reg: at(i), Op: extraOp})
		}
	}
	if x.pushes {
		e.Writes = append(e.Writes, isa.Access{Reg: at(-1), Op: extraOp})
	}
}

// context sets the x87 stack top of every instruction and moves separate prefixes
// (rep; movsb) to the next instruction: isa.ISA.Context. A
// loop whose body changes the stack's depth gets no tops.
func context(code []isa.Inst, loop bool) {
	top := 0
	var pending isa.Prefix
	for i := range code {
		in := &code[i]
		in.Top = 0
		in.Prefix |= pending
		pending = 0
		if in.Form == isa.NoForm {
			continue
		}
		t := traitsOf(in.Form)
		if t.special != nil && t.special.prefix != 0 {
			pending = t.special.prefix | in.Prefix
		}
		if x := &t.x87; x.on {
			in.Top = uint8(1 + top)
			top = (top - int(x.move)) & 7
		}
	}
	if loop && top != 0 {
		for i := range code {
			code[i].Top = 0
		}
	}
}
