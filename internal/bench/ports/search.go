package ports

import (
	"math"
	"slices"
	"sort"
)

// Penalties of an answer in addition to its misfit: for µops; for port sets of no class, because a core's
// units serve many instructions; for µops beyond the dispatch slots. A µop may keep its port busy for several
// cycles, which looks like several equal µops, but hardly explains µops of another kind: with 4 of it 152 of 300 forms of a Zen 5 were
// undecided in one sitting; in another 70 with 16, 67 with 24. With 24 a synthetic Zen 4 has 25 wrong forms of 276, with 16 at most 17.
const (
	uopCost     = 1.5
	oddCost     = 1.0
	extraCost   = 3.0
	foreignCost = 16.0
)

// loss returns the misfit of µops to the tests, plus the penalties. Where that exceeds a limit, it is a number above the limit.
func (x *fitter) loss(m Map, limit float64) float64 {
	sum := uopCost * float64(len(m))
	for _, s := range m {
		if !x.f.usual[s] {
			sum += oddCost
		}
	}
	if extra := float64(len(m)+len(x.base)) - x.slots; extra > 0.5 {
		more, foreign := extraCost, foreignCost
		if x.f.macro {
			more, foreign = 0, rivalLoss
		}
		sum += more * math.Round(extra)
		kinds := 0
		for i, s := range m {
			if !slices.Contains(m[:i], s) {
				kinds++
			}
		}
		sum += foreign * math.Max(0, float64(kinds+len(x.base))-math.Max(1, x.slots))
	}
	for i := range x.tests {
		t := &x.tests[i]
		p := x.predict(t, m)
		e := misfit(t.cycles, p)
		if len(t.of) == 0 && t.cycles > p.most {
			e = math.Min(e, worst/2) // alone, something other than ports may limit the form
		}
		if sum += e; sum > limit {
			break
		}
	}
	return sum
}

// inside estimates the number of µops that can run only on the ports that a test blocks.
func (x *fitter) inside(t *formTest) float64 {
	n := 0
	for _, k := range t.n {
		n += k
	}
	v := float64(t.block.Size())*t.cycles - float64(n)
	for _, s := range x.base {
		if s&^t.block == 0 {
			v--
		}
	}
	return v
}

// seed derives µops from the blocking tests, smallest port set first: a µop that is inside a set and not inside a
// smaller subset runs on exactly this set (uops.info, section 5.1).
func (x *fitter) seed() Map {
	var m Map
	for i := range x.tests {
		t := &x.tests[i]
		if t.block == 0 {
			continue
		}
		v := x.inside(t)
		for _, s := range m {
			if s&^t.block == 0 {
				v--
			}
		}
		for ; v > 0.6 && len(m) < maxUops; v-- {
			m = append(m, t.block)
		}
	}
	return m
}

// maxUops limits the µops of a form: a form with more counts as microcode.
const maxUops = 8

// answer is a set of µops with its loss.
type answer struct {
	m    Map
	loss float64
}

// search improves answers by exchanging, adding and removing single µops, and returns all answers seen that are about as good as the
// best.
func (x *fitter) search(seeds ...Map) []answer {
	type visited struct {
		answer
		limit float64 // a loss above it is not the whole loss
	}
	seen, least := map[string]visited{}, math.Inf(1)
	visit := func(m Map, limit float64) answer {
		m, limit = m.Sorted(), max(limit, least+closeLoss)
		key := mapKey(m)
		a, ok := seen[key]
		if !ok || a.loss > a.limit && limit > a.limit {
			a = visited{answer{m, x.loss(m, limit)}, limit}
			seen[key] = a
			least = min(least, a.loss)
		}
		return a.answer
	}
	for _, s := range seeds {
		for at := visit(s, math.Inf(1)); ; {
			best := at
			try := func(m Map) {
				if a := visit(m, best.loss); a.loss < best.loss-1e-9 {
					best = a
				}
			}
			for i := range at.m {
				without := append(append(Map(nil), at.m[:i]...), at.m[i+1:]...)
				try(without)
				for _, s := range x.sets {
					try(append(without[:len(without):len(without)], s))
					try(at.m.exchanged(at.m[i], s)) // µops that represent one µop that keeps its port busy for several cycles
				}
			}
			if len(at.m) < maxUops {
				for _, s := range x.sets {
					try(append(at.m[:len(at.m):len(at.m)], s))
				}
			}
			if best.loss >= at.loss-1e-9 {
				break
			}
			at = best
		}
	}
	var out []answer
	for _, a := range seen {
		out = append(out, a.answer)
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].loss != out[j].loss {
			return out[i].loss < out[j].loss
		}
		return mapKey(out[i].m) < mapKey(out[j].m)
	})
	n := sort.Search(len(out), func(i int) bool { return out[i].loss > out[0].loss+closeLoss })
	return out[:min(n, 24)]
}

// closeLoss is the largest additional loss of an answer that still counts as possible.
const closeLoss = 5.0

func mapKey(m Map) string {
	b := make([]byte, 0, 4*len(m))
	for _, s := range m {
		b = append(b, byte(s), byte(s>>8), byte(s>>16), byte(s>>24))
	}
	return string(b)
}

func maps(a []answer) (out []Map) {
	for i := range a[:min(len(a), 4)] {
		out = append(out, a[i].m)
	}
	return out
}
