package memdep

import (
	"slices"

	"incore/internal/analysis/depgraph"
)

// This file finds memory dependences that repeat in a pattern, as those of a histogram do if the contents of memory are known (Options.Word).

const (
	maxPeriod       = 16 // in iterations: the bytes of equal 8-byte words repeat after 8
	evidencePeriods = 3
)

// note stores the dependences of load i on recent stores in this iteration.
func (m *machineState) note(i int32, s *sources) {
	n := int32(len(m.p.access))
	to := &m.p.access[i]
	for j := range s.n {
		from, dist := &m.p.access[(s.num[j]-1)%n], m.iter-(s.num[j]-1)/n
		if int(dist) <= m.farthest {
			m.passed[m.iter] = append(m.passed[m.iter], depgraph.MemoryEdge{From: from.inst, To: to.inst, FromMem: from.mem, ToMem: to.mem, Dist: dist})
		}
	}
}

// period returns the least number of iterations after which the dependences of the last run repeat, and the dependences that not every iteration has;
// 0 if there is no such number, or if it is 1.
func (m *machineState) period() (int, []depgraph.MemoryEdge) {
	n := len(m.passed)
	if n < evidencePeriods*maxPeriod {
		return 0, nil
	}
	for p := 1; p <= maxPeriod; p++ {
		again := true
		for k := n - (evidencePeriods-1)*maxPeriod; again && k < n; k++ {
			again = slices.Equal(m.passed[k], m.passed[k-p])
		}
		switch {
		case !again:
		case p == 1:
			return 0, nil
		default:
			return p, phases(m.passed[n-p:])
		}
	}
	return 0, nil
}

// phases returns the dependences that differ between some iterations, with the iterations in which they hold.
func phases(list [][]depgraph.MemoryEdge) (out []depgraph.MemoryEdge) {
	for k, edges := range list {
		for _, e := range edges {
			if at := slices.IndexFunc(out, func(o depgraph.MemoryEdge) bool { o.When = 0; return o == e }); at >= 0 {
				out[at].When |= 1 << k
			} else {
				e.When = 1 << k
				out = append(out, e)
			}
		}
	}
	all := uint32(1)<<len(list) - 1
	return slices.DeleteFunc(out, func(e depgraph.MemoryEdge) bool { return e.When == all })
}
