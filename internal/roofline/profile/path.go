package profile

import (
	"incore/internal/object"
	"incore/internal/roofline"
)

// walker follows the most frequent blocks of a loop, or of a function outside of its loops.
type walker struct {
	graph *object.Graph
	in    map[int]bool // blocks of the loop, including its inner loops
	own   map[int]bool // blocks of the loop outside of its inner loops
	count map[uint64]uint64
}

// hottest returns the path of the most frequent blocks from the header of a loop back to it, or from the entry of a function to a return. It skips
// inner loops. share is the share of the loop's executed instructions that are in blocks of the path.
func hottest(at place, places map[uint64]place, count map[uint64]uint64, l *roofline.LoopWork) (path []uint64, share float64) {
	w := &walker{in: map[int]bool{}, own: map[int]bool{}, count: count}
	start := 0
	if at.loop != nil {
		w.graph, start = at.loop.Graph, at.loop.Header
		for _, b := range at.loop.Blocks {
			w.in[b] = true
		}
	} else {
		w.graph = at.fn.Graph()
		for b := range w.graph.Blocks {
			w.in[b] = true
		}
	}
	if len(w.graph.Blocks) == 0 {
		return nil, 0
	}
	for b := range w.in {
		p := places[w.graph.Blocks[b].Addr]
		w.own[b] = p.loop == nil && at.loop == nil || p.loop != nil && at.loop != nil && p.loop.Addr() == at.loop.Addr()
	}
	if !w.own[start] {
		return nil, 0
	}
	executed := 0.0
	for _, b := range w.walk(start) {
		block := &w.graph.Blocks[b]
		path = append(path, block.Addr)
		executed += float64(count[block.Addr]) * float64(block.Insts)
	}
	if l.Instructions > 0 {
		share = min(1, executed/l.Instructions)
	}
	return path, share
}

// walk follows the most frequent successors from a block on.
func (w *walker) walk(start int) (path []int) {
	seen := map[int]bool{}
	for b := start; b >= 0 && !seen[b]; {
		seen[b] = true
		if w.own[b] {
			path = append(path, b)
			b = w.next(w.graph.Blocks[b].Succ, start, seen)
			continue
		}
		b = w.next(w.exits(b, seen), start, seen)
	}
	return path
}

// next returns the most frequent block of a list; −1 if no block may follow.
func (w *walker) next(list []int, start int, seen map[int]bool) int {
	best, most := -1, uint64(0)
	for _, b := range list {
		if n := w.count[w.graph.Blocks[b].Addr]; w.in[b] && b != start && !seen[b] && n > most {
			best, most = b, n
		}
	}
	return best
}

// exits returns the blocks after the inner loops that contain a block.
func (w *walker) exits(b int, seen map[int]bool) (out []int) {
	stack := []int{b}
	for len(stack) > 0 {
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, to := range w.graph.Blocks[b].Succ {
			switch {
			case !w.in[to] || seen[to]:
			case w.own[to]:
				out = append(out, to)
			default:
				seen[to] = true
				stack = append(stack, to)
			}
		}
	}
	return out
}
