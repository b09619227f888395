package report

import (
	"fmt"
	"math"
	"sort"
)

// A layout places a graph's nodes in layers from top to bottom (Sugiyama, Tagawa and Toda
// 1981): layers by longest path, nodes without predecessors drawn down to their users;
// long edges pass through waypoints; crossings reduced by barycentre sweeps; then
// horizontal places by least squares, keeping order and distances.
type layout struct {
	verts         []vertex // nodes first, then waypoints
	layers        [][]int
	up, down      [][]int // neighbours in the layer above and below
	routes        [][]int // edge → vertices from its source to its target; nil for back edges
	width, height float64
}

type vertex struct {
	layer int
	pos   int
	w     float64
	x, y  float64 // of the centre
	way   bool    // a waypoint
	own   bool    // with an edge to itself, which is drawn at its right side
}

// Sizes in pixels.
const (
	nodeHeight = 26
	layerGap   = 44
	nodeGap    = 18
	wayGap     = 10
	charWidth  = 7.0
	margin     = 24
	sweeps     = 24
)

// mostPoints is the greatest number of nodes and waypoints of a drawing, about one second of work. An edge has a waypoint in each layer that it crosses, so that
// a chain of some thousand instructions with other dependent instructions has millions.
const mostPoints = 100_000

// newLayout places the nodes of a graph. A graph that is too large to draw is an error.
func newLayout(g *graph) (*layout, error) {
	l := &layout{verts: make([]vertex, len(g.nodes)), routes: make([][]int, len(g.edges))}
	for i := range g.nodes {
		l.verts[i].w = charWidth*float64(len([]rune(g.nodes[i].label))) + 16
	}
	for _, e := range g.edges {
		if e.from == e.to {
			l.verts[e.from].own = true
		}
	}
	l.assignLayers(g)
	if n := l.points(g); n > mostPoints {
		return nil, fmt.Errorf("the graph of %d instructions is too large to draw: it takes %d points, at most %d; write it as .dot, or choose fewer lines", len(g.nodes), n, mostPoints)
	}
	l.addWaypoints(g)
	l.order()
	l.place()
	return l, nil
}

// points returns the number of vertices of a graph, including the waypoints of its edges.
func (l *layout) points(g *graph) int {
	n := len(g.nodes)
	for _, e := range g.edges {
		if !e.back && e.from < e.to {
			n += max(0, l.verts[e.to].layer-l.verts[e.from].layer-1)
		}
	}
	return n
}

// assignLayers sets each node's layer. Edges within an iteration lead forward in the program.
func (l *layout) assignLayers(g *graph) {
	succ, pred := make([][]int, len(g.nodes)), make([][]int, len(g.nodes))
	for _, e := range g.edges {
		if !e.back && e.from < e.to {
			succ[e.from] = append(succ[e.from], e.to)
			pred[e.to] = append(pred[e.to], e.from)
		}
	}
	deepest := 0
	for i := range g.nodes {
		for _, p := range pred[i] {
			l.verts[i].layer = max(l.verts[i].layer, l.verts[p].layer+1)
		}
		deepest = max(deepest, l.verts[i].layer)
	}
	lone := 0
	for i := len(g.nodes) - 1; i >= 0; i-- {
		switch {
		case len(pred[i]) == 0 && len(succ[i]) > 0:
			low := math.MaxInt
			for _, s := range succ[i] {
				low = min(low, l.verts[s].layer)
			}
			l.verts[i].layer = low - 1
		case len(succ[i]) == 0 && len(pred[i]) == 0: // spread unconnected nodes over the layers
			l.verts[i].layer = lone % (deepest + 1)
			lone++
		}
	}
}

// addWaypoints splits edges that cross layers and fills the layers.
func (l *layout) addWaypoints(g *graph) {
	for n, e := range g.edges {
		if e.back || e.from >= e.to {
			continue
		}
		route := []int{e.from}
		for y := l.verts[e.from].layer + 1; y < l.verts[e.to].layer; y++ {
			route = append(route, len(l.verts))
			l.verts = append(l.verts, vertex{layer: y, w: 2, way: true})
		}
		l.routes[n] = append(route, e.to)
	}
	l.up, l.down = make([][]int, len(l.verts)), make([][]int, len(l.verts))
	for _, r := range l.routes {
		for i := 1; i < len(r); i++ {
			l.down[r[i-1]] = append(l.down[r[i-1]], r[i])
			l.up[r[i]] = append(l.up[r[i]], r[i-1])
		}
	}
	for v := range l.verts {
		for len(l.layers) <= l.verts[v].layer {
			l.layers = append(l.layers, nil)
		}
		y := l.verts[v].layer
		l.verts[v].pos = len(l.layers[y])
		l.layers[y] = append(l.layers[y], v)
	}
}

// order reduces crossings and keeps the best order seen.
func (l *layout) order() {
	best, fewest := l.snapshot(), l.crossings()
	for s := 0; s < sweeps && fewest > 0; s++ {
		for k := range l.layers {
			y, next := k, l.up
			if s%2 == 1 {
				y, next = len(l.layers)-1-k, l.down
			}
			l.sortLayer(y, next)
		}
		if c := l.crossings(); c < fewest {
			best, fewest = l.snapshot(), c
		}
	}
	for y, row := range best {
		l.layers[y] = row
		l.number(y)
	}
}

func (l *layout) snapshot() [][]int {
	out := make([][]int, len(l.layers))
	for y := range l.layers {
		out[y] = append([]int(nil), l.layers[y]...)
	}
	return out
}

func (l *layout) number(y int) {
	for i, v := range l.layers[y] {
		l.verts[v].pos = i
	}
}

// sortLayer orders a layer by the mean position of its vertices' neighbours.
func (l *layout) sortLayer(y int, next [][]int) {
	key := make(map[int]float64, len(l.layers[y]))
	for _, v := range l.layers[y] {
		key[v] = float64(l.verts[v].pos)
		if n := next[v]; len(n) > 0 {
			sum := 0.0
			for _, u := range n {
				sum += float64(l.verts[u].pos)
			}
			key[v] = sum / float64(len(n))
		}
	}
	sort.SliceStable(l.layers[y], func(i, j int) bool { return key[l.layers[y][i]] < key[l.layers[y][j]] })
	l.number(y)
}

// crossings counts crossing edges between neighbouring layers. In the order of upper ends, an edge crosses each earlier edge whose
// lower end is further right (Barth, Jünger and Mutzel 2002).
func (l *layout) crossings() (n int) {
	for y := 0; y+1 < len(l.layers); y++ {
		seen := make(fenwick, len(l.layers[y+1])+1)
		total := 0
		for _, v := range l.layers[y] {
			for _, u := range l.down[v] {
				n += total - seen.upTo(l.verts[u].pos)
			}
			for _, u := range l.down[v] { // edges of one upper end do not cross
				seen.add(l.verts[u].pos)
				total++
			}
		}
	}
	return n
}

// fenwick counts positions and sums the counts of a prefix (a binary indexed tree, Fenwick 1994).
type fenwick []int

func (f fenwick) add(pos int) {
	for i := pos + 1; i < len(f); i += i & -i {
		f[i]++
	}
}

// upTo returns the number of additions at or before a position.
func (f fenwick) upTo(pos int) (n int) {
	for i := pos + 1; i > 0; i -= i & -i {
		n += f[i]
	}
	return n
}

// place sets coordinates. In repeated sweeps it moves each layer as near as possible to the mean positions of its neighbours.
func (l *layout) place() {
	for y := range l.layers {
		x := 0.0
		for i, v := range l.layers[y] {
			if i > 0 {
				x += l.distance(l.layers[y][i-1], v)
			}
			l.verts[v].x = x
			l.verts[v].y = float64(y) * (nodeHeight + layerGap)
		}
	}
	for s := 0; s < sweeps; s++ {
		for k := range l.layers {
			y := k
			if s%2 == 1 {
				y = len(l.layers) - 1 - k
			}
			l.align(y, s)
		}
	}
	l.normalize()
}

// distance returns the least distance between the centres of two neighbours in a layer, the left one first.
func (l *layout) distance(a, b int) float64 {
	gap := float64(nodeGap)
	if l.verts[a].way || l.verts[b].way {
		gap = wayGap
	}
	if l.verts[a].own {
		gap += 2 * ownWidth // the arc and its latency
	}
	return l.verts[a].w/2 + l.verts[b].w/2 + gap
}

// align moves the vertices of a layer to the weighted mean of their neighbours, as far as order and
// distances allow: isotonic regression by pooling adjacent violators.
func (l *layout) align(y, sweep int) {
	type pool struct {
		sum, weight float64
		count       int
	}
	var pools []pool
	offset := 0.0
	offsets := make([]float64, len(l.layers[y]))
	for i, v := range l.layers[y] {
		if i > 0 {
			offset += l.distance(l.layers[y][i-1], v)
		}
		offsets[i] = offset
		want, weight := l.wanted(v, sweep)
		pools = append(pools, pool{(want - offset) * weight, weight, 1})
		for n := len(pools); n > 1 && pools[n-2].sum/pools[n-2].weight >= pools[n-1].sum/pools[n-1].weight; n = len(pools) {
			pools[n-2].sum += pools[n-1].sum
			pools[n-2].weight += pools[n-1].weight
			pools[n-2].count += pools[n-1].count
			pools = pools[:n-1]
		}
	}
	i := 0
	for _, p := range pools {
		for range p.count {
			l.verts[l.layers[y][i]].x = p.sum/p.weight + offsets[i]
			i++
		}
	}
}

// wanted returns the mean position of a vertex' neighbours and the weight of that position. Edges between waypoints have
// the greatest weight, so that long edges are straight.
func (l *layout) wanted(v, sweep int) (x, weight float64) {
	add := func(us []int) {
		for _, u := range us {
			w := 1.0
			if l.verts[v].way && l.verts[u].way {
				w = 8
			} else if l.verts[v].way || l.verts[u].way {
				w = 2
			}
			x += l.verts[u].x * w
			weight += w
		}
	}
	if sweep%2 == 0 || sweep >= sweeps-4 {
		add(l.up[v])
	}
	if sweep%2 == 1 || sweep >= sweeps-4 {
		add(l.down[v])
	}
	if weight == 0 {
		return l.verts[v].x, 0.1
	}
	return x / weight, weight
}

// normalize moves the picture into the positive quadrant and measures it.
func (l *layout) normalize() {
	left := math.Inf(1)
	for _, v := range l.verts {
		left = min(left, v.x-v.w/2)
	}
	for i := range l.verts {
		v := &l.verts[i]
		v.x -= left
		l.width = max(l.width, v.x+v.w/2)
		l.height = max(l.height, v.y+nodeHeight)
		v.y += nodeHeight / 2
	}
}
