package object

// dominators computes immediate dominators by semidominators, with path compression (T. Lengauer, R. E. Tarjan: A Fast Algorithm for Finding
// Dominators in a Flowgraph, TOPLAS 1979): n log n steps, also for irreducible loops. Blocks that the function's entry does not reach (padding, landing
// pads of exceptions, targets of unresolved jumps) form regions of their own, whose edges to other regions are ignored.
func (g *Graph) dominators() {
	roots := g.number()
	n := len(g.Blocks)
	f := forest{ancestor: make([]int32, n+1), label: make([]int32, n+1), semi: make([]int32, n+1)}
	for v := range f.semi {
		f.ancestor[v], f.semi[v], f.label[v] = -1, int32(v), int32(v)
	}
	dom, bucket, next := make([]int32, n+1), make([]int32, n+1), make([]int32, n+1) // bucket: first entry of a vertex's bucket, next: next entry of the bucket
	for w := int32(n); w > 0; w-- {
		b := g.found[w-1]
		if roots[b] {
			f.semi[w] = 0
		}
		for _, p := range g.Blocks[b].Pred {
			if g.region[p] == g.region[b] {
				f.semi[w] = min(f.semi[w], f.semi[f.eval(g.pre[p])])
			}
		}
		next[w], bucket[f.semi[w]] = bucket[f.semi[w]], w
		parent := g.parent[b]
		f.ancestor[w] = parent
		for v := bucket[parent]; v != 0; v = next[v] {
			dom[v] = parent
			if u := f.eval(v); f.semi[u] < f.semi[v] {
				dom[v] = u
			}
		}
		bucket[parent] = 0
	}
	g.idom = make([]int, n)
	for w := int32(1); w <= int32(n); w++ {
		if dom[w] != f.semi[w] {
			dom[w] = dom[dom[w]]
		}
		if g.idom[g.found[w-1]] = top; dom[w] != 0 {
			g.idom[g.found[w-1]] = g.found[dom[w]-1]
		}
	}
	g.enclose(dom)
}

// forest is the linked part of the depth-first spanning tree: vertices are numbered by their preorder from 1, and 0 precedes all entries.
type forest struct {
	ancestor []int32 // a vertex above, -1 of roots
	label    []int32 // the vertex of least semidominator between the vertex and its ancestor
	semi     []int32
	path     []int32
}

// eval returns the vertex of least semidominator on the path from a vertex to the root of its tree, and compresses this path.
func (f *forest) eval(v int32) int32 {
	if f.ancestor[v] < 0 {
		return v
	}
	f.path = f.path[:0]
	for u := v; f.ancestor[f.ancestor[u]] >= 0; u = f.ancestor[u] {
		f.path = append(f.path, u)
	}
	for i := len(f.path) - 1; i >= 0; i-- {
		u := f.path[i]
		a := f.ancestor[u]
		if f.semi[f.label[a]] < f.semi[f.label[u]] {
			f.label[u] = f.label[a]
		}
		f.ancestor[u] = f.ancestor[a]
	}
	return f.label[v]
}

// enclose numbers blocks by a walk of the dominator tree, so that the numbers of the blocks that a block dominates follow its number without a gap. dom is in the
// graph's preorder, in which dominators precede.
func (g *Graph) enclose(dom []int32) {
	n := len(g.Blocks)
	size, free := make([]int32, n+1), make([]int32, n+1)
	for w := n; w > 0; w-- {
		size[w]++
		size[dom[w]] += size[w]
	}
	g.first, g.last = make([]int32, n), make([]int32, n)
	for w := 1; w <= n; w++ {
		at := free[dom[w]]
		free[dom[w]] += size[w]
		free[w] = at + 1
		g.first[g.found[w-1]], g.last[g.found[w-1]] = at, at+size[w]-1
	}
}

// number finds the regions and the reverse postorder; it reports which blocks are entries of regions.
func (g *Graph) number() (roots []bool) {
	n := len(g.Blocks)
	roots, g.region = make([]bool, n), make([]int, n)
	g.found, g.pre, g.parent = make([]int, 0, n), make([]int32, n), make([]int32, n)
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
	for b := range g.Blocks { // cycles that no entry reaches
		visit(b)
	}
	g.order, g.rank = make([]int, n), make([]int, n)
	for i, b := range post {
		g.order[n-1-i] = b
		g.rank[b] = n - 1 - i
	}
	return roots
}

// visit walks depth first from a block and appends the new blocks in postorder.
func (g *Graph) visit(root, region int, post []int) []int {
	type frame struct{ b, next int }
	stack := []frame{{root, 0}}
	find := func(b int, parent int32) {
		g.region[b] = region
		g.found = append(g.found, b)
		g.pre[b], g.parent[b] = int32(len(g.found)), parent
	}
	find(root, 0)
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
			find(s, g.pre[f.b])
			stack = append(stack, frame{s, 0})
		}
	}
	return post
}

// top is the immediate dominator of entries: the imaginary block before all of them.
const top = -1

// Dominates reports whether every path to b leads through a.
func (g *Graph) Dominates(a, b int) bool { return g.first[a] <= g.first[b] && g.first[b] <= g.last[a] }
