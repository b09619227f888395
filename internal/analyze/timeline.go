package analyze

import (
	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/engine"
	"incore/internal/analysis/sim"
	"incore/internal/machine"
	"incore/internal/report"
	"incore/internal/report/describe"
)

// timeline describes the µops of some iterations cycle by cycle; nil if the questions don't ask for it.
func (w *writer) timeline() (*report.Timeline, error) {
	q := &w.options.Questions
	if q.Timeline == 0 {
		return nil, nil
	}
	l := engine.Looped(w.a.Bound)
	tl, err := sim.Trace(w.a.Graph, sim.Options{Copies: l.Copies, Done: w.options.done()}, q.TimelineFrom, q.Timeline)
	if err != nil {
		return nil, err
	}
	out := &report.Timeline{First: tl.First, Iterations: tl.Count, Steady: tl.Steady, Uops: make([]report.TimelineUop, len(tl.Lives))}
	start := tl.Lives[0].Dispatched
	for i := range tl.Lives {
		x := &tl.Lives[i]
		u := report.TimelineUop{Iteration: x.Iteration, Instruction: x.Inst, Uop: x.Number, Kind: x.Kind, Dispatched: x.Dispatched - start, Ready: x.Ready - start,
			Issued: x.Issued - start, Done: x.Done - start, Retired: x.Retired - start, Waits: []report.Wait{}}
		if x.Left > x.Retired {
			u.Left = x.Left - start
		}
		if x.Port >= 0 {
			u.Port = w.a.Bound.Model.Ports[x.Port].Name
		}
		for k := range x.Waits {
			u.Waits = append(u.Waits, w.wait(tl, x, &x.Waits[k]))
		}
		out.Uops[i] = u
	}
	return out, nil
}

// wait describes the resource or operand that a µop waited for.
func (w *writer) wait(tl *sim.Timeline, l *sim.Life, x *sim.Wait) report.Wait {
	out := report.Wait{For: x.For.String(), Cycles: x.Cycles, Reason: x.Reason.String(), Instruction: x.Inst, Iteration: x.Iteration}
	switch x.For {
	case sim.ForDispatch:
		switch {
		case x.Scheduler >= 0:
			out.Via = tl.Core.Schedulers[x.Scheduler].Name
		case x.Limit >= 0:
			l := &tl.Core.DispatchLimits[x.Limit]
			out.Via = describe.UopsFor(l.Uops, l.Name)
		}
	case sim.ForPort:
		out.Via = w.portsText(x.Ports)
	case sim.ForOperand:
		w.operand(&out, l, x)
	}
	return out
}

// portsText names the ports of a set.
func (w *writer) portsText(set machine.PortSet) string {
	if set == 0 {
		return ""
	}
	return w.a.Bound.Model.SetName(set)
}

// operand finds the register or memory that carries the operand that a µop waits for: the edge of the dependence graph from the producer.
func (w *writer) operand(out *report.Wait, l *sim.Life, x *sim.Wait) {
	dist := l.Iteration - x.Iteration
	switch {
	case x.Reason == sim.InOrder:
		out.Reason, out.Via = "memory", "failed store-to-load forwarding"
		return
	case x.Inst == l.Inst && dist == 0:
		out.Reason = "itself" // an earlier µop of the same instruction
		return
	}
	var best *depgraph.Edge
	for i := range w.a.Graph.Edges {
		e := &w.a.Graph.Edges[i]
		if int(e.From) != x.Inst || int(e.To) != l.Inst || int(e.Dist) != dist {
			continue
		}
		if best == nil || (e.Kind == depgraph.Address) == (l.Kind == "load" || l.Kind == "store address") && (e.Kind == depgraph.Memory) == (l.Kind == "loaded value") {
			best = e
		}
	}
	if best == nil { // a value that memory renaming takes from the store's data register
		out.Reason = "memory"
		return
	}
	out.Reason, out.Via = kindNames[best.Kind], w.via(best)
}

// kindNames are the names in reports of the kinds of dependences.
var kindNames = map[depgraph.Kind]string{depgraph.Register: "register", depgraph.Address: "address", depgraph.Flag: "flag", depgraph.Memory: "memory"}
