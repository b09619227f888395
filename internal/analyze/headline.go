package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/engine"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/throughput"
	"incore/internal/analysis/uops"
	"incore/internal/analysis/whatif"
	"incore/internal/isa"
	"incore/internal/machine"
	"incore/internal/report"
)

// choice returns the engine for the headline prediction. If the user wants µops spread over ports with fixed probabilities, it is the bounds:
// the simulator does not support this policy.
func (o *Options) choice() engine.Choice {
	if o.Policy == throughput.Uniform && o.Engine != engine.Simulator {
		return engine.Bounds
	}
	return o.Engine
}

// looped returns the layout of a kernel as the body of a loop; its simulation stops when the options' context ends.
func (o *Options) looped(b *machine.Bound) engine.Layout {
	l := engine.Looped(b)
	l.Done = o.done()
	return l
}

// done returns a channel that is closed when the analysis must stop, nil if it never must.
func (o *Options) done() <-chan struct{} {
	if o.Context == nil {
		return nil
	}
	return o.Context.Done()
}

// Estimate returns the headline prediction by the engine of the options.
func (a *Analysis) Estimate(o *Options) engine.Estimate {
	c, why := o.choice(), ""
	if sim, no := c.Simulates(a.Bound.Model); sim {
		e := c.Estimate(a.Graph, o.looped(a.Bound))
		if e.Result != nil {
			return e
		}
		why = e.Why
	} else {
		why = no
	}
	e := a.static()
	if e.Why = why; o.choice() == engine.Bounds && o.Engine != engine.Bounds {
		e.Why = "the uniform policy is a notion of the bounds"
	}
	return e
}

// static returns the prediction by the bounds.
func (a *Analysis) static() engine.Estimate {
	return engine.Static(a.Graph, engine.Looped(a.Bound), engine.Limits{Ports: a.Throughput.Cycles, Dispatch: a.Throughput.Dispatch, Chain: a.Loop.Cycles})
}

// unrolled predicts the kernel unrolled without end, without its branch.
func (a *Analysis) unrolled(o *Options) engine.Estimate {
	g := a.Graph
	if s := a.Bound.Kernel.Straight(); s != a.Bound.Kernel {
		g = depgraph.Build(uops.Bind(a.Bound.Model, s), depgraph.Options{NoFlags: o.NoFlags, Memory: a.Graph.MemoryEdges(), Period: a.Graph.Period, Places: a.Graph.Places})
	}
	return o.choice().Estimate(g, engine.Layout{Unrolled: true, Uniform: o.Policy == throughput.Uniform, Done: o.done()})
}

// base returns the unchanged core and kernel to which what-if questions apply changes.
func (w *writer) base() *whatif.Base {
	l := w.options.looped(w.a.Bound)
	l.Uniform = w.options.Policy == throughput.Uniform
	return &whatif.Base{Graph: w.a.Graph, NoFlags: w.options.NoFlags, Engine: w.options.choice(), Layout: l, Now: w.estimate()}
}

// prediction describes the headline prediction.
func (w *writer) prediction(t *report.Target) report.Prediction {
	e, u := w.estimate(), w.a.unrolled(w.options)
	low, high := w.a.Bracket()
	p := report.Prediction{Cycles: report.Round(e.Cycles), Low: report.Round(min(low, e.Cycles)), High: report.Round(max(high, e.Cycles)), Bound: report.Bound(e.Limit), Engine: report.Engine(e.Engine),
		EngineWhy: e.Why, Partial: len(w.unknown) > 0, Loop: report.Round(e.Cycles), Unrolled: report.Round(u.Cycles), UnrolledBound: report.Bound(u.Limit), Bounds: bounds(e)}
	if r := e.Result; r != nil {
		p.Period, p.Steady = r.Period, report.Average
		switch {
		case r.Exact:
			p.Steady = report.Recurs
		case r.Pattern:
			p.Steady = report.Pattern
		case r.Bound:
			p.Steady = report.Reached
		}
		rest, sum := unfollowed(e), 0.0
		for _, c := range r.Stalls {
			sum += c
		}
		for i, c := range r.Stalls {
			if c > 0 { // scaled, so that the stalls add up to the predicted cycles
				p.Stalls = append(p.Stalls, report.Stall{Reason: sim.Reason(i).String(), Cycles: report.Round(c * (e.Cycles - rest) / sum)})
			}
		}
		if rest > 0 {
			p.Stalls = append(p.Stalls, report.Stall{Reason: e.Limit, Cycles: report.Round(rest)})
		}
	}
	for _, r := range w.base().Ladder() {
		p.IfFree = append(p.IfFree, report.Rung{Free: r.Free, Cycles: report.Round(r.Cycles), Bound: report.Bound(r.Limit)})
	}
	p.IfFree = append(p.IfFree, w.together(&p)...)
	var least *engine.Estimate
	if p.Partial {
		lo, hi := w.base().Interval(w.a.Throughput.Bottleneck)
		least = &lo
		p.UnknownCosts = &report.Interval{Low: report.Round(min(lo.Cycles, e.Cycles)), High: report.Round(max(hi.Cycles, e.Cycles)), Instructions: len(w.unknown)}
		p.Low, p.High = min(p.Low, p.UnknownCosts.Low), max(p.High, p.UnknownCosts.High)
	}
	w.open(&p)
	if p.UnknownCosts != nil && p.AtLeast {
		lower(&p, least)
		e, w.least = least, least
	}
	p.Limit, p.Above = w.limit(&p, t), above(e)
	w.rates(&p, t)
	return p
}

// lower makes a prediction with costs that have no upper bound the lower bound that it is: that with the unknown
// costs at their lower ends.
func lower(p *report.Prediction, lo *engine.Estimate) {
	least := p.UnknownCosts.Low
	if least >= p.Cycles {
		return
	}
	for i := range p.Stalls {
		p.Stalls[i].Cycles = report.Round(p.Stalls[i].Cycles * least / p.Cycles)
	}
	for i := range p.IfFree {
		p.IfFree[i].Cycles = min(p.IfFree[i].Cycles, least)
	}
	p.Cycles, p.Loop, p.Low, p.Unrolled = least, least, min(p.Low, least), min(p.Unrolled, least)
	p.Bound, p.Bounds = report.Bound(lo.Limit), bounds(lo)
}

// rates fills in the instructions, µops, floating-point operations and bytes per cycle.
func (w *writer) rates(p *report.Prediction, t *report.Target) {
	if p.Cycles <= 0 {
		return
	}
	per := func(n float64) float64 { return report.Round(n / p.Cycles) }
	p.IPC, p.UopsPerCycle = per(float64(len(w.k.Lines))), per(t.Throughput.Slots)
	vector := w.a.Bound.Model.Params.VectorBytes
	x, scaled := work(w.a.Bound, vector)
	if scaled && !(x.UnknownFlops && x.UnknownBytes) {
		p.VectorBits = 8 * vector
	}
	if !x.UnknownFlops {
		p.FlopsPerCycle = per(float64(x.Flops))
	}
	if !x.UnknownBytes {
		p.BytesPerCycle = per(float64(x.LoadedBytes + x.StoredBytes))
	}
}

// together predicts the kernel without all limits that tie for the greatest bound, if no limit alone gains anything.
func (w *writer) together(p *report.Prediction) []report.Rung {
	if slices.ContainsFunc(p.IfFree, func(r report.Rung) bool { return r.Cycles < p.Cycles*(1-report.Noticed) }) {
		return nil
	}
	var names []string
	for _, b := range []struct {
		cycles float64
		free   string
	}{{p.Bounds.FrontEnd, "frontend"}, {p.Bounds.Dispatch, "dispatch"}, {max(p.Bounds.Ports, p.Bounds.Cache), "ports"}, {p.Bounds.Latency, "dependences"}} {
		if b.cycles >= p.Cycles*(1-report.Noticed) {
			names = append(names, b.free)
		}
	}
	if len(names) < 2 {
		return nil
	}
	q, err := whatif.Parse(strings.Join(names, "=free,") + "=free")
	if err != nil {
		return nil
	}
	e, err := w.base().Ask(q)
	if err != nil || e.Cycles >= p.Cycles*(1-report.Noticed) {
		return nil
	}
	return []report.Rung{{Free: strings.Join(names, "+"), Cycles: report.Round(e.Cycles), Bound: report.Bound(e.Limit)}}
}

// unfollowed returns the cycles by which a bound that the simulator does not model raises its result: banks, lines and ports of the
// data cache, or the taken branch of a core whose front end is not known.
func unfollowed(e *engine.Estimate) float64 {
	if e.Result == nil || e.Limit != engine.Cache && e.Limit != engine.Branch || e.Cycles <= e.Result.Cycles*(1+report.Noticed) {
		return 0
	}
	return e.Cycles - e.Result.Cycles
}

func bounds(e *engine.Estimate) report.Bounds {
	return report.Bounds{Ports: report.Round(e.Ports), Dispatch: report.Round(e.Dispatch), FrontEnd: report.Round(e.FrontEnd), Latency: report.Round(e.Chain), Branch: report.Round(e.Branch), Cache: report.Round(e.Cache)}
}

// open lists the instructions whose cost has no upper bound, each text once.
func (w *writer) open(p *report.Prediction) {
	for i := range w.k.Lines {
		in := &w.a.Bound.Insts[i]
		why := in.Unbounded()
		if s := isa.Brief(w.k.Lines[i].Text) + " " + why; why != "" && !slices.Contains(p.Open, s) {
			p.Open, p.OpenReasons = append(p.Open, s), append(p.OpenReasons, unbounded(in, s))
		}
	}
	if wrong := w.a.Graph.Mistaken(); len(wrong) > 0 {
		v := w.mistakes(wrong)
		s := fmt.Sprintf("%s may be given what %s stored, with a flush each time", v.Instruction, v.From)
		p.Open, p.OpenReasons = append(p.Open, s), append(p.OpenReasons, reason(report.RenamingMistakes, s, v))
	}
	p.AtLeast = len(p.Open) > 0
}

// limit returns the limit that determines the predicted cycles.
func (w *writer) limit(p *report.Prediction, t *report.Target) report.Limit {
	l := report.Limit{Kind: report.LimitBound, Bound: p.Bound, Cycles: p.Bounds.Of(p.Bound)}
	switch p.Bound {
	case engine.Scheduling:
		return w.beyond(p, l)
	case engine.Unknown:
		return report.Limit{Kind: report.LimitNone}
	}
	l.Ties = ties(p, t, l.Cycles)
	return l
}

// ties lists the other bounds that are as high as the greatest bound.
func ties(p *report.Prediction, t *report.Target, greatest float64) (out []report.Bound) {
	front := slices.ContainsFunc(p.IfFree, func(r report.Rung) bool { return r.Free == "frontend" }) // otherwise the front end only waits for dispatch
	for _, bound := range []report.Bound{engine.Latency, engine.Ports, engine.Dispatch, engine.FrontEnd, engine.Branch, engine.Cache} {
		c := p.Bounds.Of(bound)
		if bound == p.Bound || c <= 0 || c < greatest*(1-report.Noticed) || bound == engine.FrontEnd && !front || bound == engine.Latency && len(t.LoopCarried) == 0 {
			continue
		}
		out = append(out, bound)
	}
	return out
}

// beyond returns the limit of a prediction above all bounds. It is failed store-to-load forwarding or full buffers if their removal would save at least half of
// the cycles above the bounds; otherwise it is the greatest bound among several limits.
func (w *writer) beyond(p *report.Prediction, l report.Limit) report.Limit {
	e := cmp.Or(w.least, w.estimate())
	greatest, bound := e.Greatest()
	helps := func(free string) bool {
		i := slices.IndexFunc(p.IfFree, func(r report.Rung) bool { return r.Free == free })
		return i >= 0 && p.Cycles-p.IfFree[i].Cycles >= max(report.Noticed*p.Cycles, (p.Cycles-max(greatest, p.Bounds.FrontEnd))/2)
	}
	l.Kind, l.Bound, l.Cycles = report.LimitSeveral, report.Bound(bound), report.Round(greatest)
	reads, units := throughput.Reads(uops.UsageOf(w.a.Bound))
	switch {
	case reads > greatest && reads >= p.Cycles*(1-report.Mentioned):
		l.Kind, l.Units = report.LimitReads, w.a.Bound.Model.PortNames(units)
	case slices.ContainsFunc(w.a.Graph.Edges, func(e depgraph.Edge) bool { return w.blocked(&e) > 0 }) && helps("memory"):
		l.Kind = report.LimitForwarding
	case e.Result.Stalls[sim.Fenced] >= p.Cycles/2:
		l.Kind, l.Buffer = report.LimitBuffer, sim.Fenced.String()
	case helps("window"):
		l.Kind, l.Buffer = report.LimitBuffer, w.fullest().String()
	case e.Result.Stalls[sim.InOrder]+e.Result.Stalls[sim.IssueQueueFull] >= p.Cycles/2:
		l.Kind = report.LimitProgramOrder
	case greatest < p.Cycles/2:
		l.Kind = report.LimitUnexplained
	}
	return l
}

// fullest returns the buffer that was full for the most cycles or, if no buffer was full, another reason for which dispatch stalled.
func (w *writer) fullest() sim.Reason {
	most, cycles := sim.Width, 0.0 // Width: dispatch groups that don't fill the dispatch width
	stalls := w.estimate().Result.Stalls
	for _, r := range []sim.Reason{sim.ROBFull, sim.SchedulerFull, sim.LoadQueueFull, sim.StoreQueueFull, sim.RegistersFull, sim.BranchesFull} {
		if stalls[r] > cycles {
			most, cycles = r, stalls[r]
		}
	}
	switch {
	case cycles > 0:
		return most
	case stalls[sim.DispatchLimit] > stalls[sim.FrontEnd]:
		return sim.DispatchLimit
	case stalls[sim.FrontEnd] > 0:
		return sim.FrontEnd
	}
	return most
}

// above returns the cycles by which the simulator's prediction exceeds the bounds, nil if a bound explains the prediction.
func above(e *engine.Estimate) *report.Above {
	greatest, bound := e.Greatest()
	if e.FrontEnd > greatest {
		greatest, bound = e.FrontEnd, engine.FrontEnd
	}
	if e.Result == nil || e.Cycles <= greatest*(1+4*report.Noticed) {
		return nil
	}
	return &report.Above{Bound: report.Bound(bound), Bounds: report.Round(greatest), Cycles: report.Round(e.Cycles - greatest)}
}
