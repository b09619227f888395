// Package harness describes how measurements change the behaviour of code: copies and a loop around them, one physical page for all addresses,
// pointers that reach new pages, and the address at which the code begins. Cores, analyses and instruction sets do not depend on it: they get a
// layout, and additional bounds.
package harness

import (
	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/engine"
	"incore/internal/analysis/frontend"
	"incore/internal/analysis/throughput"
	"incore/internal/analysis/uops"
	"incore/internal/isa"
	"incore/internal/machine"
)

// Harness describes how code was measured.
type Harness struct {
	Unrolled bool // copies without a loop, as BHive does
	Net      bool // the figure excludes the overhead of the loop in which straight code was repeated
	Pages    int  // physical pages that serve all addresses; 0 = 1, as in BHive
}

// unrolledStart is the offset in bytes from the start of a page at which unrolled code begins in BHive's profiler (Chen et al., IISWC 2019). It
// matters only for code of an even number of bytes, whose copies do not reach all offsets in a predecoded block. Of all offsets in a block of 16
// bytes, this one makes BHive's figures for three cores agree best with the predecoder's rules.
const unrolledStart = 479

// loopInsts is the approximate number of instructions to which straight code is repeated in the loop that measures it.
const loopInsts = 100

// Layout returns the layout of a kernel in a harness: a loop in place, straight code repeated in a loop to about 100 instructions, or unrolled.
// Registers start as multiples of the cache line's size.
func (h Harness) Layout(b *machine.Bound) engine.Layout {
	if h.Unrolled {
		return engine.Layout{Unrolled: true, Start: unrolledStart, Aligned: true, Memory: func(b *machine.Bound, chain float64) (float64, float64) { return walk(b, chain), 0 }}
	}
	l := engine.Looped(b)
	l.Aligned = true
	if l.Copies == 0 {
		return l
	}
	if h.Net {
		l.Copies = faster(b)
	}
	if h.Pages < 2 {
		l.Memory = func(b *machine.Bound, _ float64) (float64, float64) { return aliases(b) }
	}
	l.Whole = &engine.Whole{Loop: h.loop}
	if c := b.Model.Core(); c.FetchEntries.Slots > 0 { // copies alone, by lines and entries: of 581 blocks of zen5-blocks that the front end bounds they are 2.56 % off, with the two instructions around them 2.54
		l.Whole.Loop = nil
		if copies := l.Copies; !h.Net {
			l.Whole.Least = func(b *machine.Bound) float64 { return counted(b, copies) }
		}
	}
	return l
}

// faster returns the copies of which measurements without the loop's own cost (bench/block) keep the figure: about 100 instructions or twice as many, whichever the
// µop cache delivers faster.
func faster(b *machine.Bound) int {
	n := max(1, loopInsts/len(b.Insts))
	if frontend.FetchCycles(b, 2*n) < frontend.FetchCycles(b, n) {
		return 2 * n
	}
	return n
}

// closing holds, by instruction set, the end of a loop that counts down in memory, so that it needs no register of the code.
var closing = map[string][]string{"x86-64": {"subq $1, 0(%rip)", "jne 0"}}

// loop returns a loop of copies of straight code, closed as in the harness, and the number of copies. It is nil if closing has no such end.
func (h Harness) loop(g *depgraph.Graph) (loop *depgraph.Graph, copies int) {
	k := g.Bound.Kernel
	n := len(k.Lines)
	if n == 0 || !h.Net && closing[k.ISA.Name] == nil {
		return nil, 0
	}
	copies = max(1, loopInsts/n)
	varying := g.Period > 1 && copies%g.Period != 0 // the copy that reads a given copy's stores differs from one pass to the next
	if g.Period > 1 {
		copies += (g.Period - copies%g.Period) % g.Period
	}
	all := &isa.Kernel{ISA: k.ISA, Syntax: k.Syntax, Loop: true, Lines: make([]isa.Line, 0, n*copies+len(closing[k.ISA.Name]))}
	for range copies {
		all.Lines = append(all.Lines, k.Lines...)
	}
	for i := range all.Lines {
		all.Lines[i].Addr = 0 // the copies have other addresses
	}
	opt := depgraph.Options{NoFlags: g.NoFlags, EqualRegisters: g.Equal, Memory: g.Copied(copies, varying)}
	if !h.Net {
		if !closeLoop(all) {
			return nil, 0
		}
		counter := int32(n * copies)
		opt.Memory = append(opt.Memory, depgraph.MemoryEdge{From: counter, To: counter, Dist: 1})
	}
	return depgraph.Build(uops.Bind(g.Bound.Model, all), opt), copies
}

// closeLoop appends the end of a loop; it returns false if it cannot be written.
func closeLoop(k *isa.Kernel) bool {
	for _, s := range closing[k.ISA.Name] {
		insts, err := k.ISA.Parse(nil, s, k.ISA.Syntaxes[0])
		if err != nil || len(insts) != 1 {
			return false
		}
		if code, err := k.ISA.Encode(nil, &insts[0], 0); err == nil {
			insts[0].Size = uint8(len(code))
		}
		k.Lines = append(k.Lines, isa.Line{Inst: insts[0], Text: s})
	}
	return true
}

// counted bounds the cycles of a body by the ports that its copies and the store of the loop counter need. The subtraction and the jump, and the
// load, which memory renaming serves, do not count: in zen5-blocks they have no effect (two operations on any of six ALUs take 0.333 cycles; 51
// copies of them and two more operations 0.34).
func counted(b *machine.Bound, copies int) float64 {
	k := &isa.Kernel{ISA: b.Kernel.ISA, Syntax: b.Kernel.Syntax, Loop: true}
	if copies == 0 || !closeLoop(k) {
		return 0
	}
	usage := uops.UsageOf(b)
	for _, w := range uops.UsageOf(uops.Bind(b.Model, k)).Work {
		if stores(&w) || w.Resource {
			w.Cycles /= float64(copies) // its share in each copy
			usage.Work = append(usage.Work, w)
		}
	}
	return throughput.Ports(usage)
}
