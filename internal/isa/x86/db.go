package x86

import (
	"strconv"
	"sync"

	"incore/internal/base/blob"
	"incore/internal/isa"
	"incore/internal/isa/x86/enc"
)

// database holds the embedded tables and the indexes that parsing derives from them. It is
// built on first use (about 0.2 ms) and never changes.
type database struct {
	forms *isa.FormTable
	regs  *isa.RegTable
	match *isa.MatchTable

	spelled regHash         // register spellings
	names   nameTable       // mnemonics and their aliases
	kinds   []kindInfo      // operand kinds of the matcher
	tokens  tokenKinds      // kinds of literal tokens
	featOK  []bool          // feature sets that hold in 64-bit mode
	renders []renderOp      // conversion of an operand to MC operands
	class   [numRegs]regBit // register classes that the predicates test
	gr32    [numRegs]isa.Reg
	gr16    [numRegs]isa.Reg
	gr64    [numRegs]isa.Reg // 64-bit register that a part belongs to

	sigOf      blob.U16 // form → encoding signature, two words
	sigA, sigB blob.U32
}

// signature returns the encoding signature of a form.
func (d *database) signature(f isa.FormID) enc.Sig {
	i := int(d.sigOf.At(int(f)))
	return enc.Unpack(d.sigA.At(i), d.sigB.At(i))
}

// regBit is a set of register properties.
type regBit uint16

const (
	isGR8 regBit = 1 << iota
	isGR16
	isGR32
	isGR64
	isXMM
	isYMM
	isZMM
	isHigh16 // number 16 to 31 of a vector register
	isMask
	isExtended // needs a REX or VEX.R/X/B bit: numbers 8 to 15
	isEGPR     // APX: R16 to R31
)

var db = sync.OnceValue(newDatabase)

func newDatabase() *database {
	d := &database{}
	d.forms, d.regs, d.match = isa.Load(tables)
	b := blob.MustOpen(tables)
	d.sigOf, d.sigA, d.sigB = b.U16("x86.sig"), b.U32("x86.siga"), b.U32("x86.sigb")
	d.classifyRegs()
	d.spelled.build(d.regs)
	d.names.build(d.match)
	d.tokens.build(d.match)
	d.buildKinds()
	d.buildRenders()
	d.featOK = make([]bool, d.match.NumFeatures())
	for i := range d.featOK {
		d.featOK[i] = true
		for _, p := range d.match.Features(uint16(i)) {
			d.featOK[i] = d.featOK[i] && in64BitMode(p)
		}
	}
	return d
}

// in64BitMode reports whether a predicate of a row or mnemonic alias holds in 64-bit mode.
func in64BitMode(pred string) bool { return pred == "In64BitMode" || pred == "Not16BitMode" }

func (d *database) classifyRegs() {
	for _, c := range []struct {
		class string
		bit   regBit
	}{{"GR8", isGR8}, {"GR16", isGR16}, {"GR32", isGR32}, {"GR64", isGR64}, {"VR128X", isXMM}, {"VR256X", isYMM}, {"VR512", isZMM}, {"VK64", isMask}} {
		l, _ := d.regs.Class(c.class)
		for i := 0; i < l.Len(); i++ {
			d.class[l.At(i)] |= c.bit
		}
	}
	for _, r := range [...][2]isa.Reg{{XMM16, XMM31}, {YMM16, YMM31}, {ZMM16, ZMM31}} {
		for i := r[0]; i <= r[1]; i++ {
			d.class[i] |= isHigh16
		}
	}
	for _, r := range [...][2]isa.Reg{{XMM8, XMM15}, {YMM8, YMM15}, {R8, R15}, {R8D, R15D}, {R8W, R15W}, {R8B, R15B}} {
		for i := r[0]; i <= r[1]; i++ {
			d.class[i] |= isExtended
		}
	}
	for _, r := range [...][2]isa.Reg{{R16, R31}, {R16D, R31D}, {R16W, R31W}, {R16B, R31B}} {
		for i := r[0]; i <= r[1]; i++ {
			d.class[i] |= isEGPR
		}
	}
	for r := isa.Reg(1); r < numRegs; r++ {
		if d.class[r]&(isGR64|isGR32|isGR16) == 0 {
			continue
		}
		for i, l := -1, d.regs.Subs(r); i < l.Len(); i++ {
			s := r
			if i >= 0 {
				s = isa.Reg(l.At(i))
			}
			if d.class[s]&isGR32 != 0 {
				d.gr32[r] = s
			}
			if d.class[s]&isGR16 != 0 {
				d.gr16[r] = s
			}
			if d.class[r]&isGR64 != 0 {
				d.gr64[s] = r
			}
		}
	}
}

// regHash finds registers by spelling without allocating. A spelling has at
// most eight bytes; these are the key.
type regHash struct {
	key [1024]uint64
	reg [1024]isa.Reg
}

func regKey(s string) (k uint64, ok bool) {
	if len(s) == 0 || len(s) > 8 {
		return 0, false
	}
	for i := 0; i < len(s); i++ {
		k = k<<8 | uint64(lower(s[i]))
	}
	return k, true
}

func regSlot(k uint64) int { return int(k * 0x9e3779b97f4a7c15 >> 54) }

func (h *regHash) build(t *isa.RegTable) {
	t.Spellings(func(s string, r isa.Reg) {
		// FLAGS and MXCSR have no assembler name: the words are symbols.
		if k, ok := regKey(s); ok && r != EFLAGS && r != RFLAGS && r != MXCSR && r != SSP && r != TMMCFG && r != DF {
			h.put(k, r)
		}
	})
	for i := 0; i < 16; i++ { // debug registers have a second name
		k, _ := regKey("db" + strconv.Itoa(i))
		h.put(k, DR0+isa.Reg(i))
	}
}

func (h *regHash) put(k uint64, r isa.Reg) {
	i := regSlot(k)
	for h.key[i] != 0 {
		i = (i + 1) % len(h.key)
	}
	h.key[i], h.reg[i] = k, r
}

// find returns the register spelled s in any case, NoReg if no register has this name.
func (h *regHash) find(s string) isa.Reg {
	k, ok := regKey(s)
	if !ok {
		return isa.NoReg
	}
	for i := regSlot(k); h.key[i] != 0; i = (i + 1) % len(h.key) {
		if h.key[i] == k {
			return h.reg[i]
		}
	}
	return isa.NoReg
}

// nameTable maps mnemonics, in lower case, to those of the match table after
// applying LLVM's mnemonic aliases.
type nameTable struct {
	slot  [8192]uint16 // 1 + index into entry
	entry []nameEntry
}

type nameEntry struct {
	name string
	mnem [2]int16 // mnemonic in the match table by syntax, -1 if none
}

func nameHash(s []byte) int {
	h := uint32(2166136261)
	for _, c := range s {
		h = (h ^ uint32(c)) * 16777619
	}
	return int((h ^ h>>15) % 8192)
}

func (t *nameTable) build(m *isa.MatchTable) {
	t.entry = make([]nameEntry, 0, m.Mnemonics()+300)
	var buf [64]byte
	at := func(name string) *nameEntry {
		i := nameHash(append(buf[:0], name...))
		for ; t.slot[i] != 0; i = (i + 1) % len(t.slot) {
			if e := &t.entry[t.slot[i]-1]; e.name == name {
				return e
			}
		}
		t.entry = append(t.entry, nameEntry{name, [2]int16{-1, -1}})
		t.slot[i] = uint16(len(t.entry))
		return &t.entry[len(t.entry)-1]
	}
	for i := 0; i < m.Mnemonics(); i++ {
		at(m.MnemonicAt(i)).mnem = [2]int16{int16(i), int16(i)}
	}
	m.Aliases(func(syntax, from, to string, preds []string) {
		for _, p := range preds {
			if !in64BitMode(p) {
				return
			}
		}
		target, e := m.Mnemonic(to), at(from)
		for v, s := range [2]string{"att", "intel"} {
			if syntax == "" || syntax == s {
				e.mnem[v] = int16(target)
			}
		}
	})
}

// find returns the match table's mnemonic for a lower-case name in a syntax
// variant, -1 if the table has none.
func (t *nameTable) find(name []byte, variant int) int {
	for i := nameHash(name); t.slot[i] != 0; i = (i + 1) % len(t.slot) {
		if e := &t.entry[t.slot[i]-1]; e.name == string(name) {
			return int(e.mnem[variant])
		}
	}
	return -1
}

// tokenKinds are the matcher's kinds of the literal tokens.
type tokenKinds struct {
	star, open, close, zero, sae isa.Kind
	bcst                         [5]isa.Kind // {1to2} … {1to32}
}

func (t *tokenKinds) build(m *isa.MatchTable) {
	for s, k := range map[string]*isa.Kind{"*": &t.star, "{": &t.open, "}": &t.close, "{z}": &t.zero, "{sae}": &t.sae,
		"{1to2}": &t.bcst[0], "{1to4}": &t.bcst[1], "{1to8}": &t.bcst[2], "{1to16}": &t.bcst[3], "{1to32}": &t.bcst[4]} {
		*k, _ = m.Token(s)
	}
}

func (t *tokenKinds) isBroadcast(k isa.Kind) bool {
	for _, b := range t.bcst {
		if b == k {
			return true
		}
	}
	return false
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
