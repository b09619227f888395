package x86

import (
	"strconv"
	"strings"
	"sync/atomic"

	"incore/internal/isa"
)

// traits are the properties of a form that effects and the other semantic
// functions need. They are derived from the tables on first use of the form.
// half is a half of a register.
type half uint8

const (
	lowHalf half = 1 + iota
	highHalf
)

type traits struct {
	flags      flagUse
	count      uint8 // shifts by an immediate: mask of the bits of the count that matter
	flagRead   int8  // Access.Op of flag reads and writes
	flagWrite  int8
	cond       int8 // MC operand that holds a condition code, -1 none
	mem        int8 // first MC operand of the memory operand, -1 none
	memOps     int8 // its MC operands: 5, or 2 for an absolute address
	bits       uint16
	elems      uint16
	load       bool
	store      bool
	gather     bool
	lea        bool   // address arithmetic only
	nop        bool   // operands without meaning
	masks      uint16 // MC operands that are mask registers applied to the result
	special    *special
	frame      frameOp
	stack      int8 // bytes by which the stack pointer moves, negative for push
	str        stringOp
	x87        x87Op
	dropWrites bool // implicit definitions carry no value (vzeroupper)
	zero       bool // zero idiom if the sources are one register
	breaks     bool // dependency-breaking if the sources are one register
	src1, src2 int8 // the two sources of zero and breaks
	move       bool // register copy
	exchanges  bool // of registers, one of which is not an operand if implicit
	implicit   bool
	half       half // of a register, which it loads
	flow       isa.FlowKind
	fuse       fuseOp
	joins      bool // an operation that fuses with a preceding move
	imm16      bool // has an immediate that a prefix shortens to 16 bits
}

// extraOp marks accesses of registers that LLVM's lists of implicit operands lack.
const extraOp = ^int8(31)

// frameOp marks the instructions that do more with the stack than push or pop.
type frameOp uint8

const (
	frameNone frameOp = iota
	frameLeave
	frameEnter
	frameReturn // pops arguments too
)

var frameOps = map[string]frameOp{"LEAVE64": frameLeave, "ENTER": frameEnter, "RETI64": frameReturn}

type stringOp uint8

const (
	stringNone stringOp = iota
	stringMovs
	stringCmps
	stringScas
	stringLods
	stringStos
	stringIns
	stringOuts
)

var stringOps = map[string]stringOp{"MOVS": stringMovs, "CMPS": stringCmps, "SCAS": stringScas, "LODS": stringLods,
	"STOS": stringStos, "INS": stringIns, "OUTS": stringOuts}

// traitCache has a slot per form; each entry is a pure function of the form.
var traitCache [1 << 15]atomic.Pointer[traits]

func traitsOf(f isa.FormID) *traits {
	slot := &traitCache[int(f)%len(traitCache)]
	if t := slot.Load(); t != nil {
		return t
	}
	t := db().traits(f)
	slot.Store(t)
	return t
}

func (d *database) traits(f isa.FormID) *traits {
	name := d.forms.Name(f)
	t := &traits{flags: d.flagsOf(f, name), flagRead: extraOp, flagWrite: extraOp, cond: -1, mem: int8(d.forms.MemOp(f)), src1: -1, src2: -1}
	if i := indexOf(d.forms.ImplicitUses(f), EFLAGS); i >= 0 {
		t.flagRead = ^int8(i)
	}
	if i := indexOf(d.forms.ImplicitDefs(f), EFLAGS); i >= 0 {
		t.flagWrite = ^int8(i)
	}
	for i := 0; i < d.forms.NumOps(f); i++ {
		c := d.forms.OperandClass(f, i)
		if c == nil {
			continue
		}
		t.imm16 = t.imm16 || c.Name == "i16imm" && d.forms.Encoding(f) == 0 && strings.Contains(name, "16")
		switch {
		case c.Type == "OPERAND_COND_CODE":
			t.cond = int8(i)
		case strings.HasSuffix(c.RegClass, "WM") && i >= d.forms.NumDefs(f):
			t.masks |= 1 << i
		case strings.HasPrefix(c.Name, "lea64"):
			t.lea = true
			if t.mem < 0 {
				t.mem = int8(i)
			}
		}
	}
	if t.cond >= 0 {
		t.flags.read = 0 // the condition's flags depend on the instruction's condition code
	}
	if strings.HasPrefix(name, "CMPCCXADD") {
		t.cond = -1 // its condition tests its own comparison
	}
	t.count = shiftCount(name)
	t.nop = strings.HasPrefix(name, "NOOP")
	t.dropWrites = name == "VZEROUPPER" || name == "MMX_EMMS" || name == "FEMMS"
	t.stack, t.frame = stackMove(name), frameOps[name]
	if s, ok := specialForms[name]; ok {
		t.special = &s
	}
	if len(name) > 1 && t.mem >= 0 {
		t.str = stringOps[name[:len(name)-1]]
	}
	t.memory(d, f, name)
	t.x87 = x87Of(name)
	t.idioms(d, f, name)
	t.flow = flowOf(name, d.forms.Flags(f))
	t.fuse, t.joins = fuseOf(name), joinsMoveOf(name, t.mem)
	return t
}

// memory fills in the access at the memory operand.
func (t *traits) memory(d *database, f isa.FormID, name string) {
	if t.mem < 0 {
		return
	}
	c := d.forms.OperandClass(f, int(t.mem))
	t.memOps = int8(c.Sub)
	t.bits, t.elems = classBits(c), 1
	fl := d.forms.Flags(f)
	t.load, t.store = fl&isa.MayLoad != 0, fl&isa.MayStore != 0
	if enc := d.forms.Encoding(f); !t.load && !t.store && (enc == 'V' || enc == 'E') { // LLVM sets the flags only on forms with a pattern
		t.load = d.forms.NumDefs(f) > 0
		t.store = !t.load && t.mem == 0 && d.forms.NumOps(f) > int(t.memOps)
	}
	vector := fl&isa.EVEXb == 0 && (d.forms.Encoding(f) == 'V' || d.forms.Encoding(f) == 'E')
	has := func(prefixes ...string) bool {
		for _, p := range prefixes {
			if strings.HasPrefix(name, p) {
				return true
			}
		}
		return false
	}
	switch {
	case t.lea, t.nop:
		t.load, t.store = false, false
	case has("PREFETCH", "PUSH", "CALL", "JMP", "FARCALL", "FARJMP", "LDMXCSR", "VLDMXCSR", "FXRSTOR", "XRSTOR", "PTWRITE", "ENQCMD", "MOVDIR64B"):
		t.load, t.store = true, false
	case has("POP") && !has("POPCNT"), has("FXSAVE", "XSAVE", "MOVDIRI", "MMX_MOVNTQ"):
		t.load, t.store = false, true
	case vector && t.load && t.store && t.mem == 0 && (has("VPMASKMOV", "VMASKMOV")):
		t.load = false
	case has("VGATHER", "VPGATHER", "VSCATTER", "VPSCATTER") && !has("VGATHERPF", "VSCATTERPF"):
		t.gather = true
		t.bits, t.elems = gatherShape(name, t.bits)
	case len(name) > 4 && strings.HasSuffix(name, "mr") && has("BT16", "BT32", "BT64", "BTC", "BTR", "BTS"):
		t.elems = 0 // the register selects the address of the bit
	case t.str != stringNone:
		t.load, t.store = t.str != stringStos && t.str != stringIns, t.str == stringMovs || t.str == stringStos || t.str == stringIns
	}
}

// classBits is the size of a memory operand class, 0 if unknown.
func classBits(c *isa.OpClass) uint16 {
	if c.Bits != 0 {
		return uint16(c.Bits)
	}
	name := strings.TrimPrefix(c.AsmClass, "X86Mem") // X86Mem64AsmOperand, X86MemOffs64_32AsmOperand, X86DstIdx8Operand
	for _, p := range [...]string{"X86DstIdx", "X86SrcIdx"} {
		name = strings.TrimPrefix(name, p)
	}
	if _, after, ok := strings.Cut(name, "_"); ok {
		name = after
	}
	end := 0
	for end < len(name) && name[end] >= '0' && name[end] <= '9' {
		end++
	}
	n, _ := strconv.Atoi(name[:end])
	return uint16(n)
}

// gatherShape splits the bits of a gather or scatter into elements, whose type
// follows from the last letters of the form's name.
func gatherShape(name string, total uint16) (bits, elems uint16) {
	rest := name[strings.Index(name, "ER")+2:] // DPD…, QPS…, DD…, QQ…
	bits = 32
	if strings.HasPrefix(rest[1:], "PD") || strings.HasPrefix(rest[1:], "Q") {
		bits = 64
	}
	return bits, max(1, total/bits)
}

// stackMove is the number of bytes by which a form's implicit stack access moves
// the stack pointer, 0 without such an access.
func stackMove(name string) int8 {
	switch {
	case strings.HasPrefix(name, "PUSH2"):
		return -16
	case strings.HasPrefix(name, "POP2"):
		return 16
	case strings.HasPrefix(name, "CALL64"), name == "ENTER":
		return -8
	case name == "RET64", name == "RETI64", name == "LEAVE64":
		return 8
	case strings.HasPrefix(name, "PUSH") && strings.Contains(name, "64"):
		return -8
	case strings.HasPrefix(name, "PUSH") && strings.Contains(name, "16"):
		return -2
	case strings.HasPrefix(name, "POPCNT"):
		return 0
	case strings.HasPrefix(name, "POP") && strings.Contains(name, "64"):
		return 8
	case strings.HasPrefix(name, "POP") && strings.Contains(name, "16"):
		return 2
	}
	return 0
}
