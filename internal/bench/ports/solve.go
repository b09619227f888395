package ports

import (
	"math"
	"sort"
)

// assignment is a partial answer: the ports of the first classes.
type assignment struct {
	ports []Set
	work  []int
	used  int // number of ports used so far
	loss  float64
}

// beamWidth is the number of partial answers kept.
const beamWidth = 120

// portGain is the bonus for each additional port of an answer: competition for a port is claimed only if a measurement shows it.
const portGain = 0.5

// pruned is the largest loss by which a partial answer may exceed the best one of its length.
const pruned = 60.0

// workCost is the cost of an answer in which a class keeps its ports busy for two cycles.
const workCost = 4.0

// solve finds the port sets of all classes that explain the tests best, by beam search: class by class, the smallest first. A class
// takes its ports from the cells of the Venn diagram of the earlier classes; ports of one cell are equivalent, so that only their
// number matters.
func (f *inference) solve() []assignment {
	byLast := make([][]*classTest, len(f.classes)) // tests by their last class
	for i := range f.tests {
		t := &f.tests[i]
		last := 0
		for _, k := range t.of {
			last = max(last, k)
		}
		byLast[last] = append(byLast[last], t)
	}
	beam := []assignment{{}}
	for k := range f.classes {
		var next []assignment
		best := math.Inf(1)
		for i := range beam {
			a := &beam[i]
			parts := cells(a.ports, a.used)
			for work := 1; work <= 2; work++ {
				size := f.classes[k].size * work
				if work > 1 && float64(size) > f.width-1 {
					break
				}
				for _, s := range choices(parts, a.used, size) {
					b := a.with(s, work)
					for j := 0; j < len(byLast[k]) && b.loss <= best+pruned; j++ {
						b.loss += misfit(byLast[k][j].cycles, f.predict(byLast[k][j], &b))
					}
					if best = math.Min(best, b.loss); b.loss <= best+pruned {
						next = append(next, b)
					}
				}
			}
		}
		sort.SliceStable(next, func(i, j int) bool { return next[i].loss < next[j].loss })
		beam = next[:min(len(next), beamWidth)]
	}
	return beam
}

// with returns an answer with one more class.
func (a *assignment) with(s Set, work int) assignment {
	b := assignment{ports: make([]Set, len(a.ports)+1), work: make([]int, len(a.work)+1), used: a.used, loss: a.loss + workCost*float64(work-1)}
	copy(b.ports, a.ports)
	copy(b.work, a.work)
	b.ports[len(a.ports)], b.work[len(a.work)] = s, work
	for s>>b.used != 0 {
		b.used++
		b.loss -= portGain
	}
	return b
}

// cells groups ports that are contained in the same sets.
func cells(sets []Set, used int) []Set {
	var out []Set
	index := map[string]int{}
	for p := range used {
		sign := make([]byte, len(sets))
		for i, s := range sets {
			sign[i] = byte(s >> p & 1)
		}
		at, ok := index[string(sign)]
		if !ok {
			at = len(out)
			index[string(sign)] = at
			out = append(out, 0)
		}
		out[at] |= 1 << p
	}
	return out
}

// maxPorts is the largest number of ports of a machine.
const maxPorts = 24

// choices lists the port sets of a size up to exchange of equivalent ports: a number from each cell, the rest
// new.
func choices(cells []Set, used, size int) []Set {
	out := []Set{0}
	for _, c := range cells {
		var more []Set
		for _, s := range out {
			for part, left := Set(0), c; ; {
				if s.Size()+part.Size() <= size {
					more = append(more, s|part)
				}
				if left == 0 {
					break
				}
				part |= left & -left
				left &= left - 1
			}
		}
		out = more
	}
	full := out[:0]
	for _, s := range out {
		if fresh := size - s.Size(); used+fresh <= maxPorts {
			full = append(full, s|(1<<fresh-1)<<used)
		}
	}
	return full
}
