package x86

import (
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"incore/internal/isa"
)

// printInst appends the text of an instruction in AT&T syntax, or in Intel syntax if
// syntax is "intel", as llvm-objdump writes it (one space after the mnemonic).
// Prefixes and pseudo-prefixes are written if an assembler would choose another
// encoding without them.
func printInst(dst []byte, in *isa.Inst, syntax string) []byte {
	if in.Form == isa.NoForm {
		return append(dst, '?')
	}
	p := printer{dst: dst, in: in}
	if syntax == "intel" {
		p.variant = 1
	}
	t := p.template()
	if !t.fits(in) {
		return append(append(dst, codes().table.Name(in.Form)...), '?')
	}
	p.prefixes(t)
	pieces, named := t.pieces, false
	if t.compare != nil {
		named = p.comparison(t)
		pieces = pieces[1:]
	}
	for _, x := range pieces {
		switch {
		case x.kind == pieceText:
			p.text(x.text)
		case x.kind != pieceCompare || !named:
			p.operand(x)
		}
	}
	return p.dst
}

// pieceKind is the way in which a piece of a template is printed.
type pieceKind uint8

const (
	pieceText pieceKind = iota
	pieceReg
	pieceImm
	pieceU8
	pieceTarget
	pieceMem
	pieceMoffs
	pieceSrcIdx
	pieceDstIdx
	pieceCond
	pieceFlags
	pieceRounding
	pieceMaskPair
	pieceCompare // immediate that becomes part of the mnemonic, with its comma
)

// piece is literal text or an operand.
type piece struct {
	kind pieceKind
	text string // literal; of memory, its size in Intel syntax ("qword ptr ")
	op   int    // first MC operand
}

// template is LLVM's asm string of a form, taken apart.
type template struct {
	pieces  []piece // mnemonic first
	ops     int
	prefix  string   // pseudo-prefix that belongs to the form
	twin    bool     // EVEX form with the same text as a VEX or legacy form
	compare []string // names of comparison predicates
	stem    int      // index in the mnemonic at which the predicate's name is inserted
	cc      int      // MC operand of the predicate
}

// fits reports whether an instruction has all operands of its form.
func (t *template) fits(in *isa.Inst) bool { return int(in.NOps) >= t.ops }

// templates are made on first use, per syntax and form.
var templates [2][1 << 15]atomic.Pointer[template]

func (p *printer) template() *template {
	slot := &templates[p.variant][p.in.Form&(1<<15-1)]
	if t := slot.Load(); t != nil {
		return t
	}
	t := newTemplate(codes().table, p.in.Form, p.variant)
	slot.Store(t)
	return t
}

func newTemplate(f *isa.FormTable, form isa.FormID, variant int) *template {
	head, tail := f.AsmParts(form, variant)
	if head == "pushf" || head == "popf" || variant == 1 && onSegment16(f.Name(form)) { // of 16 bits; assemblers take LLVM's Intel text of these as that of 64 bits, and binutils writes a w
		head += "w"
	}
	t := &template{ops: f.NumOps(form), twin: hasTwin(f, form, head)}
	switch f.Prefix(form) {
	case 'V':
		t.prefix = "{vex} "
	case 'E':
		t.prefix = "{evex} "
	}
	if f.Flags(form)&isa.EVEXnf != 0 {
		t.prefix = "{nf} "
	}
	ops := f.Operands(form)
	t.comparison(head, ops)
	for _, s := range [2]string{head, strings.Replace(tail, "\t", " ", 1)} {
		t.parse(s, ops)
	}
	if t.compare != nil {
		t.dropComma(variant)
	}
	return t
}

// parse splits an asm string at its operands, "$name" or "${name}".
func (t *template) parse(s string, ops []isa.OpDecl) {
	for s != "" {
		i := strings.IndexByte(s, '$')
		if i < 0 {
			t.literal(s)
			return
		}
		t.literal(s[:i])
		s = s[i+1:]
		braced := strings.HasPrefix(s, "{")
		if braced {
			s = s[1:]
		}
		n := 0
		for n < len(s) && (s[n] == '_' || s[n] >= '0' && s[n] <= '9' || s[n] >= 'A' && s[n] <= 'Z' || s[n] >= 'a' && s[n] <= 'z') {
			n++
		}
		name := s[:n]
		if s = s[n:]; braced && s != "" {
			s = s[1:]
		}
		for _, o := range ops {
			if o.Name == name {
				t.pieces = append(t.pieces, t.operandPiece(o))
				break
			}
		}
	}
}

func (t *template) literal(s string) {
	if s != "" {
		t.pieces = append(t.pieces, piece{text: strings.ReplaceAll(s, "\t", " ")})
	}
}

var memSizes = map[string]string{"printbytemem": "byte ptr ", "printwordmem": "word ptr ", "printdwordmem": "dword ptr ", "printqwordmem": "qword ptr ",
	"printxmmwordmem": "xmmword ptr ", "printymmwordmem": "ymmword ptr ", "printzmmwordmem": "zmmword ptr ", "printtbytemem": "tbyte ptr ",
	"printMemOffs8": "byte ptr ", "printMemOffs16": "word ptr ", "printMemOffs32": "dword ptr ", "printMemOffs64": "qword ptr ",
	"printSrcIdx8": "byte ptr ", "printSrcIdx16": "word ptr ", "printSrcIdx32": "dword ptr ", "printSrcIdx64": "qword ptr ",
	"printDstIdx8": "byte ptr ", "printDstIdx16": "word ptr ", "printDstIdx32": "dword ptr ", "printDstIdx64": "qword ptr "}

// operandPiece returns the piece of an operand, chosen by LLVM's print method of the operand's class.
func (t *template) operandPiece(o isa.OpDecl) piece {
	c := o.Class
	x := piece{op: o.MC, text: memSizes[c.Print]}
	switch {
	case t.compare != nil && o.MC == t.cc:
		x.kind = pieceCompare
	case strings.HasPrefix(c.Print, "printMemOffs"):
		x.kind = pieceMoffs
	case strings.HasPrefix(c.Print, "printSrcIdx"):
		x.kind = pieceSrcIdx
	case strings.HasPrefix(c.Print, "printDstIdx"):
		x.kind = pieceDstIdx
	case c.Sub == 5:
		x.kind = pieceMem
	case c.Print == "printU8Imm":
		x.kind = pieceU8
	case c.Print == "printPCRelImm":
		x.kind = pieceTarget
	case c.Print == "printCondCode":
		x.kind = pieceCond
	case c.Print == "printCondFlags":
		x.kind = pieceFlags
	case c.Print == "printRoundingControl":
		x.kind = pieceRounding
	case c.Print == "printVKPair":
		x.kind = pieceMaskPair
	case c.Kind == "imm":
		x.kind = pieceImm
	default:
		x.kind = pieceReg
	}
	return x
}

// comparePredicates are the predicates of vector comparisons by number (Intel SDM, CMPPD).
var comparePredicates = strings.Fields(`eq lt le unord neq nlt nle ord eq_uq nge ngt false neq_oq ge gt true
	eq_os lt_oq le_oq unord_s neq_us nlt_uq nle_uq ord_s eq_us nge_uq ngt_uq false_os neq_os ge_oq gt_oq true_us`)

// comparison prepares the template of a vector comparison, whose predicate is printed as part of the mnemonic.
func (t *template) comparison(mnemonic string, ops []isa.OpDecl) {
	stem, kind := "", ""
	for _, s := range []string{"vpcmp", "vpcom", "vcmp", "cmp"} {
		if strings.HasPrefix(mnemonic, s) {
			stem, kind = s, mnemonic[len(s):]
			break
		}
	}
	integer := strings.HasPrefix(stem, "vp")
	switch kind {
	case "b", "w", "d", "q", "ub", "uw", "ud", "uq":
		if !integer {
			return
		}
	case "ps", "pd", "ss", "sd", "ph", "sh":
		if integer {
			return
		}
	default:
		return
	}
	for _, o := range ops {
		if o.Class.Print == "printU8Imm" {
			t.cc, t.stem = o.MC, len(stem)
			switch stem {
			case "vpcmp":
				t.compare = []string{"eq", "lt", "le", "", "neq", "nlt", "nle"}
			case "vpcom":
				t.compare = []string{"lt", "le", "gt", "ge", "eq", "neq", "false", "true"}
			case "vcmp":
				t.compare = comparePredicates
			default:
				t.compare = comparePredicates[:8]
			}
		}
	}
}

// dropComma moves the comma next to the predicate into its piece, so that both are omitted together.
func (t *template) dropComma(variant int) {
	for i := range t.pieces {
		x := &t.pieces[i]
		if x.kind != pieceCompare {
			continue
		}
		if variant == 0 && i+1 < len(t.pieces) {
			x.text, t.pieces[i+1].text = ", ", strings.TrimPrefix(t.pieces[i+1].text, ", ")
		} else if variant == 1 && i > 0 {
			x.text, t.pieces[i-1].text = ", ", strings.TrimSuffix(t.pieces[i-1].text, ", ")
		}
		return
	}
}

// hasTwin reports whether an EVEX form without mask, broadcast and rounding has a
// VEX or legacy form of the same mnemonic, which an assembler prefers.
func hasTwin(f *isa.FormTable, form isa.FormID, mnemonic string) bool {
	name := f.Name(form)
	if f.Encoding(form) != 'E' || f.Flags(form)&(isa.MaskMerge|isa.MaskZero|isa.EVEXb) != 0 || f.Prefix(form) != 0 {
		return false
	}
	if strings.HasSuffix(name, "_EVEX") {
		return true
	}
	for _, r := range [...][2]string{{"Z128", ""}, {"Z256", "Y"}, {"Z", ""}} {
		i := strings.LastIndex(name, r[0])
		if i < 0 {
			continue
		}
		twin := f.Named(name[:i] + r[1] + name[i+len(r[0]):])
		if twin == isa.NoForm || f.Encoding(twin) != 'V' {
			return false
		}
		m, _ := f.AsmParts(twin, 0)
		n, _ := f.AsmParts(form, 0)
		return m == n && sameWidths(f.Operands(form), f.Operands(twin))
	}
	return false
}

// sameWidths reports whether the operands of two forms have the same classes: VPADDBZ has wider registers than VPADDB, and VPCMPEQBZ128 writes a mask.
func sameWidths(a, b []isa.OpDecl) bool {
	regs := codes().regs
	return slices.EqualFunc(a, b, func(x, y isa.OpDecl) bool {
		_, m := regs.Class(x.Class.RegClass)
		_, n := regs.Class(y.Class.RegClass)
		return x.Class.Kind == y.Class.Kind && m == n
	})
}

// printer prints one instruction.
type printer struct {
	dst     []byte
	in      *isa.Inst
	variant int // 0 AT&T, 1 Intel
}

func (p *printer) text(s string) { p.dst = append(p.dst, s...) }

// prefixes prints the prefixes that are not part of the form. The pseudo-prefixes prevent an assembler from choosing a shorter encoding.
func (p *printer) prefixes(t *template) {
	for _, x := range [...]struct {
		bit  isa.Prefix
		text string
	}{{isa.PfxLock, "lock "}, {isa.PfxRep, "rep "}, {isa.PfxRepne, "repne "}, {isa.PfxBnd, "bnd "}, {isa.PfxNotrack, "notrack "},
		{isa.PfxAddr32, "addr32 "}, {isa.PfxData16, "data16 "}, {isa.PfxRexW, "rex64 "},
		{isa.PfxDisp8, "{disp8} "}, {isa.PfxDisp32, "{disp32} "}, {isa.PfxVEX3, "{vex3} "}} {
		if p.in.Prefix&x.bit != 0 {
			p.text(x.text)
		}
	}
	p.text(t.prefix)
	if t.twin && p.lowRegisters() {
		p.text("{evex} ")
	}
}

// lowRegisters reports whether all registers have a number below 16.
func (p *printer) lowRegisters() bool {
	regs := regCodes()
	for _, o := range p.in.Ops[:p.in.NOps] {
		if o.Kind == isa.OpReg && int(o.Reg) < len(regs) && regs[o.Reg].num > 15 {
			return false
		}
	}
	return true
}

// comparison prints the mnemonic of a vector comparison that contains the predicate's name;
// false means that the predicate has no name and must be printed as an immediate.
func (p *printer) comparison(t *template) bool {
	m := t.pieces[0].text
	o := &p.in.Ops[t.cc]
	if o.Kind != isa.OpImm || o.Imm < 0 || o.Imm >= int64(len(t.compare)) || t.compare[o.Imm] == "" {
		p.text(m)
		return false
	}
	p.text(m[:t.stem])
	p.text(t.compare[o.Imm])
	p.text(m[t.stem:])
	return true
}

// number prints a number as llvm-objdump does: hexadecimal, with its sign.
func (p *printer) number(v int64) {
	u := uint64(v)
	if v < 0 {
		p.dst = append(p.dst, '-')
		u = -u
	}
	p.dst = strconv.AppendUint(append(p.dst, "0x"...), u, 16)
}
