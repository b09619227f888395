package sim

import (
	"incore/internal/isa"
	"incore/internal/machine"
)

// This file is the physical register files: rename allocates a register for each result of an instruction. Retirement frees the register of the old
// value, so that the allocated registers, beyond the architectural ones, equal the results in flight.

// files holds a number for each register file (isa.RegFileKind).
type files [isa.NumRegFiles]uint8

// registers is the state of the register files.
type registers struct {
	timeless
	derived
	room  [isa.NumRegFiles]int32 // registers beyond the architectural ones; an unlimited file has more than are ever in flight
	taken [isa.NumRegFiles]int32
}

// unlimited is larger than the number of results in flight.
const unlimited = 1 << 20

func (r *registers) reset(p *pipeline) {
	*r = registers{}
	c := p.core
	for k, n := range [...]int{isa.IntegerFile: c.IntegerRegisters, isa.VectorFile: c.VectorRegisters, isa.FlagFile: c.FlagRegisters} {
		if r.room[k] = int32(n); n == 0 {
			r.room[k] = unlimited
		}
	}
}

// full reports whether some file has too few registers for a µop.
func (r *registers) full(u *op) bool {
	return r.taken[0]+int32(u.results[0]) > r.room[0] || r.taken[1]+int32(u.results[1]) > r.room[1] || r.taken[2]+int32(u.results[2]) > r.room[2]
}

// take allocates the registers of a µop's instruction, and free frees them.
func (r *registers) take(u *op) {
	for k, n := range u.results {
		r.taken[k] += int32(n)
	}
}

func (r *registers) free(u *op) {
	for k, n := range u.results {
		r.taken[k] -= int32(n)
	}
}

// results counts the registers that an instruction allocates. Eliminated moves and zero idioms allocate none; nor does the stack pointer that push
// and pop move.
func (l *lowering) results(in *machine.Inst) (n files) {
	file := l.g.Bound.Kernel.ISA.RegFile
	if file == nil || l.core.IntegerRegisters|l.core.VectorRegisters|l.core.FlagRegisters == 0 || in.Flags&(machine.ZeroIdiom|machine.MoveElim) != 0 {
		return n
	}
	for i := range in.Effects.Writes {
		switch w := &in.Effects.Writes[i]; {
		case w.Role == isa.RoleFlags:
			n[isa.FlagFile] = 1 // all flags share one register
		case w.Op < 0 && l.core.StackEngine && l.stackPointer(w.Reg):
		default:
			if k, ok := file(w.Reg); ok {
				n[k]++
			}
		}
	}
	return n
}
