package riscv

import "incore/internal/isa"

// regFile is a register file.
type regFile uint8

const (
	fileNone regFile = iota
	fileX            // integer
	fileF            // floating point, named H, F or D by the width used
	fileV            // vector; groups of 2, 4 and 8 have names of their own
)

// fpWidth indexes the names that one floating-point register has.
const (
	fpH = iota
	fpF
	fpD
)

// registers maps LLVM's registers to architectural files and numbers, and back.
type registers struct {
	file           []regFile // register → file; register pairs and groups belong to their file
	num            []uint8   // register → number of its first part
	x              [32]isa.Reg
	f              [32][3]isa.Reg // by width
	v              [32][4]isa.Reg // single, groups of 2, 4, 8; NoReg where not aligned
	pair           [32]isa.Reg    // even register and its neighbour
	vl, vtype, frm isa.Reg
	fflags         isa.Reg
	vxrm, vxsat    isa.Reg
	vlenb          isa.Reg
}

func newRegisters(t *isa.RegTable) *registers {
	r := &registers{file: make([]regFile, t.Len()), num: make([]uint8, t.Len())}
	class := func(name string, file regFile, step int, at func(i int) *isa.Reg) {
		m, _ := t.Class(name)
		for i := range m.Len() {
			// LLVM lists members in allocation order; the names hold the numbers.
			reg := isa.Reg(m.At(i))
			n := leadingNumber(t.Name(reg))
			if n%step != 0 || n > 31 {
				continue
			}
			*at(n) = reg
			r.file[reg], r.num[reg] = file, uint8(n)
		}
	}
	class("GPR", fileX, 1, func(i int) *isa.Reg { return &r.x[i] })
	class("GPRPair", fileX, 2, func(i int) *isa.Reg { return &r.pair[i] })
	class("FPR16", fileF, 1, func(i int) *isa.Reg { return &r.f[i][fpH] })
	class("FPR32", fileF, 1, func(i int) *isa.Reg { return &r.f[i][fpF] })
	class("FPR64", fileF, 1, func(i int) *isa.Reg { return &r.f[i][fpD] })
	for k, name := range []string{"VR", "VRM2", "VRM4", "VRM8"} {
		class(name, fileV, 1<<k, func(i int) *isa.Reg { return &r.v[i][k] })
	}
	for name, at := range map[string]*isa.Reg{"VL": &r.vl, "VTYPE": &r.vtype, "FRM": &r.frm, "FFLAGS": &r.fflags,
		"VXRM": &r.vxrm, "VXSAT": &r.vxsat, "VLENB": &r.vlenb} {
		*at = t.Named(name)
	}
	return r
}

// leadingNumber reads the first number in a register's name ("X10_X11" is 10).
func leadingNumber(name string) int {
	n, seen := 0, false
	for i := 0; i < len(name); i++ {
		if c := name[i]; c >= '0' && c <= '9' {
			n, seen = n*10+int(c-'0'), true
		} else if seen {
			break
		}
	}
	return n
}

// of returns a register's file and number; fileNone for the others (CSRs).
func (r *registers) of(reg isa.Reg) (regFile, int) {
	if int(reg) >= len(r.file) {
		return fileNone, 0
	}
	return r.file[reg], int(r.num[reg])
}

// isX0 reports whether reg is the zero register.
func (r *registers) isX0(reg isa.Reg) bool { return reg == r.x[0] }
