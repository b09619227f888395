// Package throughput computes the port bound of a kernel: the cycles per iteration in which its µops keep the execution
// ports busy, if dependences, latencies and the front end do not limit.
package throughput

import (
	"math"
	"math/bits"

	"incore/internal/analysis/uops"
	"incore/internal/machine"
)

// Policy is the rule by which the work of a µop is divided among its ports.
type Policy uint8

// The policies.
const (
	// Optimal divides the work of the whole kernel so that the load of the busiest port is
	// least: the exact lower bound max over port sets S of
	// (work that fits only into S) / |S|.
	Optimal Policy = iota
	// Uniform gives every suitable port the same share, independent of other µops (the
	// fixed probabilities of PMBS'19, section II).
	Uniform
)

// Result is the port pressure of one iteration, in cycles.
type Result struct {
	Policy Policy
	// Cycles is the load of the busiest port. Low and High differ from it if
	// instructions have no cost data: Low omits their µops, High adds a cycle
	// of the busiest port for each of their slots.
	Cycles, Low, High float64
	// Ports is the load by model port; its maximum is Cycles.
	Ports []float64
	// Bottleneck holds the ports whose load is Cycles; 0 if no µop needs a port.
	Bottleneck machine.PortSet
	// Slots is the number of dispatch slots (fused-domain µops, macro-fused pairs
	// once), Dispatch the cycles to dispatch them: Slots / DispatchWidth, 0 if the
	// width is not known. DispatchLow and DispatchHigh bound it as Low and High do.
	Slots                               float64
	Dispatch, DispatchLow, DispatchHigh float64
	// Limit is the dispatch limit by port if it takes longer than the dispatch width, and LimitUops the number of µops
	// under this limit; otherwise Limit.Uops is 0.
	Limit     machine.DispatchLimit
	LimitUops int

	rows []float64 // instruction × port
}

// Inst returns the load that instruction i puts on each port, in cycles. The
// columns add up to Ports.
func (r *Result) Inst(i int) []float64 {
	n := len(r.Ports)
	return r.rows[i*n : (i+1)*n : (i+1)*n]
}

// tolerance is the relative difference below which two loads count as equal.
const tolerance = 1e-9

// Analyze computes the port pressure of a kernel under a policy.
func Analyze(b *machine.Bound, p Policy) *Result {
	u, n := uops.UsageOf(b), len(b.Model.Ports)
	mem := make([]float64, n*(1+len(b.Insts)))
	r := &Result{Policy: p, Ports: mem[:n:n], rows: mem[n:]}
	if p == Uniform {
		r.uniform(u)
	} else {
		r.optimal(u)
	}
	r.Cycles = busiest(r.Ports)
	for i, load := range r.Ports {
		if load > 0 && load >= r.Cycles*(1-tolerance) {
			r.Bottleneck |= 1 << i
		}
	}
	r.dispatch(u)
	r.interval(u)
	return r
}

// Ports returns the cycles of the busiest port under the optimal policy, without the details of Analyze.
func Ports(u *uops.Usage) float64 {
	var mem [uops.MaxPorts]float64
	r := Result{Ports: mem[:len(u.Bound.Model.Ports)]}
	r.optimal(u)
	return busiest(r.Ports)
}

// Dispatch returns the cycles of dispatch, likewise.
func Dispatch(u *uops.Usage) float64 {
	var r Result
	r.dispatch(u)
	return r.Dispatch
}

// busiest returns the greatest load.
func busiest(loads []float64) (cycles float64) {
	for _, load := range loads {
		cycles = max(cycles, load)
	}
	return cycles
}

// uniform spreads every µop evenly over its ports.
func (r *Result) uniform(u *uops.Usage) {
	for k := range u.Work {
		w := &u.Work[k]
		row, share := r.Inst(int(w.Inst)), w.Cycles/float64(w.Ports.Size())
		for s := w.Ports; s != 0; s &= s - 1 {
			p := bits.TrailingZeros64(uint64(s))
			row[p] += share
			r.Ports[p] += share
		}
	}
}

// system is what competes for ports: µops for their execution, results for the way to the registers or to the flags. A
// result on another port than that of its µop competes with the results of that port's µops, not with the µops: one
// that writes memory alone leaves the way free.
type system uint8

const (
	execution system = iota
	toRegisters
	toFlags
	systems
	all // everything together, which is no bound of a kernel with results on other ports
)

// counts reports whether work counts in a system.
func (s system) counts(w *uops.Work) bool {
	switch s {
	case execution:
		return w.Kind != machine.UopResult
	case toRegisters:
		return w.Buses&uops.ToRegisters != 0
	case toFlags:
		return w.Buses&uops.ToFlags != 0
	}
	return true
}

// optimal divides the work by the balanced assignment of the kernel as a whole. If results go by other ports than those
// of their µops, these and the µops together may exceed the bound; then the ports have the loads of what needs most
// cycles.
func (r *Result) optimal(u *uops.Usage) {
	a := newAssignment(len(r.Ports))
	defer a.release()
	with, cycles := all, a.assign(u, all)
	if u.Results {
		most := 0.0
		for s := range systems {
			if c := a.assign(u, s); c > most*(1+tolerance) {
				with, most = s, c
			}
		}
		if cycles <= most*(1+tolerance) {
			with = all
		}
		a.assign(u, with)
	}
	copy(r.Ports, a.load)
	if r.rows == nil {
		return
	}
	for k := range u.Work {
		if w := &u.Work[k]; w.Ports != 0 && w.Cycles > 0 && with.counts(w) {
			a.share(r.Inst(int(w.Inst)), w.Ports, w.Cycles)
		}
	}
}

// assign distributes the work that counts in a system, and returns the load of the busiest port.
func (a *assignment) assign(u *uops.Usage, s system) (cycles float64) {
	a.clear()
	for k := range u.Work {
		if w := &u.Work[k]; s.counts(w) {
			a.add(w.Ports, w.Cycles)
		}
	}
	a.solve()
	return busiest(a.load)
}

// Reads returns the cycles of the busiest resource for register reads, and this resource, under the assumption that no
// operand is bypassed (machine.UopRead). It is no bound, but may explain a figure above all bounds. It is 0 if no
// instruction has register reads.
func Reads(u *uops.Usage) (cycles float64, units machine.PortSet) {
	for k := range u.Reads {
		units |= u.Reads[k].Ports
	}
	a := newAssignment(len(u.Bound.Model.Ports))
	defer a.release()
	for _, list := range [...][]uops.Work{u.Work, u.Reads} {
		for k := range list {
			if w := &list[k]; w.Ports&^units == 0 {
				a.add(w.Ports, w.Cycles)
			}
		}
	}
	a.solve()
	return busiest(a.load), units
}

// dispatch fills in the bound of the dispatch width and its limits by ports.
func (r *Result) dispatch(u *uops.Usage) {
	b := u.Bound
	var low, high float64
	for i := range b.Insts {
		in := &b.Insts[i]
		if in.Flags&machine.FusedSecond != 0 {
			continue
		}
		r.Slots += in.Slots
		if in.Flags&machine.Unknown != 0 {
			low, high = low+in.LowSlots, high+in.HighSlots
		} else {
			low, high = low+in.Slots, high+in.Slots
		}
	}
	if w := float64(b.Model.Params.DispatchWidth); w > 0 {
		r.Dispatch, r.DispatchLow, r.DispatchHigh = r.Slots/w, low/w, high/w
	}
	r.limits(u)
}

// limits raises the dispatch cycles to those of the dispatch limits by port (machine.Core.DispatchLimits).
func (r *Result) limits(u *uops.Usage) {
	core := u.Bound.Model.Core()
	for k := range core.DispatchLimits {
		l := &core.DispatchLimits[k]
		known, all := counted(u, l)
		cycles := float64(all) / float64(l.Uops)
		if cycles > r.Dispatch*(1+tolerance) {
			r.Dispatch, r.Limit, r.LimitUops = cycles, *l, all
		}
		r.DispatchLow, r.DispatchHigh = max(r.DispatchLow, float64(known)/float64(l.Uops)), max(r.DispatchHigh, cycles)
	}
}

// mostSlots is the largest number of slots of an instruction that count towards a limit: more are microcode.
const mostSlots = 8

// counted returns what a kernel counts towards a dispatch limit, and the part of it of instructions with cost data.
func counted(u *uops.Usage, l *machine.DispatchLimit) (known, all int) {
	add := func(in *machine.Inst, n int) {
		if all += n; in.Flags&machine.Unknown == 0 {
			known += n
		}
	}
	insts := u.Bound.Insts
	if l.Slots {
		for i := range insts {
			if in := &insts[i]; in.Flags&machine.FusedSecond == 0 && in.Slots <= mostSlots && l.CountsSlots(u.Bound, in) {
				add(in, int(in.Slots))
			}
		}
		return known, all
	}
	for k := range u.Work {
		if w := &u.Work[k]; w.Ports != 0 && !w.Resource && w.Ports&^l.Ports == 0 {
			add(&insts[w.Inst], w.Times())
		}
	}
	return known, all
}

// interval fills in Low and High.
func (r *Result) interval(u *uops.Usage) {
	r.Low, r.High = r.Cycles, r.Cycles
	unknown := false
	insts := u.Bound.Insts
	for i := range insts {
		if in := &insts[i]; in.Flags&(machine.Unknown|machine.FusedSecond) == machine.Unknown {
			unknown = true
			r.High += math.Max(in.HighSlots, 1)
		}
	}
	if !unknown {
		return
	}
	known := &Result{Ports: make([]float64, len(r.Ports)), rows: make([]float64, len(r.rows))}
	part := u.Part(func(w *uops.Work) bool { return insts[w.Inst].Flags&machine.Unknown == 0 })
	if r.Policy == Optimal {
		known.optimal(part)
	} else {
		known.uniform(part)
	}
	r.Low = busiest(known.Ports)
}
