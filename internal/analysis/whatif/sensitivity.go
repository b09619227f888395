package whatif

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/engine"
	"incore/internal/base/parallel"
	"incore/internal/machine"
)

// Rung is the prediction for the kernel with one cost set to zero.
type Rung struct {
	Free string // one of the keys of Free
	engine.Estimate
}

// Ladder sets one cost after the other to zero, for those that can matter to the engine and the kernel.
func (b *Base) Ladder() []Rung {
	var names []string
	for _, name := range []string{"frontend", "dispatch", "ports", "window", "dependences", "memory"} {
		if b.matters(name) {
			names = append(names, name)
		}
	}
	out := make([]Rung, len(names))
	parallel.For(len(names), func(i int) {
		if a := b.answer(names[i] + "=free"); a != nil {
			out[i] = Rung{names[i], a.Estimate}
		}
	})
	return slices.DeleteFunc(out, func(r Rung) bool { return r.Free == "" }) // costs that the model does not contain
}

// matters reports whether a cost that can be set to zero affects the prediction.
func (b *Base) matters(name string) bool {
	sim, _ := b.Engine.Simulates(b.Graph.Bound.Model)
	switch name {
	case "frontend":
		return sim && slices.ContainsFunc(b.Graph.Bound.Model.Facts, func(f machine.Fact) bool { return slices.Contains(frontEnd, f.Name) })
	case "window":
		return sim
	case "memory":
		return slices.ContainsFunc(b.Graph.Edges, func(e depgraph.Edge) bool { return e.Kind == depgraph.Memory })
	case "dependences":
		return len(b.Graph.Edges) > 0
	}
	return true
}

// Line is the effect of a resource: with twice as much of it (half the latency), and with an unlimited amount.
type Line struct {
	Resource     string
	Double, Free *Answer // nil: not asked
}

// Answer is a question and its prediction.
type Answer struct {
	Question string
	engine.Estimate
}

// Sensitivity answers questions about each resource that the kernel uses. latencies are the forms on the slowest chains, whose latencies it also asks
// about.
func (b *Base) Sensitivity(latencies []string) []Line {
	type asked struct{ resource, double, free string }
	var list []asked
	add := func(resource, double, free string) { list = append(list, asked{resource, double, free}) }
	if b.matters("frontend") {
		add("front end", b.doubled("fetch-width", "decoders", "decode-slots"), "frontend=free")
	}
	add("dispatch width", b.doubled("dispatch-width", "retire-width"), "dispatch=free")
	if names := limitsOf(b.Graph.Bound.Model); len(names) > 0 {
		add("limits of dispatch by ports", strings.Join(names, "=2x,")+"=2x", strings.Join(names, "=inf,")+"=inf")
	}
	if b.matters("window") {
		add("reorder buffer", "rob=2x", "rob=inf")
		add("scheduler", "scheduler=2x", "scheduler=inf")
		add("load queue", "load-queue=2x", "load-queue=inf")
		add("store queue", "store-queue=2x", "store-queue=inf")
		add("all buffers", "", "window=free")
	}
	for _, q := range b.portQuestions() {
		add(q[0], q[1], "")
	}
	add("all ports", "", "ports=free")
	add("load latency", "latency(load)=0.5x", "latency(load)=0")
	for _, f := range latencies {
		add("latency of "+f, "latency("+f+")=0.5x", "latency("+f+")=0")
	}
	if b.matters("memory") {
		add("store forwarding", "store-forward=0.5x", "memory=free")
	}
	if b.matters("dependences") {
		add("all dependences", "", "dependences=free")
	}
	out := make([]Line, len(list))
	parallel.For(len(list), func(i int) {
		l := Line{Resource: list[i].resource, Double: b.answer(list[i].double), Free: b.answer(list[i].free)}
		if l.Double != nil && l.Free != nil && l.Double.Cycles < l.Free.Cycles { // more may schedule worse, but doubling cannot gain more than an unlimited amount
			l.Double.Estimate = l.Free.Estimate
		}
		out[i] = l
	})
	out = slices.DeleteFunc(out, func(l Line) bool { return l.Double == nil && l.Free == nil })
	slices.SortStableFunc(out, func(x, y Line) int {
		switch a, c := x.least(), y.least(); {
		case a < c-1e-9:
			return -1
		case c < a-1e-9:
			return 1
		}
		return 0
	})
	return out
}

// least returns the fewest cycles among a line's answers.
func (l *Line) least() float64 {
	c := math.Inf(1)
	for _, a := range []*Answer{l.Double, l.Free} {
		if a != nil {
			c = min(c, a.Cycles)
		}
	}
	return c
}

// answer asks a question; it returns nil if the question is empty or does not apply.
func (b *Base) answer(text string) *Answer {
	if text == "" {
		return nil
	}
	q, err := Parse(text)
	if err != nil {
		return nil
	}
	e, err := b.Ask(q)
	if err != nil {
		return nil
	}
	return &Answer{text, e}
}

// doubled returns the question that doubles those of the given parameters that the model has.
func (b *Base) doubled(names ...string) string {
	var q []string
	for _, f := range b.Graph.Bound.Model.Facts {
		if slices.Contains(names, f.Name) {
			q = append(q, f.Name+"=2x")
		}
	}
	return strings.Join(q, ",")
}

// portQuestions doubles the ports of each kind of memory µop, and each other set of ports that some µop uses.
func (b *Base) portQuestions() [][2]string {
	bound := b.Graph.Bound
	m := bound.Model
	var out [][2]string
	var units []machine.PortSet // resources that memory µops need in addition to their ports
	for _, k := range []struct {
		kind       machine.UopKind
		name, text string
	}{{machine.UopLoad, "load", "load ports"}, {machine.UopStoreAddr, "sta", "store-address ports"}, {machine.UopStoreData, "std", "store-data ports"}} {
		s := scenario{model: m, bound: bound}
		if sets := s.unitsOf(k.kind); len(sets) > 0 {
			n := 0
			for _, set := range sets {
				n = max(n, bits.OnesCount64(uint64(set)))
			}
			out = append(out, [2]string{k.text, fmt.Sprintf("ports.%s+%d", k.name, n)})
			units = append(units, m.Units(k.kind)...)
		}
	}
	var seen []machine.PortSet
	for i := range bound.Insts {
		for _, u := range bound.Insts[i].Uops {
			memory := !u.Resource && (u.Kind == machine.UopLoad || u.Kind == machine.UopStoreAddr || u.Kind == machine.UopStoreData) || u.Resource && slices.Contains(units, u.Ports)
			if u.Ports == 0 || memory || slices.Contains(seen, u.Ports) {
				continue
			}
			seen = append(seen, u.Ports)
			name := m.SetName(u.Ports)
			text := "ports " + name
			if names := m.PortNames(u.Ports); len(names) > 1 && strings.Join(names, "+") != name && strings.Join(names, "") != name {
				text += " (" + strings.Join(names, " ") + ")" // the ports of the group
			}
			out = append(out, [2]string{text, fmt.Sprintf("ports.%s+%d", name, bits.OnesCount64(uint64(u.Ports)))})
		}
	}
	return out
}

// Interval predicts the kernel with the unknown costs at the ends of their intervals: fastest, with no µops that need a port; and slowest, with every
// slot on the busiest port.
func (b *Base) Interval(busiest machine.PortSet) (low, high engine.Estimate) {
	if busiest == 0 {
		busiest = 1
	}
	port := busiest & -busiest
	at := func(end func(in *machine.Inst)) engine.Estimate {
		bound := b.Graph.Bound.Change(b.Graph.Bound.Model, func(_ int, in *machine.Inst) {
			if in.Flags&machine.Unknown != 0 {
				end(in)
			}
		})
		return b.Engine.Estimate(b.graph(bound), b.Layout)
	}
	low = at(func(in *machine.Inst) {
		in.ShiftLatency(in.LowLatency - in.Latency)
		if in.Flags&machine.StandIn == 0 || in.LowSlots < in.Slots { // else only the latency is unknown
			in.Slots, in.Uops = in.LowSlots, nil
		}
	})
	high = at(func(in *machine.Inst) {
		in.ShiftLatency(in.HighLatency - in.Latency)
		if in.Slots = in.HighSlots; in.Flags&(machine.FusedSecond|machine.StandIn) == 0 {
			in.Uops = slices.Repeat([]machine.Uop{{Ports: port, Cycles: 1}}, int(math.Ceil(max(1, in.HighSlots))))
		}
	})
	return low, high
}
