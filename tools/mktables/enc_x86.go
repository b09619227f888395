package main

import (
	"fmt"
	"math/bits"
	"sort"
	"strings"

	"incore/internal/isa/x86/enc"
)

// x86Encodings writes the columns of the x86 decoder and encoder: per form its
// opcode byte, encoding signature and operand plan, and a decision tree per
// opcode from the decoder's key to a form.
func (b *builder) x86Encodings() {
	n := len(b.formID) + 1
	opcode, sigOf, planOf := make([]byte, n), make([]uint16, n), make([]uint16, n)
	var sigs intern[enc.Sig]
	var plans intern[string]
	planList := [][]uint16{{}}
	sigs.of(enc.Sig{}) // signature and plan 0: no encoding
	plans.of(key(nil))
	tree := x86Tree{roots: map[int][]x86Pattern{}}
	byName := map[string]*form{}
	for i := range b.src.forms.Forms {
		byName[b.src.forms.Forms[i].N] = &b.src.forms.Forms[i]
	}
	for _, name := range sortedKeys(b.src.enc.Forms) {
		f := byName[name]
		if f == nil {
			continue
		}
		x := x86Form{form: f, enc: b.src.enc.Forms[name], classes: b.src.forms.Operands}
		sig, ok := x.sig()
		if !ok {
			continue
		}
		plan, err := x.plan(sig)
		if err != nil {
			if sig.Decode {
				b.fail("form %s: %v", name, err)
			}
			continue // a pseudo-instruction that LLVM doesn't mark as one (EH_RETURN)
		}
		id := b.formID[name]
		opcode[id], sigOf[id] = byte(x.num("Opcode")), sigs.of(sig)
		planOf[id] = plans.of(key(plan))
		if int(planOf[id]) == len(planList) {
			planList = append(planList, plan)
		}
		if sig.Decode {
			tree.add(x86Pattern{form: id, native: x.predicate("In64BitMode")}, x.num("Opcode"), x.opcodes(), sig)
		}
	}
	var a, z []uint32
	for _, s := range sigs.list {
		lo, hi := s.Pack()
		a, z = append(a, lo), append(z, hi)
	}
	roots, words := tree.build()
	if n >= enc.TreeLeaf {
		b.fail("%d x86 forms do not fit a decision tree", n)
	}
	b.w.Raw("x86.opcode", opcode)
	b.w.U16("x86.sig", sigOf)
	b.w.U16("x86.plan", planOf)
	b.w.U32("x86.siga", a)
	b.w.U32("x86.sigb", z)
	b.w.Lists("x86.step", planList)
	b.w.U32("x86.root", roots)
	b.w.U16("x86.tree", words)
}

// x86Form is one form with the fields from which LLVM derives its encoding.
type x86Form struct {
	*form
	enc     map[string]any
	classes map[string]opClass
}

func (x x86Form) str(k string) string { s, _ := x.enc[k].(string); return s }
func (x x86Form) num(k string) int    { v, _ := x.enc[k].(float64); return int(v) }
func (x x86Form) has(k string) bool   { return x.num(k) != 0 }

func (x x86Form) predicate(names ...string) bool {
	for _, p := range x.P {
		for _, n := range names {
			if p == n {
				return true
			}
		}
	}
	return false
}

var x86Maps = map[string]int{"OB": enc.MapPrimary, "TB": enc.Map0F, "T8": enc.Map0F38, "TA": enc.Map0F3A}

var x86VectorMaps = map[string]int{"TB": 1, "T8": 2, "TA": 3, "T_MAP4": 4, "T_MAP5": 5, "T_MAP6": 6, "T_MAP7": 7, "XOP8": 0, "XOP9": 1, "XOPA": 2}

var x86Prefixes = map[string]uint8{"PS": enc.PrefixNP, "PD": enc.Prefix66, "XS": enc.PrefixF3, "XD": enc.PrefixF2}

// opMap returns the opcode map; ok is false for those that are not encoded here (3DNow).
func (x x86Form) opMap() (int, bool) {
	m, ok := x86VectorMaps[x.str("OpMap")]
	switch x.str("OpEnc") {
	case "EncVEX":
		return enc.MapVEX + m, ok
	case "EncEVEX":
		return enc.MapEVEX + m, ok
	case "EncXOP":
		return enc.MapXOP + m, ok
	}
	m, ok = x86Maps[x.str("OpMap")]
	return m, ok
}

// sig derives the encoding signature; ok is false for forms without machine code.
func (x x86Form) sig() (s enc.Sig, ok bool) {
	m, ok := x.opMap()
	kind := x.str("Form")
	if !ok || kind == "" || kind == "Pseudo" || kind == "PrefixByte" {
		return s, false
	}
	size := map[string]uint8{"OpSize16": 16, "OpSize32": 32, "AdSize16": 16, "AdSize32": 32, "AdSize64": 64}
	s = enc.Sig{Map: uint8(m), Prefix: x86Prefixes[x.str("OpPrefix")], W: x.has("hasREX_W"), WIG: x.has("IgnoresW") && m >= enc.MapVEX && m != enc.MapEVEX+4,
		LIG: x.has("ignoresVEX_L"), OpSize: size[x.str("OpSize")], AdSize: size[x.str("AdSize")],
		B: x.has("hasEVEX_B"), Z: x.has("hasEVEX_Z"), K: x.has("hasEVEX_K"), RC: x.has("hasEVEX_RC"), NF: x.has("hasEVEX_NF"),
		V: x.has("hasVEX_4V"), Lock: x.has("hasLockPrefix"), Rep: x.has("hasREPPrefix"), NoTrack: x.has("hasNoTrackPrefix"),
		TwoCond: x.has("hasTwoConditionalOps"), FSIB: strings.HasSuffix(kind, "FSIB"),
		Rex2: x.XP == "2" || x.N == "JMPABS64i"}
	if x.has("hasEVEX_L2") {
		s.L = 2
	} else if x.has("hasVEX_L") {
		s.L = 1
	}
	if n := x.num("CD8_Scale"); n > 1 {
		s.Disp8 = uint8(bits.Len(uint(n)) - 1)
	}
	if m >= enc.MapEVEX && m < enc.MapXOP && s.B && s.V && m == enc.MapEVEX+4 {
		s.ND = true
	}
	x.modRM(kind, &s)
	for _, o := range x.operands() {
		if c := x.classes[o.class].RC; c == "CONTROL_REG" || c == "DEBUG_REG" {
			s.ModRM = enc.ModRMAny
		}
	}
	s.Decode = (!x.has("isCodeGenOnly") || x.has("ForceDisassemble")) && !x.has("isAsmParserOnly") &&
		!x.predicate("Not64BitMode", "In32BitMode") && s.AdSize != 16
	return s, true
}

// modRM sets what the form says about the ModRM byte.
func (x x86Form) modRM(kind string, s *enc.Sig) {
	fix := func(ext, rm int) {
		if ext >= 0 {
			s.HasExt, s.Ext = true, uint8(ext)
		}
		if rm >= 0 {
			s.HasRM, s.RM = true, uint8(rm)
		}
	}
	var n int
	switch {
	case kind == "MRMr0":
		s.ModRM = enc.ModRMReg
		fix(-1, 0)
	case strings.HasPrefix(kind, "MRM_"):
		s.ModRM = enc.ModRMReg
		fmt.Sscanf(kind, "MRM_%X", &n)
		fix(n>>3&7, n&7)
	case strings.HasPrefix(kind, "MRMX"):
		s.ModRM = enc.ModRMReg
		if kind[4] == 'm' {
			s.ModRM = enc.ModRMMem
		}
	case strings.HasPrefix(kind, "MRM") && kind[3] >= '0' && kind[3] <= '7':
		s.ModRM = enc.ModRMReg
		if kind[4] == 'm' {
			s.ModRM = enc.ModRMMem
		}
		fix(int(kind[3]-'0'), -1)
	case strings.HasPrefix(kind, "MRMSrcReg"), strings.HasPrefix(kind, "MRMDestReg"):
		s.ModRM = enc.ModRMReg
	case strings.HasPrefix(kind, "MRMSrcMem"), strings.HasPrefix(kind, "MRMDestMem"):
		s.ModRM = enc.ModRMMem
	}
}

// opcodes is how many opcodes a form takes: 8 with a register, 16 with a condition in it.
func (x x86Form) opcodes() int {
	kind := x.str("Form")
	switch {
	case kind == "AddRegFrm":
		return 8
	case strings.HasSuffix(kind, "CC") && !strings.HasPrefix(kind, "MRM_"), kind == "AddCCFrm":
		return 16
	}
	return 1
}

type x86Operand struct {
	class  string
	mc, nr int
}

func (x x86Form) operands() (out []x86Operand) {
	mc := 0
	for _, o := range append(append([]string(nil), x.O...), x.I...) {
		_, c, _ := strings.Cut(o, ":")
		if c == "variable_ops" {
			continue
		}
		n := max(1, len(x.classes[c].Sub))
		out = append(out, x86Operand{c, mc, n})
		mc += n
	}
	return out
}

// regFields lists where the form's register operands are encoded, in operand order.
func (x x86Form) regFields(s enc.Sig) (f []int) {
	kind := x.str("Form")
	v := func(on bool) {
		if on && s.V {
			f = append(f, enc.OpVVVV)
		}
	}
	rm := func() {
		if s.ModRM == enc.ModRMReg || s.ModRM == enc.ModRMAny {
			f = append(f, enc.OpRM)
		}
	}
	switch {
	case strings.HasPrefix(kind, "MRMSrc") && strings.HasSuffix(kind, "Op4"):
		f = append(f, enc.OpReg)
		v(true)
		f = append(f, enc.OpIs4)
		rm()
	case strings.Contains(kind, "4VOp3"):
		f = append(f, enc.OpReg)
		rm()
		f = append(f, enc.OpVVVV)
	case strings.HasPrefix(kind, "MRMSrc"):
		v(s.ND)
		f = append(f, enc.OpReg)
		v(!s.ND)
		rm()
		if x.str("ImmT") == "Imm8Reg" {
			f = append(f, enc.OpIs4)
		}
	case strings.HasPrefix(kind, "MRMDest"):
		v(s.ND)
		rm()
		v(!s.ND)
		f = append(f, enc.OpReg)
	case kind == "MRMr0":
		f = append(f, enc.OpReg)
	case strings.HasPrefix(kind, "MRM"):
		v(true)
		rm()
	case kind == "AddRegFrm":
		f = append(f, enc.OpOpcode)
	}
	return f
}

// plan lists how each operand is encoded.
func (x x86Form) plan(s enc.Sig) (steps []uint16, err error) {
	fields := x.regFields(s)
	imms := x.immSizes()
	mem := false
	for _, o := range x.operands() {
		if def, ok := x.tied(o.mc); ok {
			for i := 0; i < o.nr; i++ {
				steps = append(steps, uint16(enc.MakeStep(enc.OpTied, 0, def+i)))
			}
			continue
		}
		st, err := x.step(o.class, s, &fields, &imms, &mem)
		if err != nil {
			return nil, err
		}
		steps = append(steps, uint16(st))
	}
	// An immediate type without an operand means nothing (MMX_MOVDQ2Qrr).
	return steps, nil
}

func (x x86Form) tied(mc int) (def int, ok bool) {
	for _, t := range x.Tie {
		if t[0] == mc {
			return t[1], true
		}
	}
	return 0, false
}

var x86ImmSize = map[string]int{"Imm8": 1, "Imm8PCRel": 1, "Imm16": 2, "Imm16PCRel": 2, "Imm32": 4, "Imm32S": 4, "Imm32PCRel": 4, "Imm64": 8}

// immSizes lists the sizes of the immediates in the order they are encoded.
func (x x86Form) immSizes() (n []int) {
	if v := x86ImmSize[x.str("ImmT")]; v != 0 {
		n = append(n, v)
	}
	switch kind := x.str("Form"); {
	case kind == "RawFrmImm8", x.N == "EXTRQI", x.N == "INSERTQI":
		n = append(n, 1)
	case kind == "RawFrmImm16":
		n = append(n, 2)
	}
	return n
}

var x86RegClass = map[string]int{"GR8": enc.Class8, "GR8_NOREX": enc.Class8, "GR16": enc.Class16, "GR32": enc.Class32, "GR32_NOREX": enc.Class32,
	"GR64": enc.Class64, "VR64": enc.ClassMMX, "VR128": enc.ClassXMM, "VR128X": enc.ClassXMM, "VR256": enc.ClassYMM, "VR256X": enc.ClassYMM,
	"VR512": enc.ClassZMM, "FR16": enc.ClassXMM, "FR16X": enc.ClassXMM, "FR32": enc.ClassXMM, "FR32X": enc.ClassXMM, "FR64": enc.ClassXMM,
	"FR64X": enc.ClassXMM, "SEGMENT_REG": enc.ClassSeg, "CONTROL_REG": enc.ClassCR, "DEBUG_REG": enc.ClassDR, "RST": enc.ClassST,
	"TILE": enc.ClassTile}

// step encodes one operand, taking its place from the remaining register fields and immediates.
func (x x86Form) step(class string, s enc.Sig, fields, imms *[]int, mem *bool) (enc.Step, error) {
	c := x.classes[class]
	takeImm := func(op, kind int) (enc.Step, error) {
		if len(*imms) == 0 {
			return 0, fmt.Errorf("operand class %s without an immediate", class)
		}
		n := (*imms)[0]
		*imms = (*imms)[1:]
		return enc.MakeStep(op, kind, n), nil
	}
	switch {
	case strings.HasPrefix(class, "offset"):
		return takeImm(enc.OpMoffs, 0)
	case strings.HasPrefix(class, "srcidx"):
		return enc.MakeStep(enc.OpSrcIdx, 0, 0), nil
	case strings.HasPrefix(class, "dstidx"):
		return enc.MakeStep(enc.OpDstIdx, 0, 0), nil
	case c.K == "mem" || len(c.Sub) == 5:
		index := 0
		switch c.Sub[2] {
		case "VR128", "VR128X":
			index = enc.ClassXMM
		case "VR256", "VR256X":
			index = enc.ClassYMM
		case "VR512":
			index = enc.ClassZMM
		}
		return enc.MakeStep(enc.OpMem, index, 0), nil
	case class == "ccode" && s.TwoCond:
		return enc.MakeStep(enc.OpSCC, 0, 0), nil
	case class == "ccode":
		return enc.MakeStep(enc.OpCC, 0, 0), nil
	case class == "cflags":
		return enc.MakeStep(enc.OpDFV, 0, 0), nil
	case class == "AVX512RC":
		return enc.MakeStep(enc.OpRC, 0, 0), nil
	case class == "u4imm":
		return enc.MakeStep(enc.OpImm, enc.ImmNibble, 1), nil
	case c.K == "pcrel":
		return takeImm(enc.OpRel, 0)
	case c.K == "imm" && strings.Contains(class, "u8imm"), class == "i32imm", class == "i16imm" && s.OpSize == 16:
		return takeImm(enc.OpImm, enc.ImmUnsigned)
	case class == "i8imm", class == "i16imm":
		return takeImm(enc.OpImm, enc.ImmFull)
	case c.K == "imm":
		return takeImm(enc.OpImm, enc.ImmSigned)
	}
	if s.K && strings.HasPrefix(class, "VK") && strings.HasSuffix(class, "WM") {
		return enc.MakeStep(enc.OpMask, enc.ClassK, 0), nil
	}
	rc, ok := x86RegClass[c.RC]
	switch {
	case strings.HasPrefix(c.RC, "VK") && strings.HasSuffix(c.RC, "PAIR"):
		rc, ok = enc.ClassKPair, true
	case strings.HasPrefix(c.RC, "VK"):
		rc, ok = enc.ClassK, true
	}
	if !ok || len(*fields) == 0 {
		return 0, fmt.Errorf("operand class %s has no place", class)
	}
	f := (*fields)[0]
	*fields = (*fields)[1:]
	return enc.MakeStep(f, rc, 0), nil
}

// x86Pattern is a set of decoder keys that stand for a form.
type x86Pattern struct {
	mask, value uint32
	rank        int // larger wins
	form        uint16
	native      bool // exists in 64-bit mode only: preferred to a twin
}

// x86Tree collects patterns by map and opcode and makes decision trees of them.
type x86Tree struct {
	roots map[int][]x86Pattern
	words []uint16          // of one opcode
	seen  map[string]uint16 // node → its offset
}

// add enters a form's patterns under all its opcodes.
func (t *x86Tree) add(f x86Pattern, opcode, n int, s enc.Sig) {
	mask, value := s.Key()
	pats := []x86Pattern{{mask: mask, value: value, rank: 5}}
	if m, v := s.OperandSizeKey(); m != 0 {
		pats = append(pats, x86Pattern{mask: mask | m, value: value | v, rank: 10})
		if s.OpSize == 16 {
			pats[0].rank-- // REX.W overrides the operand-size prefix
		}
	} else {
		pats[0].rank = 10
	}
	for i := range pats {
		p := &pats[i]
		if s.Prefix > enc.PrefixNP && s.Map < enc.MapVEX { // a mandatory prefix counts more than the size of an operand
			p.rank += 10
		}
		if s.Rex2 {
			p.rank += 10
		}
		p.form, p.native = f.form, f.native
		if s.Map == enc.MapPrimary && opcode == 0x90 && n == 1 { // nop, pause: not with REX.B, which makes it an xchg
			p.mask |= enc.KeyRexB
			p.rank += 1
		}
		for k := 0; k < n; k++ {
			root := int(s.Map)<<8 | opcode + k
			t.roots[root] = append(t.roots[root], *p)
		}
	}
}

// keyFields are the parts of the key that a node can test.
var keyFields = []struct{ shift, width int }{{0, 2}, {1, 2}, {0, 3}, {9, 1}, {3, 1}, {4, 2}, {6, 3}, {7, 2}, {6, 1}, {8, 1}, {7, 1}, {10, 3}, {13, 3}, {16, 1}, {17, 1}, {18, 1}}

// build returns the offset of each opcode's tree among the words of all trees.
func (t *x86Tree) build() (roots []uint32, words []uint16) {
	roots, words = make([]uint32, enc.NumMaps*256), []uint16{0}
	for r := range roots {
		pats := t.roots[r]
		if len(pats) == 0 {
			continue
		}
		sort.SliceStable(pats, func(i, j int) bool {
			a, b := pats[i], pats[j]
			if a.rank != b.rank {
				return a.rank > b.rank
			}
			if m, n := bits.OnesCount32(a.mask), bits.OnesCount32(b.mask); m != n {
				return m > n
			}
			return a.native && !b.native
		})
		t.words, t.seen = []uint16{0}, map[string]uint16{}
		t.words[0] = t.node(pats, 0)
		roots[r] = uint32(len(words))
		words = append(words, t.words...)
		if len(t.words) >= enc.TreeLeaf {
			panic("decision tree of an opcode too large")
		}
	}
	return roots, words
}

// node returns the child word for the patterns that remain when the bits known have been tested.
func (t *x86Tree) node(pats []x86Pattern, known uint32) uint16 {
	if len(pats) == 0 {
		return 0
	}
	todo := pats[0].mask &^ known
	if todo == 0 || oneForm(pats) { // the decoder checks the form's own key
		return enc.TreeLeaf | pats[0].form
	}
	best, bestCost := -1, 0
	for i, f := range keyFields { // the field that leaves least to do
		m := uint32(1<<f.width-1) << f.shift
		if todo&m == 0 {
			continue
		}
		cost := 1<<f.width + 1
		for v := uint32(0); v < 1<<f.width; v++ {
			if n := len(compatible(pats, m, v<<f.shift)); n > 1 {
				cost += 3 * n
			}
		}
		if best < 0 || cost < bestCost {
			best, bestCost = i, cost
		}
	}
	f := keyFields[best]
	m := uint32(1<<f.width-1) << f.shift
	node := []uint16{uint16(f.shift | f.width<<8)}
	for v := uint32(0); v < 1<<f.width; v++ {
		node = append(node, t.node(compatible(pats, m, v<<f.shift), known|m))
	}
	k := key(node)
	if at, ok := t.seen[k]; ok {
		return at
	}
	at := uint16(len(t.words))
	t.words = append(t.words, node...)
	t.seen[k] = at
	return at
}

func oneForm(pats []x86Pattern) bool {
	for _, p := range pats {
		if p.form != pats[0].form {
			return false
		}
	}
	return true
}

// compatible returns the patterns that match when the bits of mask have a value.
func compatible(pats []x86Pattern, mask, value uint32) (out []x86Pattern) {
	for _, p := range pats {
		if (p.value^value)&p.mask&mask == 0 {
			out = append(out, p)
		}
	}
	return out
}
