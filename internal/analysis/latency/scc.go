package latency

// scc splits graphs into strongly connected components (Tarjan 1972). Its memory is reused.
type scc struct {
	part  []int32 // node → number of its component, unique over all calls; 0 = none
	local []int32 // scratch for the caller
	index []int32 // node → order of discovery, 0 = not yet
	low   []int32
	stack []int32
	calls []frame
	count int32
	next  int32
	parts [][]int32 // components found since init
	nodes []int32   // nodes of the components
}

// frame is a suspended visit: a node and the arc to follow next.
type frame struct {
	node, arc int32
}

func (s *scc) init(n int) {
	s.part, s.local, s.index, s.low = resize(s.part, n), resize(s.local, n), resize(s.index, n), resize(s.low, n)
	clear(s.part)
	s.stack, s.calls, s.parts, s.nodes, s.count, s.next = s.stack[:0], s.calls[:0], s.parts[:0], s.nodes[:0], 0, 0
}

// split returns the components with a cycle of the graph that the nodes of one component (or all
// nodes) induce, without the cut arcs.
func (s *scc) split(f *finder, nodes []int32) [][]int32 {
	first := len(s.parts)
	s.next++
	scope := s.next // marks the given nodes that have no component yet
	for _, v := range nodes {
		s.part[v], s.index[v] = scope, 0
	}
	for _, v := range nodes {
		if s.index[v] == 0 {
			s.visit(f, v, scope)
		}
	}
	return s.parts[first:]
}

// visit runs the depth-first search from a root.
func (s *scc) visit(f *finder, root, scope int32) {
	s.discover(f, root)
	for len(s.calls) > 0 {
		top := &s.calls[len(s.calls)-1]
		v := top.node
		if top.arc < f.start[v+1] {
			a := &f.arcs[top.arc]
			top.arc++
			switch {
			case a.from == cut || s.part[a.to] != scope:
			case s.index[a.to] == 0:
				s.discover(f, a.to)
			default:
				s.low[v] = min(s.low[v], s.index[a.to])
			}
			continue
		}
		s.calls = s.calls[:len(s.calls)-1]
		if len(s.calls) > 0 {
			u := s.calls[len(s.calls)-1].node
			s.low[u] = min(s.low[u], s.low[v])
		}
		if s.low[v] == s.index[v] {
			s.close(f, v)
		}
	}
}

func (s *scc) discover(f *finder, v int32) {
	s.count++
	s.index[v], s.low[v] = s.count, s.count
	s.stack = append(s.stack, v)
	s.calls = append(s.calls, frame{v, f.start[v]})
}

// close removes the component of v from the stack and keeps it if it has a cycle.
func (s *scc) close(f *finder, v int32) {
	at := len(s.stack) - 1
	for s.stack[at] != v {
		at--
	}
	s.next++
	for _, w := range s.stack[at:] {
		s.part[w] = s.next
	}
	if len(s.stack)-at > 1 || selfLoop(f, v) {
		first := len(s.nodes)
		s.nodes = append(s.nodes, s.stack[at:]...)
		s.parts = append(s.parts, s.nodes[first:len(s.nodes):len(s.nodes)])
	}
	s.stack = s.stack[:at]
}

func selfLoop(f *finder, v int32) bool {
	for a := f.start[v]; a < f.start[v+1]; a++ {
		if f.arcs[a].to == v && f.arcs[a].from != cut {
			return true
		}
	}
	return false
}
