package sim

import (
	"incore/internal/isa"
)

// This file is the physical register files: rename allocates a register for each result of an instruction. Retirement frees the register of the old
// value, so that the allocated registers, beyond the architectural ones, equal the results in flight.

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
	return r.taken[0]+int32(u.Results[0]) > r.room[0] || r.taken[1]+int32(u.Results[1]) > r.room[1] || r.taken[2]+int32(u.Results[2]) > r.room[2]
}

// take allocates the registers of a µop's instruction, and free frees them.
func (r *registers) take(u *op) {
	n := &u.Results
	r.taken = [...]int32{r.taken[0] + int32(n[0]), r.taken[1] + int32(n[1]), r.taken[2] + int32(n[2])}
}

func (r *registers) free(u *op) {
	n := &u.Results
	r.taken = [...]int32{r.taken[0] - int32(n[0]), r.taken[1] - int32(n[1]), r.taken[2] - int32(n[2])}
}
