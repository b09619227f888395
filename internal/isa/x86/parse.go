package x86

import (
	"slices"
	"strings"
	"sync"

	"incore/internal/isa"
)

// maxAsmOps is more operands and tokens than any instruction has.
const maxAsmOps = 16

// parser holds one statement while it is parsed and matched.
type parser struct {
	src   string
	pos   int
	intel bool
	depth int // nesting of expressions

	// Intel operand in progress.
	brackets int
	within   uint16 // its size in bits, if stated within the brackets
	offset   bool
	seg      isa.Reg

	name   []byte // mnemonic in lower case, in buf
	buf    [maxMnemonic + 4]byte
	ops    [maxAsmOps]asmOp
	n      int
	prefix isa.Prefix
	over   isa.Reg // segment that a prefix names
	force  forced
	nf     bool
	word   bool // Intel's pushw and popw of a segment register

	row isa.Row // found by match

	msg string // first error
	col int
}

// forced is an encoding asked for in braces.
type forced uint8

const (
	forceNone forced = iota
	forceREX
	forceREX2
	forceVEX
	forceVEX3
	forceEVEX
)

// maxDemangled bounds the statements searched for demangled names.
const maxDemangled = 1 << 14

// maxMnemonic is longer than any mnemonic.
const maxMnemonic = 40

// parsers are reused: they are large, and the mnemonic, a slice of
// the parser's own buffer, makes the compiler allocate them on the heap.
var parsers = sync.Pool{New: func() any { return new(parser) }}

// parse resolves one statement: isa.ISA.Parse.
func parse(dst []isa.Inst, stmt, syntax string) ([]isa.Inst, error) {
	out, err := parseOnce(dst, stmt, syntax)
	if err != nil && len(stmt) < maxDemangled {
		if again, ok := parseDemangled(dst, stmt, syntax); ok {
			return again, nil
		}
	}
	return out, err
}

func parseOnce(dst []isa.Inst, stmt, syntax string) ([]isa.Inst, error) {
	p := parsers.Get().(*parser)
	defer parsers.Put(p)
	*p = parser{src: stmt, intel: syntax == "intel"}
	if !p.statement() {
		return dst, p.syntaxError(false)
	}
	d := db()
	if !p.validate(d) {
		return dst, p.syntaxError(false)
	}
	wait := p.fpuWait()
	known, ok := p.match(d)
	if !ok {
		return dst, p.syntaxError(!known)
	}
	if wait {
		dst = append(dst, isa.Inst{Form: d.forms.Named("WAIT")})
	}
	dst = append(dst, isa.Inst{})
	in := &dst[len(dst)-1]
	p.build(d, in)
	d.shorten(in, p.force, p.prefix)
	return dst, nil
}

// statement parses prefixes, mnemonic and operands.
func (p *parser) statement() bool {
	for {
		p.space()
		if p.at('{') {
			if !p.pseudoPrefix() {
				return false
			}
			continue
		}
		if !p.mnemonic() {
			return false
		}
		if !p.takePrefix() {
			break
		}
	}
	p.space()
	if strings.EqualFold(p.src[p.pos:min(p.pos+5, len(p.src))], "{dfv=") && !p.flagValues() {
		return false
	}
	for p.space(); p.pos < len(p.src) && !p.comment(); {
		if p.n >= maxAsmOps-4 {
			return p.fail("too many operands")
		}
		ok := false
		if p.intel {
			ok = p.intelOperand()
		} else {
			ok = p.attOperand()
		}
		if !ok {
			return false
		}
		if p.space(); p.pos == len(p.src) || p.comment() {
			break
		}
		if !p.at(',') {
			return p.fail("',' expected between operands")
		}
		p.pos++
		if p.space(); p.pos == len(p.src) {
			return p.fail("operand expected")
		}
	}
	p.override()
	return true
}

// override sets the segment that a prefix names in the first memory operand without a segment: "cs nopw (%rax)" is "nopw %cs:(%rax)".
func (p *parser) override() {
	for i := range p.ops[:p.n] {
		if o := &p.ops[i]; p.over != isa.NoReg && o.kind == asmMem && !o.bare && o.seg == isa.NoReg {
			o.seg = p.over
			return
		}
	}
}

// comment reports whether a MASM or NASM comment starts at the cursor.
func (p *parser) comment() bool { return p.intel && p.at(';') }

func (p *parser) mnemonic() bool {
	start := p.pos
	for p.pos < len(p.src) && !isSpace(p.src[p.pos]) && strings.IndexByte("{;,/", p.src[p.pos]) < 0 {
		p.pos++
		if p.pos-start > maxMnemonic {
			p.pos = start
			return p.fail("unknown instruction")
		}
	}
	p.name = lowerInto(p.buf[:0], p.src[start:p.pos])
	if len(p.name) == 0 {
		return p.fail("instruction expected")
	}
	if rest := p.src[p.pos:]; len(rest) >= 3 && rest[0] == ',' && rest[1]|0x20 == 'p' && (rest[2]|0x20 == 't' || rest[2]|0x20 == 'n') {
		p.pos += 3 // branch hint: jne,pt
	}
	for _, s := range [...]struct {
		text string
		bit  isa.Prefix
	}{{".d8", isa.PfxDisp8}, {".d32", isa.PfxDisp32}} { // GNU as's older notation for {disp8}
		if n := len(p.name) - len(s.text); n > 0 && string(p.name[n:]) == s.text {
			p.name, p.prefix = p.name[:n], p.prefix|s.bit
		}
	}
	return true
}

// takePrefix records the mnemonic if it is a prefix and more follows. A prefix
// alone is an instruction of its own.
func (p *parser) takePrefix() bool {
	bit, seg, ok := prefixWord(p.name)
	if !ok {
		return false
	}
	i := p.pos
	for i < len(p.src) && (isSpace(p.src[i]) || p.src[i] == ';' || p.src[i] == '/') {
		i++
	}
	p.pos = i
	if i == len(p.src) {
		return false
	}
	p.prefix |= bit
	if seg != isa.NoReg {
		p.over = seg
	}
	return true
}

// prefixWord returns the bit or the segment that the mnemonic of a prefix stands for.
func prefixWord(w []byte) (bit isa.Prefix, seg isa.Reg, ok bool) {
	switch string(w) {
	case "lock":
		bit = isa.PfxLock
	case "rep", "repe", "repz", "xrelease", "release":
		bit = isa.PfxRep
	case "repne", "repnz", "xacquire", "acquire":
		bit = isa.PfxRepne
	case "notrack":
		bit = isa.PfxNotrack
	case "bnd":
		bit = isa.PfxBnd
	case "data16":
		bit = isa.PfxData16
	case "addr32":
		bit = isa.PfxAddr32
	case "rex64", "rex.w":
		bit = isa.PfxRexW
	case "cs":
		seg = CS
	case "ds":
		seg = DS
	case "es":
		seg = ES
	case "ss":
		seg = SS
	case "fs":
		seg = FS
	case "gs":
		seg = GS
	}
	return bit, seg, bit != 0 || seg != isa.NoReg
}

// prefixStatement reports whether a statement consists only of prefixes of the next statement, as in "lock; addl $1, (%rdi)".
func prefixStatement(stmt string) bool {
	if len(stmt) > 20 || !maybePrefix(stmt) {
		return false
	}
	words := strings.Fields(strings.ToLower(strings.ReplaceAll(stmt, ";", " ")))
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool {
		_, _, ok := prefixWord([]byte(w))
		return !ok
	})
}

// maybePrefix excludes most statements by their first letter.
func maybePrefix(stmt string) bool {
	return stmt != "" && strings.IndexByte("lrnbxadcesfg", stmt[0]|0x20) >= 0
}

// pseudoPrefix parses pseudo-prefixes ({evex}, {disp32} …) before the mnemonic.
func (p *parser) pseudoPrefix() bool {
	end := strings.IndexByte(clip20(p.src[p.pos:]), '}')
	if end < 0 {
		return p.fail("unknown prefix")
	}
	var buf [20]byte
	switch string(lowerInto(buf[:0], p.src[p.pos+1:p.pos+end])) {
	case "vex", "vex2":
		p.force, p.prefix = forceVEX, p.prefix|isa.PfxVEX
	case "vex3":
		p.force, p.prefix = forceVEX3, p.prefix|isa.PfxVEX3
	case "evex":
		p.force, p.prefix = forceEVEX, p.prefix|isa.PfxEVEX
	case "rex":
		p.force = forceREX
	case "rex2":
		p.force = forceREX2
	case "nf":
		p.nf = true
	case "disp8":
		p.prefix |= isa.PfxDisp8
	case "disp32":
		p.prefix |= isa.PfxDisp32
	case "load", "store":
	default:
		return p.fail("unknown prefix")
	}
	p.pos += end + 1
	return true
}

func clip20(s string) string { return s[:min(len(s), 20)] }

// flagValues parses {dfv=of,sf,zf,cf} of the conditional compares of APX.
func (p *parser) flagValues() bool {
	end := strings.IndexByte(p.src[p.pos:], '}')
	if end < 0 || end > 30 {
		return p.fail("'}' expected")
	}
	v := int64(0)
	for _, f := range strings.Split(p.src[p.pos+len("{dfv="):p.pos+end], ",") {
		switch strings.ToLower(strings.TrimSpace(f)) {
		case "of":
			v |= 8
		case "sf":
			v |= 4
		case "zf":
			v |= 2
		case "cf":
			v |= 1
		case "":
		default:
			return p.fail("unknown flag")
		}
	}
	p.pos += end + 1
	p.push(asmOp{kind: asmImm, val: v})
	return true
}

// braced parses an operand in braces: {rn-sae}, {sae}.
func (p *parser) braced() bool {
	end := strings.IndexByte(clip20(p.src[p.pos:]), '}')
	if end < 0 {
		return p.fail("'}' expected")
	}
	word := p.src[p.pos+1 : p.pos+end]
	mode := -1
	switch {
	case foldEqual(word, "sae"):
		p.token(db().tokens.sae)
		p.pos += end + 1
		return true
	case foldEqual(word, "rn-sae"):
		mode = 0
	case foldEqual(word, "rd-sae"):
		mode = 1
	case foldEqual(word, "ru-sae"):
		mode = 2
	case foldEqual(word, "rz-sae"):
		mode = 3
	default:
		return p.fail("unknown operand in braces")
	}
	p.push(asmOp{kind: asmImm, val: int64(mode), rounding: true})
	p.pos += end + 1
	return true
}

// decorations parses the decorations in braces after an operand: broadcast, mask,
// zeroing. The matcher expects zeroing last; the text may have any order.
func (p *parser) decorations() bool {
	zero := false
	t := &db().tokens
	for p.space(); p.at('{'); p.space() {
		if p.n > maxAsmOps-4 {
			return p.fail("too many operands")
		}
		end := strings.IndexByte(clip20(p.src[p.pos:]), '}')
		if end < 0 {
			return p.fail("'}' expected")
		}
		word := strings.TrimSpace(p.src[p.pos+1 : p.pos+end])
		if word == "z" || word == "Z" {
			zero = true
		} else if k := broadcast(word); k >= 0 {
			p.token(t.bcst[k])
		} else {
			if len(word) > 0 && word[0] == '%' {
				word = word[1:]
			}
			r := db().spelled.find(word)
			if db().class[r]&isMask == 0 {
				return p.fail("mask register or broadcast expected")
			}
			p.token(t.open)
			p.push(asmOp{kind: asmReg, reg: r})
			p.token(t.close)
		}
		p.pos += end + 1
	}
	if zero {
		p.token(t.zero)
	}
	return true
}

// broadcast returns log2(n)-1 of a word 1to<n>, -1 for other words.
func broadcast(word string) int {
	switch word {
	case "1to2":
		return 0
	case "1to4":
		return 1
	case "1to8":
		return 2
	case "1to16":
		return 3
	case "1to32":
		return 4
	}
	return -1
}

func (p *parser) token(k isa.Kind) { p.push(asmOp{kind: asmToken, token: k}) }

func (p *parser) push(o asmOp) {
	if p.n < maxAsmOps {
		p.ops[p.n] = o
		p.n++
	}
}
