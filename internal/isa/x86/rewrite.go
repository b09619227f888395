package x86

import "incore/internal/isa"

// anyBroadcast stands for {1to2} … {1to32} where the text (bcst) leaves the count to the form.
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

// rewrite turns what LLVM's parser rewrites before matching into what the table has.
func (p *parser) rewrite(d *database) {
	v := 0
	if p.intel {
		v = 1
	}
	if d.names.find(p.name, v) < 0 {
		p.splitPredicate()
	}
	if p.n == 0 || p.n == 1 {
		p.implicitStrings()
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

// implicitStrings adds the operands of string instructions written without.
func (p *parser) implicitStrings() {
	base := p.name
	if p.n != 0 || len(base) < 3 {
		return
	}
	if last := base[len(base)-1]; last == 'b' || last == 'w' || last == 'l' || last == 'd' || last == 'q' {
		base = base[:len(base)-1]
	}
	src := asmOp{kind: asmMem, base: RSI, scale: 1}
	dst := asmOp{kind: asmMem, base: RDI, scale: 1, seg: ES}
	port := asmOp{kind: asmReg, reg: DX}
	if p.prefix&isa.PfxAddr32 != 0 {
		src.base, dst.base = ESI, EDI
	}
	if p.segPfx != 0 {
		src.seg = p.segPfx
	}
	switch string(base) {
	case "movs":
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

// pushPair appends operands given in AT&T order.
func (p *parser) pushPair(a, b asmOp) {
	if p.intel {
		a, b = b, a
	}
	p.push(a)
	p.push(b)
}

// fpuWait turns the waiting forms of x87 control instructions into the others;
// true means that a WAIT comes before.
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
