package uops

import (
	"slices"

	"incore/internal/isa"
	"incore/internal/machine"
)

// This file lists the port usage of a kernel, with the cycles that the model states. The port bound is a sum over this
// list, and so is the demand for ports by which the simulator chooses among free ones (Core.weigh). The simulator's
// µops are busy for whole cycles, or for one more in every other iteration.

// Work is what a µop, a resource (machine.Uop.Resource) or a result on its way to the registers (machine.UopResult)
// takes of some ports in an iteration.
type Work struct {
	machine.Uop
	Inst int32
	// Buses are those that a result takes by these ports, in kernels of which some result takes another port than its
	// µop; else 0.
	Buses Ways
}

// Usage is the port usage of a kernel, in program order.
type Usage struct {
	Bound   *machine.Bound
	Work    []Work
	Reads   []Work // uses of resources by register reads (machine.UopRead), which no bound counts
	Results bool   // some results take other ports than their µops
}

// UsageOf returns the port usage of a kernel.
func UsageOf(b *machine.Bound) *Usage {
	u := new(Usage)
	u.list(b)
	if u.Results {
		for k := range u.Work {
			u.Work[k].Buses = u.buses(&u.Work[k])
		}
	}
	return u
}

// list fills in the port usage of a kernel without the buses, in the memory of the last one. The µops of a macro-fused
// pair belong to its first instruction.
func (u *Usage) list(b *machine.Bound) {
	n := 0
	for i := range b.Insts {
		n += len(b.Insts[i].Uops)
	}
	u.Bound, u.Work, u.Reads, u.Results = b, slices.Grow(u.Work[:0], n), u.Reads[:0], false
	for i := range b.Insts {
		in := &b.Insts[i]
		if in.Flags&machine.FusedSecond != 0 {
			continue
		}
		for _, x := range in.Uops {
			switch w := (Work{Uop: x, Inst: int32(i)}); x.Kind {
			case machine.UopRead:
				u.Reads = append(u.Reads, w)
			case machine.UopResult:
				u.Results = true
				fallthrough
			default:
				u.Work = append(u.Work, w)
			}
		}
	}
}

// buses returns the result buses that work takes. An instruction with results that takes one µop of a cycle writes them
// back by the port of the µop.
func (u *Usage) buses(w *Work) Ways {
	in := &u.Bound.Insts[w.Inst]
	if w.Kind != machine.UopResult && (w.Cycles != 1 || onVectors(u.Bound.Kernel.ISA, in) || executions(in) != 1) {
		return 0
	}
	by, _ := written(in, u.Bound.Model.Core().FlagsApart)
	if w.Kind == machine.UopResult {
		by = by.aside()
	}
	return by
}

// executions returns the number of µops of an instruction that neither load nor store.
func executions(in *machine.Inst) (n int) {
	for k := range in.Uops {
		if u := &in.Uops[k]; !u.Resource && (u.Kind == machine.UopExec || u.Kind == machine.UopBranch) {
			n += u.Times()
		}
	}
	return n
}

// onVectors reports whether vector units execute an instruction, whose results use a port for integers only if its row
// says so.
func onVectors(a *isa.ISA, in *machine.Inst) bool {
	return a.VectorBits != nil && a.VectorBits(&in.Line.Inst) > 0
}

// Part returns the port usage of some of a kernel's work.
func (u *Usage) Part(belongs func(w *Work) bool) *Usage {
	part := &Usage{Bound: u.Bound, Results: u.Results}
	for k := range u.Work {
		if belongs(&u.Work[k]) {
			part.Work = append(part.Work, u.Work[k])
		}
	}
	return part
}

// weigh computes a kernel's demand for each port, which decides between free ports: each µop has the same demand for
// all of its ports.
func (c *Core) weigh(u *Usage) {
	c.Demand = [MaxPorts]float64{} // of the kernel before
	for _, all := range [...][]Work{u.Work, u.Reads} {
		for k := range all {
			n := float64(all[k].Ports.Size())
			for s := PortSet(all[k].Ports); s != 0; s &= s - 1 {
				c.Demand[s.First()] += all[k].Cycles / n
			}
		}
	}
	c.rank()
}
