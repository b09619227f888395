package riscv

import (
	"strings"

	"incore/internal/isa"
)

// pseudoForms are the forms that pseudo-instructions expand to.
type pseudoForms struct {
	addi, addiw, add, lui, auipc, ld, slli, srli, xori, andi  isa.FormID
	addUW, slliUW, sh1add, sh2add, sh3add, rori, bseti, bclri isa.FormID
	vmnand, vmxor, vmandn, vmor                               isa.FormID
	insn16, insn32, cmPush, la, lga                           isa.FormID
	expand                                                    map[isa.FormID]expansion
}

// expansion makes the real instructions of a pseudo-instruction.
type expansion func(p *parser, dst []isa.Inst, in isa.Inst) []isa.Inst

func (f *pseudoForms) resolve(t *isa.FormTable) {
	for name, at := range map[string]*isa.FormID{
		"ADDI": &f.addi, "ADDIW": &f.addiw, "ADD": &f.add, "LUI": &f.lui, "AUIPC": &f.auipc, "LD": &f.ld, "SLLI": &f.slli, "SRLI": &f.srli,
		"XORI": &f.xori, "ANDI": &f.andi, "ADD_UW": &f.addUW, "SLLI_UW": &f.slliUW, "SH1ADD": &f.sh1add, "SH2ADD": &f.sh2add, "SH3ADD": &f.sh3add,
		"RORI": &f.rori, "BSETI": &f.bseti, "BCLRI": &f.bclri, "VMNAND_MM": &f.vmnand, "VMXOR_MM": &f.vmxor,
		"VMANDN_MM": &f.vmandn, "VMOR_MM": &f.vmor, "Insn16": &f.insn16, "Insn32": &f.insn32, "CM_PUSH": &f.cmPush, "PseudoLA": &f.la, "PseudoLGA": &f.lga,
	} {
		*at = t.Named(name)
	}
	f.expand = map[isa.FormID]expansion{}
	for name, e := range expansions(t) {
		if id := t.Named(name); id != isa.NoForm {
			f.expand[id] = e
		}
	}
}

// expansions lists the pseudo-instructions that LLVM expands while parsing. Others
// (call, tail, jump, the relocation markers) stay one instruction until the object
// file is written and, relaxed by the linker, often after; they keep their own form.
func expansions(t *isa.FormTable) map[string]expansion {
	m := map[string]expansion{
		"PseudoLI":        expandLI,
		"PseudoLAImm":     expandLI,
		"PseudoLLAImm":    expandLI,
		"PseudoLLA":       pcRel("pcrel_hi", "ADDI", t),
		"PseudoLA":        pcRel("pcrel_hi", "ADDI", t),
		"PseudoLGA":       pcRel("got_pcrel_hi", "LD", t),
		"PseudoLA_TLS_IE": pcRel("tls_ie_pcrel_hi", "LD", t),
		"PseudoLA_TLS_GD": pcRel("tls_gd_pcrel_hi", "ADDI", t),
		"PseudoSEXT_B":    extend(56, "SRAI", t),
		"PseudoSEXT_H":    extend(48, "SRAI", t),
		"PseudoZEXT_H":    extend(48, "SRLI", t),
		"PseudoZEXT_W":    extend(32, "SRLI", t),
	}
	for _, l := range strings.Fields("LB LBU LH LHU LW LWU LD") {
		m["Pseudo"+l] = pcRel("pcrel_hi", l, t)
	}
	for _, l := range strings.Fields("FLH FLW FLD SB SH SW SD FSH FSW FSD") {
		m["Pseudo"+l] = pcRelVia(l, t)
	}
	for _, u := range []string{"", "U"} {
		lt, gt := t.Named("VMSLT"+u+"_VX"), "VMSGT"+u+"_VI"
		m["PseudoVMSGE"+u+"_VX"] = func(p *parser, dst []isa.Inst, in isa.Inst) []isa.Inst { return p.vmsge(dst, in, lt) }
		m["PseudoVMSGE"+u+"_VX_M"] = func(p *parser, dst []isa.Inst, in isa.Inst) []isa.Inst { return p.vmsgeMasked(dst, in, lt) }
		m["PseudoVMSGE"+u+"_VX_M_T"] = func(p *parser, dst []isa.Inst, in isa.Inst) []isa.Inst { return p.vmsgeTemp(dst, in, lt) }
		m["PseudoVMSGE"+u+"_VI"] = lessOne(t.Named(gt), t.Named("VMSEQ_VV"), u != "")
		m["PseudoVMSLT"+u+"_VI"] = lessOne(t.Named("VMSLE"+u+"_VI"), t.Named("VMSNE_VV"), u != "")
	}
	return m
}

// expand replaces the pseudo-instruction dst[n] by its real instructions.
func (p *parser) expand(dst []isa.Inst, n int, pic bool) ([]isa.Inst, error) {
	in := dst[n]
	if pic && in.Form == p.forms.la {
		in.Form = p.forms.lga
	}
	e := p.forms.expand[in.Form]
	if e == nil {
		return dst, nil
	}
	return e(p, dst[:n], in), nil
}

func inst(form isa.FormID, ops ...isa.Operand) isa.Inst {
	in := isa.Inst{Form: form}
	for _, o := range ops {
		in.Add(o)
	}
	return in
}

func reg(r isa.Reg) isa.Operand { return isa.Operand{Kind: isa.OpReg, Reg: r} }
func imm(v int64) isa.Operand   { return isa.Operand{Kind: isa.OpImm, Imm: v} }

// modified is %mod(symbol) for the symbol of operand o. A low part also names the
// symbol, although in the assembler it names the label of the auipc.
func modified(mod string, o isa.Operand) isa.Operand {
	e := isa.Expr{Mod: mod, Text: "%" + mod + "()"}
	if o.Expr != nil {
		e = isa.Expr{Text: "%" + mod + "(" + o.Expr.Text + ")", Sym: o.Expr.Sym, Mod: mod, Add: o.Expr.Add}
	}
	return isa.Operand{Kind: isa.OpExpr, Expr: &e, Imm: e.Add}
}

// pcRel expands "la rd, symbol" and loads from a symbol: auipc rd, then an
// instruction on rd.
func pcRel(mod, second string, t *isa.FormTable) expansion {
	op := t.Named(second)
	return func(p *parser, dst []isa.Inst, in isa.Inst) []isa.Inst {
		rd, sym := in.Ops[0], in.Ops[1]
		return append(dst, inst(p.forms.auipc, rd, modified(mod, sym)), inst(op, rd, rd, modified("pcrel_lo", sym)))
	}
}

// pcRelVia expands stores to and floating-point loads from a symbol, which name a
// register for the address: operands are the address register, the value, the symbol.
func pcRelVia(second string, t *isa.FormTable) expansion {
	op := t.Named(second)
	return func(p *parser, dst []isa.Inst, in isa.Inst) []isa.Inst {
		tmp, val, sym := in.Ops[0], in.Ops[1], in.Ops[2]
		return append(dst, inst(p.forms.auipc, tmp, modified("pcrel_hi", sym)), inst(op, val, tmp, modified("pcrel_lo", sym)))
	}
}

// extend expands sign and zero extensions for cores without Zbb: shift up, shift down.
func extend(by int64, down string, t *isa.FormTable) expansion {
	op := t.Named(down)
	return func(p *parser, dst []isa.Inst, in isa.Inst) []isa.Inst {
		rd, rs := in.Ops[0], in.Ops[1]
		return append(dst, inst(p.forms.slli, rd, rs, imm(by)), inst(op, rd, rd, imm(by)))
	}
}

// The expansions of vmsge{u}.vx follow the V specification 1.0, section 11.8.

func (p *parser) vmsge(dst []isa.Inst, in isa.Inst, lt isa.FormID) []isa.Inst {
	vd := in.Ops[0]
	return append(dst, inst(lt, vd, in.Ops[1], in.Ops[2], reg(isa.NoReg)), inst(p.forms.vmnand, vd, vd, vd))
}

func (p *parser) vmsgeMasked(dst []isa.Inst, in isa.Inst, lt isa.FormID) []isa.Inst {
	vd, mask := in.Ops[0], in.Ops[3]
	return append(dst, inst(lt, vd, in.Ops[1], in.Ops[2], mask), inst(p.forms.vmxor, vd, vd, mask))
}

func (p *parser) vmsgeTemp(dst []isa.Inst, in isa.Inst, lt isa.FormID) []isa.Inst {
	vd, vt, va, rs, mask := in.Ops[0], in.Ops[1], in.Ops[2], in.Ops[3], in.Ops[4]
	if vd.Reg == p.regs.v[0][0] { // the destination is the mask itself
		return append(dst, inst(lt, vt, va, rs, reg(isa.NoReg)), inst(p.forms.vmandn, vd, vd, vt))
	}
	return append(dst, inst(lt, vt, va, rs, reg(isa.NoReg)), inst(p.forms.vmandn, vt, mask, vt),
		inst(p.forms.vmandn, vd, vd, mask), inst(p.forms.vmor, vd, vt, vd))
}

// lessOne expands comparisons with an immediate that exist only for the
// neighbouring relation: x >= i is x > i-1. The result of an unsigned comparison with i = 0
// is known: it becomes a comparison of the operand with itself.
func lessOne(op, known isa.FormID, unsigned bool) expansion {
	return func(p *parser, dst []isa.Inst, in isa.Inst) []isa.Inst {
		if unsigned && in.Ops[2].Imm == 0 {
			return append(dst, inst(known, in.Ops[0], in.Ops[1], in.Ops[1], in.Ops[3]))
		}
		return append(dst, inst(op, in.Ops[0], in.Ops[1], imm(in.Ops[2].Imm-1), in.Ops[3]))
	}
}

// special handles statements that no row of the match table describes; ok is false
// for all others.
func (p *parser) special(dst []isa.Inst, mn string, s *statement) (out []isa.Inst, ok bool, err error) {
	if mn != ".insn" {
		return dst, false, nil
	}
	// ".insn value" and ".insn bytes, value": an instruction as a number
	fail := func(msg string) ([]isa.Inst, bool, error) {
		return dst, true, &isa.SyntaxError{Stmt: s.text, Col: s.column(), Msg: msg}
	}
	if len(s.items) == 0 || len(s.items) > 2 {
		return fail(".insn needs an instruction format or a value")
	}
	v, isNum := s.items[len(s.items)-1].isConst()
	size := int64(2)
	if v&3 == 3 {
		size = 4
	}
	if len(s.items) == 2 {
		n, isNum2 := s.items[0].isConst()
		if !isNum2 || n != size {
			return fail("instruction length does not fit the value")
		}
	}
	if !isNum || uint64(v)>>(8*size) != 0 || size == 4 && v&0x1f == 0x1f {
		return fail("not the value of an instruction of 16 or 32 bits")
	}
	form := p.forms.insn32
	if size == 2 {
		form = p.forms.insn16
	}
	return append(dst, inst(form, imm(v))), true, nil
}
