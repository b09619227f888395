package object

// dominators computes immediate dominators by iteration over the reverse postorder
// (Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm). Blocks that the
// function's entry doesn't lead to (padding, landing pads of exceptions, targets of
// unresolved jumps) form regions of their own, whose edges to others don't count.
func (g *Graph) dominators() {
	roots := g.number()
	g.idom = make([]int, len(g.Blocks))
	for i := range g.idom {
		g.idom[i] = none
	}
	for changed := true; changed; {
		changed = false
		for _, b := range g.order {
			d := none
			if roots[b] {
				d = top
			}
			for _, p := range g.Blocks[b].Pred {
				if g.idom[p] != none && g.region[p] == g.region[b] {
					d = g.meet(d, p)
				}
			}
			if d != g.idom[b] {
				g.idom[b], changed = d, true
			}
		}
	}
}

// number finds the regions and the reverse postorder; it reports which blocks are entries of regions.
func (g *Graph) number() (roots []bool) {
	n := len(g.Blocks)
	roots, g.region = make([]bool, n), make([]int, n)
	post := make([]int, 0, n)
	regions := 0
	visit := func(root int) {
		if g.region[root] == 0 {
			regions++
			roots[root] = true
			post = g.visit(root, regions, post)
		}
	}
	visit(0)
	for b := range g.Blocks {
		if len(g.Blocks[b].Pred) == 0 {
			visit(b)
		}
	}
	for b := range g.Blocks { // cycles that nothing leads to
		visit(b)
	}
	g.order, g.rank = make([]int, n), make([]int, n)
	for i, b := range post {
		g.order[n-1-i] = b
		g.rank[b] = n - 1 - i
	}
	return roots
}

// visit walks depth first from a block and appends the blocks it finds in postorder.
func (g *Graph) visit(root, region int, post []int) []int {
	type frame struct{ b, next int }
	stack := []frame{{root, 0}}
	g.region[root] = region
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		if f.next == len(g.Blocks[f.b].Succ) {
			post = append(post, f.b)
			stack = stack[:len(stack)-1]
			continue
		}
		s := g.Blocks[f.b].Succ[f.next]
		f.next++
		if g.region[s] == 0 {
			g.region[s] = region
			stack = append(stack, frame{s, 0})
		}
	}
	return post
}

// Values of idom beside blocks.
const (
	top  = -1 // the imaginary block before all entries
	none = -2 // not known yet
)

// meet returns the closest block that dominates both a and b.
func (g *Graph) meet(a, b int) int {
	if a == none {
		return b
	}
	for a != b {
		if a == top || b == top {
			return top
		}
		if g.rank[a] > g.rank[b] {
			a = g.idom[a]
		} else {
			b = g.idom[b]
		}
	}
	return a
}

// Dominates reports whether every path to b leads through a.
func (g *Graph) Dominates(a, b int) bool {
	for b >= 0 && g.rank[b] >= g.rank[a] {
		if a == b {
			return true
		}
		b = g.idom[b]
	}
	return false
}
