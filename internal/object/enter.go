package object

import (
	"slices"

	"incore/internal/isa"
)

const (
	maxEntry   = 64  // instructions before a loop that a kernel keeps
	maxBetween = 512 // instructions on paths between them that are decoded
)

// enter makes the blocks that dominate a loop's header the kernel's Entry. If other blocks may be executed between one of them and the next,
// the next is a Join, and the other blocks' instructions are its Between.
func (l *Loop) enter(k *isa.Kernel) {
	g := l.Graph
	next, first, room := l.Header, &k.Lines[0], maxBetween
	for b := g.idom[next]; ; b = g.idom[b] {
		l.join(first, b, next, k.Syntax, &room)
		if b < 0 || len(k.Entry) >= maxEntry {
			break
		}
		k.Entry = append(l.Func.file.lined(g, b, k.Syntax), k.Entry...)
		next, first = b, &k.Entry[0]
	}
	if n := len(k.Entry); n > maxEntry {
		k.Entry = k.Entry[n-maxEntry:]
	}
}

// join marks the first line of block next if control may enter it from a block other than its dominator b.
// room is the number of instructions that may still be decoded.
func (l *Loop) join(first *isa.Line, b, next int, syntax string, room *int) {
	g := l.Graph
	for _, p := range g.Blocks[next].Pred {
		first.Join = first.Join || p != b && !(next == l.Header && l.contains(p))
	}
	if !first.Join || b < 0 || g.Unknown > 0 {
		return
	}
	blocks, ok := l.between(b, next)
	if !ok {
		return
	}
	insts := 0
	for _, x := range blocks {
		insts += g.Blocks[x].Insts
	}
	if insts > *room {
		return
	}
	*room -= insts
	first.Between = make([]isa.Line, 0, insts)
	turn := g.natural(next)
	for _, x := range blocks {
		n := len(first.Between)
		first.Between = append(first.Between, l.Func.file.lined(g, x, syntax)...)
		if slices.Contains(turn, x) && g.once(x, next, turn) {
			for i := range first.Between[n:] {
				first.Between[n+i].Once = true
			}
		}
	}
}

// once reports whether block b, one of the blocks of a natural loop except its header, is executed exactly once in each iteration: it dominates
// the latches, and no way leads from it back to it but through the header.
func (g *Graph) once(b, header int, loop []int) bool {
	for _, p := range g.Blocks[header].Pred {
		if slices.Contains(loop, p) && !g.Dominates(b, p) {
			return false
		}
	}
	seen := map[int]bool{header: true}
	for ways := []int{b}; len(ways) > 0; {
		x := ways[len(ways)-1]
		ways = ways[:len(ways)-1]
		for _, s := range g.Blocks[x].Succ {
			if s == b {
				return false
			}
			if !seen[s] && slices.Contains(loop, s) {
				seen[s] = true
				ways = append(ways, s)
			}
		}
	}
	return true
}

// between returns the blocks on the paths from block b to block next, which b dominates. If next is the loop's
// header, the loop's own iterations do not count. ok is false if there are too many blocks, or paths that do not pass b
// (landing pads of exceptions).
func (l *Loop) between(b, next int) (blocks []int, ok bool) {
	g := l.Graph
	seen := map[int]bool{b: true}
	room := maxBetween
	visit := func(x int) {
		if !seen[x] {
			seen[x] = true
			if g.region[x] != g.region[next] && l.idle(x) {
				return
			}
			blocks = append(blocks, x)
			room -= max(1, g.Blocks[x].Insts)
		}
	}
	for _, p := range g.Blocks[next].Pred {
		if next != l.Header || !l.contains(p) {
			visit(p)
		}
	}
	for i := 0; i < len(blocks); i++ {
		if room < 0 || g.region[blocks[i]] != g.region[next] {
			return nil, false
		}
		for _, p := range g.Blocks[blocks[i]].Pred {
			visit(p)
		}
	}
	return blocks, true
}

// idle reports whether a block's instructions do nothing, as in unreachable padding.
func (l *Loop) idle(b int) bool {
	var e isa.Effects
	for _, x := range l.Graph.Insts(b) {
		if x.Err != nil {
			return false
		}
		if l.Func.file.ISA.Effects(&x.Inst, &e); len(e.Writes) > 0 || len(e.Mem) > 0 {
			return false
		}
	}
	return true
}

// latch reports whether a kernel ends in a conditional branch to its start.
func (l *Loop) latch(k *isa.Kernel) bool {
	last := &k.Lines[len(k.Lines)-1]
	f := l.Func.file.ISA.Flow(&last.Inst)
	return f.Kind == isa.FlowCond && f.Target.Kind == isa.OpImm && uint64(f.Target.Imm) == k.Lines[0].Addr
}
