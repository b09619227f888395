package latency

// search lists the elementary cycles of a strongly connected graph (Johnson, SIAM J.
// Comput. 4(1), 1975), without Johnson's split into components for every root. Nodes are
// in program order, so the first node of every cycle is the target of an arc to
// a later iteration: only these nodes are roots.
type search struct {
	g       *ratioGraph
	found   func(cycle []int32)
	blocked []bool
	waiting [][]int32 // node → nodes to unblock with it
	path    []int32   // arcs from the root
	root    int32
	budget  int
}

func newSearch(g *ratioGraph) *search {
	n := g.nodes()
	return &search{g: g, blocked: make([]bool, n), waiting: make([][]int32, n), path: make([]int32, 0, n)}
}

// run reports all cycles; it gives up and returns false after following budget arcs.
func (s *search) run(budget int) bool {
	s.budget = budget
	carried := make([]bool, s.g.nodes())
	for a, d := range s.g.dist {
		if d > 0 {
			carried[s.g.to[a]] = true
		}
	}
	for r := range carried {
		if !carried[r] {
			continue
		}
		s.root = int32(r)
		for v := r; v < len(s.blocked); v++ {
			s.blocked[v], s.waiting[v] = false, s.waiting[v][:0]
		}
		s.circuit(s.root)
		if s.budget < 0 {
			return false
		}
	}
	return true
}

// circuit extends the path from node v; it reports whether that closed a cycle.
func (s *search) circuit(v int32) bool {
	s.blocked[v] = true
	closed := false
	for a := s.g.start[v]; a < s.g.start[v+1]; a++ {
		w := s.g.to[a]
		if w < s.root {
			continue
		}
		if s.budget--; s.budget < 0 {
			return false
		}
		s.path = append(s.path, a)
		if w == s.root {
			s.found(s.path)
			closed = true
		} else if !s.blocked[w] && s.circuit(w) {
			closed = true
		}
		s.path = s.path[:len(s.path)-1]
	}
	if closed {
		s.unblock(v)
		return true
	}
	for a := s.g.start[v]; a < s.g.start[v+1]; a++ {
		if w := s.g.to[a]; w >= s.root {
			s.waiting[w] = appendOnce(s.waiting[w], v)
		}
	}
	return false
}

func (s *search) unblock(v int32) {
	s.blocked[v] = false
	for len(s.waiting[v]) > 0 {
		k := len(s.waiting[v]) - 1
		w := s.waiting[v][k]
		s.waiting[v] = s.waiting[v][:k]
		if s.blocked[w] {
			s.unblock(w)
		}
	}
}

func appendOnce(list []int32, v int32) []int32 {
	for _, w := range list {
		if w == v {
			return list
		}
	}
	return append(list, v)
}
