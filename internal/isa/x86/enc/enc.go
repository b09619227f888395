// Package enc is the vocabulary of x86 encodings that the table generator and
// the decoder share: opcode maps, the decoder's key, encoding signatures and
// operand plans. Terms are those of the Intel SDM, volume 2, chapter 2.
package enc

// Opcode maps. VEX, EVEX and XOP maps follow in groups, by their number.
const (
	MapPrimary = iota // one-byte opcodes
	Map0F
	Map0F38
	Map0F3A
	MapVEX       // + mmmmm (1..7)
	MapEVEX = 12 // + mmm (1..7); 4 holds the promoted legacy instructions of APX
	MapXOP  = 20 // + mmmmm-8 (0..2)
	NumMaps = 23
)

// Bits of the decoder's key: what, beside map and opcode, selects a form.
const (
	KeyPP   = 3 << 0 // VEX, EVEX, XOP: pp, 1 = 66, 2 = F3, 3 = F2
	Key66   = 1 << 0 // else: operand-size prefix
	KeyF3   = 1 << 1 // the last of F3 and F2
	KeyF2   = 1 << 2
	KeyW    = 1 << 3
	KeyL    = 3 << 4 // vector length
	KeyB    = 1 << 6 // EVEX.b: broadcast, rounding, or new data destination
	KeyZ    = 1 << 7
	KeyK    = 1 << 8 // EVEX.aaa is not 0
	KeyMod3 = 1 << 9 // ModRM.mod names a register
	KeyReg  = 7 << 10
	KeyRM   = 7 << 13
	Key67   = 1 << 16
	KeyRexB = 1 << 17
	KeyRex2 = 1 << 18

	KeyLShift, KeyRegShift, KeyRMShift = 4, 10, 13
)

// The decision tree of an opcode is an array of 16-bit words; word 0 is its root.
// A node is a word (shift | width<<8) that selects bits of the key, then one
// child per value of these bits. A child (or root) with TreeLeaf set is a form;
// else it is the offset of a node. 0 is no form.
const TreeLeaf = 0x8000

// Where an operand of a Step comes from.
const (
	OpReg    = iota // ModRM.reg
	OpRM            // ModRM.rm, a register
	OpVVVV          // VEX.vvvv
	OpOpcode        // low three bits of the opcode
	OpIs4           // bits 7:4 of the last immediate byte
	OpMask          // EVEX.aaa
	OpMem           // memory by ModRM: base, scale, index, displacement, segment
	OpImm           // immediate
	OpRel           // branch target, relative to the next instruction
	OpTied          // copy of MC operand Arg
	OpCC            // condition in the low four bits of the opcode
	OpSCC           // condition in EVEX.SC (APX ccmp, ctest)
	OpDFV           // default flag values in EVEX.vvvv (APX ccmp, ctest)
	OpRC            // rounding control in EVEX.L'L
	OpMoffs         // absolute address without ModRM: displacement, segment
	OpSrcIdx        // string source: register, segment
	OpDstIdx        // string destination: register
)

// Register classes of a Step; of OpMem the class of a vector index.
const (
	ClassNone = iota
	Class8
	Class16
	Class32
	Class64
	ClassMMX
	ClassXMM
	ClassYMM
	ClassZMM
	ClassK
	ClassKPair
	ClassSeg
	ClassCR
	ClassDR
	ClassST
	ClassTile
	NumClasses
)

// Kinds of immediates (class of an OpImm); Arg is their size in bytes.
const (
	ImmSigned   = iota // sign-extended to the operand's size
	ImmUnsigned        // zero-extended to 64 bits
	ImmFull            // of the operand's size: decoded as signed, signed or unsigned when encoded
	ImmNibble          // low four bits of the byte that holds an OpIs4
)

// Step makes one operand (several MC operands for memory) of an instruction.
type Step uint16

// MakeStep packs a step.
func MakeStep(op, class, arg int) Step { return Step(op | class<<5 | arg<<10) }

// Op, Class and Arg are the parts of a step.
func (s Step) Op() int    { return int(s & 31) }
func (s Step) Class() int { return int(s >> 5 & 31) }
func (s Step) Arg() int   { return int(s >> 10) }

// Mandatory prefixes of a Sig.
const (
	PrefixAny = iota // none mandatory
	PrefixNP         // none, and none allowed
	Prefix66
	PrefixF3
	PrefixF2
)

// Uses of ModRM in a Sig.
const (
	ModRMNone = iota
	ModRMReg  // mod = 3
	ModRMMem  // mod != 3
	ModRMAny  // a register whatever mod says (moves to and from CR and DR)
)

// Sig is what an instruction form's encoding consists of, operands and opcode byte apart.
type Sig struct {
	Map     uint8
	Prefix  uint8 // Prefix…
	W, WIG  bool  // W bit; it is ignored
	L       uint8 // vector length 0..2
	LIG     bool
	OpSize  uint8 // 0, 16, 32: operand-size prefix decides
	AdSize  uint8 // 0, 16, 32, 64
	B, Z, K bool  // EVEX.b, EVEX.z, EVEX.aaa
	RC, NF  bool
	V       bool // vvvv holds a register
	ND      bool // APX: vvvv is a new data destination
	ModRM   uint8
	HasExt  bool // ModRM.reg is fixed to Ext
	HasRM   bool // ModRM.rm is fixed to RM
	Ext, RM uint8
	Disp8   uint8 // log2 of the scale of an 8-bit displacement
	Lock    bool
	Rep     bool
	NoTrack bool
	TwoCond bool // APX ccmp, ctest
	Rex2    bool // exists with a REX2 prefix only
	FSIB    bool // SIB byte required
	Decode  bool // produced by the decoder (others are encoded only)
}

// Pack and Unpack turn a Sig into two words and back.
func (s Sig) Pack() (a, b uint32) {
	var w packer
	s.each(&w)
	return uint32(w.bits), uint32(w.bits >> 32)
}

// Unpack is the inverse of Pack.
func Unpack(a, b uint32) (s Sig) {
	w := packer{bits: uint64(a) | uint64(b)<<32, read: true}
	s.each(&w)
	return s
}

func (s *Sig) each(w *packer) {
	w.num(&s.Map, 5)
	w.num(&s.Prefix, 3)
	w.num(&s.L, 2)
	w.size(&s.OpSize)
	w.size(&s.AdSize)
	w.num(&s.ModRM, 2)
	w.num(&s.Ext, 3)
	w.num(&s.RM, 3)
	w.num(&s.Disp8, 3)
	for _, f := range []*bool{&s.W, &s.WIG, &s.LIG, &s.B, &s.Z, &s.K, &s.RC, &s.NF, &s.V, &s.ND, &s.HasExt, &s.HasRM, &s.Lock, &s.Rep,
		&s.NoTrack, &s.TwoCond, &s.Rex2, &s.FSIB, &s.Decode} {
		w.flag(f)
	}
}

type packer struct {
	bits uint64
	at   uint
	read bool
}

func (w *packer) num(v *uint8, width uint) {
	if w.read {
		*v = uint8(w.bits >> w.at & (1<<width - 1))
	} else {
		w.bits |= uint64(*v) << w.at
	}
	w.at += width
}

func (w *packer) flag(v *bool) {
	n := uint8(0)
	if *v {
		n = 1
	}
	w.num(&n, 1)
	*v = n == 1
}

// size packs 0, 16, 32 or 64.
func (w *packer) size(v *uint8) {
	n := *v >> 4 // 0, 1, 2, 4
	if n == 4 {
		n = 3
	}
	w.num(&n, 2)
	*v = [4]uint8{0, 16, 32, 64}[n]
}

// key collects conditions on the bits of a decoder key.
type key struct{ mask, value uint32 }

func (k *key) set(mask, value uint32) { k.mask, k.value = k.mask|mask, k.value|value }

func (k *key) bit(on bool, mask uint32) {
	if on {
		k.set(mask, mask)
	} else {
		k.set(mask, 0)
	}
}

// Key returns the condition on a decoder key under which the form is meant.
func (s Sig) Key() (mask, value uint32) {
	var k key
	if s.Map < MapVEX {
		s.legacyKey(&k)
	} else {
		s.vectorKey(&k)
	}
	switch s.AdSize {
	case 32:
		k.set(Key67, Key67)
	case 64:
		k.set(Key67, 0)
	}
	switch s.ModRM {
	case ModRMReg:
		k.set(KeyMod3, KeyMod3)
	case ModRMMem:
		k.set(KeyMod3, 0)
	}
	if s.HasExt {
		k.set(KeyReg, uint32(s.Ext)<<KeyRegShift)
	}
	if s.HasRM {
		k.set(KeyRM, uint32(s.RM)<<KeyRMShift)
	}
	if s.FSIB {
		k.set(KeyRM, 4<<KeyRMShift)
	}
	return k.mask, k.value
}

// OperandSizeKey returns the further condition under which a form outside VEX,
// EVEX and XOP whose operand size is 16 or 32 bits is meant, if another form of
// the same opcode wants other prefixes: REX.W overrides the operand-size prefix.
// Where no form asks for them, both are ignored.
func (s Sig) OperandSizeKey() (mask, value uint32) {
	switch {
	case s.Map >= MapVEX || s.W || s.OpSize == 0:
		return 0, 0
	case s.OpSize == 16:
		return KeyW | Key66, Key66
	}
	return KeyW | Key66, 0
}

// legacyKey: a prefix that a form doesn't speak of is ignored.
func (s Sig) legacyKey(k *key) {
	switch s.Prefix {
	case PrefixNP:
		k.set(Key66|KeyF3|KeyF2, 0)
	case Prefix66:
		k.set(Key66|KeyF3|KeyF2, Key66)
	case PrefixF3:
		k.set(KeyF3, KeyF3)
	case PrefixF2:
		k.set(KeyF2, KeyF2)
	}
	if s.Rex2 {
		k.set(KeyRex2, KeyRex2)
	}
	if s.Rep {
		k.set(KeyF3, KeyF3)
	}
	if s.W {
		k.set(KeyW, KeyW)
	} else if s.OpSize == 16 {
		k.set(Key66, Key66)
	}
}

// vectorKey: all fields of VEX, EVEX and XOP count unless the form ignores them.
func (s Sig) vectorKey(k *key) {
	pp := [...]uint32{0, 0, 1, 2, 3}[s.Prefix]
	evex := s.Map >= MapEVEX && s.Map < MapXOP
	if s.OpSize == 16 && evex { // promoted 16-bit instructions keep the prefix as pp
		pp = 1
	}
	k.set(KeyPP, pp)
	if !s.WIG {
		k.bit(s.W, KeyW)
	}
	if s.TwoCond {
		return
	}
	rounding := evex && s.B && s.ModRM == ModRMReg && s.Map != MapEVEX+4
	if !s.LIG && !rounding {
		k.set(KeyL, uint32(s.L)<<KeyLShift)
	}
	if evex {
		k.bit(s.B, KeyB)
		k.bit(s.Z, KeyZ)
		k.bit(s.K || s.NF, KeyK)
	}
}
