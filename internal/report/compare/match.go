package compare

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"incore/internal/base/symname"
	"incore/internal/report"
)

// group is one loop: its index among the kernels of each version, -1 if a version lacks it.
type group struct {
	index []int
	by    string
}

// pair is a loop of the first version and a loop of another version that may be the same.
type pair struct {
	a, b  int
	score float64
	by    string
}

// match finds the loops of the first version in the others by the same function, the same label and the most similar shape, in this
// order of weight. If each version has only one loop, or only one function, these match whatever their names are. Loops without a label in common must have some
// likeness: main is the name of a function in every program.
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
				p.score -= 0.1*math.Abs(place(a, i)-place(b, j)) + 0.8*math.Abs(rank(a, i)-rank(b, j))
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
	return append(out, renamed(a, b, usedA, usedB)...)
}

// renamed pairs the loops that are left and whose functions the other version lacks: those of functions that have one
// name without scopes and parameters, then those of the same code.
func renamed(a, b []report.Kernel, usedA, usedB []bool) (out []pair) {
	leftA, leftB := unnamed(a, b, usedA), unnamed(b, a, usedB)
	before, after := byShortName(a, leftA), byShortName(b, leftB)
	take := func(p pair, by string) {
		p.by = by
		usedA[p.a], usedB[p.b] = true, true
		out = append(out, p)
	}
	for i := range leftA {
		name := short(&a[leftA[i]])
		var likely []pair
		for _, j := range leftB {
			if short(&b[j]) != name || before[name] != 1 || after[name] != 1 || usedA[leftA[i]] || usedB[j] {
				continue
			}
			same := b[j]
			same.Function = a[leftA[i]].Function
			if p, ok := alike(&a[leftA[i]], &same, false, false); ok {
				p.a, p.b = leftA[i], j
				p.score -= math.Abs(place(a, p.a) - place(b, p.b))
				likely = append(likely, p)
			}
		}
		if len(likely) > 0 {
			take(slices.MaxFunc(likely, func(x, y pair) int { return cmp.Compare(x.score, y.score) }), byScopes)
		}
	}
	for _, i := range leftA {
		for _, j := range leftB {
			if !usedA[i] && !usedB[j] && code(&a[i]) != "" && code(&a[i]) == code(&b[j]) {
				take(pair{a: i, b: j}, byCode)
			}
		}
	}
	return out
}

// The criteria of loops whose functions have other names.
const (
	byScopes = "the function's name without scopes"
	byCode   = "code"
)

// unnamed lists the loops that are not used and whose function is none of the other version's.
func unnamed(list, other []report.Kernel, used []bool) (left []int) {
	known := functions(other)
	for i := range list {
		if !used[i] && list[i].Function != "" && !known[list[i].Function] {
			left = append(left, i)
		}
	}
	return left
}

// short is the name of a loop's function without scopes, parameters and template arguments.
func short(k *report.Kernel) string { return symname.Shorter(k.Function)[2] }

// byShortName counts the functions of each short name.
func byShortName(list []report.Kernel, left []int) map[string]int {
	out, seen := map[string]int{}, map[string]bool{}
	for _, i := range left {
		if !seen[list[i].Function] {
			seen[list[i].Function] = true
			out[short(&list[i])]++
		}
	}
	return out
}

// code is the text of a loop's instructions without the targets of its branches; "" if it is not known.
func code(k *report.Kernel) string {
	if len(k.Targets) == 0 {
		return ""
	}
	var b strings.Builder
	for i := range k.Targets[0].Instructions {
		f := strings.Fields(k.Targets[0].Instructions[i].Text)
		if len(f) == 0 {
			return ""
		}
		if n := len(f); n > 1 && (strings.HasPrefix(f[n-1], ".") || strings.HasPrefix(f[n-1], "0x") || strings.HasPrefix(f[n-1], "<")) {
			f = f[:n-1]
		}
		b.WriteString(strings.Join(f, " "))
		b.WriteByte('\n')
	}
	return b.String()
}

// place returns the relative position of a loop among the loops of its function, from 0 to 1.
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

// rank returns the rank of a loop by stride among the loops of its function, from 0 for the greatest stride to 1. It tells the remainder loop
// after a loop of wide vectors or many copies from the main loop: its stride is smaller.
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

// earlier reports whether a loop is before another loop in the file.
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

// label returns the label in the name of a loop of assembly text; "" for loops of objects, which are named by their offsets.
func label(name string) string {
	_, place := symname.Split(name)
	if strings.HasPrefix(place, ":") {
		return place[1:]
	}
	return ""
}

// alike reports whether two loops may be the same; the pair's score is higher for a more likely match.
func alike(a, b *report.Kernel, single, oneFunction bool) (p pair, ok bool) {
	sameFunction := a.Function == b.Function
	la, lb := label(a.Name), label(b.Name)
	s := shape(a, b)
	switch {
	case sameFunction && la != "" && la == lb && !numbered(la):
		return pair{score: 3 + s, by: "function and label"}, true
	case far(a, b), !single && (s < leastShape || (a.Work.Loads+a.Work.Stores == 0) != (b.Work.Loads+b.Work.Stores == 0)):
		return p, false
	case single:
		return pair{score: 1, by: "the only loop"}, true
	case sameFunction && a.Name == b.Name:
		return pair{score: 2 + s, by: "function and shape"}, true
	case sameFunction:
		return pair{score: 1.9 + s, by: "function and shape"}, true
	case oneFunction:
		return pair{score: s, by: "shape"}, true
	}
	return p, false
}

// Limits of likeness. No label tells that two loops are versions of one if their bodies differ by more than this, for the same work.
const (
	leastShape = 0.35
	mostLonger = 32.0  // times the instructions: a vectorised loop has an eighth to a sixty-fourth, but the work of an iteration is then as much greater
	mostSlower = 100.0 // times the cycles
)

// far reports whether the instructions or the cycles of two loops, for the same work, are of different orders of magnitude: other loops of a function of the same name, as main is.
// A loop over bytes that was vectorised has a hundredth of the instructions: loops are alike as well if they are so for the same number of accesses, of whatever width.
func far(a, b *report.Kernel) bool {
	if len(a.Targets) == 0 || len(b.Targets) == 0 {
		return false
	}
	n, _ := times(a, b)
	wider := 1.0
	if x, y := width(&a.Work), width(&b.Work); x > 0 && y > 0 {
		wider = y / x
	}
	x, y := &a.Targets[0], &b.Targets[0]
	other := func(before, after, most float64) bool {
		return before > 0 && after > 0 && (after > most*before || before > most*after)
	}
	apart := func(before, after, most float64) bool {
		return other(before, after/n, most) && other(before, after/n*wider, most)
	}
	return apart(float64(len(x.Instructions)), float64(len(y.Instructions)), mostLonger) || apart(x.Prediction.Cycles, y.Prediction.Cycles, mostSlower)
}

// numbered reports whether a label was generated by a compiler or from an address, so that it does not identify the loop: .L4, loop2, 0x1234.
func numbered(label string) bool {
	return strings.HasPrefix(label, ".L") || strings.HasPrefix(label, "L") && strings.Trim(label[1:], "0123456789_B") == "" ||
		strings.Trim(label, "0123456789abcdefx") == "" || strings.HasPrefix(label, "loop")
}

// width returns the average bytes of a load or store.
func width(w *report.Work) float64 {
	if w.UnknownBytes || w.Loads+w.Stores == 0 {
		return 0
	}
	return float64(w.LoadedBytes+w.StoredBytes) / float64(w.Loads+w.Stores)
}

// shape returns the similarity of the bodies of two loops, from 0 to 1. It compares their depth, the width of their loads and stores, and the share of stores
// among these, which unrolling doesn't change. The share of other instructions has less weight, since unrolling reduces the loop's own arithmetic.
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

// storeShare returns the share of stores among the memory accesses, -1 if there are none.
func storeShare(w *report.Work) float64 {
	if w.Loads+w.Stores == 0 {
		return -1
	}
	return float64(w.Stores) / float64(w.Loads+w.Stores)
}

// memoryShare returns the share of the instructions that access memory.
func memoryShare(k *report.Kernel) float64 {
	n := 1.0
	if len(k.Targets) > 0 {
		n = math.Max(1, float64(len(k.Targets[0].Instructions)))
	}
	return float64(k.Work.Loads+k.Work.Stores) / n
}
