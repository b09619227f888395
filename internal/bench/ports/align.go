package ports

import (
	"math/rand/v2"
	"sort"
)

// Align finds which port of another machine each port of this one is: the renaming under which the most forms have the same
// µops on both; a and b are the two machines' maps of the same forms. Throughput knows no names, so that
// this is the only way to give ports the names that manuals have. The result has -1 for ports that the other machine lacks.
func Align(a, b []Map, na, nb int) []int {
	if na == 0 {
		return nil
	}
	x := &aligner{a: a, b: b, nb: nb, to: make([]int, na)}
	x.affinities(na, nb)
	x.greedy()
	best := append([]int(nil), x.to...)
	bestScore := x.climb()
	copy(best, x.to)
	rnd := rand.New(rand.NewPCG(1, 2)) // the same answer every time
	for range alignRestarts {
		copy(x.to, best)
		for range 3 {
			i, j := rnd.IntN(na), rnd.IntN(na)
			x.to[i], x.to[j] = x.to[j], x.to[i]
		}
		if s := x.climb(); s > bestScore+1e-9 {
			bestScore = s
			copy(best, x.to)
		}
	}
	return best
}

// alignRestarts is how often the search is shaken up.
const alignRestarts = 60

type aligner struct {
	a, b     []Map
	nb       int
	to       []int
	affinity [][]float64
}

// affinities counts, for each pair of ports, in how many forms both can execute a µop, weighted by how much that says.
func (x *aligner) affinities(na, nb int) {
	x.affinity = make([][]float64, na)
	for i := range x.affinity {
		x.affinity[i] = make([]float64, nb)
	}
	for f := range x.a {
		if len(x.a[f]) != len(x.b[f]) {
			continue
		}
		m, o := bySize(x.a[f]), bySize(x.b[f])
		for k, s := range m {
			if s.Size() != o[k].Size() || s.Size() == 0 {
				continue
			}
			for i := range na {
				for j := range nb {
					in, there := s>>i&1 != 0, o[k]>>j&1 != 0
					switch {
					case in && there:
						x.affinity[i][j] += 1 / float64(s.Size())
					case in != there:
						x.affinity[i][j] -= 1 / float64(s.Size())
					}
				}
			}
		}
	}
}

func bySize(m Map) Map {
	out := m.Sorted()
	sort.SliceStable(out, func(i, j int) bool { return out[i].Size() < out[j].Size() })
	return out
}

// greedy starts with the pairs that agree best.
func (x *aligner) greedy() {
	used := make([]bool, x.nb)
	for i := range x.to {
		x.to[i] = -1
	}
	for range x.to {
		bi, bj := -1, -1
		for i := range x.to {
			for j := range x.nb {
				if x.to[i] < 0 && !used[j] && (bi < 0 || x.affinity[i][j] > x.affinity[bi][bj]) {
					bi, bj = i, j
				}
			}
		}
		if bi < 0 {
			return
		}
		x.to[bi], used[bj] = bj, true
	}
}

// Renamed gives a map's ports their other names; ports without one are left out, and ok is false.
func (m Map) Renamed(to []int) (out Map, ok bool) {
	ok = true
	for _, s := range m {
		var t Set
		for i := range to {
			if s>>i&1 == 0 {
				continue
			}
			if to[i] < 0 {
				ok = false
				continue
			}
			t |= 1 << to[i]
		}
		out = append(out, t)
	}
	return out, ok
}

// score is the number of forms that agree, and a little for µops that nearly do.
func (x *aligner) score() float64 {
	sum := 0.0
	for f := range x.a {
		m, _ := x.a[f].Renamed(x.to)
		if m.equal(x.b[f]) {
			sum++
			continue
		}
		if len(m) == len(x.b[f]) {
			m, o := bySize(m), bySize(x.b[f])
			for k := range m {
				if u := (m[k] | o[k]).Size(); u > 0 {
					sum += 0.2 * float64((m[k] & o[k]).Size()) / float64(u*len(m))
				}
			}
		}
	}
	return sum
}

// climb exchanges two names, or takes a free one, as long as that helps.
func (x *aligner) climb() float64 {
	best := x.score()
	for better := true; better; {
		better = false
		for i := range x.to {
			for j := range i {
				x.to[i], x.to[j] = x.to[j], x.to[i]
				if s := x.score(); s > best+1e-9 {
					best, better = s, true
				} else {
					x.to[i], x.to[j] = x.to[j], x.to[i]
				}
			}
			for p := range x.nb {
				if x.taken(p) {
					continue
				}
				old := x.to[i]
				x.to[i] = p
				if s := x.score(); s > best+1e-9 {
					best, better = s, true
				} else {
					x.to[i] = old
				}
			}
		}
	}
	return best
}

func (x *aligner) taken(p int) bool {
	for _, q := range x.to {
		if q == p {
			return true
		}
	}
	return false
}
