package x86

import "incore/internal/isa"

// anyBroadcast stands for {1to2} … {1to32} if the text (bcst) does not state the count, which the form implies.
const anyBroadcast = ^isa.Kind(0)

// Predicates of comparisons, in encoding order.
var (
	floatPredicates = []string{"eq", "lt", "le", "unord", "neq", "nlt", "nle", "ord", "eq_uq", "nge", "ngt", "false", "neq_oq", "ge", "gt", "true",
		"eq_os", "lt_oq", "le_oq", "unord_s", "neq_us", "nlt_uq", "nle_uq", "ord_s", "eq_us", "nge_uq", "ngt_uq", "false_os", "neq_os", "ge_oq",
		"gt_oq", "true_us"}
	// Synonyms in GNU as and the Intel manual.
	floatSynonyms = map[string]int{"eq_oq": 0, "lt_os": 1, "le_os": 2, "unord_q": 3, "neq_uq": 4, "nlt_us": 5, "nle_us": 6, "ord_q": 7,
		"nge_us": 9, "ngt_us": 10, "false_oq": 11, "ge_os": 13, "gt_os": 14, "true_uq": 15}
	intPredicates = []string{"eq", "lt", "le", "false", "neq", "nlt", "nle", "true"}
	xopPredicates = []string{"lt", "le", "gt", "ge", "eq", "neq", "false", "true"}
)

// predicateFamily is a group of mnemonics prefix+predicate+suffix that stand for
// prefix+suffix with the predicate as an immediate.
type predicateFamily struct {
	prefix     string
	suffixes   []string
	predicates []string
	synonyms   map[string]int
}

var predicateFamilies = []predicateFamily{
	{"vcmp", []string{"ps", "pd", "ss", "sd", "ph", "sh", "pbf16"}, floatPredicates, floatSynonyms},
	{"cmp", []string{"ps", "pd", "ss", "sd"}, floatPredicates[:8], nil},
	{"vpcmp", []string{"b", "w", "d", "q", "ub", "uw", "ud", "uq"}, intPredicates, map[string]int{"nge": 1, "ngt": 2, "ge": 5, "gt": 6}},
	{"vpcom", []string{"b", "w", "d", "q", "ub", "uw", "ud", "uq"}, xopPredicates, nil},
}

// rewrite makes the changes to a statement that LLVM's parser makes before it matches the table's rows.
func (p *parser) rewrite(d *database) {
	v := 0
	if p.intel {
		v = 1
	}
	if d.names.find(p.name, v) < 0 {
		p.splitPredicate()
		p.byteSuffix()
	}
	switch base, ok := stringBase(p.name); {
	case ok && p.n == 0:
		p.implicitString(base)
	case ok:
		p.indexString(d, base)
	}
	switch name := string(p.name); {
	case p.n == 0 && (name == "fsub" || name == "fsubr" || name == "fdiv" || name == "fdivr"):
		p.name = append(p.name, 'p') // without operands: the popping form
	case p.intel && name == "lea" && p.n == 2 && p.ops[1].kind == asmImm && p.ops[1].expr != nil: // lea rcx, OFFSET foo
		p.ops[1].kind, p.ops[1].scale = asmMem, 1
	case p.intel && name == "movsx" && p.n == 2 && p.ops[0].kind == asmReg && (p.ops[1].kind == asmReg && d.class[p.ops[1].reg]&isGR32 != 0 || p.ops[1].kind == asmMem && p.ops[1].size == 32):
		p.name = append(p.name, 'd') // as GCC writes it
	case p.intel && (name == "pushw" || name == "popw") && p.onSegment():
		p.name, p.word = p.name[:len(p.name)-1], true
	case p.intel && name == "xlat":
		p.name, p.n = append(p.name, 'b'), 0
	case !p.intel && (name == "mov" || name == "movw") && p.n == 2 && p.ops[1].kind == asmReg && isSegment(p.ops[1].reg) &&
		p.ops[0].kind == asmReg && d.class[p.ops[0].reg]&isGR16 != 0:
		// The instruction reads only 16 bits, and the 32-bit form saves the operand-size prefix.
		p.name, p.ops[0].reg = append(p.buf[:0], "movl"...), d.wide32(p.ops[0].reg)
	}
}

// onSegment reports whether the only operand is a segment register.
func (p *parser) onSegment() bool {
	return p.n == 1 && p.ops[0].kind == asmReg && isSegment(p.ops[0].reg)
}

// wide32 returns the 32-bit register whose low half is the given 16-bit register.
func (d *database) wide32(r isa.Reg) isa.Reg {
	for w := isa.Reg(1); w < numRegs; w++ {
		if d.class[w]&isGR32 != 0 && d.gr16[w] == r {
			return w
		}
	}
	return isa.NoReg
}

// byteSuffix removes the operand size that may follow set<cc>.
func (p *parser) byteSuffix() {
	if n := len(p.name) - 1; n > 3 && !p.intel && string(p.name[:3]) == "set" && p.name[n] == 'b' {
		p.name = p.name[:n]
	}
}

// splitPredicate turns cmpltps into cmpps with an immediate (first operand in AT&T, last in Intel syntax).
func (p *parser) splitPredicate() {
	name := string(p.name)
	for i := range predicateFamilies {
		f := &predicateFamilies[i]
		if len(name) < len(f.prefix)+3 || name[:len(f.prefix)] != f.prefix {
			continue
		}
		rest := name[len(f.prefix):]
		for _, s := range f.suffixes {
			cut := len(rest) - len(s)
			if cut <= 0 || rest[cut:] != s {
				continue
			}
			if k, ok := f.predicate(rest[:cut]); ok {
				p.name = append(p.buf[:0], f.prefix...)
				p.name = append(p.name, s...)
				p.insertImm(int64(k))
				return
			}
		}
		return
	}
}

func (f *predicateFamily) predicate(word string) (int, bool) {
	for k, w := range f.predicates {
		if w == word {
			return k, true
		}
	}
	k, ok := f.synonyms[word]
	return k, ok
}

func (p *parser) insertImm(v int64) {
	o := asmOp{kind: asmImm, val: v}
	if p.intel || p.n == maxAsmOps {
		p.push(o)
		return
	}
	copy(p.ops[1:p.n+1], p.ops[:p.n])
	p.ops[0] = o
	p.n++
}

// stringBase recognises string instructions, with or without their size suffix.
func stringBase(name []byte) (base string, ok bool) {
	for _, b := range [...]string{"movs", "cmps", "ins", "outs", "lods", "stos", "scas", "smov"} {
		if n := len(b); len(name) >= n && len(name) <= n+1 && string(name[:n]) == b {
			return b, len(name) == n || name[n] == 'b' || name[n] == 'w' || name[n] == 'l' || name[n] == 'd' || name[n] == 'q'
		}
	}
	return "", false
}

// implicitString adds the operands of a string instruction that is written without them.
func (p *parser) implicitString(base string) {
	src := asmOp{kind: asmMem, base: RSI, scale: 1}
	dst := asmOp{kind: asmMem, base: RDI, scale: 1, seg: ES}
	port := asmOp{kind: asmReg, reg: DX}
	if p.name[len(p.name)-1] == 'd' && !p.intel && len(p.name) > len(base) {
		p.name[len(p.name)-1] = 'l' // movsd without operands
	}
	switch base {
	case "movs", "smov":
		p.pushPair(src, dst)
	case "cmps":
		p.pushPair(dst, src)
	case "ins":
		p.pushPair(port, dst)
	case "outs":
		p.pushPair(src, port)
	case "lods":
		p.push(src)
	case "stos", "scas":
		p.push(dst)
	}
}

// indexString sets the registers of a string instruction's memory operands:
// the text only states the size, the segment and the width of the address.
func (p *parser) indexString(d *database, base string) {
	for i := range p.ops[:p.n] {
		if o := &p.ops[i]; o.kind != asmMem && !(o.kind == asmReg && impliedByString(base, o.reg)) {
			return // another instruction of the same name: movsd of SSE, movsb for movsx
		}
	}
	for i := range p.ops[:p.n] {
		o := &p.ops[i]
		if o.kind != asmMem || o.index != 0 {
			continue
		}
		first := i == 0 == p.intel // destination of movs
		isDst := base == "stos" || base == "scas" || base == "ins" || base == "movs" && first || base == "cmps" && !first
		narrow := d.class[o.base]&isGR32 != 0
		switch {
		case isDst && narrow:
			o.base = EDI
		case isDst:
			o.base = RDI
		case narrow:
			o.base = ESI
		default:
			o.base = RSI
		}
		o.val, o.expr, o.bare = 0, nil, false
	}
}

// impliedByString reports whether a register may be written as an operand of a string instruction.
func impliedByString(base string, r isa.Reg) bool {
	switch base {
	case "ins", "outs":
		return r == DX
	case "lods", "stos", "scas":
		return r == AL || r == AX || r == EAX || r == RAX
	}
	return false
}

// pushPair appends operands given in AT&T order.
func (p *parser) pushPair(a, b asmOp) {
	if p.intel {
		a, b = b, a
	}
	p.push(a)
	p.push(b)
}

// fpuWait replaces the waiting form of an x87 control instruction by the form that does not wait;
// true means that a WAIT must precede it.
func (p *parser) fpuWait() bool {
	name := ""
	switch string(p.name) {
	case "finit":
		name = "fninit"
	case "fsave":
		name = "fnsave"
	case "fstcw":
		name = "fnstcw"
	case "fstcww":
		name = "fnstcww"
	case "fstenv":
		name = "fnstenv"
	case "fstsw":
		name = "fnstsw"
	case "fstsww":
		name = "fnstsww"
	case "fclex":
		name = "fnclex"
	default:
		return false
	}
	p.name = append(p.buf[:0], name...)
	return true
}
