package eval

import (
	"incore/internal/analysis/depgraph"
	"incore/internal/isa"
	"incore/internal/machine"
)

// loopInsts is the length in instructions to which measurements in a loop repeat straight code.
const loopInsts = 100

// closing is what closes the loop of such a measurement, by instruction set.
var closing = map[string][]string{"x86-64": {"subq $1, 0(%rip)", "jne 0"}}

// repeated is straight code as it was measured: laid out copies times in a loop that counts in memory. It returns nil where it is not known what closes
// the loop, and for models whose curves of what the front end delivers were measured on such loops, and so contain what closes them.
// net: what closes the loop is no part of the figures.
func repeated(m *machine.Model, k *isa.Kernel, memory []depgraph.MemoryEdge, net bool) (g *depgraph.Graph, copies int) {
	n := len(k.Lines)
	text := closing[k.ISA.Name]
	if core, err := m.Core(); err != nil || len(core.FetchDensity) > 0 || text == nil || n == 0 {
		return nil, 0
	}
	if net {
		text = nil
	}
	copies = max(1, loopInsts/n)
	loop := &isa.Kernel{ISA: k.ISA, Loop: true, Lines: make([]isa.Line, 0, n*copies+len(text))}
	for range copies {
		loop.Lines = append(loop.Lines, k.Lines...)
	}
	for i := range loop.Lines {
		loop.Lines[i].Addr = 0 // the copies lie elsewhere
	}
	for _, s := range text {
		insts, err := k.ISA.Parse(nil, s, "att")
		if err != nil || len(insts) != 1 {
			return nil, 0
		}
		if code, err := k.ISA.Encode(nil, &insts[0], 0); err == nil {
			insts[0].Size = uint8(len(code))
		}
		loop.Lines = append(loop.Lines, isa.Line{Inst: insts[0], Text: s})
	}
	opt := depgraph.Options{Memory: make([]depgraph.MemoryEdge, 0, len(memory)*copies+1)}
	for c := range copies {
		for _, e := range memory {
			from, dist := c-int(e.Dist), int32(0)
			for ; from < 0; dist++ {
				from += copies
			}
			e.From, e.To, e.Dist = e.From+int32(from*n), e.To+int32(c*n), dist
			opt.Memory = append(opt.Memory, e)
		}
	}
	count := int32(n * copies)
	if !net {
		opt.Memory = append(opt.Memory, depgraph.MemoryEdge{From: count, To: count, Dist: 1})
	}
	return depgraph.Build(m.Bind(loop), opt), copies
}
