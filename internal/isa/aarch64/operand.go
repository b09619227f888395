package aarch64

import (
	"math"
	"strconv"
	"strings"

	"incore/internal/isa"
)

// elemKind is the kind of a statement's element. The matcher's rows are tuples
// of elements: operands and the literal tokens between them ("[", "!", ".4s").
type elemKind uint8

const (
	elNone    elemKind = iota
	elTok              // tok
	elReg              // scalar register reg; sh and amt if a shift or extension follows it (elRegExt)
	elVec              // Advanced SIMD register num
	elZ                // SVE register num with elements of width bits
	elP                // predicate num with elements of width bits
	elPN               // predicate-as-counter
	elList             // vector list: file, count, lanes, width, stride, num of the first
	elIndex            // lane index imm
	elCC               // condition code imm
	elCR               // system instruction field cN
	elShift            // shift or extension sh by amt
	elImm              // imm
	elImmSh            // imm << amt
	elFP               // floating-point constant f
	elSym              // expression expr
	elSymSh            // expression with a shift
	elRegExt           // scalar register with shift or extension
	elZExt             // SVE register with shift or extension
	elPair             // consecutive scalar registers reg, reg+1
	elMat              // ZA: file 'a' array, 't' tile, 'h' row, 'v' column; width; num
	elTiles            // list of ZA tiles: imm is the mask of 64-bit tiles
	elRange            // imm : imm2 (slices of ZA)
	elWord             // bare word: the name of a system operand or a symbol
	elLiteral          // =value of the literal pool: imm, or expr; word is the text
)

// shiftKind is a shift or an extension.
type shiftKind uint8

const (
	shNone shiftKind = iota
	shLSL
	shLSR
	shASR
	shROR
	shMSL
	shUXTB
	shUXTH
	shUXTW
	shUXTX
	shSXTB
	shSXTH
	shSXTW
	shSXTX
)

var shiftNames = [...]string{"", "lsl", "lsr", "asr", "ror", "msl", "uxtb", "uxth", "uxtw", "uxtx", "sxtb", "sxth", "sxtw", "sxtx"}

func shiftNamed(s string) shiftKind {
	if len(s) != 3 && len(s) != 4 {
		return shNone
	}
	for i := shLSL; i <= shSXTX; i++ {
		if eqFold(s, shiftNames[i]) {
			return i
		}
	}
	return shNone
}

// elem is one element of a statement.
type elem struct {
	kind   elemKind
	file   byte // lists: 'v', 'z', 'p'; matrices: see elMat
	num    uint8
	count  uint8
	lanes  uint8 // elements named in a list's arrangement (4 of "4s"), 0 for none
	stride uint8
	sh     shiftKind
	amount bool // sh has an explicit amount
	hex    bool // imm was written in hexadecimal
	width  uint16
	reg    isa.Reg
	tok    isa.Kind // elTok: its kind; elWord: the kind of the word as token, 0 if the word is no token
	amt    int64
	imm    int64
	f      float64
	expr   *isa.Expr
	word   string
}

const maxElems = 24

// stmt is a statement split into elements.
type stmt struct {
	a    *arch
	mnem string // lower case, without suffixes
	n    int
	el   [maxElems]elem
	full bool // more elements than any instruction has
}

func (s *stmt) add(e elem) {
	if s.n == maxElems {
		s.full = true
		return
	}
	s.el[s.n] = e
	s.n++
}

func (s *stmt) addTok(t string) {
	k, _ := s.a.m.Token(t)
	s.add(elem{kind: elTok, tok: k, word: t})
}

// nextOperand cuts the text at the first comma outside brackets.
func nextOperand(s string) (op, rest string, more bool) {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '[', '(', '{':
			depth++
		case ']', ')', '}':
			depth--
		case '\'':
			if i+2 < len(s) && s[i+2] == '\'' {
				i += 2
			}
		case ',':
			if depth == 0 {
				return trim(s[:i]), s[i+1:], true
			}
		}
	}
	return trim(s), "", false
}

func trim(s string) string { return strings.Trim(s, " \t\r\n") }

// operands splits a comma-separated list of operands; outer is false inside brackets.
// It returns the first operand that it cannot read.
func (s *stmt) operands(text string, outer bool) (bad string, ok bool) {
	if trim(text) == "" {
		return "", true
	}
	for pos := 1; ; pos++ {
		op, rest, more := nextOperand(text)
		p := pos
		if !outer {
			p = 0
		}
		if op == "" || !s.operand(op, p) {
			return op, false
		}
		if !more {
			return "", true
		}
		text = rest
	}
}

// operand appends the elements of one operand. pos counts operands from 1; 0 inside brackets.
func (s *stmt) operand(t string, pos int) bool {
	switch t[0] {
	case '[':
		return s.memory(t)
	case '{':
		return s.list(t)
	case '#', '-', '+', '\'', '(', ':', '~':
		return s.value(t)
	case '=':
		return s.literalPool(trim(t[1:]))
	}
	if t[0]-'0' <= 9 || t[0] == '"' {
		return s.value(t)
	}
	// a register with a lane index or, for ZA and predicates, a bracketed address
	if i := strings.IndexByte(t, '['); i > 0 {
		return s.register(trim(t[:i])) && s.subscript(t[i:])
	}
	if s.condition(t, pos) || s.register(t) || s.shift(t) {
		return true
	}
	if t[len(t)-1] == '!' && s.register(trim(t[:len(t)-1])) { // written-back size of the memory copy instructions
		s.addTok("!")
		return true
	}
	return s.value(t)
}

// condPos returns the position of a mnemonic's condition code. invert means that the
// assembler inverts it (CSET is CSINC with the opposite condition).
func condPos(mnem string) (pos int, invert bool) {
	switch mnem {
	case "cset", "csetm":
		return 2, true
	case "cinc", "cinv", "cneg":
		return 3, true
	case "csel", "csinc", "csinv", "csneg", "ccmp", "ccmn", "fcsel", "fccmp", "fccmpe":
		return 4, false
	}
	return 0, false
}

var condNames = map[string]int64{"eq": 0, "ne": 1, "cs": 2, "hs": 2, "cc": 3, "lo": 3, "mi": 4, "pl": 5, "vs": 6, "vc": 7, "hi": 8, "ls": 9,
	"ge": 10, "lt": 11, "gt": 12, "le": 13, "al": 14, "nv": 15,
	// SVE's names for the flags that predicate instructions set
	"none": 0, "any": 1, "nlast": 2, "last": 3, "first": 4, "nfrst": 5, "pmore": 8, "plast": 9, "tcont": 10, "tstop": 11}

func (s *stmt) condition(t string, pos int) bool {
	at, invert := condPos(s.mnem)
	if at == 0 || at != pos {
		return false
	}
	cc, ok := condNames[strings.ToLower(t)]
	if !ok {
		return false
	}
	if invert {
		if cc >= 14 {
			return false
		}
		cc ^= 1
	}
	s.add(elem{kind: elCC, imm: cc})
	return true
}

// memory appends "[", the operands within, "]" and "!".
func (s *stmt) memory(t string) bool {
	pre := strings.HasSuffix(t, "!")
	if pre {
		t = trim(t[:len(t)-1])
	}
	if len(t) < 3 || t[len(t)-1] != ']' {
		return false
	}
	s.addTok("[")
	if _, ok := s.operands(t[1:len(t)-1], false); !ok {
		return false
	}
	s.addTok("]")
	if pre {
		s.addTok("!")
	}
	return true
}

// subscript appends the brackets after a register: a lane index, or an address as in za0h.s[w12, 0].
func (s *stmt) subscript(t string) bool {
	if t[len(t)-1] != ']' {
		return false
	}
	in := trim(t[1 : len(t)-1])
	inTable := s.n > 0 && s.el[s.n-1].kind == elReg && s.el[s.n-1].reg == s.a.r.zt0 // zt0[8] is a byte offset
	if !inTable && !strings.ContainsAny(in, ",:") {
		if strings.HasPrefix(in, "#") {
			in = trim(in[1:])
		}
		if v, e, ok := parseExpr(in); ok && e == nil {
			s.add(elem{kind: elIndex, imm: v})
			return true
		}
	}
	return s.memory(t)
}

// width maps element suffixes to bits.
func elemWidth(c byte) uint16 {
	switch c | 0x20 {
	case 'b':
		return 8
	case 'h':
		return 16
	case 's':
		return 32
	case 'd':
		return 64
	case 'q':
		return 128
	}
	return 0
}

// register appends a register of any kind with its arrangement and qualifier.
func (s *stmt) register(t string) bool {
	if r, ok := s.a.r.scalar(t); ok {
		s.add(elem{kind: elReg, reg: r})
		return true
	}
	name, qual, hasQual := strings.Cut(t, "/")
	name, arr, hasArr := strings.Cut(trim(name), ".")
	c := name[:min(1, len(name))]
	if c == "" || hasArr && arr == "" {
		return false
	}
	switch c[0] | 0x20 {
	case 'v':
		n, ok := regNum(name[1:])
		if !ok || hasQual {
			return false
		}
		s.add(elem{kind: elVec, num: uint8(n)})
		if hasArr {
			s.addTok("." + strings.ToLower(arr))
		}
		return true
	case 'z':
		if n, ok := regNum(name[1:]); ok && !hasQual {
			w := uint16(0)
			if hasArr {
				if w = elemWidth(arr[0]); w == 0 || len(arr) != 1 {
					return false
				}
			}
			s.add(elem{kind: elZ, num: uint8(n), width: w})
			return true
		}
		return !hasQual && s.matrix(name, arr)
	case 'p':
		return s.predicate(name, arr, qual, hasQual)
	}
	return false
}

func (s *stmt) predicate(name, arr, qual string, hasQual bool) bool {
	e := elem{kind: elP}
	digits := name[1:]
	if len(digits) > 0 && digits[0]|0x20 == 'n' {
		e.kind, digits = elPN, digits[1:]
	}
	n, ok := regNum(digits)
	if !ok || n > 15 {
		return false
	}
	e.num = uint8(n)
	if arr != "" {
		if e.width = elemWidth(arr[0]); e.width == 0 || len(arr) != 1 {
			return false
		}
	}
	s.add(e)
	if hasQual {
		q := trim(qual)
		if !eqFold(q, "m") && !eqFold(q, "z") {
			return false
		}
		s.addTok("/")
		s.addTok(strings.ToLower(q))
	}
	return true
}

// matrix appends an SME matrix register: za, za.d, za3.s, za0h.b, za15v.q.
func (s *stmt) matrix(name, arr string) bool {
	if len(name) < 2 || name[1]|0x20 != 'a' {
		return false
	}
	e := elem{kind: elMat, file: 'a'}
	if arr != "" {
		if e.width = elemWidth(arr[0]); e.width == 0 || len(arr) != 1 {
			return false
		}
	}
	if d := name[2:]; d != "" {
		e.file = 't'
		if c := d[len(d)-1] | 0x20; c == 'h' || c == 'v' {
			e.file, d = c, d[:len(d)-1]
		}
		n, ok := regNum(d)
		if !ok || e.width == 0 || n >= int(e.width/8) {
			return false
		}
		e.num = uint8(n)
		// some rows name a tile as a token
		e.tok, _ = s.a.m.Token(strings.ToLower(name))
	} else {
		e.tok, _ = s.a.m.Token("za")
	}
	s.add(e)
	return true
}

// shift appends a shift or extension ("lsl #3", "uxtw"), "mul vl" or "mul #n".
func (s *stmt) shift(t string) bool {
	i := 0
	for i < len(t) && t[i]|0x20-'a' < 26 {
		i++
	}
	word, rest := t[:i], trim(t[i:])
	if eqFold(word, "mul") && rest != "" && !isWord(t[i]) {
		if eqFold(rest, "vl") {
			s.addTok("mul")
			s.addTok("vl")
			return true
		}
		v, ok := constant(rest)
		if ok {
			s.addTok("mul")
			s.add(elem{kind: elImm, imm: v})
		}
		return ok
	}
	k := shiftNamed(word)
	if k == shNone || i < len(t) && isWord(t[i]) {
		return false
	}
	e := elem{kind: elShift, sh: k, word: t}
	if rest != "" {
		v, ok := constant(rest)
		if !ok {
			return false
		}
		e.amt, e.amount = v, true
	} else if k <= shMSL {
		return false // plain shifts need an amount; "lsl" may be a symbol
	}
	s.add(e)
	return true
}

// constant evaluates a constant expression with an optional '#'.
func constant(t string) (int64, bool) {
	if strings.HasPrefix(t, "#") {
		t = trim(t[1:])
	}
	v, e, ok := parseExpr(t)
	return v, ok && e == nil
}

// value appends an immediate, a floating-point constant, a symbolic expression or a name.
func (s *stmt) value(t string) bool {
	if t[0] == '#' {
		if t = trim(t[1:]); t == "" {
			return false
		}
	}
	if f, ok := floatConstant(t); ok {
		if f == 0 && !math.Signbit(f) && comparesWithZero(s.mnem) {
			s.addTok("#0")
			s.addTok(".0")
			return true
		}
		s.add(elem{kind: elFP, f: f})
		return true
	}
	if (s.mnem == "sys" || s.mnem == "sysl" || s.mnem == "sysp") && t[0]|0x20 == 'c' {
		if n, ok := regNum(t[1:]); ok && n < 16 {
			s.add(elem{kind: elCR, imm: int64(n)})
			return true
		}
	}
	if isName(t) {
		e := elem{kind: elWord, word: t}
		e.tok, _ = s.a.m.Token(strings.ToLower(t))
		s.add(e)
		return true
	}
	// slices of ZA: 0:3
	if a, b, ok := strings.Cut(t, ":"); ok && a != "" {
		lo, ok1 := constant(a)
		hi, ok2 := constant(b)
		if ok1 && ok2 {
			s.add(elem{kind: elRange, imm: lo, amt: hi})
			return true
		}
	}
	v, e, ok := parseExpr(t)
	switch {
	case !ok:
		return false
	case e != nil:
		s.add(elem{kind: elSym, expr: e})
	case v == 0 && s.comparesWithInteger():
		s.addTok("#0")
		s.addTok(".0")
	default:
		s.add(elem{kind: elImm, imm: v, hex: len(t) > 1 && t[1]|0x20 == 'x'})
	}
	return true
}

// literalPool appends the operand of ldr x0, =value.
func (s *stmt) literalPool(t string) bool {
	if t == "" {
		return false
	}
	v, e, ok := parseExpr(t)
	if ok {
		s.add(elem{kind: elLiteral, imm: v, expr: e, word: t})
	}
	return ok
}

// comparesWithZero lists the mnemonics whose rows write the constant 0.0 as two tokens.
func comparesWithZero(m string) bool {
	return strings.HasPrefix(m, "fcm") || strings.HasPrefix(m, "fac")
}

// comparesWithInteger reports whether a statement is a comparison for which GNU as accepts "0" instead of "0.0"; LLVM's parser and rows do not.
func (s *stmt) comparesWithInteger() bool {
	return s.mnem == "fcmp" || s.mnem == "fcmpe" || comparesWithZero(s.mnem) && s.n > 0 && s.el[0].kind == elP
}

// isName reports whether t is a bare word that may name a symbol, a system register, a barrier …
func isName(t string) bool {
	if t[0]-'0' <= 9 {
		return false
	}
	for i := 0; i < len(t); i++ {
		if !isWord(t[i]) || t[i] == '@' {
			return false
		}
	}
	return true
}

// floatConstant reads a constant with a decimal point or an exponent ("1.5", "1.0e+0", "-.5").
func floatConstant(t string) (float64, bool) {
	digits, point := false, false
	for i := 0; i < len(t); i++ {
		switch c := t[i]; {
		case c-'0' <= 9:
			digits = true
		case c == '.':
			point = true
		case c|0x20 == 'e' && digits:
			point = true
		case c == '-' || c == '+':
			if i > 0 && t[i-1]|0x20 != 'e' {
				return 0, false
			}
		default:
			return 0, false
		}
	}
	if !digits || !point {
		return 0, false
	}
	f, err := strconv.ParseFloat(t, 64)
	return f, err == nil
}
