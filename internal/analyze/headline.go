package analyze

import (
	"fmt"
	"slices"
	"strings"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/engine"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/throughput"
	"incore/internal/analysis/whatif"
	"incore/internal/isa"
	"incore/internal/machine"
	"incore/internal/report"
)

// choice is the engine for the headline. Where the user wants µops spread by fixed probabilities it is the bounds, which
// alone know of them.
func (o *Options) choice() engine.Choice {
	if o.Policy == throughput.Uniform && o.Engine != engine.Simulator {
		return engine.Bounds
	}
	return o.Engine
}

// looped is the layout of a kernel as the body of a loop, whose simulation ends with the options' context.
func (o *Options) looped(b *machine.Bound) engine.Layout {
	l := engine.Looped(b)
	l.Done = o.done()
	return l
}

// done is closed when the analysis is to end; nil: never.
func (o *Options) done() <-chan struct{} {
	if o.Context == nil {
		return nil
	}
	return o.Context.Done()
}

// Estimate is the headline figure by the engine of the options.
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

// static is the greatest of the bounds.
func (a *Analysis) static() engine.Estimate {
	return engine.Static(a.Graph, engine.Looped(a.Bound), engine.Limits{Ports: a.Throughput.Cycles, Dispatch: a.Throughput.Dispatch, Chain: a.Loop.Cycles})
}

// unrolled predicts the kernel laid out again and again without its branch.
func (a *Analysis) unrolled(o *Options) engine.Estimate {
	g := a.Graph
	if s := a.Bound.Kernel.Straight(); s != a.Bound.Kernel {
		g = depgraph.Build(a.Bound.Model.Bind(s), depgraph.Options{NoFlags: o.NoFlags, Memory: a.Graph.MemoryEdges(), Period: a.Graph.Period, Places: a.Graph.Places})
	}
	return o.choice().Estimate(g, engine.Layout{Unrolled: true, Uniform: o.Policy == throughput.Uniform, Done: o.done()})
}

// base is what questions about the kernel start from.
func (w *writer) base() *whatif.Base {
	l := w.options.looped(w.a.Bound)
	l.Uniform = w.options.Policy == throughput.Uniform
	return &whatif.Base{Graph: w.a.Graph, NoFlags: w.options.NoFlags, Engine: w.options.choice(), Layout: l, Now: w.estimate()}
}

// sized gives the instructions of assembly text the addresses and sizes that their machine code would have, which the
// front end's work depends on.
func sized(k *isa.Kernel) *isa.Kernel {
	if k.ISA.Encode == nil {
		return k
	}
	addr := uint64(0)
	var buf []byte
	for i := range k.Lines {
		in := &k.Lines[i].Inst
		if in.Size == 0 {
			if code, err := k.ISA.Encode(buf[:0], in, addr); err == nil {
				buf, in.Size = code, uint8(len(code))
			}
		}
		addr += uint64(in.Size)
	}
	return k
}

// prediction describes the headline figure.
func (w *writer) prediction(t *report.Target) report.Prediction {
	e, u := w.estimate(), w.a.unrolled(w.options)
	low, high := w.a.Bracket()
	p := report.Prediction{Cycles: report.Round(e.Cycles), Low: report.Round(min(low, e.Cycles)), High: report.Round(max(high, e.Cycles)), Bound: e.Limit, Engine: e.Engine,
		EngineWhy: e.Why, Partial: len(w.unknown) > 0, Loop: report.Round(e.Cycles), Unrolled: report.Round(u.Cycles), UnrolledBound: u.Limit, Bounds: bounds(e)}
	if r := e.Result; r != nil {
		p.Period, p.Steady = r.Period, report.Average
		switch {
		case r.Exact:
			p.Steady = report.Recurs
		case r.Pattern:
			p.Steady = report.Pattern
		}
		rest, sum := unfollowed(e), 0.0
		for _, c := range r.Stalls {
			sum += c
		}
		for i, c := range r.Stalls {
			if c > 0 { // in all they are the cycles predicted, also where these are a bound that an average comes near to
				p.Stalls = append(p.Stalls, report.Stall{Reason: sim.Reason(i).String(), Cycles: report.Round(c * (e.Cycles - rest) / sum)})
			}
		}
		if rest > 0 {
			p.Stalls = append(p.Stalls, report.Stall{Reason: e.Limit, Cycles: report.Round(rest)})
		}
	}
	for _, r := range w.base().Ladder() {
		p.IfFree = append(p.IfFree, report.Rung{Free: r.Free, Cycles: report.Round(r.Cycles), Bound: r.Limit})
	}
	p.IfFree = append(p.IfFree, w.together(&p)...)
	if p.Partial {
		lo, hi := w.base().Interval(w.a.Throughput.Bottleneck)
		p.UnknownCosts = &report.Interval{Low: report.Round(min(lo.Cycles, e.Cycles)), High: report.Round(max(hi.Cycles, e.Cycles)), Instructions: len(w.unknown)}
		p.Low, p.High = min(p.Low, p.UnknownCosts.Low), max(p.High, p.UnknownCosts.High)
	}
	p.Open = w.open()
	p.AtLeast = len(p.Open) > 0
	p.Gap = w.gap(&p, e)
	p.Text, p.Cause = w.sentence(&p, t)
	w.rates(&p, t)
	return p
}

// rates says what is done per cycle.
func (w *writer) rates(p *report.Prediction, t *report.Target) {
	if p.Cycles <= 0 {
		return
	}
	per := func(n float64) float64 { return report.Round(n / p.Cycles) }
	p.IPC, p.UopsPerCycle = per(float64(len(w.k.Lines))), per(t.Throughput.Slots)
	x := work(w.a.Bound)
	if !x.UnknownFlops {
		p.FlopsPerCycle = per(float64(x.Flops))
	}
	if !x.UnknownBytes {
		p.BytesPerCycle = per(float64(x.LoadedBytes + x.StoredBytes))
	}
}

// together makes free all that bounds the figure equally, where nothing gains alone.
func (w *writer) together(p *report.Prediction) []report.Rung {
	if slices.ContainsFunc(p.IfFree, func(r report.Rung) bool { return r.Cycles < p.Cycles*(1-noticed) }) {
		return nil
	}
	var names []string
	for _, b := range []struct {
		cycles float64
		free   string
	}{{p.Bounds.FrontEnd, "frontend"}, {p.Bounds.Dispatch, "dispatch"}, {max(p.Bounds.Ports, p.Bounds.Cache), "ports"}, {p.Bounds.Latency, "dependences"}} {
		if b.cycles >= p.Cycles*(1-noticed) {
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
	if err != nil || e.Cycles >= p.Cycles*(1-noticed) {
		return nil
	}
	return []report.Rung{{Free: strings.Join(names, "+"), Cycles: report.Round(e.Cycles), Bound: e.Limit}}
}

// unfollowed is by how many cycles a bound that the simulator does not follow raises its figure: banks, lines and ports of the
// data cache, or the taken branch of a core whose front end is not known.
func unfollowed(e *engine.Estimate) float64 {
	if e.Result == nil || e.Limit != engine.Cache && e.Limit != engine.Branch || e.Cycles <= e.Result.Cycles*(1+noticed) {
		return 0
	}
	return e.Cycles - e.Result.Cycles
}

func bounds(e *engine.Estimate) report.Bounds {
	return report.Bounds{Ports: report.Round(e.Ports), Dispatch: report.Round(e.Dispatch), FrontEnd: report.Round(e.FrontEnd), Latency: report.Round(e.Chain), Branch: report.Round(e.Branch), Cache: report.Round(e.Cache)}
}

// open lists the instructions of which no figure is an upper bound, each once.
func (w *writer) open() (out []string) {
	for i := range w.k.Lines {
		why := w.a.Bound.Insts[i].Unbounded()
		if s := isa.Brief(w.k.Lines[i].Text) + " " + why; why != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// noticed is the relative difference between two figures that a sentence mentions.
const noticed = 0.005

// sentence puts the prediction in words, and what limits it alone.
func (w *writer) sentence(p *report.Prediction, t *report.Target) (whole, cause string) {
	s, low := number(p.Cycles), p.Cycles
	var doubts []string
	if u := p.UnknownCosts; u != nil {
		s, low = span(u.Low, u.High), u.Low
		doubts = append(doubts, fmt.Sprintf("%d of %d instructions have no known cost", u.Instructions, len(w.k.Lines)))
	}
	if n := len(p.Open); n > 0 {
		s = "at least " + number(low)
		doubts = append(doubts, p.Open[0])
		if n > 1 {
			doubts = append(doubts, fmt.Sprintf("and %d more", n-1))
		}
	}
	s += " cycles/iteration"
	if len(doubts) > 0 {
		s += " (" + strings.Join(doubts, "; ") + ")"
	}
	if len(p.Open) > 0 && low < p.Cycles*(1-noticed) { // what bounds it bounds the other figure
		s += "; as it is counted " + number(p.Cycles)
	}
	whole, s = s+", ", ""
	tp := t.Throughput
	switch p.Bound {
	case engine.Latency:
		s += "bound by the loop-carried dependency through " + t.LoopCarried[0].Via + of(p.Bounds.Latency, p.Cycles) + rest(p, t, engine.Ports, engine.Dispatch)
	case engine.Ports:
		s += "bound by " + named(tp.Bottleneck) + of(p.Bounds.Ports, p.Cycles) + rest(p, t, engine.Dispatch, engine.Latency)
	case engine.Dispatch:
		s += "bound by allocating " + dispatching(&tp) + of(p.Bounds.Dispatch, p.Cycles) + rest(p, t, engine.Ports, engine.Latency)
	case engine.Branch:
		s += "bound by its taken branch, one per cycle" + rest(p, t, engine.Ports, engine.Dispatch, engine.Latency)
	case engine.Cache:
		s += "bound by the banks, lines and ports of the data cache" + of(p.Bounds.Cache, p.Cycles) + rest(p, t, engine.Ports, engine.Dispatch, engine.Latency)
	case engine.FrontEnd:
		s += "bound by the front end" + of(p.Bounds.FrontEnd, p.Cycles) + rest(p, t, engine.Ports, engine.Dispatch, engine.Latency)
	case engine.Scheduling:
		s += w.mixed(p, t)
	default:
		s += "nothing in the model bounds it"
	}
	return whole + s, s
}

// of says how much of the figure a bound explains, where that is not all.
func of(bound, cycles float64) string {
	if bound <= 0 || bound >= cycles*(1-noticed) {
		return ""
	}
	return fmt.Sprintf(" (%s of %s cycles)", number(bound), number(cycles))
}

// ties names the other bounds that allow no less than the figure, so that what bounds it need gain nothing alone.
func ties(p *report.Prediction, t *report.Target) string {
	var names []string
	add := func(bound, name string, cycles float64) {
		if bound != p.Bound && cycles > 0 && cycles >= p.Cycles*(1-noticed) {
			names = append(names, name)
		}
	}
	if len(t.LoopCarried) > 0 {
		add(engine.Latency, "the loop-carried dependency through "+t.LoopCarried[0].Via, p.Bounds.Latency)
	}
	add(engine.Ports, "ports", p.Bounds.Ports)
	add(engine.Dispatch, "dispatch", p.Bounds.Dispatch)
	if slices.ContainsFunc(p.IfFree, func(r report.Rung) bool { return r.Free == "frontend" }) { // else it is what takes what dispatch leaves
		add(engine.FrontEnd, "the front end", p.Bounds.FrontEnd)
	}
	add(engine.Branch, "its taken branch", p.Bounds.Branch)
	add(engine.Cache, "the data cache", p.Bounds.Cache)
	if n := len(names); n > 1 {
		names = []string{strings.Join(names[:n-1], ", ") + " and " + names[n-1]}
	}
	if len(names) == 0 {
		return ""
	}
	return ", as tightly by " + names[0]
}

// named names ports.
func named(ports []string) string {
	return "port" + plural(len(ports)) + " " + strings.Join(ports, ", ")
}

// dispatching says what is dispatched, and how much of it per cycle.
func dispatching(tp *report.Throughput) string {
	if l := tp.DispatchLimit; l != nil {
		return fmt.Sprintf("%d µops for %s, %d per cycle", l.Uops, l.Ports, l.PerCycle)
	}
	return fmt.Sprintf("%s µops, %d per cycle", number(tp.Slots), tp.Width)
}

// rest says what other bounds allow that do not reach the figure, and which do.
func rest(p *report.Prediction, t *report.Target, bounds ...string) string {
	s, verb := ties(p, t), " would allow "
	add := func(what string, cycles float64) {
		switch {
		case cycles >= p.Cycles*(1-noticed):
		case verb != " ":
			s, verb = s+"; "+what+verb+number(cycles), " "
		default:
			s += ", " + what + verb + number(cycles)
		}
	}
	for _, b := range bounds {
		switch b {
		case engine.Ports:
			add("ports", t.Throughput.Cycles)
		case engine.Dispatch:
			if d := t.Throughput.Dispatch; d > 0 && (p.Bound != engine.Latency || d > t.Throughput.Cycles) {
				add("dispatch", d)
			}
		case engine.Latency:
			if len(t.LoopCarried) == 0 {
				return s + "; no loop-carried chain takes time"
			}
			add("the slowest loop-carried chain, through "+t.LoopCarried[0].Via+",", t.LoopCarried[0].Cycles)
		}
	}
	return s
}

// endings put the reasons for which dispatch ended in a cycle in words.
var endings = map[string]string{sim.FrontEnd.String(): "for want of slots from the front end", sim.ROBFull.String(): "at a full reorder buffer", sim.SchedulerFull.String(): "at a full scheduler",
	sim.LoadQueueFull.String(): "at a full load queue", sim.StoreQueueFull.String(): "at a full store queue", sim.Width.String(): "at its full width", sim.DispatchLimit.String(): "at a limit of µops by their ports", sim.IssueQueueFull.String(): "at a full issue queue",
	sim.InOrder.String(): "behind instructions that wait, all in program order"}

// mixed says what a figure comes from that no bound explains: loads that stores block or full buffers, if without them half of what it lies above the
// bounds would be gone; else the greatest bound and what else there is.
func (w *writer) mixed(p *report.Prediction, t *report.Target) string {
	all := []string{engine.Ports, engine.Dispatch, engine.Latency}
	e := w.estimate()
	greatest, what := e.Greatest()
	gains := func(free string) bool {
		i := slices.IndexFunc(p.IfFree, func(r report.Rung) bool { return r.Free == free })
		return i >= 0 && p.Cycles-p.IfFree[i].Cycles >= max(noticed*p.Cycles, (p.Cycles-max(greatest, p.Bounds.FrontEnd))/2)
	}
	edges := w.a.Graph.Edges
	switch {
	case slices.ContainsFunc(edges, func(e depgraph.Edge) bool { return w.blocked(&e) > 0 }) && gains("memory"):
		return "held up by loads of what a store cannot pass on" + rest(p, t, all...)
	case gains("window"):
		return "held up by " + w.holdup() + rest(p, t, all...)
	}
	s := "bound by more than one thing, above all by "
	switch {
	case e.Result.Stalls[sim.InOrder]+e.Result.Stalls[sim.IssueQueueFull] >= p.Cycles/2:
		s = "bound by waiting in program order, besides by "
	case greatest < p.Cycles/2:
		s = "explained by no bound, the greatest being "
	}
	switch what {
	case engine.Latency:
		s += "the loop-carried dependency through " + t.LoopCarried[0].Via
	case engine.Ports:
		s += named(t.Throughput.Bottleneck)
	case engine.Branch:
		s += "its taken branch"
	case engine.Cache:
		s += "the banks, lines and ports of the data cache"
	default:
		s += what
	}
	return s + of(greatest, p.Cycles) + rest(p, t, slices.DeleteFunc(all, func(b string) bool { return b == what })...)
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// holdup names the buffer that kept dispatch waiting for most of the time.
func (w *writer) holdup() string {
	names := map[sim.Reason]string{sim.ROBFull: "a full reorder buffer", sim.SchedulerFull: "a full scheduler", sim.LoadQueueFull: "a full load queue", sim.StoreQueueFull: "a full store queue"}
	most, cycles := "", 0.0
	stalls := w.estimate().Result.Stalls
	for i, c := range stalls {
		if name := names[sim.Reason(i)]; name != "" && c > cycles {
			most, cycles = name, c
		}
	}
	switch {
	case most != "":
		return most
	case stalls[sim.DispatchLimit] > stalls[sim.FrontEnd]:
		return "limits of dispatch by ports"
	case stalls[sim.FrontEnd] > 0:
		return "the front end"
	}
	return "groups of µops that don't fill the dispatch width"
}

// gap explains what the simulator finds above the bounds: why dispatch ended, and what would shorten it. It is empty where
// a bound explains the figure.
func (w *writer) gap(p *report.Prediction, e *engine.Estimate) string {
	greatest, what := e.Greatest()
	if e.FrontEnd > greatest {
		greatest, what = e.FrontEnd, engine.FrontEnd
	}
	if e.Result == nil || e.Cycles <= greatest*(1+4*noticed) {
		return ""
	}
	s := fmt.Sprintf("the bounds allow %s (%s); the simulator finds %s more", number(greatest), what, number(e.Cycles-greatest))
	var parts []string
	for _, s := range p.Stalls {
		if text := endings[s.Reason]; text != "" && s.Cycles >= 0.05*e.Cycles {
			parts = append(parts, fmt.Sprintf("%s %s", number(s.Cycles), text))
		}
	}
	if len(parts) > 0 {
		s += fmt.Sprintf(". Of the %s cycles dispatch ends ", number(e.Cycles)) + strings.Join(parts, ", ")
	}
	own := map[string]string{engine.Ports: "ports", engine.Cache: "ports", engine.Dispatch: "dispatch", engine.Latency: "dependences", engine.FrontEnd: "frontend"}[what]
	var helps []string
	for i := range p.IfFree {
		if r := &p.IfFree[i]; r.Free != own && r.Cycles < e.Cycles*(1-noticed) {
			helps = append(helps, fmt.Sprintf("%s with %s", number(r.Cycles), freed[r.Free]))
		}
	}
	switch {
	case len(helps) > 0:
		s += ". It would take " + strings.Join(helps, ", ")
	case what == engine.Ports:
		s += ". It comes from the order in which µops take the ports"
	}
	return s
}

// freed names what is free.
var freed = map[string]string{"frontend": "a front end without limits", "dispatch": "dispatch and retirement without limits", "ports": "a port for every µop",
	"window": "buffers without limits", "dependences": "no dependences", "memory": "no dependences through memory"}
