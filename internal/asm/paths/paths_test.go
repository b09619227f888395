package paths

import (
	"fmt"
	"slices"
	"testing"
)

// graph is a loop as lists of edges by block; block 0 is the header.
type graph [][]Edge

func (g graph) edges(b int) []Edge { return slices.Clone(g[b]) }

func TestLikeliest(t *testing.T) {
	falls, jumps, back := Kind{Falls: true}.Weight(), Kind{}.Weight(), Kind{Back: true}.Weight()
	calls, cold := Kind{Falls: true, Calls: true}.Weight(), Kind{Falls: true, Cold: true}.Weight()
	deep := graph{} // 20 branches in a row, each of both ways: too many to try all
	for b := range 20 {
		deep = append(deep, []Edge{{(b + 1) % 20, falls}, {(b + 2) % 20, jumps}})
	}
	for _, c := range []struct {
		name  string
		g     graph
		want  []int
		found int
	}{
		{"itself", graph{{{0, back}}}, []int{0}, 1},
		{"falls through", graph{{{1, falls}, {2, jumps}}, {{2, falls}}, {{0, back}}}, []int{0, 1, 2}, 2},
		{"not to a call", graph{{{1, calls}, {2, jumps}}, {{2, falls}}, {{0, back}}}, []int{0, 2}, 2},
		{"not to unlikely code", graph{{{1, cold}, {2, jumps}}, {{2, falls}}, {{0, back}}}, []int{0, 2}, 2},
		{"back where it can", graph{{{1, falls}, {0, back}}, {{0, back}}}, []int{0}, 2},
		{"an early branch counts less than those behind it", graph{{{1, falls}, {3, jumps}}, {{2, falls}, {3, jumps}}, {{3, falls}, {0, jumps}}, {{0, back}}}, []int{0, 3}, 4},
		{"an inner loop once", graph{{{1, falls}}, {{1, back}, {2, falls}}, {{0, back}}}, []int{0, 1, 2}, 1},
		{"too many", deep, nil, Max},
	} {
		p, n := Likeliest(len(c.g), 0, c.g.edges)
		if c.want != nil && !slices.Equal(p.Blocks, c.want) || n != c.found {
			t.Errorf("%s: %v of %d, want %v of %d", c.name, p.Blocks, n, c.want, c.found)
		}
		all := All(len(c.g), 0, c.g.edges)
		if len(all) != c.found || fmt.Sprint(all[0]) != fmt.Sprint(p) || !slices.IsSortedFunc(all, func(a, b Path) int { return int(1e9 * (b.Weight - a.Weight)) }) {
			t.Errorf("%s: all are %v", c.name, all)
		}
	}
}

// TestShortest: where the search ends before it has found a way, it is the one with the fewest blocks.
func TestShortest(t *testing.T) {
	const n = 40
	g := graph{{{1, 1}, {n + 1, 0.5}}} // block n+1 leads back, but first a thicket is searched that does not
	for b := 1; b <= n; b++ {
		g = append(g, []Edge{{b%n + 1, 1}, {(b+1)%n + 1, 1}, {(b+2)%n + 1, 1}})
	}
	g = append(g, []Edge{{0, 1}})
	if p, found := Likeliest(len(g), 0, g.edges); !slices.Equal(p.Blocks, []int{0, n + 1}) || found != 1 {
		t.Errorf("%v of %d", p, found)
	}
	if all := All(len(g), 0, g.edges); len(all) != 1 || !slices.Equal(all[0].Blocks, []int{0, n + 1}) {
		t.Errorf("all are %v", all)
	}
}
