package ports

import (
	"cmp"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// Align finds the renaming of this machine's ports to another machine's under which the most forms have the same µops on
// both; a and b are the two machines' maps of the same forms. Throughput does not identify ports, so that only such a
// comparison can give them the names used in manuals. The result is -1 for ports that the other machine lacks.
func Align(a, b []Map, na, nb int) []int {
	if na == 0 {
		return nil
	}
	x := &aligner{nb: nb, to: make([]int, na)}
	x.pair(a, b)
	x.affinities(na, nb)
	x.greedy()
	best := append([]int(nil), x.to...)
	bestScore := x.climb()
	copy(best, x.to)
	rnd := rand.New(rand.NewPCG(1, 2)) // a fixed seed makes the answer reproducible
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

// alignRestarts is the number of restarts of the search with random changes.
const alignRestarts = 60

type aligner struct {
	pairs    []pair
	nb       int
	to       []int
	affinity [][]float64
	renamed  Map // buffer for score
}

// pair is a pair of maps, on the two machines in the order of bySize, with the number of forms that have it.
type pair struct {
	ours, theirs Map
	forms        float64
}

// pair collects the different pairs of maps: there are far fewer than forms.
func (x *aligner) pair(a, b []Map) {
	for f := range a {
		p := pair{bySize(a[f]), bySize(b[f]), 1}
		at := slices.IndexFunc(x.pairs, func(q pair) bool { return slices.Equal(p.ours, q.ours) && slices.Equal(p.theirs, q.theirs) })
		if at < 0 {
			x.pairs = append(x.pairs, p)
			continue
		}
		x.pairs[at].forms++
	}
}

// affinities counts, for each pair of ports, the forms for which both can execute a µop, weighted by how specific the
// µop's ports are.
func (x *aligner) affinities(na, nb int) {
	x.affinity = make([][]float64, na)
	for i := range x.affinity {
		x.affinity[i] = make([]float64, nb)
	}
	for _, p := range x.pairs {
		if len(p.ours) != len(p.theirs) {
			continue
		}
		for k, s := range p.ours {
			if s.Size() != p.theirs[k].Size() || s.Size() == 0 {
				continue
			}
			weight := p.forms / float64(s.Size())
			for i := range na {
				for j := range nb {
					in, there := s>>i&1 != 0, p.theirs[k]>>j&1 != 0
					switch {
					case in && there:
						x.affinity[i][j] += weight
					case in != there:
						x.affinity[i][j] -= weight
					}
				}
			}
		}
	}
}

// bySize returns a map sorted by the number of ports, then by the set.
func bySize(m Map) Map {
	out := slices.Clone(m)
	slices.SortFunc(out, smaller)
	return out
}

func smaller(a, b Set) int { return cmp.Or(cmp.Compare(a.Size(), b.Size()), cmp.Compare(a, b)) }

// greedy assigns the pairs of ports with the highest affinity first.
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

// Renamed translates a map's ports to the other names; ok is false if a port has none, which is then omitted.
func (m Map) Renamed(to []int) (out Map, ok bool) { return m.appendRenamed(nil, to) }

func (m Map) appendRenamed(out Map, to []int) (_ Map, ok bool) {
	ok = true
	for _, s := range m {
		var t Set
		for ; s != 0; s &= s - 1 {
			switch i := bits.TrailingZeros32(uint32(s)); {
			case i >= len(to):
			case to[i] < 0:
				ok = false
			default:
				t |= 1 << to[i]
			}
		}
		out = append(out, t)
	}
	return out, ok
}

// score returns the number of forms that agree, plus a small amount for µops that nearly do.
func (x *aligner) score() float64 {
	sum := 0.0
	for i := range x.pairs {
		p := &x.pairs[i]
		if len(p.ours) != len(p.theirs) {
			continue
		}
		m, _ := p.ours.appendRenamed(x.renamed[:0], x.to)
		slices.SortFunc(m, smaller)
		if x.renamed = m; slices.Equal(m, p.theirs) {
			sum += p.forms
			continue
		}
		near := 0.0
		for k := range m {
			if u := (m[k] | p.theirs[k]).Size(); u > 0 {
				near += float64((m[k] & p.theirs[k]).Size()) / float64(u*len(m))
			}
		}
		sum += 0.2 * p.forms * near
	}
	return sum
}

// climb exchanges two names, or uses a free one, as long as that raises the score.
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
