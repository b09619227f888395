package x86

import "incore/internal/isa"

// special holds the effects of a single form that LLVM's tables lack.
type special struct {
	reads, writes []isa.Reg
	keeps         []isa.Reg  // registers that the tables list as written, but that keep their value
	readsDst      bool       // the destination keeps bits that the tables don't tie
	mem           isa.MemRef // implicit access; Base 0 if none
	prefix        isa.Prefix // the form is a prefix that stands alone
}

// specialForms are keyed by LLVM's names.
var specialForms = map[string]special{
	"LOOP": {reads: []isa.Reg{RCX}, writes: []isa.Reg{RCX}}, "LOOPE": {reads: []isa.Reg{RCX}, writes: []isa.Reg{RCX}},
	"LOOPNE":  {reads: []isa.Reg{RCX}, writes: []isa.Reg{RCX}},
	"SYSCALL": {reads: []isa.Reg{RAX}, writes: []isa.Reg{RAX, RCX, R11}},
	// The destination keeps its value if the source is zero.
	"BSF16rr": {readsDst: true}, "BSF32rr": {readsDst: true}, "BSF64rr": {readsDst: true},
	"BSF16rm": {readsDst: true}, "BSF32rm": {readsDst: true}, "BSF64rm": {readsDst: true},
	"BSR16rr": {readsDst: true}, "BSR32rr": {readsDst: true}, "BSR64rr": {readsDst: true},
	"BSR16rm": {readsDst: true}, "BSR32rm": {readsDst: true}, "BSR64rm": {readsDst: true},
	"LSL16rr": {readsDst: true}, "LSL32rr": {readsDst: true}, "LSL64rr": {readsDst: true},
	"LAR16rr": {readsDst: true}, "LAR32rr": {readsDst: true}, "LAR64rr": {readsDst: true},
	// The accumulator is only read (Intel SDM vol. 2, CWD/CDQ/CQO).
	"CWD": {keeps: []isa.Reg{AX}}, "CDQ": {keeps: []isa.Reg{EAX}}, "CQO": {keeps: []isa.Reg{RAX}},
	// The destination is compared with the accumulator.
	"CMPXCHG8rr": {readsDst: true}, "CMPXCHG16rr": {readsDst: true}, "CMPXCHG32rr": {readsDst: true}, "CMPXCHG64rr": {readsDst: true},
	"XLAT":            {mem: isa.MemRef{Base: RBX, Index: AL, Scale: 1, Bits: 8, Elems: 1, Load: true}},
	"MASKMOVDQU64":    {mem: isa.MemRef{Base: RDI, Scale: 1, Bits: 128, Elems: 1, Store: true}},
	"VMASKMOVDQU64":   {mem: isa.MemRef{Base: RDI, Scale: 1, Bits: 128, Elems: 1, Store: true}},
	"MASKMOVDQU":      {mem: isa.MemRef{Base: EDI, Scale: 1, Bits: 128, Elems: 1, Store: true}},
	"VMASKMOVDQU":     {mem: isa.MemRef{Base: EDI, Scale: 1, Bits: 128, Elems: 1, Store: true}},
	"MMX_MASKMOVQ64":  {mem: isa.MemRef{Base: RDI, Scale: 1, Bits: 64, Elems: 1, Store: true}},
	"CLZERO64r":       {mem: isa.MemRef{Base: RAX, Scale: 1, Bits: 512, Elems: 1, Store: true}},
	"LOCK_PREFIX":     {prefix: isa.PfxLock},
	"REP_PREFIX":      {prefix: isa.PfxRep},
	"REPNE_PREFIX":    {prefix: isa.PfxRepne},
	"DATA16_PREFIX":   {prefix: isa.PfxData16},
	"ADDR32_PREFIX":   {prefix: isa.PfxAddr32},
	"REX64_PREFIX":    {prefix: isa.PfxRexW},
	"XACQUIRE_PREFIX": {prefix: isa.PfxRepne},
	"XRELEASE_PREFIX": {prefix: isa.PfxRep},
}
