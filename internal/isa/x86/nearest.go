package x86

import (
	"math/bits"
	"sort"

	"incore/internal/isa"
)

// syntaxError describes a statement that did not parse or match.
func (p *parser) syntaxError(unknown bool) error {
	e := &isa.SyntaxError{Stmt: p.src, Col: p.col, Msg: p.msg}
	if len(e.Stmt) > 200 {
		e.Stmt = e.Stmt[:200] + "..."
	}
	d := db()
	v := 0
	if p.intel {
		v = 1
	}
	name := string(p.name)
	m := d.names.find(p.name, v)
	e.Unknown = unknown || m < 0
	switch {
	case unknown || m < 0 && p.msg == "":
		if e.Msg == "" {
			e.Msg = "unknown mnemonic '" + clip(name) + "'"
			if d.in(name, 1-v) {
				e.Msg += [...]string{" of AT&T syntax (it is one of Intel's)", " of Intel syntax (it is one of AT&T's)"}[v]
			}
		}
		e.Nearest = d.nearest(name, v)
	case p.msg == "":
		e.Msg = "no form of '" + clip(name) + "' takes these operands"
		e.Nearest = d.formsOf(v, m)
	}
	return e
}

// maxNearest is how many suggestions an error carries.
const maxNearest = 3

// nearest finds the mnemonics of a syntax with the smallest edit distance.
func (d *database) nearest(name string, variant int) []string {
	type hit struct {
		name string
		dist int
	}
	var hits []hit
	limit, own := max(1, len(name)/3), letters(name)
	for i := range d.names.entry {
		s := d.names.entry[i].name
		if len(s) > len(name)+limit || len(s)+limit < len(name) {
			continue
		}
		if of := letters(s); bits.OnesCount64(own&^of) > limit || bits.OnesCount64(of&^own) > limit {
			continue // each edit adds or removes one of them
		}
		if n := editDistance(name, s, limit); n <= limit && d.in(s, variant) {
			hits = append(hits, hit{s, n})
		}
	}
	sort.SliceStable(hits, func(i, j int) bool { return hits[i].dist < hits[j].dist })
	var out []string
	for _, h := range hits[:min(len(hits), maxNearest)] {
		out = append(out, h.name)
	}
	return out
}

// in reports whether a syntax has a mnemonic.
func (d *database) in(name string, variant int) bool {
	m := d.names.find([]byte(name), variant)
	first, end := d.match.Rows(variant, m)
	return m >= 0 && first < end
}

// letters is the set of a name's characters, modulo 64.
func letters(name string) (set uint64) {
	for i := range len(name) {
		set |= 1 << (name[i] & 63)
	}
	return set
}

// editDistance is the Levenshtein distance, or more than limit.
func editDistance(a, b string, limit int) int {
	var row [maxMnemonic + 1]int
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diag, best := row[0], i
		row[0] = i
		for j := 1; j <= min(len(b), maxMnemonic); j++ {
			cost := diag
			if a[i-1] != b[j-1] {
				cost = 1 + min(diag, row[j], row[j-1])
			}
			diag, row[j] = row[j], cost
			best = min(best, cost)
		}
		if best > limit {
			return limit + 1
		}
	}
	return row[min(len(b), maxMnemonic)]
}

// formsOf lists some distinct forms of a mnemonic.
func (d *database) formsOf(variant, mnemonic int) []string {
	var out []string
	first, end := d.match.Rows(variant, mnemonic)
next:
	for i := first; i < end && len(out) < maxNearest; i++ {
		name := d.forms.Name(d.match.Row(variant, i).Form)
		for _, o := range out {
			if o == name {
				continue next
			}
		}
		out = append(out, name)
	}
	return out
}
