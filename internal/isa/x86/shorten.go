package x86

import (
	"sync"

	"incore/internal/isa"
	"incore/internal/isa/x86/enc"
)

// shorter lists the forms that an assembler replaces by shorter encodings.
type shorter struct {
	byOne    map[isa.FormID]isa.FormID // shift or rotate by an immediate: its form for a count of one
	reversed map[isa.FormID]isa.FormID // VEX move: the encoding with the operands swapped
	int8     isa.FormID
	int3     isa.FormID
	jmp, jcc isa.FormID // with 8-bit displacement
	jmp4     isa.FormID
	jcc4     isa.FormID
	nop      isa.FormID
	pause    isa.FormID
	xchg16   isa.FormID // of ax and another register
}

var shorterForms = sync.OnceValue(func() *shorter {
	f := db().forms
	s := &shorter{byOne: map[isa.FormID]isa.FormID{}, reversed: map[isa.FormID]isa.FormID{}, int8: f.Named("INT"), int3: f.Named("INT3"),
		jmp: f.Named("JMP_1"), jcc: f.Named("JCC_1"), jmp4: f.Named("JMP_4"), jcc4: f.Named("JCC_4"),
		nop: f.Named("NOOP"), pause: f.Named("PAUSE"), xchg16: f.Named("XCHG16ar")}
	for _, op := range [...]string{"RCL", "RCR", "ROL", "ROR", "SAR", "SHL", "SHR"} {
		for _, size := range [...]string{"8", "16", "32", "64"} {
			for _, loc := range [...]string{"r", "m"} {
				for _, kind := range [...]string{"", "_ND", "_NF", "_NF_ND", "_EVEX"} {
					if long, short := f.Named(op+size+loc+"i"+kind), f.Named(op+size+loc+"1"+kind); long != 0 && short != 0 {
						s.byOne[long] = short
					}
				}
			}
		}
	}
	for _, name := range [...]string{"VMOVAPDrr", "VMOVAPDYrr", "VMOVAPSrr", "VMOVAPSYrr", "VMOVDQArr", "VMOVDQAYrr", "VMOVDQUrr", "VMOVDQUYrr",
		"VMOVUPDrr", "VMOVUPDYrr", "VMOVUPSrr", "VMOVUPSYrr", "VMOVSDrr", "VMOVSSrr"} {
		s.reversed[f.Named(name)] = f.Named(name + "_REV")
	}
	s.reversed[f.Named("VMOVZPQILo2PQIrr")] = f.Named("VMOVPQI2QIrr")
	return s
})

// shorten applies an assembler's choices among equivalent encodings
// after matching: shifts by one, two-byte VEX prefixes, int3; or the long jump that {disp32}
// requires. xchg %ax, %ax and rep nop become the forms that the decoder gives their bytes: nop and pause.
func (d *database) shorten(in *isa.Inst, force forced, prefix isa.Prefix) {
	s := shorterForms()
	if last := int(in.NOps) - 1; last >= 0 && in.Ops[last].Kind == isa.OpImm && in.Ops[last].Imm == 1 {
		if f, ok := s.byOne[in.Form]; ok {
			in.Form = f
			in.NOps--
			in.Ops[last] = isa.Operand{}
			return
		}
	}
	switch {
	case in.Form == s.int8 && in.Ops[0].Kind == isa.OpImm && in.Ops[0].Imm == 3:
		*in = isa.Inst{Form: s.int3, Prefix: in.Prefix}
	case in.Form == s.xchg16 && in.Reg(0) == AX: // 66 90
		*in = isa.Inst{Form: s.nop, Prefix: in.Prefix | isa.PfxData16}
	case in.Form == s.nop && in.Prefix&isa.PfxRep != 0: // f3 90
		*in = isa.Inst{Form: s.pause, Prefix: in.Prefix &^ isa.PfxRep}
	case in.Form == s.jmp && prefix&isa.PfxDisp32 != 0:
		in.Form = s.jmp4
	case in.Form == s.jcc && prefix&isa.PfxDisp32 != 0:
		in.Form = s.jcc4
	case d.forms.Encoding(in.Form) == 'V' && force != forceVEX3:
		d.shortenVEX(in, s)
	}
}

// shortenVEX saves a byte if the register that needs VEX.B can move to an operand that VEX.R or vvvv encodes.
func (d *database) shortenVEX(in *isa.Inst, s *shorter) {
	last := int(in.NOps) - 1
	ext := func(i int) bool { return d.class[in.Reg(i)]&isExtended != 0 }
	if f, ok := s.reversed[in.Form]; ok {
		if !ext(0) && ext(last) {
			in.Form = f
		}
		return
	}
	if !d.swappable(in) || ext(1) || !ext(2) {
		return
	}
	in.Ops[1], in.Ops[2] = in.Ops[2], in.Ops[1]
}

// swappable reports whether MC operands 1 and 2 may be exchanged at no cost: the
// form commutes, is in the map that the two-byte prefix implies, and for
// comparisons the predicate is a symmetric one.
func (d *database) swappable(in *isa.Inst) bool {
	if d.forms.Flags(in.Form)&isa.Commutable == 0 || in.NOps < 3 || in.Reg(2) == 0 {
		return false
	}
	switch name := d.forms.Name(in.Form); {
	case in.NOps == 4: // eq, unord, neq, ord
		if p := in.Ops[3].Imm & 3; len(name) < 4 || name[:4] != "VCMP" || in.Ops[3].Kind != isa.OpImm || p != 0 && p != 3 {
			return false
		}
	case in.NOps != 3, name == "VMOVHLPSrr", name == "VUNPCKHPDrr": // these two commute into other instructions
		return false
	}
	s := d.signature(in.Form)
	return s.Map == enc.MapVEX+1 && s.V && !s.W && s.ModRM == enc.ModRMReg
}

// legacyEGPR reports whether the legacy encoding of a form can encode R16 to R31
// (with a REX2 prefix). A form that cannot has an EVEX twin, which needs no request in braces.
func (d *database) legacyEGPR(f isa.FormID) bool {
	twin := d.forms.Named(d.forms.Name(f) + "_EVEX")
	return twin == isa.NoForm || d.forms.Prefix(twin) == 'E'
}
