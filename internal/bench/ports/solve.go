package ports

import (
	"cmp"
	"context"
	"math"
	"slices"
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

// portGain is the bonus for each additional port of an answer: competition for a port is claimed only if a
// measurement shows it. More ports make wider spans (misfit.go), which explain more: with 0.5 the mixes of one of
// three sittings on a Zen 5 led to 22 ports, half of them shared by integers and vectors; with 0.1 those of all three
// to 10 or 11.
const portGain = 0.1

// pruned is the largest loss by which a partial answer may exceed the best one of its length.
const pruned = 60.0

// workCost is the cost of an answer in which a class keeps its ports busy for two cycles.
const workCost = 4.0

// solve finds the port sets of all classes that explain the tests best, by beam search: class by class, the smallest first. A class
// takes its ports from the cells of the Venn diagram of the earlier classes; ports of one cell are equivalent, so that only their
// number matters.
func (f *inference) solve(ctx context.Context) ([]assignment, error) {
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
		next := leaders{best: math.Inf(1), last: math.Inf(1)}
		for i := range beam {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			a := &beam[i]
			parts := cells(a.ports, a.used)
			for work := 1; work <= 2; work++ {
				size := f.classes[k].size * work
				if work > 1 && float64(size) > f.width-1 {
					break
				}
				for _, s := range choices(parts, a.used, size) {
					f.extend(a, s, work, byLast[k], &next)
				}
			}
		}
		next.cut()
		beam = next.list
	}
	return beam, nil
}

// extend adds an answer with one more class, and the tests that it completes, to the leaders.
func (f *inference) extend(a *assignment, s Set, work int, tests []*classTest, next *leaders) {
	b := next.spare.extended(a, s, work)
	for j := 0; j < len(tests); j++ {
		if b.loss > next.limit() {
			return
		}
		b.loss += misfit(tests[j].cycles, f.predict(tests[j], b))
	}
	if b.loss <= next.limit() {
		next.add(b)
	}
}

// leaders are the best partial answers of one length, at most beamWidth after a cut.
type leaders struct {
	list       []assignment
	best, last float64    // the least loss; that of the last one which a cut kept
	spare      assignment // an answer that is being tried
}

// limit is the largest loss with which an answer can be one of the leaders.
func (l *leaders) limit() float64 { return math.Min(l.best+pruned, l.last) }

// add stores a copy of an answer.
func (l *leaders) add(b *assignment) {
	l.list = append(l.list, assignment{slices.Clone(b.ports), slices.Clone(b.work), b.used, b.loss})
	if l.best = math.Min(l.best, b.loss); len(l.list) >= 4*beamWidth {
		l.cut()
	}
}

// cut keeps the best answers; of equal ones those that came first.
func (l *leaders) cut() {
	slices.SortStableFunc(l.list, func(a, b assignment) int { return cmp.Compare(a.loss, b.loss) })
	if l.list = l.list[:min(len(l.list), beamWidth)]; len(l.list) == beamWidth {
		l.last = l.list[beamWidth-1].loss
	}
}

// extended makes b a with one more class, and returns b.
func (b *assignment) extended(a *assignment, s Set, work int) *assignment {
	b.ports, b.work = append(append(b.ports[:0], a.ports...), s), append(append(b.work[:0], a.work...), work)
	b.used, b.loss = a.used, a.loss+workCost*float64(work-1)
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
