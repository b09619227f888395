package block

import (
	"incore/internal/analysis/memdep"
	"incore/internal/isa"
)

// Start is what registers hold when a kernel begins to be measured that is entered with distinct ones, over so many
// physical pages, and what every word of memory does (Setup.Word), for predictions under the conditions of a
// measurement. A loop that runs in place has another value in the register that ends it.
func Start(k *isa.Kernel, pages int) (registers []memdep.Alias, word uint64) {
	a := of(k.ISA)
	if a == nil {
		return nil, 0
	}
	s := Setup{Pages: pages}
	values := s.Registers()
	if k.Latch && k.ISA.Semantics != nil {
		if ended, ok := a.newTrips(k).ended(values); ok {
			values = ended
		}
	}
	return a.registers(values), s.Word(k.Latch)
}

// registers are the values of registers, by number, as memdep takes them.
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

// startTrips is how often a loop goes round that Start speaks of: more often than what is found out about it takes.
const startTrips = 400

// ended gives registers with which a loop goes round often enough, or as often as its constants allow.
func (l *trips) ended(values [32]uint64) (out [32]uint64, ok bool) {
	way, err := l.find(values)
	for n := startTrips; err == nil && n >= 4; n /= 2 {
		if out, _, ok = l.after(way, values, n); ok {
			return out, true
		}
	}
	return values, false
}
