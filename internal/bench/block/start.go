package block

import (
	"incore/internal/analysis/memdep"
	"incore/internal/isa"
)

// Start returns the initial values of registers for a kernel that starts with distinct ones on a number of physical
// pages, and the value of every word of memory (Setup.Word), for predictions under the conditions of a measurement.
// In a loop that runs in place, the register that ends it has another value.
func Start(k *isa.Kernel, pages int) (registers []memdep.Alias, word uint64) {
	return start(k, &Setup{Pages: pages})
}

// startSuited is Start with the values that Setup.Suit chooses.
func startSuited(k *isa.Kernel, pages int) (registers []memdep.Alias, word uint64) {
	s := Setup{Pages: pages}
	s.Suit(k)
	return start(k, &s)
}

// Starts are the functions for predictions by the name of the registers' values (predict.Registers).
var Starts = map[string]func(k *isa.Kernel, pages int) (registers []memdep.Alias, word uint64){"measured": Start, "suited": startSuited}

func start(k *isa.Kernel, s *Setup) (registers []memdep.Alias, word uint64) {
	a := of(k.ISA)
	if a == nil {
		return nil, 0
	}
	values := s.Registers()
	if k.Latch && k.ISA.Semantics != nil {
		if ended, ok := a.newTrips(k).ended(values); ok {
			values = ended
		}
	}
	return a.registers(values), s.Word(k.Latch)
}

// registers converts the values of registers, by number, to memdep's representation.
func (a *Arch) registers(values [32]uint64) (out []memdep.Alias) {
	for n, r := range a.regs {
		if a.constant(r) {
			continue
		}
		if full, _, width := a.ISA.Semantics.Part(r); width == 64 && full == r {
			out = append(out, memdep.Alias{Reg: r, Base: isa.NoReg, Offset: int64(values[n])})
		}
	}
	return out
}

// startTrips is the number of iterations for which Start chooses the registers: more than the analysis of the loop
// executes.
const startTrips = 400

// ended returns registers with which a loop runs startTrips iterations, or as many as its constants allow.
func (l *trips) ended(values [32]uint64) (out [32]uint64, ok bool) {
	way, err := l.find(values)
	for n := startTrips; err == nil && n >= 4; n /= 2 {
		if out, _, ok = l.after(way, values, n); ok {
			return out, true
		}
	}
	return values, false
}
