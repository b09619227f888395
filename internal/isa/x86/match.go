package x86

import "incore/internal/isa"

// match finds the row for the parsed statement; known reports whether the
// mnemonic exists.
func (p *parser) match(d *database) (known, ok bool) {
	p.rewrite(d)
	if p.intel {
		return p.matchIntel(d)
	}
	return p.matchATT(d)
}

// try matches the operands against the rows of a mnemonic.
func (p *parser) try(d *database, name []byte) (known, ok bool) {
	variant := 0
	if p.intel {
		variant = 1
	}
	m := d.names.find(name, variant)
	first, end := d.match.Rows(variant, m)
	for i := first; i < end; i++ {
		if row := d.match.Row(variant, i); p.takes(d, row) && p.usable(d, row.Form) {
			p.row = row
			return true, true
		}
	}
	return m >= 0 && first < end, false
}

// takes reports whether a row accepts the operands.
func (p *parser) takes(d *database, row isa.Row) bool {
	if row.Kinds.Len() != p.n || !d.featOK[row.Feature] {
		return false
	}
	for i := range p.ops[:p.n] {
		if !d.accepts(isa.Kind(row.Kinds.At(i)), &p.ops[i]) {
			return false
		}
	}
	return true
}

// usable reports whether the statement allows a form's encoding: braces
// may require one, some forms need a request in braces, and only some encodings have R16 to R31.
func (p *parser) usable(d *database, f isa.FormID) bool {
	flags, enc, explicit := d.forms.Flags(f), d.forms.Encoding(f), d.forms.Prefix(f)
	if p.nf != (flags&isa.EVEXnf != 0) && !isConditionalFaulting(d.forms.Name(f)) {
		return false
	}
	if p.intel && p.onSegment() && p.word != onSegment16(d.forms.Name(f)) {
		return false
	}
	switch p.force {
	case forceVEX, forceVEX3:
		if enc != 'V' {
			return false
		}
	case forceEVEX:
		if enc != 'E' {
			return false
		}
	case forceREX, forceREX2:
		if enc != 0 {
			return false
		}
	}
	if explicit == 'V' && p.force != forceVEX && p.force != forceVEX3 {
		return false
	}
	return !p.usesEGPR(d) || enc == 'E' || enc == 0 && d.legacyEGPR(f)
}

// onSegment16 recognises push and pop of a segment register with 16 bits. LLVM's Intel text of these is that of the 64-bit form; binutils writes a w.
func onSegment16(name string) bool {
	return name == "PUSHFS16" || name == "PUSHGS16" || name == "POPFS16" || name == "POPGS16"
}

// isConditionalFaulting recognises the CFCMOVcc forms, whose NF bit has another meaning.
func isConditionalFaulting(name string) bool { return len(name) > 6 && name[:6] == "CFCMOV" }

func (p *parser) usesEGPR(d *database) bool {
	for i := range p.ops[:p.n] {
		if o := &p.ops[i]; (d.class[o.reg]|d.class[o.base]|d.class[o.index])&isEGPR != 0 {
			return true
		}
	}
	return false
}

// matchATT tries the mnemonic as written, then with each operand-size suffix;
// exactly one suffix must fit.
func (p *parser) matchATT(d *database) (known, ok bool) {
	known, ok = p.try(d, p.name)
	if ok || len(p.name) == 0 {
		return known, ok
	}
	vector, mem := false, (*asmOp)(nil)
	for i := range p.ops[:p.n] {
		if o := &p.ops[i]; o.kind == asmMem {
			mem = o
			break
		} else if o.kind == asmReg && isVector(d, o.reg) {
			vector = true
		}
	}
	if vector && mem == nil {
		return known, false
	}
	suffixes, sizes := "bwlq", [...]uint16{8, 16, 32, 64}
	if p.name[0] == 'f' {
		suffixes, sizes = "slt", [...]uint16{32, 64, 80, 0}
	}
	var found isa.Row
	hits, n := 0, len(p.name)
	for i := 0; i < len(suffixes); i++ {
		if vector {
			mem.size = sizes[i]
		}
		k, ok := p.try(d, append(p.name[:n], suffixes[i]))
		known = known || k
		if ok {
			found = p.row
			hits++
		}
	}
	if vector {
		mem.size = 0
	}
	p.name = p.name[:n]
	p.row = found
	if hits > 1 {
		p.msg = "ambiguous operand size; the mnemonic needs a suffix"
	}
	return known, hits == 1
}

func isVector(d *database, r isa.Reg) bool {
	return d.class[r]&(isXMM|isYMM|isZMM) != 0 || r >= MM0 && r <= MM7
}

// intelSizes are the memory sizes tried where the text gives none.
var intelSizes = [...]uint16{8, 16, 32, 64, 80, 128, 256, 512}

// matchIntel matches a statement in Intel syntax. It infers the size of a memory operand if the text
// states none; all sizes that fit must lead to one form.
func (p *parser) matchIntel(d *database) (known, ok bool) {
	var mem *asmOp
	for i := range p.ops[:p.n] {
		if o := &p.ops[i]; o.kind == asmMem && o.size == 0 {
			mem = o
			break
		}
	}
	switch {
	case mem == nil:
		if known, ok = p.try(d, p.name); !ok && p.clearVectorSize(d) {
			return p.matchIntel(d)
		}
		return known, ok
	case mem.bare:
		if known, ok = p.try(d, p.name); ok && d.kinds[p.row.Kinds.At(0)].pred == predAbsMem {
			return known, ok
		}
	}
	if p.pointerSized() {
		mem.size = 64
		return p.try(d, p.name)
	}
	var found isa.Row
	forms := 0
	for _, mem.size = range intelSizes {
		if known, ok = p.try(d, p.name); ok && (forms == 0 || p.row.Form != found.Form) {
			found = p.row
			forms++
		}
		if !known {
			break
		}
	}
	mem.size = 0
	switch forms {
	case 0:
		return p.try(d, p.name)
	case 1:
		p.row = found
		return true, true
	}
	p.msg = "ambiguous operand size; the memory operand needs 'ptr' with a size"
	return true, false
}

// clearVectorSize removes the size of a memory operand with a vector index: some
// assemblers state the size of an element, others the sum. It reports whether the operand had a size.
func (p *parser) clearVectorSize(d *database) bool {
	for i := range p.ops[:p.n] {
		if o := &p.ops[i]; o.kind == asmMem && o.size != 0 && isVector(d, o.index) {
			o.size = 0
			return true
		}
	}
	return false
}

// pointerSized reports whether the mnemonic's memory operand is a pointer by default.
func (p *parser) pointerSized() bool {
	switch string(p.name) {
	case "push", "pop", "call", "jmp":
		return true
	}
	return false
}

// renderOp is the conversion of a matched operand to MC operands.
type renderOp uint8

const (
	renderReg renderOp = iota
	renderImm
	renderMem
	renderAbsMem
	renderSrcIdx
	renderDstIdx
	renderMemOffs
	renderGR32
	renderGR16
	renderMaskPair
)

var renderNames = map[string]renderOp{
	"addRegOperands": renderReg, "addImmOperands": renderImm, "addAVX512RCOperands": renderImm, "addMemOperands": renderMem,
	"addAbsMemOperands": renderAbsMem, "addSrcIdxOperands": renderSrcIdx, "addDstIdxOperands": renderDstIdx,
	"addMemOffsOperands": renderMemOffs, "addGR32orGR64Operands": renderGR32, "addGR16orGR32orGR64Operands": renderGR16,
	"addMaskPairOperands": renderMaskPair,
}

func (d *database) buildRenders() {
	d.renders = make([]renderOp, d.match.NumRenders())
	for i := range d.renders {
		d.renders[i] = renderNames[d.match.RenderName(uint16(i))]
	}
}

// build makes the instruction from the matched row.
func (p *parser) build(d *database, in *isa.Inst) {
	in.Form, in.Prefix = p.row.Form, p.prefix
	d.match.Steps(p.row.Conv, func(s isa.Step) bool {
		switch s.Op {
		case isa.StepImm:
			in.AddImm(d.match.Imm(s.Arg))
		case isa.StepReg:
			in.AddReg(isa.Reg(s.Arg))
		case isa.StepTied:
			in.Add(in.Ops[s.Arg])
		default:
			d.render(in, d.renders[s.Arg], &p.ops[s.Src-1])
		}
		return true
	})
}

func (d *database) render(in *isa.Inst, how renderOp, o *asmOp) {
	number := func() {
		if o.expr != nil {
			in.Add(isa.Operand{Kind: isa.OpExpr, Expr: o.expr, Imm: o.val})
		} else {
			in.AddImm(o.val)
		}
	}
	switch how {
	case renderReg:
		in.AddReg(o.reg)
	case renderImm, renderAbsMem:
		number()
	case renderMem:
		in.AddReg(o.base)
		in.AddImm(int64(o.scale))
		in.AddReg(o.index)
		number()
		in.AddReg(o.seg)
	case renderSrcIdx:
		in.AddReg(o.base)
		in.AddReg(o.seg)
	case renderDstIdx:
		in.AddReg(o.base)
	case renderMemOffs:
		number()
		in.AddReg(o.seg)
	case renderGR32:
		in.AddReg(d.gr32[o.reg])
	case renderGR16:
		in.AddReg(d.gr16[o.reg])
	case renderMaskPair:
		in.AddReg(K0_K1 + (o.reg-K0)/2)
	}
}
