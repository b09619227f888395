// Package throughput computes the port bound of a kernel: the cycles per iteration in which its µops keep the execution ports busy, if dependences,
// latencies and the front end do not limit.
package throughput

import (
	"math"
	"math/bits"

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
	// Limit is the dispatch limit by port if it takes longer than the dispatch width, and LimitUops the number of µops under this limit; otherwise
	// Limit.Uops is 0.
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
	n := len(b.Model.Ports)
	mem := make([]float64, n*(1+len(b.Insts)))
	r := &Result{Policy: p, Ports: mem[:n:n], rows: mem[n:]}
	if p == Uniform {
		r.uniform(b)
	} else {
		r.optimal(b, false)
	}
	for _, load := range r.Ports {
		r.Cycles = max(r.Cycles, load)
	}
	for i, load := range r.Ports {
		if load > 0 && load >= r.Cycles*(1-tolerance) {
			r.Bottleneck |= 1 << i
		}
	}
	r.dispatch(b)
	r.interval(b)
	return r
}

// uniform spreads every µop evenly over its ports.
func (r *Result) uniform(b *machine.Bound) {
	for i := range b.Insts {
		row := r.Inst(i)
		for _, u := range uops(&b.Insts[i]) {
			share := u.Cycles / float64(bits.OnesCount64(uint64(u.Ports)))
			for s := u.Ports; s != 0; s &= s - 1 {
				p := bits.TrailingZeros64(uint64(s))
				row[p] += share
				r.Ports[p] += share
			}
		}
	}
}

// optimal divides the work by the balanced assignment of the kernel as a whole. If results go by other ports than those of their µops, these and the µops
// together may exceed the bound; then the ports have the loads of what needs most cycles.
func (r *Result) optimal(b *machine.Bound, knownOnly bool) {
	a := newAssignment(len(r.Ports))
	defer a.release()
	with, cycles := all, a.assign(b, all, knownOnly)
	if aside(b) {
		most := 0.0
		for s := range systems {
			if c := a.assign(b, s, knownOnly); c > most*(1+tolerance) {
				with, most = s, c
			}
		}
		if cycles <= most*(1+tolerance) {
			with = all
		}
		a.assign(b, with, knownOnly)
	}
	copy(r.Ports, a.load)
	if r.rows == nil {
		return
	}
	for i := range b.Insts {
		row := r.Inst(i)
		for _, u := range uops(&b.Insts[i]) {
			if u.Ports != 0 && u.Cycles > 0 && with.counts(b, &b.Insts[i], &u) {
				a.share(row, u.Ports, u.Cycles)
			}
		}
	}
}

// assign distributes the µops that count in a system, and returns the load of the busiest port.
func (a *assignment) assign(b *machine.Bound, s system, knownOnly bool) (cycles float64) {
	a.clear()
	for i := range b.Insts {
		if knownOnly && b.Insts[i].Flags&machine.Unknown != 0 {
			continue
		}
		for _, u := range uops(&b.Insts[i]) {
			if s.counts(b, &b.Insts[i], &u) {
				a.add(u.Ports, u.Cycles)
			}
		}
	}
	a.solve()
	for _, load := range a.load {
		cycles = max(cycles, load)
	}
	return cycles
}

// uops returns the µops of an instruction that a bound counts; the µops of a macro-fused pair belong to its first instruction.
func uops(in *machine.Inst) []machine.Uop {
	if in.Flags&machine.FusedSecond != 0 {
		return nil
	}
	return machine.Counted(in.Uops)
}

// Reads returns the cycles of the busiest resource for register reads, and this resource, under the assumption that no operand is bypassed (machine.UopRead). It is no
// bound, but may explain a figure above all bounds. It is 0 if no instruction has register reads.
func Reads(b *machine.Bound) (cycles float64, units machine.PortSet) {
	each := func(f func(u *machine.Uop)) {
		for i := range b.Insts {
			if b.Insts[i].Flags&machine.FusedSecond == 0 {
				for k := range b.Insts[i].Uops {
					f(&b.Insts[i].Uops[k])
				}
			}
		}
	}
	each(func(u *machine.Uop) {
		if u.Kind == machine.UopRead {
			units |= u.Ports
		}
	})
	a := newAssignment(len(b.Model.Ports))
	defer a.release()
	each(func(u *machine.Uop) {
		if u.Ports != 0 && u.Ports&^units == 0 {
			a.add(u.Ports, u.Cycles)
		}
	})
	a.solve()
	for _, load := range a.load {
		cycles = max(cycles, load)
	}
	return cycles, units
}

// dispatch fills in the bound of the dispatch width and its limits by ports.
func (r *Result) dispatch(b *machine.Bound) {
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
	r.limits(b)
}

// limits raises the dispatch cycles to those of the dispatch limits by port (machine.Core.DispatchLimits).
func (r *Result) limits(b *machine.Bound) {
	core := b.Model.Core()
	for k := range core.DispatchLimits {
		l := &core.DispatchLimits[k]
		known, all := 0, 0
		for i := range b.Insts {
			n := counted(b, &b.Insts[i], l)
			if all += n; b.Insts[i].Flags&machine.Unknown == 0 {
				known += n
			}
		}
		cycles := float64(all) / float64(l.Uops)
		if cycles > r.Dispatch*(1+tolerance) {
			r.Dispatch, r.Limit, r.LimitUops = cycles, *l, all
		}
		r.DispatchLow, r.DispatchHigh = max(r.DispatchLow, float64(known)/float64(l.Uops)), max(r.DispatchHigh, cycles)
	}
}

// mostSlots is the largest number of slots of an instruction that count towards a limit: more are microcode.
const mostSlots = 8

// counted returns what an instruction counts towards a dispatch limit.
func counted(b *machine.Bound, in *machine.Inst, l *machine.DispatchLimit) (n int) {
	if l.Slots {
		if in.Flags&machine.FusedSecond == 0 && in.Slots <= mostSlots && l.CountsSlots(b, in) {
			n = int(in.Slots)
		}
		return n
	}
	for _, u := range uops(in) {
		if u.Ports != 0 && !u.Resource && u.Ports&^l.Ports == 0 {
			n += u.Times()
		}
	}
	return n
}

// interval fills in Low and High.
func (r *Result) interval(b *machine.Bound) {
	r.Low, r.High = r.Cycles, r.Cycles
	unknown := false
	for i := range b.Insts {
		if in := &b.Insts[i]; in.Flags&(machine.Unknown|machine.FusedSecond) == machine.Unknown {
			unknown = true
			r.High += math.Max(in.HighSlots, 1)
		}
	}
	if !unknown {
		return
	}
	known := &Result{Ports: make([]float64, len(r.Ports))}
	if r.Policy == Optimal {
		known.optimal(b, true)
	} else {
		copy(known.Ports, r.Ports)
		for i := range b.Insts {
			if b.Insts[i].Flags&machine.Unknown != 0 {
				for p, load := range r.Inst(i) {
					known.Ports[p] -= load
				}
			}
		}
	}
	r.Low = 0
	for _, load := range known.Ports {
		r.Low = max(r.Low, load)
	}
}
