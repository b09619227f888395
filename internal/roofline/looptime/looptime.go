// Package looptime predicts the cycles of a profile's loops on a core when all data is in the first-level cache. It simulates the most frequent path
// through each loop on the core's model.
package looptime

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"slices"
	"strings"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/engine"
	"incore/internal/analysis/whatif"
	"incore/internal/analyze"
	"incore/internal/base/parallel"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
	"incore/internal/machine/accuracy"
	"incore/internal/object"
	"incore/internal/roofline"
)

// Options of Of.
type Options struct {
	Core   string           // the model, by name
	WhatIf *whatif.Question // changes of the core; nil: none
}

// Of simulates the loops of a profile. The result has one entry for each of Profile.Loops, nil where the loop's code is not known; problems holds the
// reasons. It returns an error if no loop could be simulated.
func Of(p *roofline.Profile, o Options) (times []*roofline.CoreTime, problems []string, err error) {
	m, err := machine.Get(o.Core)
	if err != nil {
		return nil, nil, err
	}
	files := map[string]*object.File{}
	for _, f := range p.Files {
		file, err := open(f, m)
		if err != nil {
			problems = append(problems, err.Error())
			continue
		}
		files[f.Module] = file
	}
	if len(files) == 0 {
		if len(problems) > 0 {
			return nil, nil, errors.New(problems[0])
		}
		return nil, nil, fmt.Errorf("profile %s does not say where its loops' code is (files, path): incore roofline profile writes that", p.File)
	}
	times = make([]*roofline.CoreTime, len(p.Loops))
	parallel.For(len(p.Loops), func(i int) {
		if f := files[p.Loops[i].Module]; f != nil {
			times[i] = simulate(p, f, &p.Loops[i], m, o.WhatIf)
		}
	})
	if !slices.ContainsFunc(times, func(t *roofline.CoreTime) bool { return t != nil }) {
		return nil, nil, fmt.Errorf("no loop of profile %s could be simulated on %s", p.File, o.Core)
	}
	return times, problems, nil
}

// open opens a file of code, if it is the one that was profiled and the core executes it.
func open(c roofline.CodeFile, m *machine.Model) (*object.File, error) {
	data, err := os.ReadFile(c.Path)
	if err != nil {
		return nil, fmt.Errorf("code of %s: %w", c.Module, err)
	}
	if sum := fmt.Sprintf("%x", sha256.Sum256(data)); c.SHA256 != "" && sum != c.SHA256 {
		return nil, fmt.Errorf("%s is not the file that was profiled: profile it again", c.Path)
	}
	f, err := object.Read(data, catalog.ISAs()...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Path, err)
	}
	if f.ISA.Name != m.ISA {
		return nil, fmt.Errorf("%s is code for %s, core %s executes %s", c.Path, f.ISA.Name, m.Name, m.ISA)
	}
	return f, nil
}

// simulate predicts one loop; nil if its blocks are not found.
func simulate(p *roofline.Profile, f *object.File, l *roofline.LoopWork, m *machine.Model, q *whatif.Question) *roofline.CoreTime {
	k := kernel(f, l)
	if k == nil {
		return nil
	}
	var o analyze.Options
	a := analyze.Kernel(k, m, &o)
	if l.Loop == "" { // calls follow each other, but the result of one is not the input of the next
		a.Graph = a.Graph.Keep(func(e *depgraph.Edge) bool { return e.Dist == 0 })
	}
	e := a.Estimate(&o)
	if q != nil {
		base := &whatif.Base{Graph: a.Graph, Layout: engine.Looped(a.Bound), Now: &e}
		if other, err := base.Ask(*q); err == nil {
			e = other
		}
	}
	t := &roofline.CoreTime{Cycles: e.Cycles, Limit: e.Limit, Instructions: len(k.Lines)}
	data(a.Bound, t)
	if l.Loop != "" {
		for i := range a.Loop.Chains {
			c := &a.Loop.Chains[i]
			loads := 0
			for _, s := range c.Steps {
				if s.Load > 0 {
					loads++
				}
			}
			t.Chains = append(t.Chains, roofline.Chain{Cycles: c.Cycles, Loads: float64(loads) / float64(max(1, c.Distance))})
		}
	}
	if l.Loop != "" && q == nil {
		restart(p, f, l, a, t)
	}
	for i := range a.Bound.Insts {
		if a.Bound.Insts[i].Flags&machine.Unknown != 0 {
			t.Unknown++
		}
	}
	return t
}

// data returns the cycles for which an iteration's loads, store addresses and store data keep their ports busy, and the number of ports that an
// access across lines uses twice.
func data(b *machine.Bound, t *roofline.CoreTime) {
	var sum [machine.UopRead + 1]float64
	var ports [machine.UopRead + 1]int
	for i := range b.Insts {
		for _, u := range b.Insts[i].Uops {
			n := bits.OnesCount64(uint64(u.Ports))
			if n == 0 || u.Resource {
				continue
			}
			sum[u.Kind] += u.Cycles / float64(n)
			if ports[u.Kind] == 0 || n < ports[u.Kind] {
				ports[u.Kind] = n
			}
		}
	}
	t.Loads, t.Stores = sum[machine.UopLoad], sum[machine.UopStoreData]
	t.Data = max(t.Loads, sum[machine.UopStoreAddr], t.Stores)
	if b.Model.Core().LineCrossing {
		t.LoadPorts, t.StorePorts = ports[machine.UopLoad], ports[machine.UopStoreData]
	}
}

// kernel returns the path of a loop as a loop body.
func kernel(f *object.File, l *roofline.LoopWork) *isa.Kernel {
	fn := f.At(l.Addr)
	if fn == nil || len(l.Path) == 0 {
		return nil
	}
	g := fn.Graph()
	var path []int
	for _, addr := range l.Path {
		b := slices.IndexFunc(g.Blocks, func(b object.Block) bool { return b.Addr == addr })
		if b < 0 {
			return nil
		}
		path = append(path, b)
	}
	k := fn.PathKernel(g, path)
	if len(k.Lines) == 0 {
		return nil
	}
	return k
}

// Resolve returns the core model of a machine; the error says that the machine names none.
func Resolve(m *roofline.Machine) (string, error) {
	if m.Core == "" {
		return "", fmt.Errorf("machine %s names no core (core: one of incore archs)", m.Name)
	}
	if m.Clock == 0 {
		return "", fmt.Errorf("machine %s does not say its clock (clock: GHz)", m.Name)
	}
	if _, err := machine.Get(m.Core); err != nil {
		return "", fmt.Errorf("machine %s: core %s: %s", m.Name, m.Core, strings.TrimSpace(err.Error()))
	}
	return m.Core, nil
}

// Error returns the typical error of the simulator on held-out code for a core, and the source of that figure. Here the simulator predicts paths through loops of
// whole programs, including short loops and mispredicted branches. So the error on whole benchmarks of that core counts, along the executed path: the upper
// quartile. Where there are none, errors on single loops or blocks say too little, and the error is twice the upper quartile of the whole benchmarks of another core,
// or that of the core's own loops if it is more. On Zen 3 nine of ten errors are within twice the upper quartile.
func Error(core string) (share float64, from string) {
	rows, err := accuracy.Rows()
	if err != nil {
		return 0, ""
	}
	own, other := best(rows, core), best(rows, "")
	switch {
	case own != nil && rank(own) == heldOutWhole, own != nil && other == nil:
		return own.Upper, fmt.Sprintf("the upper quartile of corpus %s, %d measurements", own.Corpus, own.Blocks)
	case other == nil:
		return 0, ""
	case own != nil && own.Upper > 2*other.Upper:
		return own.Upper, fmt.Sprintf("the upper quartile of corpus %s, %d measurements: no whole benchmarks of this core are held out", own.Corpus, own.Blocks)
	}
	return 2 * other.Upper, fmt.Sprintf("twice the upper quartile of corpus %s, of another core, because no whole benchmarks of this core are held out", other.Corpus)
}

// best returns the most relevant row of a core, or the held-out whole benchmarks of any core if its name is "".
func best(rows []accuracy.Row, core string) (best *accuracy.Row) {
	for i := range rows {
		r := &rows[i]
		if core == "" && rank(r) != heldOutWhole || core != "" && r.Model != core || rank(r) == 0 {
			continue
		}
		if best == nil || rank(r) > rank(best) || rank(r) == rank(best) && r.Blocks > best.Blocks {
			best = r
		}
	}
	return best
}

// heldOutWhole is the rank of whole benchmarks that are held out.
const heldOutWhole = 6

// rank orders rows by their relevance for loops of programs; 0: irrelevant.
func rank(r *accuracy.Row) (n int) {
	switch {
	case strings.HasSuffix(r.Corpus, accuracy.OSACA), strings.HasSuffix(r.Corpus, accuracy.Profiler), strings.Contains(r.Corpus, "frontend"): // loops of NOPs
		return 0
	case r.Notion == accuracy.Whole && r.Engine == "sim-path":
		n = 3
	case r.Notion == accuracy.Whole, r.Engine != "sim":
		return 0
	case r.Notion == "loop":
		n = 2
	default:
		n = 1
	}
	if strings.HasPrefix(r.Corpus, "heldout") {
		n += 3
	}
	return n
}
