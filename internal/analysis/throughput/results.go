package throughput

import (
	"incore/internal/isa"
	"incore/internal/machine"
)

// system is what competes for ports: µops for their execution, results for the way to the registers or to the flags.
type system uint8

const (
	execution system = iota
	toRegisters
	toFlags
	systems
	all // everything together, which is no bound of a kernel with results on other ports
)

// counts reports whether a µop of an instruction counts in a system. A result on another port than that of its µop (machine.UopResult) competes with
// the results of that port's µops, not with the µops: one that writes memory alone leaves the way free.
func (s system) counts(b *machine.Bound, in *machine.Inst, u *machine.Uop) bool {
	switch {
	case s == all:
		return true
	case s == execution:
		return u.Kind != machine.UopResult
	case u.Kind != machine.UopResult && (u.Cycles != 1 || !single(b, in)):
		return false
	}
	registers, flags := ways(b, in)
	if u.Kind == machine.UopResult && registers {
		flags = false // they are written with the other result
	}
	return s == toRegisters && registers || s == toFlags && flags
}

// single reports whether an instruction has one execution µop, on ports for integers, whose result takes the way of its port.
func single(b *machine.Bound, in *machine.Inst) bool {
	if q := b.Kernel.ISA.VectorBits; q != nil && q(&in.Line.Inst) > 0 {
		return false
	}
	n := 0
	for k := range in.Uops {
		if u := &in.Uops[k]; !u.Resource && (u.Kind == machine.UopExec || u.Kind == machine.UopBranch) {
			n += u.Times()
		}
	}
	return n == 1
}

// ways reports the ways that an instruction's results take.
func ways(b *machine.Bound, in *machine.Inst) (registers, flags bool) {
	for o, w := range in.Effects.Writes {
		if !computed(in, o) {
			continue
		}
		if w.Role == isa.RoleFlags && b.Model.Core().FlagsApart {
			flags = true
		} else {
			registers = true
		}
	}
	return registers, flags
}

// computed reports whether an output comes a cycle or more after the operands.
func computed(in *machine.Inst, out int) bool {
	depends := false
	for k := range in.Inputs() {
		if c, ok := in.Pair(k, out); ok {
			depends = true
			if k < len(in.Effects.Reads) && in.Effects.Reads[k].Role == isa.RoleAddr {
				c -= in.Load
			}
			if c > 0 {
				return true
			}
		}
	}
	return !depends && in.Latency > in.Load
}

// aside reports whether results of a kernel go by other ports than those of their µops.
func aside(b *machine.Bound) bool {
	for i := range b.Insts {
		for k := range b.Insts[i].Uops {
			if b.Insts[i].Uops[k].Kind == machine.UopResult {
				return true
			}
		}
	}
	return false
}
