// Package ports infers the µops of instruction forms, and the ports of each µop, only from the cycles of mixes of instructions.
//
// The model of the core is the one of PMEvo (Ritter & Hack, PLDI 2020) and PALMED (Derumigny et al., CGO 2022): a mix takes as long as the most
// loaded set of ports, where a µop may use any port of its own set, and no less than its dispatch slots take. The method is that of uops.info (Abel &
// Reineke, ASPLOS 2019), without performance counters: many instances of a one-µop form block its ports, and the additional cycles of a mix with one
// instance of another form come from those µops of the other form that can use only the blocked ports. The algorithm is this package's own:
// docs/port-maps.md.
//
// The steps (Infer) have a file each: slots.go (single forms, dispatch width and slots), classes.go (classes of forms that block the same ports),
// resolve.go (the ports of the classes: choice of the mixes, removal of contradictory classes, early choice of ports by the core) with solve.go
// (search for sets), blockers.go (the sets of ports that classes can keep busy), fit.go (the µops of each form: choice of the mixes and judgement of
// the answer) with search.go (search for answers), slow.go (divisions), check.go (mixes that the inference did not use). misfit.go compares
// measurements with predictions, lab.go measures each mix once, align.go and write.go name ports and write rows.
package ports

import (
	"context"
	"math/bits"
	"slices"
)

// Set is a set of ports; bit i is port i of the inferred machine.
type Set uint32

// Size is the number of ports.
func (s Set) Size() int { return bits.OnesCount32(uint32(s)) }

// Form is an instruction form whose µops are to be inferred.
type Form struct {
	Name string
	With []int // forms of which one instance runs before each instance of this form
	Tied bool  // instances depend on each other through a register that is source and result
	Rank int   // forms of lower rank are preferred as blockers
	Long bool  // has so many bytes or constants that the front end may limit it: not used as a blocker
	// Crosses says that the form moves data from one register file to another, which may keep ports of both busy.
	Crosses bool
	// Renamed says that a core may execute the form at rename, as it copies a register or zeroes one: its throughput
	// is then that of dispatch, not of ports.
	Renamed bool
	// Instances read flags that others have written, or write some.
	ReadsFlags, WritesFlags bool
}

// Count is a number of instances of a form.
type Count struct{ Form, N int }

// Mix is a multiset of forms.
type Mix []Count

// Oracle returns the cycles per round of a repeated mix, and their uncertainty in cycles. parts is the number
// of subjects that the machine's registers are divided among.
type Oracle func(ctx context.Context, m Mix, parts int) (cycles, doubt float64, err error)

// Map holds the µops of a form: the port set of each, in no order.
type Map []Set

// Sorted returns the µops in the order of their sets.
func (m Map) Sorted() Map {
	out := slices.Clone(m)
	slices.Sort(out)
	return out
}

// exchanged returns the map with another port set for all µops of a set.
func (m Map) exchanged(from, to Set) Map {
	out := slices.Clone(m)
	for i, s := range out {
		if s == from {
			out[i] = to
		}
	}
	return out
}

func (m Map) equal(o Map) bool {
	return len(m) == len(o) && slices.Equal(m.Sorted(), o.Sorted())
}

// term is an amount of work that can run only on a set of ports.
type term struct {
	ports Set
	n     float64
}

// maxTerms limits the different sets of a mix: the bound examines every union of them.
const maxTerms = 12

// load is the work of a mix by port set.
type load struct {
	terms [maxTerms]term
	n     int
	over  bool // the mix has more than maxTerms sets
}

func (l *load) add(s Set, n float64) {
	if s == 0 {
		return
	}
	for i := range l.terms[:l.n] {
		if l.terms[i].ports == s {
			l.terms[i].n += n
			return
		}
	}
	if l.n == maxTerms {
		l.over = true
		return
	}
	l.terms[l.n] = term{s, n}
	l.n++
}

// cycles returns the time of the most loaded union of port sets: the exact bound, max over S of (work that
// fits only into S) / |S|, for which unions of the sets suffice.
func (l *load) cycles() float64 { return l.most(0, 0) }

// most returns the time of the most loaded union of some ports with any of the sets from the i-th on. A set inside the union makes no other one.
func (l *load) most(i int, union Set) float64 {
	for ; i < l.n; i++ {
		if s := l.terms[i].ports; s&^union != 0 {
			return max(l.most(i+1, union), l.most(i+1, union|s))
		}
	}
	if union == 0 {
		return 0
	}
	work := 0.0
	for _, t := range l.terms[:l.n] {
		if t.ports&^union == 0 {
			work += t.n
		}
	}
	return work / float64(union.Size())
}

// even returns the time if each µop is spread evenly over its ports, regardless of other µops.
func (l *load) even() float64 {
	var ports [32]float64
	most := 0.0
	for _, t := range l.terms[:l.n] {
		share := t.n / float64(t.ports.Size())
		for s := t.ports; s != 0; s &= s - 1 {
			p := &ports[bits.TrailingZeros32(uint32(s))]
			if *p += share; *p > most {
				most = *p
			}
		}
	}
	return most
}

// span is the range of a mix's time: at least the bound by ports and dispatch, at most the time if the core chooses ports before it knows later
// instructions.
type span struct{ least, most float64 }
