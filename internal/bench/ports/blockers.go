package ports

import (
	"slices"
	"sort"
)

// blocker is a set of ports that one or two classes can keep busy.
type blocker struct {
	ports   Set
	classes []int
	first   bool // contains no smaller one, or is in no larger one: with these every form is mixed
}

// findBlockers lists the port sets that can be kept busy: those of classes, and the unions of two classes whose sets
// overlap or that a third class's set connects.
func (f *inference) findBlockers() {
	f.blockers = nil
	have := map[Set]bool{}
	for k, c := range f.classes {
		if !have[c.ports] {
			have[c.ports] = true
			f.blockers = append(f.blockers, blocker{ports: c.ports, classes: []int{k}})
		}
	}
	single := f.blockers
	part := components(f.sets())
	for i, a := range single {
		for _, b := range single[i+1:] {
			u := a.ports | b.ports
			if have[u] || float64(u.Size()) > f.width-1 || part(a.ports) != part(b.ports) {
				continue
			}
			have[u] = true
			f.blockers = append(f.blockers, blocker{ports: u, classes: []int{a.classes[0], b.classes[0]}})
		}
	}
	sort.SliceStable(f.blockers, func(i, j int) bool { return f.blockers[i].ports.Size() < f.blockers[j].ports.Size() })
	for i := range f.blockers {
		b := &f.blockers[i]
		larger := func(c blocker) bool { return c.ports != b.ports && b.ports&^c.ports == 0 }
		smaller := func(c blocker) bool { return c.ports != b.ports && c.ports&^b.ports == 0 }
		b.first = len(b.classes) == 1 && !slices.ContainsFunc(f.blockers, smaller) || !slices.ContainsFunc(f.blockers, larger)
	}
}

// sets returns the port sets of the classes.
func (f *inference) sets() []Set {
	var out []Set
	for _, c := range f.classes {
		out = append(out, c.ports)
	}
	return out
}

// components returns a function that maps a port set to its connected component: the ports that chains of
// overlapping sets connect.
func components(sets []Set) func(Set) Set {
	var parts []Set
	for _, s := range sets {
		rest := parts[:0]
		for _, p := range parts {
			if p&s != 0 {
				s |= p
			} else {
				rest = append(rest, p)
			}
		}
		parts = append(rest, s)
	}
	return func(s Set) Set {
		for _, p := range parts {
			if p&s != 0 {
				return p
			}
		}
		return s
	}
}

// maxBlockers is the largest number of blocking instances in a mix: with more, one additional µop is lost in
// the noise.
const maxBlockers = 48
