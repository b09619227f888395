package dbi

import (
	"strconv"
	"strings"

	"incore/internal/isa"
)

// registers maps the registers of the tables to hardware numbers.
type registers struct {
	table  *isa.RegTable
	number []int8 // number of the general register that a register is or is part of, noGPR for others
	narrow []bool // 32 bits wide
}

var gprNames = [gprs]string{"RAX", "RCX", "RDX", "RBX", "RSP", "RBP", "RSI", "RDI", "R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15"}

func newRegisters(t *isa.RegTable) *registers {
	r := &registers{table: t, number: make([]int8, t.Len()), narrow: make([]bool, t.Len())}
	for i := range r.number {
		r.number[i] = noGPR
		for n, name := range gprNames {
			if i > 0 && t.Overlap(isa.Reg(i), t.Named(name)) {
				r.number[i] = int8(n)
			}
		}
		name := t.Name(isa.Reg(i))
		r.narrow[i] = r.number[i] != noGPR && (strings.HasPrefix(name, "E") || strings.HasPrefix(name, "R") && strings.HasSuffix(name, "D"))
	}
	return r
}

func (r *registers) gpr(x isa.Reg) int     { return int(r.number[x]) }
func (r *registers) bits32(x isa.Reg) bool { return r.narrow[x] }

// vector returns the number and the width of a vector register.
func (r *registers) vector(x isa.Reg) (number, bits int) {
	name := r.table.Name(x)
	for prefix, b := range map[string]int{"XMM": 128, "YMM": 256, "ZMM": 512} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			n, err := strconv.Atoi(rest)
			if err == nil {
				return n, b
			}
		}
	}
	return 0, 0
}

// mask returns the number of a mask register, -1 for k0 and other registers.
func (r *registers) mask(x isa.Reg) int {
	name := r.table.Name(x)
	if len(name) == 2 && name[0] == 'K' && name[1] > '0' && name[1] <= '7' {
		return int(name[1] - '0')
	}
	return -1
}
