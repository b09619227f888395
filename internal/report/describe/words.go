package describe

import (
	"fmt"
	"math"
	"strings"

	"incore/internal/report"
)

// words fills in the lines of a report about a prediction: its limit in brief, the cycles without that limit, and the accuracy to expect.
func words(t *report.Target, loop bool) report.Words {
	p := &t.Prediction
	w := report.Words{Bound: t.Limited(limitedBy(t)), Headroom: headroom(p), Trust: trust(t, loop), Engine: engineWords(p), Accuracy: Accuracy(t.Accuracy)}
	if len(p.IfFree) > 0 {
		w.IfFree = ladder(p)
	}
	return w
}

// inOrder is the limit of a loop in which an instruction that waits holds up all behind it.
const inOrder = "in-order issue"

// limitedBy names the limit of a target, for a cell of a table.
func limitedBy(t *report.Target) string {
	switch l := &t.Prediction.Limit; l.Kind {
	case report.LimitForwarding:
		return "failed store forwarding"
	case report.LimitBuffer:
		return strings.TrimPrefix(strings.TrimPrefix(buffers[l.Buffer], "a "), "the ")
	case report.LimitReads:
		return "register reads (" + strings.Join(l.Units, ", ") + ")"
	case report.LimitProgramOrder:
		return inOrder
	case report.LimitSeveral, report.LimitUnexplained:
		return "several, mostly " + brief(t, l.Bound)
	case report.LimitNone:
		return "nothing in the model"
	}
	return brief(t, t.Prediction.Bound)
}

// Bound names a bound when the report has no more details about the limit.
func Bound(name report.Bound) string {
	switch name {
	case report.BoundLatency:
		return "loop-carried chain"
	case report.BoundDispatch:
		return "allocate/rename"
	case report.BoundBranch:
		return "taken branch"
	case report.BoundCache:
		return "L1 cache"
	case report.BoundScheduling:
		return "several limits"
	}
	return string(name)
}

// headroom words the cycles of the loop without its most expensive limit; "" if no single limit matters.
func headroom(p *report.Prediction) string {
	best := -1
	for i := range p.IfFree {
		if r := &p.IfFree[i]; r.Cycles < p.Cycles*(1-report.Noticed) && (best < 0 || r.Cycles < p.IfFree[best].Cycles) {
			best = i
		}
	}
	if best < 0 {
		return ""
	}
	r := &p.IfFree[best]
	s := fmt.Sprintf("%s%s → %s cycles with %s", number(p.Cycles), ifAssumed(p), number(r.Cycles), without(r.Free))
	for i := range p.IfFree {
		if o := &p.IfFree[i]; i != best && o.Cycles <= r.Cycles*(1+report.Noticed) && o.Free != r.Free {
			return s + ", or with " + without(o.Free)
		}
	}
	return s
}

// ideal names a core that lacks a limit, by the cost that is zero; limits names the limit.
var (
	ideal = map[string]string{"frontend": "an ideal front end", "dispatch": "unlimited allocate/rename width", "ports": "unlimited ports", "window": "unlimited buffers (ROB, schedulers)",
		"dependences": "no dependencies", "memory": "no dependencies through memory"}
	limits = map[string]string{"frontend": "front end", "dispatch": "allocate/rename", "ports": "ports", "window": "buffers", "dependences": "dependencies", "memory": "memory dependencies"}
)

// without names the limits that are removed; what may join several with "+".
func without(what string) string {
	parts := strings.Split(what, "+")
	for i, n := range parts {
		if name := ideal[n]; name != "" {
			parts[i] = name
		}
	}
	return strings.Join(parts, " and ")
}

// ladder words the cycles of the kernel for each cost set to zero: first those that help, then those that do not, then those that help together.
func ladder(p *report.Prediction) string {
	var helps, not []string
	together := ""
	for i := range p.IfFree {
		r := &p.IfFree[i]
		names := strings.Split(r.Free, "+")
		for k := range names {
			names[k] = limits[names[k]]
		}
		switch {
		case len(names) > 1:
			together = "; " + strings.Join(names, ", ") + " together " + number(r.Cycles)
		case r.Cycles < p.Cycles && different(r.Cycles, p.Cycles):
			helps = append(helps, names[0]+" "+number(r.Cycles))
		default:
			not = append(not, names[0])
		}
	}
	switch {
	case len(helps) == 0:
		return "no change by any one of " + strings.Join(not, ", ") + together
	case len(not) == 0:
		return strings.Join(helps, ", ")
	}
	return strings.Join(helps, ", ") + "; no change by " + strings.Join(not, ", ")
}

// different reports whether two figures are distinguished.
func different(a, b float64) bool { return math.Abs(a-b) > report.Noticed*max(a, b) }

// Accuracy words the accuracy of predictions for a core, corpus by corpus.
func Accuracy(list []report.Accuracy) string {
	if len(list) == 0 {
		return "predictions for this core were never compared with measurements"
	}
	var parts []string
	for _, a := range list {
		if strings.HasPrefix(a.Corpus, published) {
			parts = append(parts, fmt.Sprintf("%.0f\u00a0%% of %d published throughputs and latencies of single instructions within 10\u00a0%% (%s; rows of the model were taken from them), no loops", 100*a.Within10, a.Blocks, a.Corpus))
			continue
		}
		parts = append(parts, fmt.Sprintf("median error %.1f\u00a0%%, %.0f\u00a0%% within 10\u00a0%%, on %s (%s)", 100*a.Median, 100*a.Within10, report.Counted(a.Blocks, "block"), a.Corpus))
	}
	return strings.Join(parts, "; ")
}

// engineWords names the engine of a figure and its basis.
func engineWords(p *report.Prediction) string {
	switch {
	case p.Steady == report.Recurs:
		return "simulator; the steady state repeats every " + iterations(p.Period) + unrolled(p)
	case p.Steady == report.Pattern || p.Steady == report.Average && p.Period > 0:
		return "simulator; steady state: " + pattern(p.Period) + unrolled(p)
	case p.Steady == report.Reached:
		return "simulator; it runs at the pace of a bound" + unrolled(p)
	case p.Steady == report.Average:
		return "simulator; iterations do not repeat: an average over the last ones" + unrolled(p)
	case p.Engine == "":
		return ""
	}
	why := ""
	if p.EngineWhy != "" {
		why = ", not the simulator: " + p.EngineWhy
	}
	return "the greatest of the bounds" + why + unrolled(p)
}

// pattern says after how many iterations the dispatch times repeat.
func pattern(n int) string {
	if n == 1 {
		return "every iteration takes the same time"
	}
	return fmt.Sprintf("the times of iterations repeat every %d iterations", n)
}

// iterations words a number of iterations for use after "every".
func iterations(n int) string {
	if n == 1 {
		return "iteration"
	}
	return report.Counted(n, "iteration")
}

// unrolled words the figure without the loop's branch, if it differs.
func unrolled(p *report.Prediction) string {
	if p.Unrolled == 0 || !different(p.Unrolled, p.Loop) {
		return ""
	}
	return fmt.Sprintf("; %s cycles laid out unrolled, without the branch (TP_U), limited by: %s", number(p.Unrolled), Bound(p.UnrolledBound))
}
