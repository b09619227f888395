package describe

import (
	"fmt"
	"slices"
	"strings"

	"incore/internal/report"
)

// prediction words the headline figure: the figure with its limit, the bound of that limit alone, and the cycles that the simulator finds above the
// bounds.
func prediction(t *report.Target, loop bool) {
	p := &t.Prediction
	p.Cause = cause(t)
	p.Text = t.Foreign() + figure(t) + ", " + p.Cause
	p.Gap, t.Words = "", words(t, loop)
	if p.Above != nil {
		p.Gap = above(p)
	}
}

// figure words the cycles of an iteration, and the doubts about them.
func figure(t *report.Target) string {
	p := &t.Prediction
	s, low := number(p.Cycles), p.Cycles
	var doubts []string
	if u := p.UnknownCosts; u != nil {
		s, low = span(report.Range{Low: u.Low, High: u.High}), u.Low
		doubts = append(doubts, fmt.Sprintf("%d of %d instructions have no known cost", u.Instructions, len(t.Instructions)))
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
	if len(p.Open) > 0 && low < p.Cycles*(1-report.Noticed) { // its upper bound belongs to the other figure
		s += "; predicted without that cost: " + number(p.Cycles)
	}
	return s
}

// cause words the limit of the figure, and the next limit.
func cause(t *report.Target) string {
	l := &t.Prediction.Limit
	all := []report.Bound{report.BoundPorts, report.BoundDispatch, report.BoundFrontEnd, report.BoundCache, report.BoundLatency}
	switch l.Kind {
	case report.LimitForwarding:
		return "bound by failed store-to-load forwarding" + next(t, all)
	case report.LimitBuffer:
		return "bound by " + buffers[l.Buffer] + next(t, all)
	case report.LimitReads:
		return "bound by register-file read ports (" + strings.Join(l.Units, ", ") + "), which several kinds of µops share" + next(t, all)
	case report.LimitProgramOrder:
		return "bound by in-order issue, where an instruction that waits holds up all behind it" + next(t, all)
	}
	others := slices.DeleteFunc(slices.Clone(all), func(b report.Bound) bool { return b == l.Bound || slices.Contains(l.Ties, b) })
	switch l.Kind {
	case report.LimitSeveral:
		return "bound by several limits, mostly " + explained(t, bound(t, l.Bound)) + next(t, others)
	case report.LimitUnexplained:
		return "bound by no single limit; the largest is " + explained(t, bound(t, l.Bound)) + next(t, others)
	case report.LimitBound:
		if len(l.Ties) > 0 {
			names := []string{brief(t, l.Bound)}
			for _, b := range l.Ties {
				names = append(names, brief(t, b))
			}
			return "bound equally by " + explained(t, strings.Join(names, ", ")) + next(t, others)
		}
		return "bound by " + explained(t, bound(t, l.Bound)) + next(t, others)
	}
	return "nothing in the model bounds it"
}

// buffers names the full buffers that make dispatch wait.
var buffers = map[string]string{"reorder buffer full": "a full reorder buffer", "registers full": "a full register file", "taken branches full": "the taken branches that may be in flight", "fence": "a fence, for which all older instructions must have retired", "scheduler full": "a full scheduler", "load queue full": "a full load queue", "store queue full": "a full store queue",
	"dispatch limit": "dispatch limits by port", "front end": "the front end", "dispatch width": "dispatch groups that are not full"}

// bound names a bound together with its unit.
func bound(t *report.Target, name report.Bound) string {
	switch name {
	case report.BoundLatency:
		return "the loop-carried dependency through " + t.LoopCarried[0].Via
	case report.BoundPorts:
		return ports(&t.Throughput)
	case report.BoundDispatch:
		return "allocate/rename (" + dispatched(&t.Throughput) + ")"
	case report.BoundBranch:
		return "the taken branch"
	case report.BoundCache:
		return "the L1 data cache (its banks, lines and ports)"
	case report.BoundFrontEnd:
		return "the front end"
	default:
		return string(name)
	}
}

// ports names the busiest ports, with their meanings where the names do not tell; those with one meaning share it.
func ports(tp *report.Throughput) string {
	names := make([]string, len(tp.Bottleneck))
	for i, n := range tp.Bottleneck {
		names[i] = n
		if about := tp.About[n]; about != "" && (i+1 == len(names) || tp.About[tp.Bottleneck[i+1]] != about) {
			names[i] += " (" + about + ")"
		}
	}
	return "port" + plural(len(names)) + " " + strings.Join(names, ", ")
}

// brief names one bound of several in a few words.
func brief(t *report.Target, name report.Bound) string {
	switch busiest := t.Throughput.Bottleneck; {
	case name == report.BoundLatency:
		return "chain through " + t.LoopCarried[0].Via
	case name == report.BoundPorts && len(busiest) <= 2:
		return "port" + plural(len(busiest)) + " " + strings.Join(busiest, ", ")
	case name == report.BoundDispatch:
		return "allocate/rename"
	case name == report.BoundBranch:
		return "taken branch"
	case name == report.BoundCache:
		return "L1 cache"
	}
	return string(name)
}

// explained adds the bound's share of the figure to its words, if it is not all: inside the final bracket if there is one.
func explained(t *report.Target, words string) string {
	p := &t.Prediction
	c := p.Limit.Cycles
	if c <= 0 || c >= p.Cycles*(1-report.Noticed) {
		return words
	}
	share := fmt.Sprintf("%s of %s%s cycles)", number(c), number(p.Cycles), ifAssumed(p))
	if inner, ok := strings.CutSuffix(words, ")"); ok {
		return inner + "; " + share
	}
	return words + " (" + share
}

// ifAssumed says that a figure rests on costs that are assumed for instructions without an upper bound: the headline has the lower bound.
func ifAssumed(p *report.Prediction) string {
	if len(p.Open) == 0 {
		return ""
	}
	return " assumed"
}

// dispatched describes the unit of dispatch and the number per cycle.
func dispatched(tp *report.Throughput) string {
	if l := tp.DispatchLimit; l != nil {
		return fmt.Sprintf("%s, %d per cycle", UopsFor(l.Uops, l.Ports), l.PerCycle)
	}
	return fmt.Sprintf("%g µops, %d per cycle", tp.Slots, tp.Width)
}

// next words the cycles under the given bounds, which the figure exceeds.
func next(t *report.Target, bounds []report.Bound) string {
	p := &t.Prediction
	s, verb := "", " would allow "
	add := func(what string, cycles float64) {
		switch {
		case cycles >= p.Cycles*(1-report.Noticed):
		case verb != " ":
			s, verb = s+"; "+what+verb+number(cycles), " "
		default:
			s += ", " + what + verb + number(cycles)
		}
	}
	for _, b := range bounds {
		switch b {
		case report.BoundPorts:
			add("ports", t.Throughput.Cycles)
		case report.BoundDispatch:
			if d := t.Throughput.Dispatch; d > 0 && (p.Bound != report.BoundLatency || d > t.Throughput.Cycles) {
				add("allocate/rename", d)
			}
		case report.BoundFrontEnd, report.BoundCache: // only where the other limits do not hide it
			if c := p.Bounds.Of(b); c > max(t.Throughput.Cycles, t.Throughput.Dispatch)*(1+report.Noticed) {
				add("the "+brief(t, b), c)
			}
		case report.BoundLatency:
			if len(t.LoopCarried) == 0 {
				return s
			}
			cycles := t.LoopCarried[0].Cycles
			if p := &t.Prediction; p.AtLeast && p.Partial { // with unknown costs at their lower ends
				cycles = min(cycles, p.Bounds.Latency)
			}
			add("the loop-carried dependency through "+t.LoopCarried[0].Via, cycles)
		}
	}
	return s
}

// above says why dispatch stalled where the simulator exceeds the bounds, and what would shorten it.
func above(p *report.Prediction) string {
	a := p.Above
	s := fmt.Sprintf("the bounds allow %s cycles (%s), the simulator finds %s more", number(a.Bounds), Bound(a.Bound), number(a.Cycles))
	var parts []string
	for _, x := range p.Stalls {
		if text := endings[x.Reason]; text != "" && x.Cycles >= 0.05*p.Cycles {
			parts = append(parts, "in "+number(x.Cycles)+" "+text)
		}
	}
	if len(parts) > 0 {
		s += fmt.Sprintf(". Of %s cycles dispatch stops ", number(p.Cycles)) + strings.Join(parts, ", ")
	}
	var helps []string
	last := ""
	for i := range p.IfFree {
		r := &p.IfFree[i]
		if r.Free == freeing[a.Bound] || ideal[r.Free] == "" || !gains(p, r.Free) {
			continue
		}
		switch c := number(r.Cycles); {
		case c == last:
			helps = append(helps, "or "+ideal[r.Free])
		default:
			helps, last = append(helps, c+" with "+ideal[r.Free]), c
		}
	}
	switch {
	case len(helps) > 0:
		s += ". It would take " + strings.Join(helps, ", ")
	case a.Bound == report.BoundPorts:
		s += ". It comes from the order in which µops take the ports"
	}
	return s
}

// endings words the reasons for which dispatch stalled.
var endings = map[string]string{"front end": "because the front end delivers nothing", "reorder buffer full": "because the reorder buffer is full", "scheduler full": "because a scheduler is full",
	"load queue full": "because the load queue is full", "store queue full": "because the store queue is full", "dispatch width": "at its full width", "dispatch limit": "at a limit of µops by port", "issue queue full": "because the issue queue is full", "registers full": "because a register file is full", "taken branches full": "because no more taken branches may be in flight", "fence": "at a fence",
	"order": "because an older instruction waits (in-order issue)"}

// freeing holds, for each bound, the cost that must be zero for the bound to disappear.
var freeing = map[report.Bound]string{report.BoundPorts: "ports", report.BoundCache: "ports", report.BoundDispatch: "dispatch", report.BoundLatency: "dependences", report.BoundFrontEnd: "frontend"}
