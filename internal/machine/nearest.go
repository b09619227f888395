package machine

import (
	"slices"
	"sort"
	"strings"
)

// NearestHint suggests the candidates that are most similar to an unknown name.
func NearestHint(s string, candidates []string) string { return nearestHint(s, candidates) }

// nearest returns up to n of the candidates with the smallest edit distance to s. If one is a prefix of the other, the distance is at most 1.
func nearest(s string, candidates []string, n int) []string {
	type scored struct {
		name string
		d    int
	}
	s = strings.ToLower(s)
	if len(s) > 40 {
		s = s[:40]
	}
	var list []scored
	for _, c := range candidates {
		l := strings.ToLower(c)
		d := distance(s, l)
		if strings.HasPrefix(l, s) || strings.HasPrefix(s, l) {
			d = min(d, 1)
		}
		if d <= max(2, len(s)/2) {
			list = append(list, scored{c, d})
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].d < list[j].d })
	var out []string
	for i := 0; i < len(list) && len(out) < n; i++ {
		if !slices.Contains(out, list[i].name) {
			out = append(out, list[i].name)
		}
	}
	return out
}

// nearestHint suggests the candidates that are most similar to s.
func nearestHint(s string, candidates []string) string {
	if n := nearest(s, candidates, 3); len(n) > 0 {
		return "did you mean " + strings.Join(n, ", ") + "?"
	}
	if len(candidates) > 12 {
		candidates = candidates[:12]
	}
	return "one of " + strings.Join(candidates, ", ")
}

// distance is the Levenshtein distance of two short strings.
func distance(a, b string) int {
	prev := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diag := prev[0]
		prev[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diag
			if a[i-1] != b[j-1] {
				cost++
			}
			diag = prev[j]
			prev[j] = min(cost, prev[j]+1, prev[j-1]+1)
		}
	}
	return prev[len(b)]
}
