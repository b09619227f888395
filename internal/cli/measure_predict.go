package cli

import (
	"fmt"
	"math"
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
)

// This file compares a measurement with the prediction by a model of this machine, and explains the difference.

// prediction is the prediction for the code by a model of this machine.
type prediction struct {
	arch string
	engine.Estimate
	static  float64  // the greatest of the static bounds
	bound   string   // the name of that bound in words
	masked  bool     // accesses memory by masks
	hangs   []string // predictions that depend on data: the cycles if certain loads overlap stores
	pages   bool     // an access crosses a page, or may cross one if its address isn't known
	divides bool     // an integer division, whose time depends on its operands
	lines   bool     // an access crosses a line, or may cross one, and the model does not know the cost
	pattern int      // period in iterations of the dependences through memory, given the values in memory; 0: the same in each iteration
	sources []origin // the sources of the costs, the most frequent first
}

// origin is a source of costs and the instructions whose costs it states.
type origin struct {
	source string
	lines  []string
}

// predict adds the prediction under the conditions of the measurement: the same layout, the same initial registers and the same number of pages.
func (m *measured) predict(s *block.Setup) {
	name, _, ok := machine.Host()
	if !ok {
		return
	}
	model, err := machine.Get(name)
	if err != nil || model.ISA != m.kernel.ISA.Name {
		return
	}
	k := *m.kernel
	if m.ended == nil {
		k.Lines, k.Loop = k.Lines[:m.n], false
	}
	if m.ended == nil && m.assembled != nil {
		k.Lines = nil
		for _, i := range m.assembled.Lines {
			k.Lines = append(k.Lines, m.kernel.Lines[i])
		}
	}
	o := analyze.Options{Memory: analyze.MemoryOptions{Equal: s.Regs == block.Same && len(s.Values) == 0}}
	if !o.Memory.Equal {
		values := s.Registers()
		for name, i := range here().Numbers() {
			o.Memory.Alias = append(o.Memory.Alias, fmt.Sprintf("%s=%d", name, int64(values[i])))
		}
		o.Memory.Word = s.Word(m.ended != nil)
	}
	a := analyze.Kernel(&k, model, &o)
	p := &prediction{arch: name, Estimate: engine.Auto.Estimate(a.Graph, m.layout(a.Bound, s))}
	p.describe(a, &k, &o)
	for i := range k.Lines {
		p.cost(model.Cost(k.ISA, &k.Lines[i].Inst), k.Lines[i].Text)
		p.divides = p.divides || k.ISA.Divides(&k.Lines[i].Inst)
	}
	slices.SortStableFunc(p.sources, func(a, b origin) int { return len(b.lines) - len(a.lines) })
	m.prediction = p
}

// describe fills in the parts of the analysis that the explanations use.
func (p *prediction) describe(a *analyze.Analysis, k *isa.Kernel, o *analyze.Options) {
	var limit string
	switch p.static, limit = a.Cycles(); limit {
	case engine.Latency:
		via, memory := a.Slowest()
		if p.bound = "the loop-carried chain through " + via; memory {
			p.bound += ", of which stores and loads are a part"
		}
	case engine.Ports:
		p.bound = "ports " + strings.Join(a.Bound.Model.PortNames(a.Throughput.Bottleneck), ", ")
	default:
		p.bound = limit
	}
	if p.Cache > p.static {
		p.static, p.bound = p.Cache, "the banks, lines and ports of the data cache"
	}
	holds := "the words of memory are equal here, unless the code stores others"
	if o.Memory.Word == 0 && !o.Memory.Equal {
		holds = "as one page is behind all addresses, loads find what was stored by others, which is not followed"
	}
	for _, d := range a.Possible(k, o) {
		if d.If == "" {
			p.hangs = append(p.hangs, fmt.Sprintf("%.2f cycles if '%s' reads what '%s' wrote, %s later (%s): %s", d.Cycles, k.Lines[d.To].Text, k.Lines[d.From].Text, counted(d.Distance, "iteration"), d.Why, holds))
		}
	}
	p.pattern = a.Graph.Period
	places := map[[2]int][]int64{}
	for _, at := range a.Graph.Places {
		places[[2]int{int(at.Inst), int(at.Mem)}] = at.At
	}
	known := a.Bound.Model.Core().LineCrossing
	for i := range a.Bound.Insts {
		masked := slices.ContainsFunc(a.Bound.Insts[i].Effects.Reads, func(r isa.Access) bool { return r.Role == isa.RoleMask })
		p.masked = p.masked || masked && len(a.Bound.Insts[i].Effects.Mem) > 0
		for k, m := range a.Bound.Insts[i].Effects.Mem {
			size := int64(m.Bits) * int64(m.Elems) / 8
			at, located := places[[2]int{i, k}]
			if !located && (size > 8 || size > 0 && m.Disp%size != 0) {
				p.pages, p.lines = true, p.lines || !known
			}
			for _, x := range at {
				p.pages = p.pages || x/pageBytes != (x+size-1)/pageBytes
				p.lines = p.lines || !known && x/lineBytes != (x+size-1)/lineBytes
			}
		}
	}
}

// pageBytes is the size of a page of memory.
const pageBytes = 4096

// layout returns the layout of the measured code. If the driver's loop repeated the code, the measurement subtracts the cost of that loop.
func (m *measured) layout(b *machine.Bound, s *block.Setup) engine.Layout {
	l := harness.Harness{Unrolled: s.Unrolled && m.ended == nil, Net: true, Pages: s.Pages}.Layout(b)
	bases := block.Bases(m.kernel)
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
	i := slices.IndexFunc(p.sources, func(o origin) bool { return o.source == source })
	if i < 0 {
		i = len(p.sources)
		p.sources = append(p.sources, origin{source: source})
	}
	p.sources[i].lines = append(p.sources[i].lines, text)
}

// difference returns the deviation of the prediction from the measurement, in percent.
func (m *measured) difference() float64 {
	return 100 * (m.prediction.Cycles - m.figure.Cycles) / m.figure.Cycles
}

// agreeing is the difference in percent up to which a prediction agrees with the measurement.
const agreeing = 5

// fewPages is the number of entries of the largest L1 data TLB of current cores: 72 on Zen 4 and 96 on Zen 5 (AMD's
// software optimization guides), 96 on Golden Cove (Intel's optimization manual).
const fewPages = 96

// assist is the number of cycles beyond the prediction from which on an access by an empty mask may be the cause: a masked load of a page that is not mapped
// takes 560 on Zen 5.
const assist = 50

// explain lists possible causes of a difference between prediction and measurement, the certain ones first.
func (m *measured) explain() (out []string) {
	p, f := m.prediction, m.figure
	d := m.difference()
	if d <= agreeing && d >= -agreeing {
		return nil
	}
	doubt := f.Uncertainty + 0.02*f.Cycles
	switch {
	case f.Cycles+doubt < p.static:
		out = append(out, fmt.Sprintf("the measurement is below a bound of the model, %s (%.2f cycles): some cost in it is wrong for this machine", p.bound, p.static))
	case math.Abs(p.Cycles-f.Cycles) <= doubt:
		out = append(out, "they agree within the uncertainty of the measurement, which is too large to say more")
	case p.Cycles < f.Cycles:
		out = append(out, "the measurement is above the prediction: something limits this code that the model lacks, or a cost in the model is too low")
	default:
		out = append(out, fmt.Sprintf("the prediction is above the static bounds (%.2f) and above the measurement: the simulated core has a limit that this one does not have", p.static))
	}
	if p.masked && p.Cycles+assist < f.Cycles {
		out = append(out, "not modelled: an access by a mask without elements, which the measurement maps no page for, takes hundreds of cycles where none is mapped")
	}
	if n := len(f.Pages); n > 0 && p.Cycles < f.Cycles {
		if n > f.Physical {
			out = append(out, fmt.Sprintf("not modelled: the %d pages lie on %s, so that accesses may meet that have different addresses", n, counted(f.Physical, "physical page")))
		}
		if n > fewPages {
			out = append(out, fmt.Sprintf("not modelled: misses of the TLB, whose first level holds fewer than %d pages", n))
		}
		if p.pages {
			out = append(out, "not modelled: pages that accesses cross")
		}
		if p.lines {
			out = append(out, "not modelled: lines that accesses cross, as the model has no figure for that")
		}
		for _, h := range p.hangs {
			out = append(out, "not modelled, depends on data: "+h)
		}
	}
	if p.divides {
		out = append(out, "not modelled, depends on data: how long a division takes; the model has one figure for all dividends")
	}
	if p.pattern > 1 {
		out = append(out, fmt.Sprintf("all words of memory are equal here, so the store-to-load pattern is known: it repeats every %d iterations, and the prediction assumes that", p.pattern))
	}
	if a := m.assembled; a != nil && m.ended == nil && a.Branches > 0 && p.Cycles < f.Cycles {
		out = append(out, fmt.Sprintf("not modelled: whether branches inside (%d) are taken, and predicted", a.Branches))
	}
	for _, s := range p.sources {
		if strings.Contains(s.source, "measured") {
			continue
		}
		list := s.lines
		if len(list) > 6 {
			list = append(slices.Clone(list[:6]), fmt.Sprintf("and %d more", len(s.lines)-6))
		}
		out = append(out, fmt.Sprintf("rest on %s: %s", s.source, strings.Join(list, "; ")))
	}
	return out
}

// expectQuiet gives the measurement the times of its probes on an otherwise idle core, from this core's model: the throughput of instructions without
// operands, and the cycles of a short loop.
func expectQuiet() {
	const copies = 60
	name, _, ok := machine.Host()
	if !ok {
		return
	}
	model, err := machine.Get(name)
	if err != nil || model.ISA != here().ISA.Name {
		return
	}
	estimate := func(text string) float64 {
		r := predict.Reader{ISA: here().ISA}
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
