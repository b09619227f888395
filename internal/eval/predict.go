package eval

import (
	"math"

	"incore/internal/analysis/baseline"
	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/memdep"
	"incore/internal/analysis/sim"
	"incore/internal/machine"
)

// Conditions are those under which a corpus was measured.
type Conditions struct {
	Unrolled  bool // iterations laid out one after another; else a loop
	Net       bool // of straight code that was repeated in a loop, what the loop itself takes is no part of the figures
	EqualRegs bool // all registers held the same value, so that any two bases are equal addresses
	NoMemdep  bool // leave out dependences through memory
	Pages     int  // physical pages behind all addresses; 0 = 1, as in BHive
}

// Prediction is what the engines say of a block, in cycles per iteration.
type Prediction struct {
	Baseline float64
	Bounds   float64 // maximum of the port, dispatch, front-end and dependence bounds
	Sim      float64 // the simulator; the bounds where the model lacks what it needs
	Ports    float64
	Dispatch float64
	Chain    float64
	FrontEnd float64
	Engine   string // of Sim
	Unknown  int    // instructions without cost data
}

// Engines are the names of the predictions that tables compare.
var Engines = []string{"baseline", "bounds", "sim"}

// Of returns the prediction of an engine.
func (p *Prediction) Of(engine string) float64 {
	switch engine {
	case "baseline":
		return p.Baseline
	case "bounds":
		return p.Bounds
	}
	return p.Sim
}

// Predict runs every engine on a block.
func Predict(m *machine.Model, b *Block, c Conditions) Prediction {
	bound := m.Bind(b.Kernel)
	p := Prediction{}
	for i := range bound.Insts {
		if bound.Insts[i].Flags&machine.Unknown != 0 {
			p.Unknown++
		}
	}
	base := baseline.Analyze(bound)
	if p.Baseline = base.Loop; c.Unrolled || !b.Kernel.Loop {
		p.Baseline = unrolledBaseline(bound, &base)
	}
	deps := depgraph.Options{NoMemory: c.NoMemdep, EqualRegisters: c.EqualRegs}
	if !c.NoMemdep {
		deps.Memory, _ = memdep.Find(bound, memdep.Options{Equal: c.EqualRegs})
	}
	g := depgraph.Build(bound, deps)
	opt := sim.Options{Unrolled: c.Unrolled, Aligned: true} // corpora start registers at aligned addresses
	if !b.Kernel.Loop && !c.Unrolled {                      // straight code was repeated in a loop
		opt.OnePage = c.Pages < 2
		opt.Copies = (loopInsts + len(bound.Insts) - 1) / max(1, len(bound.Insts))
	}
	r := sim.Predict(g, opt)
	p.Sim, p.Engine = r.Cycles, r.Engine
	p.Ports, p.Dispatch, p.FrontEnd, p.Chain = r.Ports, r.Dispatch, r.FrontEnd, r.Chain
	p.Bounds = max(p.Ports, p.Dispatch, p.FrontEnd, p.Chain, r.Cache)
	if opt.Copies > 0 && r.Result != nil {
		if loop, copies := repeated(m, b.Kernel, deps.Memory, c.Net); loop != nil {
			// What a pointer from memory points to is one line in all copies, as the cache's bound of the block has it.
			if whole := sim.Predict(loop, sim.Options{Aligned: true}); whole.Result != nil {
				p.Sim = max(max(whole.Result.Cycles, whole.Ports)/float64(copies), r.Cache)
			}
		}
	}
	return p
}

// unrolledBaseline is the baseline of straight code: max(n/i, loads/l, stores/s); that a
// loop takes a cycle an iteration doesn't hold there.
func unrolledBaseline(b *machine.Bound, r *baseline.Result) float64 {
	w := float64(b.Model.Params.DispatchWidth)
	if w == 0 {
		return r.Unrolled
	}
	return math.Max(float64(r.Insts)/w, math.Max(r.LoadPorts, r.StorePorts))
}
