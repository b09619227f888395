package ports

import (
	"math/bits"
	"testing"
)

// A proof that two port maps take the same time for every mix. The time of a mix x (instances of each form) on a machine is the largest of linear functions r·x: for every set of ports the work that fits
// only into it by its size, for every unit and for dispatch their work. One machine is never slower than the other on any mix exactly if no function r of its own exceeds 1 where the other's time
// is at most 1: max r·x under x ≥ 0 and the other's s·x ≤ 1 for all s, a linear program.

// part is the work of one instance that may be done by any port of a set, or unit.
type part struct {
	ports uint64
	n     float64
	unit  bool // no port
}

// costs are what one instance of a form needs.
type costs struct {
	parts []part
	slots float64 // of the dispatch width, in cycles
	alone float64 // cycles that it takes at least, by itself
}

// functions are the linear functions whose largest is the time of a mix: a row each, a column for each form.
func functions(forms []costs) (rows [][]float64) {
	var sets []uint64
	seen := map[uint64]bool{}
	add := func(s uint64) {
		if !seen[s] {
			seen[s] = true
			sets = append(sets, s)
		}
	}
	for i := range forms {
		for _, p := range forms[i].parts {
			add(p.ports)
		}
	}
	for i := 0; i < len(sets); i++ { // unions of what touches; of what doesn't, one of the two is at least as loaded as both
		for j := range i {
			if sets[i]&sets[j] != 0 {
				add(sets[i] | sets[j])
			}
		}
	}
	for _, s := range sets {
		r := make([]float64, len(forms))
		for i := range forms {
			for _, p := range forms[i].parts {
				if p.ports&^s == 0 {
					r[i] += p.n / float64(bits.OnesCount64(s))
				}
			}
		}
		rows = append(rows, r)
	}
	slots := make([]float64, len(forms))
	for i := range forms {
		slots[i] = forms[i].slots
		if forms[i].alone > 0 {
			r := make([]float64, len(forms))
			r[i] = forms[i].alone
			rows = append(rows, r)
		}
	}
	return append(rows, slots)
}

// alike reports whether two machines take the same time for every mix of forms.
func alike(a, b []costs) bool {
	var x, y []costs // one of each kind: more of the same column decide nothing
	for i := range a {
		known := false
		for j := range x {
			known = known || sameCosts(&x[j], &a[i]) && sameCosts(&y[j], &b[i])
		}
		if !known {
			x, y = append(x, a[i]), append(y, b[i])
		}
	}
	r, s := functions(x), functions(y)
	return within1(r, s) && within1(s, r)
}

func sameCosts(a, b *costs) bool {
	if len(a.parts) != len(b.parts) || a.slots != b.slots || a.alone != b.alone {
		return false
	}
	for i := range a.parts {
		if a.parts[i] != b.parts[i] {
			return false
		}
	}
	return true
}

// within1 reports whether no function of rows exceeds 1 where none of bounds does.
func within1(rows, bounds [][]float64) bool {
	for _, r := range rows {
		if !dominated(r, bounds) && greatest(r, bounds) > 1+1e-6 {
			return false
		}
	}
	return true
}

// dominated reports whether one bound is at least as large everywhere.
func dominated(r []float64, bounds [][]float64) bool {
	for _, b := range bounds {
		all := true
		for i := range r {
			all = all && r[i] <= b[i]+1e-9
		}
		if all {
			return true
		}
	}
	return false
}

// greatest is the largest r·x under x ≥ 0 and b·x ≤ 1 for all bounds, by the simplex method with Bland's rule; 2 if it has no limit.
func greatest(r []float64, bounds [][]float64) float64 {
	const eps = 1e-9
	n, m := len(r), len(bounds)
	w := n + m + 1 // columns: variables, slacks, right side
	t := make([][]float64, m+1)
	base := make([]int, m)
	for i := range t {
		t[i] = make([]float64, w)
	}
	for i, b := range bounds {
		copy(t[i], b)
		t[i][n+i], t[i][w-1], base[i] = 1, 1, n+i
	}
	for j := range r {
		t[m][j] = -r[j]
	}
	for {
		in := 0
		for in < w-1 && t[m][in] >= -eps {
			in++
		}
		if in == w-1 {
			return t[m][w-1]
		}
		out := -1
		for i := range m {
			if t[i][in] <= eps {
				continue
			}
			if out >= 0 {
				p, q := t[i][w-1]*t[out][in], t[out][w-1]*t[i][in]
				if p > q+eps || p > q-eps && base[i] > base[out] {
					continue
				}
			}
			out = i
		}
		if out < 0 {
			return 2
		}
		pivot := t[out][in]
		for j := range t[out] {
			t[out][j] /= pivot
		}
		for i := range t {
			if f := t[i][in]; i != out && f != 0 {
				for j := range t[i] {
					t[i][j] -= f * t[out][j]
				}
			}
		}
		base[out] = in
	}
}

// TestAlike decides machines by hand.
func TestAlike(t *testing.T) {
	form := func(slots float64, sets ...uint64) costs {
		c := costs{slots: slots}
		for _, s := range sets {
			c.parts = append(c.parts, part{s, 1, false})
		}
		return c
	}
	a, b, both := form(1./4, 1), form(1./4, 2), form(1./4, 3)
	for _, c := range []struct {
		name string
		x, y []costs
		want bool
	}{
		{"the same", []costs{a, b, both}, []costs{a, b, both}, true},
		{"other names", []costs{a, b, both}, []costs{b, a, both}, true},
		{"one moved to the other's port", []costs{a, b}, []costs{a, a}, false},
		{"nobody else there", []costs{a, both}, []costs{b, both}, true},
		{"one port of two", []costs{a, both}, []costs{both, both}, false},
		{"one port of two, but it takes a cycle alone", []costs{a, both}, []costs{{parts: both.parts, slots: both.slots, alone: 1}, both}, true},
		{"the same, with another on that port", []costs{a, a, both}, []costs{a, {parts: both.parts, slots: both.slots, alone: 1}, both}, false},
		{"a µop that dispatch hides", []costs{form(1, 1), a}, []costs{form(1), a}, false},
		{"a µop of four slots on four ports", []costs{form(1, 15), form(1./4, 240)}, []costs{form(1), form(1./4, 240)}, true},
	} {
		if got := alike(c.x, c.y); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
