package compare

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"incore/internal/report"
)

// group is one loop: its index among the kernels of each version, -1 where there is none.
type group struct {
	index []int
	by    string
}

// pair is a loop of the first version and one of another that may be the same.
type pair struct {
	a, b  int
	score float64
	by    string
}

// match finds the loops of the first version in the others: those of the same function, of the same label, of the most similar shape, in this
// order of weight. Of versions with one loop, or one function, each, that is taken for the same whatever it is called.
func match(docs []*report.Document) []group {
	first := docs[0].Kernels
	groups := make([]group, len(first))
	for i := range groups {
		groups[i] = group{index: make([]int, len(docs)), by: "alone"}
		groups[i].index[0] = i
	}
	for v := 1; v < len(docs); v++ {
		for i := range groups {
			groups[i].index[v] = -1
		}
		for _, p := range assign(first, docs[v].Kernels) {
			groups[p.a].index[v] = p.b
			groups[p.a].by = p.by
		}
	}
	return slices.DeleteFunc(groups, func(g group) bool {
		return !slices.ContainsFunc(g.index[1:], func(i int) bool { return i >= 0 })
	})
}

// assign pairs the kernels of two versions, the best pairs first.
func assign(a, b []report.Kernel) (out []pair) {
	single := len(a) == 1 && len(b) == 1
	oneFunction := len(functions(a)) == 1 && len(functions(b)) == 1
	var all []pair
	for i := range a {
		for j := range b {
			if p, ok := alike(&a[i], &b[j], single, oneFunction); ok {
				p.a, p.b = i, j
				p.score -= 0.1*math.Abs(place(a, i)-place(b, j)) + 0.5*math.Abs(rank(a, i)-rank(b, j))
				all = append(all, p)
			}
		}
	}
	slices.SortStableFunc(all, func(x, y pair) int { return cmp.Compare(y.score, x.score) })
	usedA, usedB := make([]bool, len(a)), make([]bool, len(b))
	for _, p := range all {
		if !usedA[p.a] && !usedB[p.b] {
			usedA[p.a], usedB[p.b] = true, true
			out = append(out, p)
		}
	}
	return out
}

// place is where a loop stands among those of its function, from 0 to 1.
func place(list []report.Kernel, at int) float64 {
	n, before := 0, 0
	for i := range list {
		if list[i].Function == list[at].Function {
			if n++; earlier(&list[i], &list[at]) {
				before++
			}
		}
	}
	return float64(before) / float64(n)
}

// rank is the place of a loop among those of its function by how far an iteration advances, from 0 for the farthest to 1: what is left over
// behind a loop of wide vectors or many copies goes by smaller steps than that.
func rank(list []report.Kernel, at int) float64 {
	n, before := 0, 0
	for i := range list {
		if list[i].Function == list[at].Function {
			if n++; list[i].Work.Advance > list[at].Work.Advance {
				before++
			}
		}
	}
	return float64(before) / float64(n)
}

// earlier reports whether a loop stands before another one in its file.
func earlier(x, y *report.Kernel) bool {
	if x.Address != "" {
		return cmp.Or(cmp.Compare(len(x.Address), len(y.Address)), strings.Compare(x.Address, y.Address)) < 0
	}
	return lineOf(x) < lineOf(y)
}

func lineOf(k *report.Kernel) int {
	if len(k.Targets) == 0 || len(k.Targets[0].Instructions) == 0 {
		return 0
	}
	return k.Targets[0].Instructions[0].Line
}

func functions(list []report.Kernel) map[string]bool {
	out := map[string]bool{}
	for i := range list {
		out[list[i].Function] = true
	}
	return out
}

// alike reports whether two loops may be the same, and how likely that is.
func alike(a, b *report.Kernel, single, oneFunction bool) (p pair, ok bool) {
	if single {
		return pair{score: 1, by: "the only loop"}, true
	}
	sameFunction := a.Function == b.Function
	_, la, _ := strings.Cut(a.Name, ":")
	_, lb, _ := strings.Cut(b.Name, ":")
	s := shape(a, b)
	switch {
	case sameFunction && la != "" && la == lb && !numbered(la):
		return pair{score: 3 + s, by: "function and label"}, true
	case sameFunction && a.Name == b.Name:
		return pair{score: 2 + s, by: "function and shape"}, true
	case sameFunction:
		return pair{score: 1.9 + s, by: "function and shape"}, true
	case oneFunction:
		return pair{score: s, by: "shape"}, true
	}
	return p, false
}

// numbered reports whether a label was made by a compiler or for an address, and so says nothing of which loop it is: .L4, loop2, 0x1234.
func numbered(label string) bool {
	return strings.HasPrefix(label, ".L") || strings.HasPrefix(label, "L") && strings.Trim(label[1:], "0123456789_B") == "" ||
		strings.Trim(label, "0123456789abcdefx") == "" || strings.HasPrefix(label, "loop")
}

// width is how many bytes a load or store moves.
func width(w *report.Work) float64 {
	if w.UnknownBytes || w.Loads+w.Stores == 0 {
		return 0
	}
	return float64(w.LoadedBytes+w.StoredBytes) / float64(w.Loads+w.Stores)
}

// shape is how similar the bodies of two loops are, from 0 to 1: their depth, how wide their loads and stores are, and the share that stores have of
// them, which unrolling doesn't change. The rest of the instructions says less: unrolling spreads a loop's own over more work.
func shape(a, b *report.Kernel) float64 {
	off := 0.0
	if a.Depth != b.Depth {
		off += 0.3
	}
	if x, y := width(&a.Work), width(&b.Work); x > 0 && y > 0 {
		off += 0.03 * math.Abs(math.Log2(x/y))
	}
	off += math.Abs(storeShare(&a.Work) - storeShare(&b.Work))
	off += 0.2 * math.Abs(memoryShare(a)-memoryShare(b))
	return math.Max(0, 1-off)
}

// storeShare is the share of stores in what accesses memory, -1 where nothing does.
func storeShare(w *report.Work) float64 {
	if w.Loads+w.Stores == 0 {
		return -1
	}
	return float64(w.Stores) / float64(w.Loads+w.Stores)
}

// memoryShare is the share of the instructions that access memory.
func memoryShare(k *report.Kernel) float64 {
	n := 1.0
	if len(k.Targets) > 0 {
		n = math.Max(1, float64(len(k.Targets[0].Instructions)))
	}
	return float64(k.Work.Loads+k.Work.Stores) / n
}
