package riscv

import "sort"

// nearest returns the known mnemonics most similar to an unknown one, best first.
func (p *parser) nearest(mn string) []string {
	type near struct {
		name string
		dist int
	}
	var l []near
	limit := max(2, len(mn)/3)
	for i := range p.Match.Mnemonics() {
		name := p.Match.MnemonicAt(i)
		if d := len(name) - len(mn); d > limit || -d > limit {
			continue
		}
		if d := distance(mn, name, limit); d <= limit {
			l = append(l, near{name, d})
		}
	}
	sort.SliceStable(l, func(i, j int) bool { return l[i].dist < l[j].dist })
	var out []string
	for _, n := range l[:min(3, len(l))] {
		out = append(out, n.name)
	}
	return out
}

// distance is the Levenshtein distance of two words, or more than limit when it exceeds that.
func distance(a, b string, limit int) int {
	if len(b) > 64 || len(a) > 64 {
		return limit + 1
	}
	var row [65]int
	for j := range len(b) + 1 {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diag, best := row[0], i
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diag
			if a[i-1] != b[j-1] {
				cost++
			}
			diag = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
			best = min(best, row[j])
		}
		if best > limit {
			return limit + 1
		}
	}
	return row[len(b)]
}
