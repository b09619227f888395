package measure

import (
	"fmt"
	"slices"
	"strings"

	"incore/internal/analysis/engine"
	"incore/internal/analysis/harness"
	"incore/internal/analyze"
	"incore/internal/analyze/predict"
	"incore/internal/bench/block"
	"incore/internal/bench/host"
	"incore/internal/isa"
	"incore/internal/machine"
	"incore/internal/report"
)

// prediction is the prediction for the code by a model of this machine.
type prediction struct {
	arch string
	engine.Estimate
	static  float64      // the greatest of the static bounds
	bound   report.Bound // its name
	unknown report.Unmodelled
	sources []report.SourceOf // the sources of the costs, the most frequent first
}

// hostModel returns the model of this machine, nil if there is none or if it cannot run the code.
func hostModel(k *isa.Kernel) *machine.Model {
	name, _, ok := machine.Host()
	if !ok {
		return nil
	}
	m, err := machine.Get(name)
	if err != nil || m.ISA != k.ISA.Name {
		return nil
	}
	return m
}

// predict adds the prediction under the conditions of the measurement: the same layout, the same initial registers and
// the same number of pages.
func (m *Block) predict(s *block.Setup) {
	model := hostModel(m.Kernel)
	if model == nil {
		return
	}
	k := *m.Kernel
	if m.ended == nil {
		k.Lines, k.Loop = k.Lines[:m.n], false
	}
	if m.ended == nil && m.assembled != nil {
		k.Lines = nil
		for _, i := range m.assembled.Lines {
			k.Lines = append(k.Lines, m.Kernel.Lines[i])
		}
	}
	o := analyze.Options{Memory: analyze.MemoryOptions{Equal: s.Regs == block.Same && len(s.Values) == 0}}
	if !o.Memory.Equal {
		values := s.Registers()
		for name, i := range Here().Numbers() {
			o.Memory.Alias = append(o.Memory.Alias, fmt.Sprintf("%s=%d", name, int64(values[i])))
		}
		o.Memory.Word = s.Word(m.ended != nil)
	}
	a := analyze.Kernel(&k, model, &o)
	p := &prediction{arch: model.Name, Estimate: engine.Auto.Estimate(a.Graph, m.layout(a.Bound, s))}
	p.describe(a, &k, &o)
	for i := range k.Lines {
		p.cost(model.Cost(k.ISA, &k.Lines[i].Inst), k.Lines[i].Text)
		p.unknown.Divides = p.unknown.Divides || k.ISA.Divides(&k.Lines[i].Inst)
	}
	slices.SortStableFunc(p.sources, func(a, b report.SourceOf) int { return len(b.Instructions) - len(a.Instructions) })
	m.prediction = p
}

// describe fills in the parts of the analysis that the explanations use.
func (p *prediction) describe(a *analyze.Analysis, k *isa.Kernel, o *analyze.Options) {
	u := &p.unknown
	cycles, limit := a.Cycles()
	p.static, p.bound = cycles, report.Bound(limit)
	switch limit {
	case engine.Latency:
		u.Via, u.Memory = a.Slowest()
	case engine.Ports:
		u.Ports = a.Bound.Model.PortNames(a.Throughput.Bottleneck)
	}
	if p.Cache > p.static {
		p.static, p.bound = p.Cache, report.BoundCache
	}
	u.Equal = o.Memory.Word != 0 || o.Memory.Equal
	for _, d := range a.Possible(k, o) {
		if d.If == "" {
			u.Overlaps = append(u.Overlaps, report.Overlap{Cycles: d.Cycles, Load: k.Lines[d.To].Text, Store: k.Lines[d.From].Text, Distance: d.Distance, Why: d.Why})
		}
	}
	u.Pattern = a.Graph.Period
	places := map[[2]int][]int64{}
	for _, at := range a.Graph.Places {
		places[[2]int{int(at.Inst), int(at.Mem)}] = at.At
	}
	known := a.Bound.Model.Core().LineCrossing
	for i := range a.Bound.Insts {
		masked := slices.ContainsFunc(a.Bound.Insts[i].Effects.Reads, func(r isa.Access) bool { return r.Role == isa.RoleMask })
		u.Masked = u.Masked || masked && len(a.Bound.Insts[i].Effects.Mem) > 0
		for k, m := range a.Bound.Insts[i].Effects.Mem {
			size := int64(m.Bits) * int64(m.Elems) / 8
			at, located := places[[2]int{i, k}]
			if !located && (size > 8 || size > 0 && m.Disp%size != 0) {
				u.Pages, u.Lines = true, u.Lines || !known
			}
			for _, x := range at {
				u.Pages = u.Pages || x/pageBytes != (x+size-1)/pageBytes
				u.Lines = u.Lines || !known && x/lineBytes != (x+size-1)/lineBytes
			}
		}
	}
}

// pageBytes is the size of a page of memory.
const pageBytes = 4096

// layout returns the layout of the measured code. If the driver's loop repeated the code, the measurement subtracts the cost of that loop.
func (m *Block) layout(b *machine.Bound, s *block.Setup) engine.Layout {
	l := harness.Harness{Unrolled: s.Unrolled && m.ended == nil, Net: true, Pages: s.Pages}.Layout(b)
	bases := block.Bases(m.Kernel)
	for i, v := range s.Values { // of the user, or chosen for the code; all others are aligned
		l.Aligned = l.Aligned && (v%lineBytes == 0 || !bases[i] || m.ended != nil && i == m.ended.Number())
	}
	return l
}

// lineBytes is the size of a line of the data cache that the registers' values are multiples of.
const lineBytes = 64

// cost records the source of an instruction's cost.
func (p *prediction) cost(c *machine.Cost, text string) {
	source := "nothing: its cost is not known"
	if c.Flags&machine.Unknown == 0 && len(c.Rows) > 0 {
		source = c.Rows[len(c.Rows)-1]
		if i := strings.IndexByte(source, '('); i >= 0 {
			source = strings.TrimSuffix(source[i+1:], ")")
		}
	}
	i := slices.IndexFunc(p.sources, func(o report.SourceOf) bool { return o.Source == source })
	if i < 0 {
		i = len(p.sources)
		p.sources = append(p.sources, report.SourceOf{Source: source})
	}
	p.sources[i].Instructions = append(p.sources[i].Instructions, text)
}

// ExpectQuiet gives the measurement the times of its probes on an otherwise idle core, from this core's model: the throughput of instructions without
// operands, and the cycles of a short loop.
func ExpectQuiet() {
	const copies = 60
	name, _, ok := machine.Host()
	if !ok {
		return
	}
	model, err := machine.Get(name)
	if err != nil || model.ISA != Here().ISA.Name {
		return
	}
	estimate := func(text string) float64 {
		r := predict.Reader{ISA: Here().ISA}
		k, err := r.Text(text)
		if err != nil {
			return 0
		}
		a := analyze.Kernel(k, model, &analyze.Options{})
		return engine.Auto.Estimate(a.Graph, engine.Layout{Copies: 1}).Cycles
	}
	if c := estimate(strings.Repeat("nop;", copies)); c > 0 {
		host.ExpectWidth(copies / c)
	}
	if host.RoomProbe != "" {
		host.ExpectRoom(estimate(host.RoomProbe))
	}
}
