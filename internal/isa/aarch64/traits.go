package aarch64

import (
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"incore/internal/isa"
)

// formSpec holds the roles of a form's operands, derived once from LLVM's asm string
// and operand classes.
type formSpec struct {
	mem    []memSpec
	masks  uint16 // MC operands that are governing predicates
	update uint16 // MC operands (definitions) that are written-back addresses
	addr   uint16 // MC operands that are addresses of prefetches
}

// memSpec locates a memory operand's parts among the MC operands; -1 marks parts that the form lacks.
type memSpec struct {
	base, index, offset, postReg int8
	extend                       int8   // MC operand of (signed, shifted) of a register offset
	unit                         int16  // bytes per unit of the immediate offset
	scale                        uint8  // bytes per unit of the index; with extend only if shifted
	ext                          byte   // 's' or 'u': the index is 32 bits wide
	post, pre, mulVL, gather     bool   // addressing mode
	vlPart                       uint8  // with mulVL: see func vlPart
	fixed                        int64  // constant offset or update (LDAPR post-index, STILP pre-index; NEON post-index by XZR)
	bits, elems                  uint16 // as in isa.MemRef
	load, store                  bool
}

// vlTable holds the symbolic displacements of SVE addresses, -256 … 255 times the bytes that an instruction accesses per register:
// the vector length, or 1/2, 1/4, 1/8 of it.
var vlTable = sync.OnceValue(func() *[4][512]isa.Expr {
	t := new([4][512]isa.Expr)
	for k := range t {
		for i := range t[k] {
			n := int64(i) - 256
			t[k][i] = isa.Expr{Text: "#" + strconv.FormatInt(n, 10) + ", mul vl", Sym: "VL", Mod: vlMods[k], Add: n}
		}
	}
	return t
})

var vlMods = [4]string{"mul", "mul/2", "mul/4", "mul/8"}

// vlPart is the binary logarithm of a vector register's bytes divided by the bytes that a form accesses per register. Elements may be
// smaller than their lanes (ST1B { z0.d }), and predicates have one bit per byte.
func vlPart(name string, bits uint16) (n uint8) {
	if strings.HasPrefix(name, "LDR_P") || strings.HasPrefix(name, "STR_P") {
		return 3
	}
	if strings.HasPrefix(name, "LDR_Z") || strings.HasPrefix(name, "STR_Z") || bits == 0 {
		return 0
	}
	lane := bits
	for part := range strings.SplitSeq(name, "_") {
		switch part {
		case "H":
			lane = max(lane, 16)
		case "S":
			lane = max(lane, 32)
		case "D":
			lane = max(lane, 64)
		}
	}
	for ; bits < lane; bits *= 2 {
		n++
	}
	return min(n, 3)
}

// spec returns the operand roles of a form; they are derived on first use.
func (a *arch) spec(f isa.FormID) *formSpec {
	if s := a.specs[f].Load(); s != nil {
		return s
	}
	s := a.deriveSpec(f)
	a.specs[f].Store(s)
	return s
}

type specCache []atomic.Pointer[formSpec]

func (a *arch) deriveSpec(f isa.FormID) *formSpec {
	s := &formSpec{}
	ops := a.t.Forms.Operands(f)
	defs := a.t.Forms.NumDefs(f)
	for _, o := range ops {
		switch o.Name {
		case "Pg", "pg", "PNg":
			if o.MC >= defs {
				s.masks |= 1 << o.MC
			}
		case "wback", "Rd_wb", "Rs_wb":
			s.update |= 1 << o.MC
		}
	}
	asm := a.t.Forms.Asm(f, 0)
	mnem, text, ok := strings.Cut(asm, "\t")
	if !ok {
		return s
	}
	if strings.HasPrefix(mnem, "prf") || mnem == "rprfm" { // a hint, no access
		for _, n := range []string{"Rn", "Rm", "Zn", "Zm"} {
			if i := operandMC(ops, n); i >= 0 {
				s.addr |= 1 << i
			}
		}
		return s
	}
	access := a.accessOf(f, mnem, ops)
	if !access.load && !access.store {
		return s
	}
	if strings.HasPrefix(mnem, "cpy") {
		dst, src := access, access
		dst.base, src.base = operandMC(ops, "Rd"), operandMC(ops, "Rs")
		dst.load, src.store = false, false
		s.mem = []memSpec{dst, src}
		return s
	}
	// the address is the last bracket; an earlier one selects a slice of ZA
	i := strings.LastIndexByte(text, '[')
	j := strings.LastIndexByte(text, ']')
	if i < 0 || j < i {
		if n := operandMC(ops, "label"); n >= 0 {
			access.offset, access.unit = n, 1
			s.mem = []memSpec{access}
		}
		return s
	}
	if strings.HasPrefix(mnem, "set") { // set [$Rd]!, $Rn!, $Rm
		access.base = operandMC(ops, "Rd")
		s.mem = []memSpec{access}
		return s
	}
	access.address(text[i+1:j], text[j+1:], ops)
	access.vlPart = vlPart(a.t.Forms.Name(f), access.bits)
	s.mem = []memSpec{access}
	return s
}

func operandMC(ops []isa.OpDecl, name string) int8 {
	if o := findOperand(ops, name); o != nil {
		return int8(o.MC)
	}
	return -1
}

func findOperand(ops []isa.OpDecl, name string) *isa.OpDecl {
	for i := range ops {
		if ops[i].Name == name {
			return &ops[i]
		}
	}
	return nil
}

// address reads the asm string of an address: the text in the brackets and after them.
func (m *memSpec) address(in, after string, ops []isa.OpDecl) {
	for part := range strings.SplitSeq(in, ",") {
		part = strings.TrimSpace(part)
		if part == "mul vl" {
			m.mulVL = true
			continue
		}
		if n, ok := strings.CutPrefix(part, "#"); ok {
			m.fixed, _ = strconv.ParseInt(n, 10, 64)
			continue
		}
		o := findOperand(ops, strings.TrimPrefix(part, "$"))
		if o == nil {
			continue
		}
		m.part(o)
	}
	after = strings.TrimSpace(after)
	switch {
	case strings.HasPrefix(after, "!"):
		m.pre = true
	case strings.HasPrefix(after, ", "):
		m.post = true
		arg := after[2:]
		if n, ok := strings.CutPrefix(arg, "#"); ok {
			m.fixed, _ = strconv.ParseInt(n, 10, 64)
		} else if o := findOperand(ops, strings.TrimPrefix(arg, "$")); o != nil {
			if strings.HasPrefix(o.Class.Name, "GPR64pi") {
				m.postReg, m.fixed = int8(o.MC), int64(trailingNumber(o.Class.Name))
			} else {
				m.offset, m.unit = int8(o.MC), offsetUnit(o.Class.Name)
			}
		}
	}
}

// part adds one operand of an address.
func (m *memSpec) part(o *isa.OpDecl) {
	c := o.Class.Name
	switch {
	case o.Name == "Zm" || o.Name == "Zn": // vector of addresses or of indices
		m.index, m.gather, m.scale = int8(o.MC), true, 1
		switch {
		case strings.Contains(c, "SXTW"):
			m.ext = 's'
		case strings.Contains(c, "UXTW"):
			m.ext = 'u'
		}
		if strings.Contains(c, "Ext") {
			m.scale = uint8(trailingNumber(strings.TrimSuffix(c, "Only")) / 8)
		}
	case o.Name == "extend":
		m.extend, m.scale = int8(o.MC), uint8(trailingNumber(c)/8)
		if strings.Contains(c, "Wextend") {
			m.ext = 'u' // or 's', by the MC operand
		}
	case o.Class.Kind == "imm" || strings.HasPrefix(o.Name, "imm") || o.Name == "offset" || o.Name == "simm":
		m.offset, m.unit = int8(o.MC), offsetUnit(c)
	case m.base < 0 && !m.gather || o.Name == "Rn":
		m.base = int8(o.MC)
	case m.gather && m.base < 0:
		m.base = int8(o.MC) // [z0.d, x1]
	default:
		m.index, m.scale = int8(o.MC), 1
		if strings.Contains(c, "shifted") {
			m.scale = uint8(trailingNumber(c) / 8)
		}
	}
}

func trailingNumber(s string) int {
	i := len(s)
	for i > 0 && s[i-1]-'0' <= 9 {
		i--
	}
	n, _ := strconv.Atoi(s[i:])
	return n
}

// offsetUnit is the unit of an immediate offset in bytes: 8 for "uimm12s8", 1 for "simm9".
func offsetUnit(class string) int16 {
	if class == "simm10Scaled" {
		return 8
	}
	if i := strings.LastIndexByte(class, 's'); i > 0 && class[i-1]-'0' <= 9 {
		return int16(trailingNumber(class))
	}
	return 1
}

// accessOf returns whether a form loads or stores, and the size of its access.
func (a *arch) accessOf(f isa.FormID, mnem string, ops []isa.OpDecl) memSpec {
	m := memSpec{base: -1, index: -1, offset: -1, postReg: -1, extend: -1, unit: 1, elems: 1}
	fl := a.t.Forms.Flags(f)
	m.load, m.store = fl&isa.MayLoad != 0, fl&isa.MayStore != 0
	switch {
	case strings.HasPrefix(mnem, "st"): // exclusive stores count as loads in LLVM
		m.load, m.store = false, true
	case hasAnyPrefix(mnem, "ldx", "ldax", "ldar", "ldlar", "ldapr", "ldapur", "ldr", "ldp", "ldnp", "ldtr", "ld64", "ldg", "ldiapp", "ldap1", "ldaprs"):
		m.load, m.store = true, false
	case hasAnyPrefix(mnem, "ld", "cas", "swp", "cpy", "set", "rcw", "gcs"):
		if mnem == "setffr" || strings.HasPrefix(mnem, "setf") {
			m.load, m.store = false, false
		}
		if strings.HasPrefix(mnem, "gcs") { // shadow stack
			m.load, m.store = false, false
		}
	default:
		m.load, m.store = false, false
	}
	if !m.load && !m.store {
		return m
	}
	m.bits, m.elems = a.accessSize(mnem, ops)
	return m
}

func hasAnyPrefix(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// accessSize returns the bits per element and the number of elements (0: scalable or unknown).
func (a *arch) accessSize(mnem string, ops []isa.OpDecl) (bits, elems uint16) {
	if hasAnyPrefix(mnem, "cpy", "set") {
		return 8, 0
	}
	if o := findOperand(ops, "Vt"); o != nil {
		return neonSize(mnem, o.Class.Name)
	}
	o := findOperand(ops, "Zt")
	if o == nil && strings.Contains("ld1b ld1h ld1w ld1d ld1q st1b st1h st1w st1d st1q", mnem) && len(mnem) == 4 {
		return elemWidth(mnem[3]) | map[byte]uint16{'w': 32}[mnem[3]], 0 // slices of ZA
	}
	if o != nil && mnem != "ldr" && mnem != "str" {
		return sveSize(mnem)
	}
	for _, n := range []string{"Zt", "Pt", "ZAt", "ZTt"} {
		if findOperand(ops, n) != nil {
			return 8, 0 // whole registers, by bytes
		}
	}
	return a.scalarSize(mnem, ops)
}

// scalarSize handles loads and stores of scalar registers and of pairs.
func (a *arch) scalarSize(mnem string, ops []isa.OpDecl) (bits, elems uint16) {
	elems = 1
	if findOperand(ops, "Rt2") != nil {
		elems = 2
	}
	switch {
	case mnem == "ldraa" || mnem == "ldrab": // pointers; the letters are keys
		return 64, 1
	case mnem == "ld64b" || strings.HasPrefix(mnem, "st64b"):
		return 512, 1
	case hasAnyPrefix(mnem, "st2g", "stz2g"): // tags: granules of 16 bytes
		return 128, 2
	case hasAnyPrefix(mnem, "stg", "stz", "ldg"):
		return 128, 1
	case strings.HasSuffix(mnem, "sw"):
		return 32, elems
	case strings.HasSuffix(mnem, "b"):
		return 8, elems
	case strings.HasSuffix(mnem, "h"):
		return 16, elems
	}
	for _, n := range []string{"Rt", "Rs", "Rt_in"} {
		o := findOperand(ops, n)
		if o == nil {
			continue
		}
		if strings.Contains(o.Class.Name, "SeqPair") {
			return uint16(map[byte]int{'W': 32, 'X': 64}[o.Class.Name[0]]), 2
		}
		if _, n := a.t.Regs.Class(o.Class.RegClass); n > 0 {
			return uint16(n), elems
		}
		if _, n := a.t.Regs.Class(o.Class.Name); n > 0 {
			return uint16(n), elems
		}
	}
	return 0, elems
}

// neonSize handles LD1 … ST4: class is "VecListTwo4s", "VecListOnes" for single lanes.
func neonSize(mnem, class string) (bits, elems uint16) {
	count, arr := uint16(1), class
	for i, n := range []string{"One", "Two", "Three", "Four"} {
		if _, rest, ok := strings.Cut(class, "VecList"+n); ok {
			count, arr = uint16(i+1), rest
		}
	}
	if arr == "" {
		return 0, count
	}
	w := elemWidth(arr[len(arr)-1])
	if lanes, err := strconv.Atoi(arr[:len(arr)-1]); err == nil && !strings.HasSuffix(mnem, "r") {
		return w * uint16(lanes), count
	}
	return w, count // one lane, or one element replicated to all
}

// sveSize handles SVE's loads and stores: the letter is the size of the element in memory.
func sveSize(mnem string) (bits, elems uint16) {
	m := mnem[2:]
	switch {
	case strings.HasPrefix(m, "1rq"):
		return 128, 1
	case strings.HasPrefix(m, "1ro"):
		return 256, 1
	}
	c := m[len(m)-1]
	bits = elemWidth(c)
	if c == 'w' {
		bits = 32
	}
	if strings.HasPrefix(m, "1r") {
		return bits, 1
	}
	return bits, 0
}

// ref fills in a memory operand of an instruction.
func (m *memSpec) ref(r *registers, in *isa.Inst) isa.MemRef {
	x := isa.MemRef{Op: m.base, Bits: m.bits, Elems: m.elems, Load: m.load, Store: m.store, Gather: m.gather, Extend: m.ext}
	if m.base >= 0 {
		x.Base = in.Reg(int(m.base))
	} else {
		x.Op = max(m.index, m.offset)
	}
	if x.Base == r.xzr {
		x.Base = isa.NoReg
	}
	if m.index >= 0 {
		if x.Index = in.Reg(int(m.index)); x.Index == r.xzr {
			x.Index = isa.NoReg
		} else {
			x.Scale = m.scale
		}
	}
	if m.extend >= 0 {
		if in.Ops[m.extend].Imm != 0 && m.ext != 0 {
			x.Extend = 's'
		}
		if in.Ops[m.extend+1].Imm == 0 {
			x.Scale = 1
		}
	}
	x.Disp = m.fixed
	if m.postReg >= 0 && in.Reg(int(m.postReg)) != r.xzr {
		x.Disp = 0 // the update is in a register
	}
	if m.offset >= 0 {
		switch o := &in.Ops[m.offset]; {
		case o.Kind == isa.OpExpr:
			x.Sym, x.Disp = o.Expr, o.Imm
		case m.mulVL:
			n := o.Imm * int64(max(m.unit, 1))
			if t := &vlTable()[m.vlPart]; n != 0 && uint64(n+256) < uint64(len(t)) {
				x.Sym = &t[n+256]
			}
		default:
			x.Disp = o.Imm * int64(m.unit)
		}
	}
	switch {
	case m.post:
		x.Update, x.Disp, x.Post = x.Disp, 0, true
	case m.pre:
		x.Update = x.Disp
	}
	return x
}
