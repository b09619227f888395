package throughput

import (
	"math/bits"
	"slices"
	"sync"

	"incore/internal/machine"
)

// assignment divides work among ports so that the loads, sorted in decreasing
// order, are lexicographically least. The port loads of this assignment are
// unique, and the greatest load is the exact bound max over port sets S of
// (work that fits only into S) / |S|.
//
// It is found by decomposition (Fujishige 1980; Groenevelt 1991): give every
// port the mean load as capacity and route the work by maximum flow. If all of
// it fits, every port has the mean load. If not, the minimum cut splits the
// problem into a part that is denser than the mean and the rest; the parts
// share no work and are solved separately. This needs at most one flow per port.
type assignment struct {
	ports int
	sets  []machine.PortSet // distinct port sets of the µops
	work  []float64         // cycles of work by set
	flow  []float64         // set × port: the part of the set's work on the port
	load  []float64         // by port
	spare []float64         // by port: remaining capacity in the current flow
	left  []float64         // by set: work not routed yet
	from  []int16           // by port: the set it was reached from, while searching
	via   []int16           // by set: the port it was reached from, -1 for a source
	queue []int16
	all   []int16 // the sets, in the order of balance's splits
	eps   float64
}

// assignments keeps assignments for reuse of their memory.
var assignments = sync.Pool{New: func() any { return new(assignment) }}

// newAssignment returns an assignment without work; release returns it to the pool.
func newAssignment(ports int) *assignment {
	a := assignments.Get().(*assignment)
	a.ports = ports
	a.clear()
	return a
}

// clear removes all work.
func (a *assignment) clear() {
	a.sets, a.work = a.sets[:0], a.work[:0]
	a.load, a.spare, a.from = zeros(a.load, a.ports), zeros(a.spare, a.ports), zeros(a.from, a.ports)
}

func (a *assignment) release() { assignments.Put(a) }

// zeros returns a slice of n zeros in the memory of s.
func zeros[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// add counts the work of a µop.
func (a *assignment) add(s machine.PortSet, cycles float64) {
	if s == 0 || cycles <= 0 {
		return
	}
	if i := a.find(s); i >= 0 {
		a.work[i] += cycles
		return
	}
	a.sets = append(a.sets, s)
	a.work = append(a.work, cycles)
}

func (a *assignment) find(s machine.PortSet) int {
	for i, t := range a.sets {
		if s == t {
			return i
		}
	}
	return -1
}

// share adds the loads of a µop to row, divided in the same ratio as the work of its set.
func (a *assignment) share(row []float64, s machine.PortSet, cycles float64) {
	i := a.find(s)
	part := cycles / a.work[i]
	for ; s != 0; s &= s - 1 {
		p := bits.TrailingZeros64(uint64(s))
		row[p] += part * a.flow[i*a.ports+p]
	}
}

// solve computes flow and load.
func (a *assignment) solve() {
	n := len(a.sets)
	a.flow, a.left, a.via, a.all = zeros(a.flow, n*a.ports), zeros(a.left, n), zeros(a.via, n), zeros(a.all, n)
	all, sum := a.all, 0.0
	for i := range all {
		all[i] = int16(i)
		sum += a.work[i]
	}
	a.eps = sum * 1e-12
	a.balance(all, ^machine.PortSet(0))
}

// balance divides the work of some sets among the ports of within; every
// set has a port in within.
func (a *assignment) balance(sets []int16, within machine.PortSet) {
	if len(sets) == 0 {
		return
	}
	var union machine.PortSet
	sum := 0.0
	for _, i := range sets {
		union |= a.sets[i] & within
		sum += a.work[i]
	}
	mean := sum / float64(bits.OnesCount64(uint64(union)))
	dense := a.route(sets, union, mean)
	if dense == 0 || dense == union {
		for s := union; s != 0; s &= s - 1 {
			a.load[bits.TrailingZeros64(uint64(s))] = mean
		}
		return
	}
	// The sets that the cut reaches can only use dense ports; all others have a port outside.
	k := 0
	for j, i := range sets {
		if a.sets[i]&union&^dense == 0 {
			sets[k], sets[j] = sets[j], sets[k]
			k++
		}
	}
	a.balance(sets[:k], dense)
	a.balance(sets[k:], union&^dense)
}

// route finds a maximum flow of the sets' work into the ports, each with the given
// capacity. It returns the ports on the source side of the minimum cut: 0 if all work fits.
func (a *assignment) route(sets []int16, ports machine.PortSet, capacity float64) machine.PortSet {
	for s := ports; s != 0; s &= s - 1 {
		a.spare[bits.TrailingZeros64(uint64(s))] = capacity
	}
	for _, i := range sets {
		row := a.flow[int(i)*a.ports:][:a.ports]
		clear(row)
		a.left[i] = a.work[i]
		for s := a.sets[i] & ports; s != 0 && a.left[i] > 0; s &= s - 1 {
			p := bits.TrailingZeros64(uint64(s))
			f := min(a.left[i], a.spare[p])
			row[p] = f
			a.spare[p] -= f
			a.left[i] -= f
		}
	}
	for {
		end, seen := a.search(sets, ports)
		if end < 0 {
			return seen
		}
		a.augment(end)
	}
}

// search looks breadth-first for a port with spare capacity that unrouted work
// can be moved to. It returns that port, or -1 and the ports that were reached.
func (a *assignment) search(sets []int16, ports machine.PortSet) (end int, seen machine.PortSet) {
	const unseen = -2
	a.queue = a.queue[:0]
	for _, i := range sets {
		a.via[i] = unseen
		if a.left[i] > a.eps {
			a.via[i] = -1
			a.queue = append(a.queue, i)
		}
	}
	for head := 0; head < len(a.queue); head++ {
		i := a.queue[head]
		for s := a.sets[i] & ports &^ seen; s != 0; s &= s - 1 {
			p := bits.TrailingZeros64(uint64(s))
			seen |= 1 << p
			a.from[p] = i
			if a.spare[p] > a.eps {
				return p, seen
			}
			for _, j := range sets {
				if a.via[j] == unseen && a.flow[int(j)*a.ports+p] > a.eps {
					a.via[j] = int16(p)
					a.queue = append(a.queue, j)
				}
			}
		}
	}
	return -1, seen
}

// augment moves as much work as possible along the path that search found to port end.
func (a *assignment) augment(end int) {
	amount := a.spare[end]
	p := end
	for {
		i := a.from[p]
		if a.via[i] < 0 {
			amount = min(amount, a.left[i])
			break
		}
		p = int(a.via[i])
		amount = min(amount, a.flow[int(i)*a.ports+p])
	}
	a.spare[end] -= amount
	for p = end; ; {
		i := a.from[p]
		a.flow[int(i)*a.ports+p] += amount
		if a.via[i] < 0 {
			a.left[i] -= amount
			return
		}
		p = int(a.via[i])
		a.flow[int(i)*a.ports+p] -= amount
	}
}
