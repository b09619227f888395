package whatif

import (
	"fmt"
	"maps"
	"math"
	"math/bits"
	"path"
	"slices"
	"strconv"
	"strings"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/engine"
	"incore/internal/analysis/uops"
	"incore/internal/machine"
)

// Base is the kernel of the questions, and how to predict it.
type Base struct {
	Graph   *depgraph.Graph
	NoFlags bool // the graph has no dependences through flags
	Engine  engine.Choice
	Layout  engine.Layout
	Now     *engine.Estimate // estimate for the unchanged kernel; nil: not known, and answers are the engine's own
}

// graph builds the dependence graph of the kernel with changed costs; the memory dependences stay.
func (b *Base) graph(bound *machine.Bound) *depgraph.Graph {
	return depgraph.Build(bound, depgraph.Options{NoFlags: b.NoFlags, Memory: b.Graph.MemoryEdges(), Period: b.Graph.Period, Places: b.Graph.Places})
}

// Ask predicts the kernel with the changes of a question. Errors say which part does not apply to the machine or the kernel.
func (b *Base) Ask(q Question) (engine.Estimate, error) {
	s := scenario{model: b.Graph.Bound.Model, bound: b.Graph.Bound, layout: b.Layout, keep: keepAll}
	for i := range q.changes {
		if err := s.core(&q.changes[i]); err != nil {
			return engine.Estimate{}, err
		}
	}
	if s.model != b.Graph.Bound.Model {
		s.bound = uops.Bind(s.model, s.bound.Kernel)
	}
	for i := range q.changes {
		if err := s.costs(&q.changes[i]); err != nil {
			return engine.Estimate{}, err
		}
	}
	g := b.graph(s.bound)
	if s.keep != keepAll {
		g = g.Keep(func(e *depgraph.Edge) bool { return s.keep == keepRegisters && e.Kind != depgraph.Memory })
	}
	return b.within(&q, b.Engine.Estimate(g, s.layout)), nil
}

// Check returns an error for the parts of a question that apply to no kernel on the machine: unknown names.
func (q *Question) Check(m *machine.Model) error {
	s := scenario{model: m, bound: &machine.Bound{Model: m}}
	for i := range q.changes {
		if err := s.core(&q.changes[i]); err != nil {
			return err
		}
		c := &q.changes[i]
		if _, kind := portKinds[c.name]; c.kind == kindPorts && !kind {
			if _, err := s.portSet(c.name); err != nil {
				return err
			}
		}
		if c.kind == kindUops {
			if _, _, err := m.Uops(c.uops); err != nil {
				return err
			}
		}
	}
	return nil
}

// bounded are the parameters that affect the static bounds.
var bounded = []string{"dispatch-width", "dispatch-uops", "store-forward", "load-part"}

// OnlySimulated reports whether none of a question's changes affects the static bounds.
func (q *Question) OnlySimulated() bool {
	for i := range q.changes {
		switch c := &q.changes[i]; c.kind {
		case kindParam:
			if slices.Contains(bounded, c.name) {
				return false
			}
		case kindFree:
			if c.name != "window" && c.name != "frontend" {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// keep tells which dependences remain.
type keep uint8

const (
	keepAll keep = iota
	keepRegisters
	keepNone
)

// scenario is the changed machine and kernel.
type scenario struct {
	model  *machine.Model
	bound  *machine.Bound
	layout engine.Layout
	keep   keep
}

// core applies changes of the core: parameters, features, costs set to zero.
func (s *scenario) core(c *change) (err error) {
	switch c.kind {
	case kindParam:
		return s.param(c)
	case kindFeature:
		if o := machine.OptionNamed(c.name); o == nil || !o.Feature {
			return fmt.Errorf("unknown feature '%s': %s", c.name, machine.NearestHint(c.name, machine.OptionNames(true)))
		}
		s.model, err = s.model.With(machine.Fact{Name: c.name, Value: strconv.FormatBool(c.n != 0), Source: c.text})
		return err
	case kindFree:
		return s.free(c.name)
	}
	return nil
}

// Values of "inf" by kind of parameter: more than the largest core has (and twice the present value), but few enough to simulate.
const (
	endlessWidth  = 64
	endlessBuffer = 1024
)

// endless returns the value of "inf" for a parameter whose present value is old.
func endless(least int, old float64) float64 { return max(float64(least), 2*old) }

// maxEntries is the largest value of a width or a size.
const maxEntries = 8192

// params are the parameters that an engine reads, with their value of "inf"; 0: a number of cycles, which has no "inf". machine.Core has more of
// them.
var params = map[string]int{"dispatch-width": endlessWidth, "retire-width": endlessWidth, "fetch-width": endlessWidth, "dispatch-uops": endlessWidth,
	"decoders": endlessWidth, "decode-slots": endlessWidth,
	"rob": endlessBuffer, "scheduler": endlessBuffer, "load-queue": endlessBuffer, "store-queue": endlessBuffer, "fetch-queue": endlessBuffer,
	"store-forward": 0, "load-part": 0, "issue-delay": 0, "taken-branch": 0}

// schedulerPrefix begins the names of the scheduler's partitions in models.
const schedulerPrefix = "scheduler-"

// param changes a parameter.
func (s *scenario) param(c *change) error {
	least, known := params[c.name]
	if strings.HasPrefix(c.name, machine.LimitPrefix) {
		return s.limit(c)
	}
	if !known && machine.OptionNamed(c.name) == nil && !strings.HasPrefix(c.name, schedulerPrefix) {
		return fmt.Errorf("no engine knows a parameter '%s': %s", c.name, machine.NearestHint(c.name, slices.Concat(slices.Sorted(maps.Keys(params)), machine.OptionNames(false))))
	}
	if strings.HasPrefix(c.name, "scheduler") {
		return s.scheduler(c)
	}
	if o := machine.OptionNamed(c.name); o != nil && o.Record {
		return s.record(o, c)
	}
	if c.inf && least == 0 {
		return fmt.Errorf("'%s' cannot be inf: it is no size or width", c.name)
	}
	old, has := s.fact(c.name)
	if c.op == 'x' && !has {
		return fmt.Errorf("model %s does not know its %s; give a number", s.model.Name, c.name)
	}
	value := c.value(old, least)
	if least != 0 {
		if value = math.Round(value); value < 1 {
			return fmt.Errorf("'%s' would be %g; it must be 1 or more", c.name, value)
		}
		if value > maxEntries {
			return fmt.Errorf("'%s' would be %g; at most %d, or inf", c.name, value, maxEntries)
		}
	}
	return s.set(c.name, strconv.FormatFloat(value, 'f', -1, 64), c.text)
}

// record changes the first number of a parameter with several parts.
func (s *scenario) record(o *machine.Option, c *change) error {
	for _, f := range s.model.Facts {
		if f.Name == o.Name && f.Value != "" && f.Value[0] >= '0' && f.Value[0] <= '9' {
			return s.first(&f, c, endlessBuffer)
		}
	}
	return fmt.Errorf("'%s' has several parts (%s); change it in a model file", o.Name, o.Doc)
}

func (s *scenario) set(name, value, why string) (err error) {
	s.model, err = s.model.With(machine.Fact{Name: name, Value: value, Source: "what if " + why})
	return err
}

// fact returns a parameter's value as a number.
func (s *scenario) fact(name string) (v float64, ok bool) {
	for _, f := range s.model.Facts {
		if f.Name == name {
			v, err := strconv.ParseFloat(f.Value, 64)
			return v, err == nil
		}
	}
	return 0, false
}

// scheduler changes the size of one partition of the scheduler, or of all.
func (s *scenario) scheduler(c *change) error {
	var names []string
	found := false
	for _, f := range s.model.Facts {
		if f.Name == "scheduler" || strings.HasPrefix(f.Name, schedulerPrefix) {
			names = append(names, f.Name)
		}
		if f.Name != c.name && (c.name != "scheduler" || !strings.HasPrefix(f.Name, schedulerPrefix)) {
			continue
		}
		found = true
		if err := s.first(&f, c, endlessBuffer); err != nil {
			return err
		}
	}
	switch {
	case found:
		return nil
	case c.name == "scheduler" && c.op == '=':
		value := c.n
		if c.inf {
			value = endlessBuffer
		}
		return s.set(c.name, strconv.FormatFloat(math.Round(value), 'f', -1, 64), c.text)
	case len(names) == 0:
		return fmt.Errorf("model %s does not know its scheduler; give a number of entries: scheduler=96", s.model.Name)
	}
	return fmt.Errorf("model %s has no '%s': %s", s.model.Name, c.name, machine.NearestHint(c.name, names))
}

// value returns the changed value of a parameter whose present value is old; least is the smallest value of "inf".
func (c *change) value(old float64, least int) float64 {
	switch {
	case c.inf:
		return endless(least, old)
	case c.op == 'x':
		return c.n * old
	}
	return c.n
}

// first changes the first number of a parameter's value; ports follow it.
func (s *scenario) first(f *machine.Fact, c *change, least int) error {
	entries, ports, _ := strings.Cut(f.Value, " ")
	old, err := strconv.ParseFloat(entries, 64)
	if err != nil {
		return err
	}
	value := c.value(old, least)
	if value = math.Round(value); value < 1 || value > maxEntries {
		return fmt.Errorf("'%s' would be %g; it must be 1 or more and at most %d, or inf", f.Name, value, maxEntries)
	}
	return s.set(f.Name, strings.TrimSpace(strconv.FormatFloat(value, 'f', -1, 64)+" "+ports), c.text)
}

// limit changes a dispatch limit by port.
func (s *scenario) limit(c *change) error {
	names := limitsOf(s.model)
	for _, f := range s.model.Facts {
		if f.Name == c.name {
			return s.first(&f, c, endlessWidth)
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("model %s has no limits of dispatch by ports", s.model.Name)
	}
	return fmt.Errorf("model %s has no '%s': %s", s.model.Name, c.name, machine.NearestHint(c.name, names))
}

// limitsOf returns the names of the dispatch limits by port in a model.
func limitsOf(m *machine.Model) (names []string) {
	for _, f := range m.Facts {
		if strings.HasPrefix(f.Name, machine.LimitPrefix) {
			names = append(names, f.Name)
		}
	}
	return names
}

// frontEnd are the parameters without which the front end always delivers the dispatch width.
var frontEnd = []string{"fetch-width", "fetch-density", "fetch-entries", "fetch-queue", "decoders", "loop-buffer", "taken-branch"}

// free sets a cost to zero.
func (s *scenario) free(what string) error {
	switch what {
	case "ports":
		s.layout.FreePorts = true
	case "dependences":
		s.keep = keepNone
	case "memory":
		s.keep = max(s.keep, keepRegisters)
	case "frontend":
		var facts []machine.Fact
		for _, n := range frontEnd {
			facts = append(facts, machine.Fact{Name: n})
		}
		var err error
		s.model, err = s.model.With(facts...)
		return err
	case "dispatch":
		var limits []machine.Fact
		for _, f := range s.model.Facts {
			if f.Name == "dispatch-uops" || strings.HasPrefix(f.Name, machine.LimitPrefix) {
				limits = append(limits, machine.Fact{Name: f.Name})
			}
		}
		if len(limits) > 0 {
			var err error
			if s.model, err = s.model.With(limits...); err != nil {
				return err
			}
		}
		return s.endless(endlessWidth, "dispatch-width", "retire-width")
	case "window":
		names := []string{"rob", "load-queue", "store-queue"}
		for _, f := range s.model.Facts {
			if strings.HasPrefix(f.Name, "scheduler") {
				if err := s.scheduler(&change{text: "window=free", name: f.Name, op: '=', inf: true}); err != nil {
					return err
				}
			}
		}
		return s.endless(endlessBuffer, names...)
	}
	return nil
}

// endless sets those of the parameters that the model has to more than is ever used.
func (s *scenario) endless(n int, names ...string) error {
	for _, name := range names {
		old, ok := s.fact(name)
		if !ok {
			continue
		}
		if err := s.set(name, strconv.FormatFloat(endless(n, old), 'f', -1, 64), name+"=inf"); err != nil {
			return err
		}
	}
	return nil
}

// costs applies changes of instructions: ports, latencies, µops.
func (s *scenario) costs(c *change) error {
	switch c.kind {
	case kindPorts:
		return s.ports(c)
	case kindLatency, kindUops:
		return s.forms(c)
	case kindLine:
		return s.loads(c)
	}
	return nil
}

// forms changes the instructions whose forms match a pattern.
func (s *scenario) forms(c *change) error {
	var uops []machine.Uop
	var slots float64
	if c.kind == kindUops {
		var err error
		if uops, slots, err = s.model.Uops(c.uops); err != nil {
			return err
		}
	}
	a := s.bound.Kernel.ISA
	matched := false
	s.bound = s.bound.Change(s.model, func(_ int, in *machine.Inst) {
		if c.kind == kindLatency && c.name == loadPart {
			matched = matched || in.Load > 0
			in.ShiftLoad(c.shift(in.Load))
			return
		}
		if ok, _ := path.Match(c.name, a.FormName(&in.Line.Inst)); !ok {
			return
		}
		matched = true
		switch {
		case c.kind == kindUops:
			if in.Flags&machine.FusedSecond == 0 {
				in.Uops, in.Slots, in.Decode = uops, slots, slots
				in.LowSlots, in.HighSlots = slots, slots
			}
		case c.op == 'x':
			in.ScaleLatency(c.n)
		default:
			in.ShiftLatency(c.shift(in.Latency))
		}
	})
	if !matched && c.name == loadPart && c.kind == kindLatency {
		return fmt.Errorf("no instruction of the kernel loads")
	}
	if !matched {
		return fmt.Errorf("no instruction of the kernel has a form like %s: %s", c.name, machine.NearestHint(c.name, s.formNames()))
	}
	return nil
}

// shift returns the change of a latency.
func (c *change) shift(now float64) float64 {
	switch c.op {
	case '+':
		return c.n
	case '-':
		return -c.n
	case 'x':
		return now * (c.n - 1)
	}
	return c.n - now
}

// formNames returns the forms of the kernel.
func (s *scenario) formNames() []string {
	var out []string
	for i := range s.bound.Insts {
		if n := s.bound.Kernel.ISA.FormName(&s.bound.Insts[i].Line.Inst); !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// ports adds or removes ports.
func (s *scenario) ports(c *change) error {
	kind, byKind := portKinds[c.name]
	set := machine.PortSet(0)
	if named, err := s.portSet(c.name); err == nil {
		byKind, set = false, named // a port or group with that name takes precedence
	} else if !byKind {
		return err
	}
	if c.op == '-' {
		return s.remove(c, set, kind, byKind)
	}
	sets := []machine.PortSet{set}
	if byKind {
		if sets = s.unitsOf(kind); len(sets) == 0 {
			return fmt.Errorf("no µop of the kernel is of kind %s", c.name)
		}
	}
	for _, old := range sets {
		m, added, err := s.model.WithPorts(old, int(c.n))
		if err != nil {
			return err
		}
		s.model = m
		s.bound = s.bound.Change(m, func(_ int, in *machine.Inst) {
			for k := range in.Uops {
				u := &in.Uops[k]
				fits := old&^u.Ports == 0 && old != 0
				if byKind {
					fits = u.Ports == old && (u.Resource || u.Kind == kind)
				}
				if fits {
					u.Ports |= added
				}
			}
		})
	}
	return nil
}

// unitsOf returns the sets of ports that the kernel's µops of a kind use, and the sets of resources that these µops use.
func (s *scenario) unitsOf(kind machine.UopKind) []machine.PortSet {
	units := s.model.Units(kind)
	var out []machine.PortSet
	any := false
	for i := range s.bound.Insts {
		for _, u := range s.bound.Insts[i].Uops {
			own := !u.Resource && u.Kind == kind
			any = any || own
			if u.Ports != 0 && (own || u.Resource && slices.Contains(units, u.Ports)) && !slices.Contains(out, u.Ports) {
				out = append(out, u.Ports)
			}
		}
	}
	if !any {
		return nil
	}
	return out
}

// remove removes the last ports of a set from all µops, or from those of a kind.
func (s *scenario) remove(c *change, set machine.PortSet, kind machine.UopKind, byKind bool) error {
	var failed error
	matched := false
	s.bound = s.bound.Change(s.model, func(i int, in *machine.Inst) {
		for k := range in.Uops {
			u := &in.Uops[k]
			from := set
			if byKind {
				if from = u.Ports; u.Resource || u.Kind != kind {
					continue
				}
			}
			gone := last(from, int(c.n))
			if u.Ports&gone == 0 {
				continue
			}
			matched = true
			if u.Ports &^= gone; u.Ports == 0 && failed == nil {
				failed = fmt.Errorf("%s leaves no port for '%s'", c.text, strings.Join(strings.Fields(in.Line.Text), " "))
			}
		}
	})
	if !matched {
		return fmt.Errorf("no µop of the kernel can use the ports that %s takes away", c.text)
	}
	return failed
}

// last returns the n highest ports of a set.
func last(set machine.PortSet, n int) machine.PortSet {
	var out machine.PortSet
	for ; n > 0 && set != 0; n-- {
		top := machine.PortSet(1) << (63 - bits.LeadingZeros64(uint64(set)))
		out |= top
		set &^= top
	}
	return out
}

// portSet returns the ports of a port or group name, or of several joined by '+'.
func (s *scenario) portSet(name string) (machine.PortSet, error) {
	var set machine.PortSet
	for _, n := range strings.Split(name, "+") {
		p, ok := s.model.PortSet(n)
		if !ok {
			names := slices.Sorted(maps.Keys(portKinds))
			for i := range s.model.Ports {
				names = append(names, s.model.Ports[i].Name)
			}
			for _, g := range s.model.Groups {
				names = append(names, g.Name)
			}
			return 0, fmt.Errorf("%s has no port or group '%s': %s", s.model.Name, n, machine.NearestHint(n, names))
		}
		set |= p
	}
	return set, nil
}
