package results

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"incore/internal/analysis/throughput"
	"incore/internal/bench/plan"
	"incore/internal/isa"
	"incore/internal/machine"
)

// This file makes complete layers: with a row for every measured form, so that the layer says which forms were measured.

// throughputRange is a measured reciprocal throughput. With helpers only its bounds are known.
type throughputRange struct{ low, high float64 }

// Times holds the reciprocal throughputs of a run, by form.
type Times map[string]throughputRange

// sameWithin is the relative difference up to which a measured throughput agrees with a model's: registers and caches that other
// programs disturb slow the fastest forms by a tenth.
const sameWithin = 0.12

// agrees reports whether cycles per instance lie within the range or near it.
func (r throughputRange) agrees(each float64) bool {
	return each >= (1-sameWithin)*r.low-0.02 && each <= (1+sameWithin)*r.high+0.02
}

// nearest returns the cycles of the range that are nearest to a model's.
func (r throughputRange) nearest(each float64) float64 { return min(max(each, r.low), r.high) }

// Throughputs reads the reciprocal throughputs of the forms in a results file.
func Throughputs(text string) Times {
	out, low := Times{}, map[string]float64{}
	for l := range strings.Lines(text) {
		if note, ok := strings.CutPrefix(l, "# "); ok {
			name, rest, _ := strings.Cut(note, " runs with helpers: reciprocal throughput between ")
			bound, _, found := strings.Cut(rest, " and ")
			if v, err := strconv.ParseFloat(bound, 64); found && err == nil {
				low[name] = v
			}
			continue
		}
		fields := strings.SplitN(strings.TrimSpace(l), " | ", 4)
		if len(fields) < 4 || strings.Contains(fields[3], "when=") {
			continue
		}
		if v := attribute(fields[3], "rthru"); v > 0 {
			r := throughputRange{v, v}
			if b, ok := low[fields[0]]; ok {
				r.low = b
			}
			out[fields[0]] = r
		}
	}
	return out
}

// joined returns the range of several runs, from the fastest to the slowest, if they agree; of runs that disagree the fastest counts, as
// disturbances only slow a loop.
func joined(runs []Times, form string) (r throughputRange, ok bool) {
	for i := range runs {
		x, found := runs[i][form]
		switch {
		case !found:
			return r, false
		case i == 0:
			r = x
		default:
			r = throughputRange{min(r.low, x.low), min(r.high, x.high)}
		}
	}
	return r, len(runs) > 0
}

// CompleteLayer is NewLayer with a row for every form that all runs measured. A field in which they agree with the model is "==", one that
// differs gets the measured figure: latencies between operands, and µops whose ports keep the base's names and get the measured time. The
// rows of forms that the model's own file describes are records, which that file overrides.
func CompleteLayer(t *plan.Target, load func(rows string) (*machine.Model, error), own string, runs []*machine.Model, times []Times) (*Layer, error) {
	m, err := load("")
	if err != nil {
		return nil, err
	}
	c := &completer{t: t, m: m, own: own + ":", layer: &Layer{Rows: map[string]string{}}, want: map[string][]cyclesOf{}, uops: map[string]string{}}
	for _, f := range t.Select(nil, nil) {
		in, err := t.Instance(f)
		if err != nil {
			continue
		}
		var measured []*machine.Cost
		for _, r := range runs {
			measured = append(measured, r.Cost(t.ISA, &in))
		}
		c.form(f, m.Cost(t.ISA, &in), measured, times)
	}
	plain, err := load(c.layer.text())
	if err != nil {
		return nil, err
	}
	for name, cycles := range c.want {
		in, _ := t.Instance(t.ISA.Forms.Named(name))
		c.layer.Rows[name] = c.join(name, row(m.Cost(t.ISA, &in), cycles, plain.Cost(t.ISA, &in)))
	}
	return c.layer, nil
}

type completer struct {
	t     *plan.Target
	m     *machine.Model
	own   string // begins the origin of the model's own rows
	layer *Layer
	want  map[string][]cyclesOf // by form: all latencies, where a row states them
	uops  map[string]string     // by form: the field for µops, and its attributes behind a bar
}

// form makes the row of a form; base is its cost without the layer.
func (c *completer) form(f isa.FormID, base *machine.Cost, measured []*machine.Cost, times []Times) {
	name := c.t.ISA.Forms.Name(f)
	each, timed := joined(times, name)
	if disturbed(base) {
		each.low = 0
	}
	latency := !slices.ContainsFunc(measured, func(m *machine.Cost) bool { return !known(m, rowSource) })
	if !known(base, "") || !timed && !latency {
		return
	}
	ownPorts := strings.HasPrefix(base.Rows[0], c.own)
	ownLatency := strings.HasPrefix(base.Rows[len(base.Rows)-1], c.own)
	c.uops[name] = "= | "
	if timed {
		c.uops[name] = c.ports(name, base, each, ownPorts)
	}
	lat, want := "=", []cyclesOf(nil)
	if latency {
		lat, want = c.latency(name, base, measured, ownLatency)
	} else if timed && !ownLatency && measurableOutputs(c.t, base) == 0 {
		lat = "=="
	}
	if want != nil {
		c.want[name] = want
		c.layer.Rows[name] = c.join(name, row(base, want, nil))
	} else {
		c.layer.Rows[name] = c.join(name, "= | "+lat)
	}
}

// disturbed reports whether the instances of a form cannot be independent, so that their time is only an upper bound: read-modify-writes wait
// for stores to the same word, stores that bypass the caches for the memory, and copies that rename does have no port.
func disturbed(base *machine.Cost) bool {
	both := slices.ContainsFunc(base.Effects.Mem, func(m isa.MemRef) bool { return m.Load && m.Store })
	return both || base.Flags&machine.MoveElim != 0 || strings.Contains(base.Form, "MOVNT") && len(base.Effects.Writes) == 0
}

// measurableOutputs counts the pairs of operands whose latency could be measured.
func measurableOutputs(t *plan.Target, c *machine.Cost) (n int) {
	for range measurable(t, &c.Effects) {
		n++
	}
	return n
}

// latency returns the field for the latency, or all latencies that a row has to state.
func (c *completer) latency(name string, base *machine.Cost, measured []*machine.Cost, own bool) (string, []cyclesOf) {
	pairs := otherwise(c.t, base, measured[0])
	apart := slices.ContainsFunc(measured[1:], func(m *machine.Cost) bool { return !samePairs(pairs, otherwise(c.t, base, m)) })
	switch {
	case apart:
		c.layer.Apart = append(c.layer.Apart, name)
		return "=", nil
	case own && len(pairs) > 0:
		c.layer.Above = append(c.layer.Above, name)
	case !own && len(pairs) == 0:
		return "==", nil
	}
	return "", wanted(c.t, base, pairs)
}

// ports returns the field for the µops with its attributes.
func (c *completer) ports(name string, base *machine.Cost, each throughputRange, own bool) string {
	if own {
		if !each.agrees(base.Each) {
			c.layer.Above = append(c.layer.Above, fmt.Sprintf("%s (%s cycles, not %s)", name, Trim(each.nearest(base.Each), 2), Trim(base.Each, 2)))
		}
		return "= | rthru=" + Trim(each.high, 2)
	}
	if each.agrees(base.Each) {
		return "== | "
	}
	uops, slots, ok := c.fit(name, base, each.nearest(base.Each))
	if !ok {
		c.layer.Unfit = append(c.layer.Unfit, fmt.Sprintf("%s (%s cycles, not %s)", name, Trim(each.nearest(base.Each), 2), Trim(base.Each, 2)))
		return "= | "
	}
	attrs := "slots=" + Trim(slots, 2)
	if base.Flags&machine.ReadsResult != 0 {
		attrs += " reads-result"
	}
	return c.m.UopText(uops) + " | " + attrs
}

// join joins the field for the µops with the rest of a row, whose own such field is "=".
func (c *completer) join(name, rest string) string {
	uops, attrs, _ := strings.Cut(c.uops[name], " | ")
	fields := strings.SplitN(rest+" | ", " | ", 3)
	all := strings.TrimSpace(attrs + " " + strings.Trim(fields[2], " |"))
	return strings.TrimRight(uops+" | "+fields[1]+" | "+all, " |")
}

// fit changes the µops of a form so that its throughput becomes the measured one: of several changes the one that comes nearest. ok is
// false if none comes near.
func (c *completer) fit(name string, base *machine.Cost, each float64) (uops []machine.Uop, slots float64, ok bool) {
	b := bound(c.t, name, c.m)
	if b == nil {
		return nil, 0, false
	}
	width := float64(c.m.Params.DispatchWidth)
	slots = base.Slots
	if width > 0 && slots/width > each*(1+sameWithin) {
		slots = max(1, math.Round(each*width))
	}
	best := math.Inf(1)
	for _, change := range []func([]machine.Uop) []machine.Uop{c.unchanged, c.widened, c.shortened(each), c.stretched(b, each)} {
		list := change(slices.Clone(b.Insts[0].Uops))
		if list == nil {
			continue
		}
		if d := math.Abs(math.Log(c.bound(b, list, slots) / each)); d < best-0.01 {
			uops, best = list, d
		}
	}
	return uops, slots, best < math.Log(1+sameWithin)
}

// bound returns the cycles that µops and slots allow.
func (c *completer) bound(b *machine.Bound, uops []machine.Uop, slots float64) float64 {
	ports := throughput.Analyze(b.Change(b.Model, func(_ int, in *machine.Inst) { in.Uops = uops }), throughput.Optimal).Cycles
	if width := float64(c.m.Params.DispatchWidth); width > 0 {
		return max(ports, slots/width)
	}
	return ports
}

func (c *completer) unchanged(uops []machine.Uop) []machine.Uop { return uops }

// widened gives single-cycle operations all ports of the widest group that contains theirs and belongs to units of one kind.
func (c *completer) widened(uops []machine.Uop) []machine.Uop {
	for i := range uops {
		u := &uops[i]
		if u.Kind != machine.UopExec || u.Resource {
			continue
		}
		for _, name := range []string{"FANY", "ALU"} {
			if set, ok := c.m.PortSet(name); ok && u.Ports&^set == 0 {
				u.Ports = set
			}
		}
	}
	return uops
}

// shortened returns a change that reduces the time of each µop to a form's.
func (c *completer) shortened(each float64) func([]machine.Uop) []machine.Uop {
	return func(uops []machine.Uop) []machine.Uop {
		for i := range uops {
			if u := &uops[i]; u.Cycles > each*size(u.Ports) {
				u.Cycles = each * size(u.Ports)
				if !u.Resource && u.Cycles < 0.95 {
					return nil
				}
				u.Cycles = math.Round(10*u.Cycles) / 10
			}
		}
		return uops
	}
}

// stretched returns a change that keeps the last executing µop busy, else the last µop, until the form takes the measured time.
func (c *completer) stretched(b *machine.Bound, each float64) func([]machine.Uop) []machine.Uop {
	return func(uops []machine.Uop) []machine.Uop {
		at := -1
		for i := range uops {
			if !uops[i].Resource && (at < 0 || uops[i].Kind == machine.UopExec || uops[at].Kind != machine.UopExec) {
				at = i
			}
		}
		if at < 0 {
			return nil
		}
		low, high := uops[at].Cycles, max(uops[at].Cycles, each*size(uops[at].Ports))
		for range 40 {
			uops[at].Cycles = (low + high) / 2
			if c.bound(b, uops, 0) < each {
				low = uops[at].Cycles
			} else {
				high = uops[at].Cycles
			}
		}
		uops[at].Cycles = math.Round(10*high) / 10
		return uops
	}
}
