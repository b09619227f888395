package riscv

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"incore/internal/isa"
)

// facts are the properties of a form that its effects depend on and the tables lack.
type facts struct {
	mem        memKind
	base       int8   // MC operand of the base register, -1 none
	index      int8   // of the index or stride register, -1 none
	disp       int8   // of the displacement, -1 none
	bits       uint16 // per element
	elems      uint16
	fields     uint8 // registers (groups) that a segment access spans, else 1
	whole      uint8 // registers that a whole-register access moves, independent of vl
	maskBits   bool  // access of one bit per element
	load       bool
	store      bool
	vector     bool  // depends on vl and vtype
	implicitVL bool  // the tables list vl and vtype as read
	writesVL   bool  // fault-only-first loads shorten vl
	firstOnly  bool  // writes element 0; the rest of the destination is tail
	readsDest  bool  // reads its destination although the tables do not tie it
	agnostic   bool  // a mask result: its tail is always agnostic
	maskOp     int8  // MC operand of the mask, -1 none
	eew        uint8 // element width that the name gives to the memory access or index
	groups     [5]group
}

// memKind is the way in which the address of a memory operand is computed.
type memKind uint8

const (
	memNone     memKind = iota
	memPlain            // base + displacement
	memShifted          // base + index << shift (T-Head); the shift is the operand after the index
	memShiftedU         // the same with a 32-bit unsigned index
	memPre              // base + (imm << shift), base updated before (T-Head)
	memPost             // base, updated by imm << shift after (T-Head)
	memPair             // two accesses at base + (imm << scale) (T-Head)
	memUnit             // vector, elements one after the other
	memStrided          // vector, stride in a register
	memIndexed          // vector, byte offsets in a vector
	memStack            // cm.push, cm.pop: registers of a list at the stack pointer
)

// group is the number of registers that a vector operand covers.
type group uint8

const (
	gLMUL    group = iota // LMUL registers
	gOne                  // one: masks, scalars in element 0
	gTwice                // 2 LMUL: the wide side of widening and narrowing
	gQuad                 // 4 LMUL
	gHalf                 // LMUL/2
	gQuarter              // LMUL/4
	gEighth               // LMUL/8
	gEEW                  // LMUL × EEW/SEW with the width from the name
	gEEW16                // the same with 16 bits
	gNamed                // the number of registers in the operand's register class
)

var (
	vectorMemRE = lazyRE(`^v([ls])(s|[uo]x)?(?:seg(\d))?e(i)?(\d+)(ff)?\.v$`)
	wholeRE     = lazyRE(`^v([ls])(\d)r(?:e(\d+))?\.v$`)
	wholeMoveRE = lazyRE(`^vmv\dr\.v$`)
	extRE       = lazyRE(`^v[sz]ext\.vf(\d)$`)
	compareRE   = lazyRE(`^vm(s(eq|ne|lt|le|gt|ge)u?|f(eq|ne|lt|le|gt|ge)|adc|sbc)\.`)
	wideRE      = lazyRE(`^(vf?w|sf\.vc\..*w$)`)
	narrowRE    = lazyRE(`^v(nsrl|nsra|nclipu?)\.w|^vfncvt`)
	scalarMemRE = lazyRE(`^(?:c\.|qk\.c\.)?(f)?([ls])([bhwdq])(u)?(?:sp)?$`)
	theadMemRE  = lazyRE(`^th\.f?([ls])(u?r|)([bhwd])u?(ia|ib|d)?$`)
	amoRE       = lazyRE(`^(amo\w+|lr|sc|ssamoswap)\.([bhwdq])(\.\w+)?$|^([ls])([bhwd])\.(aq|rl|aqrl)$`)
)

var widthBits = map[string]uint16{"b": 8, "h": 16, "w": 32, "d": 64, "q": 128}

// factTable holds the facts of forms, computed on first use.
type factTable struct {
	forms *isa.FormTable
	regs  *registers
	known []atomic.Pointer[facts]
}

func newFactTable(t *isa.FormTable, regs *registers) factTable {
	return factTable{t, regs, make([]atomic.Pointer[facts], t.Len())}
}

// of returns the facts of a form.
func (t *factTable) of(f isa.FormID) *facts {
	x := t.known[f].Load()
	if x == nil {
		x = newFacts(t.forms, t.regs, f)
		t.known[f].Store(x)
	}
	return x
}

// newFacts derives the facts of a form from its mnemonic and operands.
func newFacts(t *isa.FormTable, regs *registers, f isa.FormID) *facts {
	mn, _, _ := strings.Cut(t.Asm(f, 0), "\t")
	ops := t.Operands(f)
	x := &facts{base: -1, index: -1, disp: -1, maskOp: -1, fields: 1, elems: 1}
	for _, o := range ops {
		if o.Class.RegClass == "VMV0" {
			x.maskOp = int8(o.MC)
		}
	}
	x.memory(mn, t, f, ops)
	x.implicitVL = uses(t, f, regs.vl)
	x.vector = obeysVL(t, f, mn)
	x.vectorGroups(mn, ops)
	return x
}

// uses reports whether a form reads a register implicitly.
func uses(t *isa.FormTable, f isa.FormID, r isa.Reg) bool {
	for i, u := 0, t.ImplicitUses(f); i < u.Len(); i++ {
		if isa.Reg(u.At(i)) == r {
			return true
		}
	}
	return false
}

// obeysVL reports whether a form is a vector instruction that vl and vtype govern: all forms
// with a vector register operand except the whole-register moves, loads and stores.
// (LLVM's tables list vl and vtype as read, except for forms with a rounding mode.)
func obeysVL(t *isa.FormTable, f isa.FormID, mn string) bool {
	if t.Flags(f)&isa.Pseudo != 0 || wholeRE().MatchString(mn) || wholeMoveRE().MatchString(mn) {
		return false
	}
	for _, o := range t.Operands(f) {
		if rc := o.Class.RegClass; rc == "VR" || rc == "VM" {
			return true
		}
	}
	return false
}

// memory fills in the memory operand.
func (x *facts) memory(mn string, t *isa.FormTable, f isa.FormID, ops []isa.OpDecl) {
	fl := t.Flags(f)
	x.load, x.store = fl&isa.MayLoad != 0, fl&isa.MayStore != 0
	if !x.load && !x.store || t.Flags(f)&isa.Pseudo != 0 {
		return
	}
	at := func(name string) int8 {
		for i := len(ops) - 1; i >= 0; i-- { // inputs last: "rs1" rather than a written-back "rs1_wb"
			if ops[i].Name == name {
				return int8(ops[i].MC)
			}
		}
		return -1
	}
	x.base = at("rs1")
	for _, o := range ops {
		if strings.HasPrefix(o.Name, "imm") {
			x.disp = int8(o.MC)
		}
	}
	if m := scalarMemRE().FindStringSubmatch(mn); m != nil {
		x.mem, x.bits = memPlain, widthBits[m[3]]
		return
	}
	if m := amoRE().FindStringSubmatch(mn); m != nil {
		x.mem, x.bits, x.disp = memPlain, widthBits[m[2]+m[5]], -1
		if m[1] == "lr" {
			x.store = false
		}
		if m[1] == "sc" {
			x.load = false
		}
		return
	}
	if m := theadMemRE().FindStringSubmatch(mn); m != nil {
		x.thead(m, at)
		return
	}
	if x.vectorMemory(mn, at) {
		return
	}
	switch {
	case strings.HasPrefix(mn, "cm.p"):
		x.mem, x.bits, x.base = memStack, 64, -1
	case strings.HasPrefix(mn, "cbo."):
		x.mem = memPlain // a cache block, whose size depends on the platform
	default: // prefetches are no accesses; the shadow stack is not modelled
		x.load, x.store, x.base, x.disp = false, false, -1, -1
	}
}

func (x *facts) thead(m []string, at func(string) int8) {
	x.bits, x.disp = widthBits[m[3]], at("simm5")
	switch {
	case m[4] == "ia":
		x.mem = memPost
	case m[4] == "ib":
		x.mem = memPre
	case m[4] == "d":
		x.mem, x.disp, x.elems = memPair, at("uimm2"), 2
	case m[2] == "ur":
		x.mem, x.index = memShiftedU, at("rs2")
	default:
		x.mem, x.index = memShifted, at("rs2")
	}
}

// vectorMemory recognises vector loads and stores by name.
func (x *facts) vectorMemory(mn string, at func(string) int8) bool {
	if m := wholeRE().FindStringSubmatch(mn); m != nil {
		x.mem, x.bits, x.elems, x.whole = memUnit, 8, 0, m[2][0]-'0'
		if n, err := strconv.Atoi(m[3]); err == nil {
			x.bits = uint16(n)
		}
		return true
	}
	if mn == "vlm.v" || mn == "vsm.v" {
		x.mem, x.bits, x.elems, x.eew, x.maskBits = memUnit, 8, 0, 8, true
		return true
	}
	m := vectorMemRE().FindStringSubmatch(mn)
	if m == nil {
		return false
	}
	n, _ := strconv.Atoi(m[5])
	x.eew, x.elems, x.writesVL = uint8(n), 0, m[6] != ""
	if nf, err := strconv.Atoi(m[3]); err == nil {
		x.fields = uint8(nf)
	}
	switch {
	case m[4] == "i":
		x.mem, x.index = memIndexed, at("vs2")
	case m[2] == "s":
		x.mem, x.index, x.bits = memStrided, at("rs2"), uint16(n)
	default:
		x.mem, x.bits = memUnit, uint16(n)
	}
	return true
}

// vectorGroups sets the number of registers that each vector operand covers (V 1.0, sections 5.2, 6–16).
func (x *facts) vectorGroups(mn string, ops []isa.OpDecl) {
	dst, vs2, vs1 := gLMUL, gLMUL, gLMUL
	switch {
	case mn == "vlm.v" || mn == "vsm.v" || strings.HasSuffix(mn, ".mm") || strings.HasPrefix(mn, "vms") && strings.HasSuffix(mn, ".m"):
		dst, vs2, vs1, x.agnostic = gOne, gOne, gOne, true
	case x.mem == memIndexed:
		vs2 = gEEW
	case x.mem != memNone:
		dst = gEEW
	case mn == "viota.m" || mn == "vcpop.m" || mn == "vfirst.m" || mn == "vmv.x.s" || mn == "vfmv.f.s" || strings.HasSuffix(mn, ".vs") && !strings.Contains(mn, "red"):
		vs2 = gOne // a mask, an element, or an element group of 128 bits (vaes*.vs)
	case compareRE().MatchString(mn):
		dst, x.agnostic = gOne, true
	case strings.Contains(mn, "red") && strings.HasSuffix(mn, ".vs"):
		dst, vs1 = gOne, gOne
	case mn == "vmv.s.x" || mn == "vfmv.s.f":
		dst, x.firstOnly = gOne, true
	case mn == "vcompress.vm":
		vs1 = gOne
	case mn == "vrgatherei16.vv":
		vs1 = gEEW16
	case strings.HasPrefix(mn, "sf.vfnrclip"):
		vs2 = gQuad
	case strings.HasPrefix(mn, "sf.vqmacc") || strings.HasPrefix(mn, "sf.vfwmacc"):
		vs1, x.readsDest = gOne, true
	case narrowRE().MatchString(mn):
		vs2 = gTwice
	case wideRE().MatchString(mn):
		dst = gTwice
		if strings.Contains(mn, ".w") && mn[0] == 'v' {
			vs2 = gTwice
		}
	}
	if m := extRE().FindStringSubmatch(mn); m != nil {
		vs2 = map[string]group{"2": gHalf, "4": gQuarter, "8": gEighth}[m[1]]
	}
	x.readsDest = x.readsDest || strings.HasPrefix(mn, "vslideup")
	for _, o := range ops {
		if o.MC >= len(x.groups) || o.Class.Kind != "reg" {
			continue
		}
		switch {
		case strings.HasPrefix(o.Class.RegClass, "VRM") || strings.HasPrefix(mn, "vl1r") || mn == "vs1r.v" || mn == "vmv1r.v":
			x.groups[o.MC] = gNamed
		case o.Class.RegClass == "VMV0":
			x.groups[o.MC] = gOne
		default:
			x.groups[o.MC] = map[string]group{"vs2": vs2, "rs2": vs2, "vs1": vs1, "vs": vs2, "rs1": vs1}[o.Name]
			if strings.HasPrefix(o.Name, "vd") || strings.HasPrefix(o.Name, "rd") || o.Name == "vs3" {
				x.groups[o.MC] = dst
			}
		}
	}
}

// registers returns the number of registers that a group covers under a vtype, 1 if it is unknown.
func (g group) registers(v isa.VType, eew uint8) int {
	if v.SEW == 0 || g == gOne || g == gNamed {
		return 1
	}
	n := lmulEighths[v.LMUL&7] // in eighths of a register
	switch g {
	case gTwice:
		n *= 2
	case gQuad:
		n *= 4
	case gHalf:
		n /= 2
	case gQuarter:
		n /= 4
	case gEighth:
		n /= 8
	case gEEW:
		n = n * int(eew) / int(v.SEW)
	case gEEW16:
		n = n * 16 / int(v.SEW)
	}
	return min(8, max(1, n/8))
}

// lmulEighths is LMUL in eighths, by its encoding.
var lmulEighths = [8]int{8, 16, 32, 64, 8, 1, 2, 4}

// lazyRE compiles a regular expression on first use; most runs need none of them.
func lazyRE(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
