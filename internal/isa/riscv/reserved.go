package riscv

import (
	"fmt"
	"strconv"
	"strings"

	"incore/internal/isa"
)

// This file tells vector code that the specification reserves (RVV 1.0, sections 3.4, 5.2, 5.3, 7.8.3 and 10.1.2).
// Cores raise an exception for it, or do anything.

// widest is the greatest width of elements in bits (ELEN) of an implementation.
const widest = 64

// reserved implements isa.ISA.Reserved.
func (s *semantics) reserved(in *isa.Inst) string {
	if (in.Form == s.names.vsetvli || in.Form == s.names.vsetivli) && in.NOps > 2 && in.Ops[2].Kind == isa.OpImm {
		return reservedType(in.Ops[2].Imm)
	}
	x := s.facts.of(in.Form)
	if !x.vector || in.VType.SEW == 0 || reservedWidth(in.VType) != "" { // said of the instruction that sets it
		return ""
	}
	for i := range min(int(in.NOps), len(x.groups)) {
		if file, v := s.regs.of(in.Reg(i)); file == fileV && x.groups[i] != gNamed {
			if why := x.misfit(i, v, in.VType); why != "" {
				return why
			}
		}
	}
	return s.overlap(in, x)
}

// reservedType says why a vtype immediate is reserved.
func reservedType(imm int64) string {
	switch {
	case imm>>8 != 0:
		return "bits of vtype above the lowest eight are set"
	case imm>>3&7 > 3:
		return fmt.Sprintf("elements of %d bits do not exist", 8<<(imm>>3&7))
	case imm&7 == 4:
		return "LMUL has no meaning for this code"
	}
	return reservedWidth(vtypeOf(imm))
}

// reservedWidth says why elements of a width and a fraction of a register do not go together: a register of the least
// length would not hold one.
func reservedWidth(v isa.VType) string {
	if n := lmulEighths[v.LMUL&7]; int(v.SEW) > widest*n/8 {
		return fmt.Sprintf("elements of %d bits need an LMUL of %s or more", v.SEW, emulName(8*int(v.SEW)/widest))
	}
	return ""
}

// emulName writes a number of eighths of a register.
func emulName(eighths int) string {
	if eighths >= 8 {
		return strconv.Itoa(eighths / 8)
	}
	return "1/" + strconv.Itoa(8/max(1, eighths))
}

// element returns the element width of a group's operand in bits, 0 where it has none that counts.
func (g group) element(v isa.VType, eew uint8) int {
	sew := int(v.SEW)
	switch g {
	case gLMUL:
		return sew
	case gTwice:
		return 2 * sew
	case gQuad:
		return 4 * sew
	case gHalf:
		return sew / 2
	case gQuarter:
		return sew / 4
	case gEighth:
		return sew / 8
	case gEEW:
		return int(eew)
	case gEEW16:
		return 16
	}
	return 0
}

// misfit says why operand i, vector register number v, cannot have the elements or the number of registers that it
// would need.
func (x *facts) misfit(i, v int, t isa.VType) string {
	g, fields := x.groups[i], 1
	width := g.element(t, x.eew)
	if g == gOne || x.mem != memNone && width == 0 {
		return ""
	}
	sixteenths := 2 * lmulEighths[t.LMUL&7] * width / int(t.SEW)
	if i == 0 {
		fields = int(x.fields)
	}
	regs := max(1, sixteenths/16)
	switch {
	case width > widest:
		return fmt.Sprintf("v%d would have elements of %d bits; %d is the most", v, width, widest)
	case width < 8:
		return fmt.Sprintf("v%d would have elements of less than 8 bits", v)
	case sixteenths > 8*16:
		return fmt.Sprintf("v%d would stand for %d registers; 8 is the most", v, regs)
	case sixteenths < 2:
		return fmt.Sprintf("v%d would stand for less than an eighth of a register", v)
	case fields*regs > 8:
		return fmt.Sprintf("%d fields of %d registers each; 8 registers is the most", fields, regs)
	case v%regs != 0:
		return fmt.Sprintf("v%d stands for %d registers, and its number is no multiple of %d", v, regs, regs)
	case v+fields*regs > 32:
		return fmt.Sprintf("its registers go beyond v31 from v%d on", v)
	}
	return ""
}

// apart are the beginnings of the names of instructions whose result must not overlap their vector sources.
var apart = []string{"vslideup", "vslide1up", "vfslide1up", "vrgather", "vcompress", "viota", "vmsbf", "vmsif", "vmsof"}

// overlap says why the registers of the result must not be those of a source or of the mask.
func (s *semantics) overlap(in *isa.Inst, x *facts) string {
	mn, _, _ := strings.Cut(s.Forms.Asm(in.Form, 0), "\t")
	file, d := s.regs.of(in.Reg(0))
	if s.Forms.NumDefs(in.Form) == 0 || file != fileV || !strings.HasPrefix(mn, "v") || strings.Contains(mn, "red") {
		return ""
	}
	g := x.groups[0]
	wide, n := g.element(in.VType, x.eew), g.registers(in.VType, x.eew)*int(x.fields)
	mask := g == gOne && x.agnostic
	masked := x.maskOp >= 0 && in.Reg(int(x.maskOp)) != isa.NoReg && s.Forms.OperandClass(in.Form, int(x.maskOp)).Name == "VMaskOp"
	if masked && !mask && g != gOne && d == 0 {
		return "the result overlaps the mask v0"
	}
	for i := 1; i < min(int(in.NOps), len(x.groups)); i++ {
		file, v := s.regs.of(in.Reg(i))
		if file != fileV || i == int(x.maskOp) || s.tied(in, i) {
			continue
		}
		from := x.groups[i]
		m, width := from.registers(in.VType, x.eew), from.element(in.VType, x.eew)
		if v >= d+n || d >= v+m {
			continue
		}
		switch {
		case hasPrefix(mn, apart), x.fields > 1:
			return fmt.Sprintf("the result must not overlap its source v%d", v)
		case from == gOne || from == gNamed || wide == 0 && !mask || wide == width:
		case (mask || wide < width) && d != v:
			return fmt.Sprintf("the result overlaps its source v%d elsewhere than at the first register", v)
		case wide > width && (d+n != v+m || m == 1 && lmulEighths[in.VType.LMUL&7]*width/int(in.VType.SEW) < 8):
			return fmt.Sprintf("the result overlaps its source v%d elsewhere than at the last register", v)
		}
	}
	return ""
}

// tied reports whether operand i is the old value of the destination.
func (s *semantics) tied(in *isa.Inst, i int) bool {
	for k, l := 0, s.Forms.Ties(in.Form); k < l.Len(); k += 2 {
		if int(l.At(k)) == i && l.At(k+1) == 0 {
			return true
		}
	}
	return false
}

func hasPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
