package ports

import (
	"math"
	"slices"
	"sort"
)

// What answers cost beside their misfit: µops; sets of ports that no class has, as units of a core serve many
// instructions; µops that the dispatch slots leave no room for: a µop may keep its
// port busy for longer, which looks like more of the same, but hardly brings one of another kind along.
const (
	uopCost     = 1.5
	oddCost     = 1.0
	extraCost   = 3.0
	foreignCost = 4.0
)

// loss is how badly µops explain the tests.
func (x *fitter) loss(m Map) float64 {
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
			e = math.Min(e, worst/2) // alone, something else than ports may limit it
		}
		sum += e
	}
	return sum
}

// inside estimates how many µops have no port outside the ports that a test blocks.
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

// seed reads the µops off the blocking tests, from the smallest set of ports on: what is inside it and not inside a
// smaller one that it contains runs on just these ports (uops.info, section 5.1).
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

// maxUops bounds the µops of a form: beyond, a form is called microcode.
const maxUops = 8

// answer is µops with their loss.
type answer struct {
	m    Map
	loss float64
}

// search improves answers by exchanging, adding and removing single µops, and returns all that it saw that are about as good as the best.
func (x *fitter) search(seeds ...Map) []answer {
	seen := map[string]answer{}
	visit := func(m Map) answer {
		m = m.Sorted()
		key := mapKey(m)
		a, ok := seen[key]
		if !ok {
			a = answer{m, x.loss(m)}
			seen[key] = a
		}
		return a
	}
	for _, s := range seeds {
		for at := visit(s); ; {
			best := at
			try := func(m Map) {
				if a := visit(m); a.loss < best.loss-1e-9 {
					best = a
				}
			}
			for i := range at.m {
				without := append(append(Map(nil), at.m[:i]...), at.m[i+1:]...)
				try(without)
				for _, s := range x.sets {
					try(append(without[:len(without):len(without)], s))
					try(at.m.exchanged(at.m[i], s)) // what keeps a port busy for several cycles is one
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
		out = append(out, a)
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

// closeLoss is how much worse an answer may be and still count as possible.
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
