package profile

import (
	"incore/internal/object"
	"incore/internal/roofline"
)

// walker follows the blocks of a loop, or of a function outside its loops, that were executed most.
type walker struct {
	graph *object.Graph
	in    map[int]bool // blocks of the loop, those of loops within included
	own   map[int]bool // blocks of no loop within
	count map[uint64]uint64
}

// hottest is the way from the header of a loop (the entry of a function) back to it (to a return) that goes by the blocks that were executed most. Loops
// within are passed over. share is how much of what was executed in the loop it stands for.
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

// walk goes from block to block.
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

// next is the block of a list that was executed most; −1 where none may follow.
func (w *walker) next(list []int, start int, seen map[int]bool) int {
	best, most := -1, uint64(0)
	for _, b := range list {
		if n := w.count[w.graph.Blocks[b].Addr]; w.in[b] && b != start && !seen[b] && n > most {
			best, most = b, n
		}
	}
	return best
}

// exits are the blocks behind the inner loops that hold a block.
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
