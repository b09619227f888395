package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"

	"incore/internal/base/parallel"
	"incore/internal/bench"
	"incore/internal/bench/plan"
	"incore/internal/bench/results"
	"incore/internal/isa"
	"incore/internal/isa/x86"
	"incore/internal/machine"
)

// models maps each core to the machine models made from its records.
var models = map[string]string{
	"SNB": "sandybridge", "IVB": "ivybridge", "HSW": "haswell", "BDW": "broadwell", "SKL": "skylake", "SKX": "skylake-server", "CLX": "cascadelake",
	"ICL": "icelake-client", "RKL": "rocketlake", "ADL-P": "alderlake-p", "MTL-P": "meteorlake-p", "ARL-P": "arrowlake-p",
	"TRM": "tremont", "ADL-E": "gracemont", "MTL-E": "crestmont", "ARL-E": "skymont", "ZEN+": "zen1", "ZEN2": "zen2", "ZEN3": "zen3", "ZEN4": "zen4",
}

// check compares a core's model with its records: the simulator takes the place of the machine in "incore bench", form by form, and the results are compared with
// the figures that uops.info measured.
type check struct {
	core   string
	forms  int   // records with a benchmark
	none   int   // records without a benchmark
	tp     tally // measured reciprocal throughputs
	ports  tally // reciprocal throughputs by the measured ports and slots, if no throughput was measured
	pairs  tally // latencies
	ways   int   // pairs whose row has the measured latency, but whose chain takes longer: it goes through other operands as well, or waits for ports
	differ []deviation
}

// tally counts figures.
type tally struct{ of, agree int }

func (t tally) share() float64 { return float64(t.agree) / float64(max(1, t.of)) }

func (t tally) String() string {
	return fmt.Sprintf("%d of %d (%.1f %%)", t.agree, t.of, 100*t.share())
}

// deviation is a figure that the simulator does not reproduce.
type deviation struct {
	record, in          string // in: throughput, ports, or operands as rows name them
	simulated, measured float64
	group               string
}

// size returns the relative error of a figure.
func (d *deviation) size() float64 {
	return math.Abs(d.simulated-d.measured) / max(0.25, min(d.simulated, d.measured))
}

// The tolerances: two throughputs agree within 10 % or a tenth of a cycle, two latencies within half a cycle.
const (
	nearShare  = 0.1
	nearCycles = 0.1
	nearChain  = 0.5
)

// checkCore simulates the benchmarks of a core's records.
func (k *core) checkCore(dir string) (*check, error) {
	name, ok := models[k.name]
	if !ok {
		return nil, fmt.Errorf("%s: no core that was measured", k.name)
	}
	m, err := machine.Get(name)
	if err != nil {
		return nil, err
	}
	recs, err := k.records(dir)
	if err != nil {
		return nil, err
	}
	b, err := played(m)
	if err != nil {
		return nil, err
	}
	c := &check{core: k.name}
	jobs := c.plan(recs, b)
	parallel.For(len(jobs), func(i int) {
		own := *jobs[i].bench
		jobs[i].result, jobs[i].err = own.Form(context.Background(), jobs[i].form.inst.Form, plan.Throughput|plan.Latency)
	})
	for i := range jobs {
		j := &jobs[i]
		if j.err != nil || j.result.Reason != "" { // takes too long to simulate, or no plan is made for it
			c.none++
			continue
		}
		c.forms++
		x := &reader{core: k, rec: j.rec, form: j.form, table: x86.ISA().Forms}
		x.classify()
		flags := x.table.Flags(x.form.inst.Form)
		x.reads, x.writes = flags&isa.MayLoad != 0, flags&isa.MayStore != 0
		c.throughput(x, m, j.result)
		c.latencies(x, b.Target, m.Cost(b.Target.ISA, &j.form.inst), j.result)
	}
	return c, nil
}

// job is a record to check.
type job struct {
	bench  *bench.Bench
	rec    *record
	form   *form
	result *results.Form
	err    error
}

// plan lists the records of a core to check. Each form occurs once, with its first encoding, as in the rows.
func (c *check) plan(recs []record, b *bench.Bench) (jobs []job) {
	codes := map[int64]*bench.Bench{}
	seen := map[string]bool{}
	for i := range recs {
		r := &recs[i]
		f, err := resolve(r.String)
		if skip(r) || err != nil {
			continue
		}
		by := b
		cond := condition(r, f)
		if key := fmt.Sprint(f.inst.Form, cond); seen[key] {
			continue
		} else {
			seen[key] = true
		}
		var op int
		var code int64
		if n, _ := fmt.Sscanf(cond, "imm(%d)=%d", &op, &code); n == 2 {
			if by = codes[code]; by == nil {
				own := *b
				own.Target = b.Target.Coded(code)
				by, codes[code] = &own, &own
			}
		} else if cond != "" { // no plan has locks, high bytes, or the kinds of LEA
			c.none++
			continue
		}
		jobs = append(jobs, job{bench: by, rec: r, form: f})
	}
	return jobs
}

// played runs a benchmark on a model's simulator. Like uops.info, it takes the faster of a loop and the unrolled code.
func played(m *machine.Model) (*bench.Bench, error) {
	b := bench.NewBench(plan.X86().Modelled())
	loop, err := bench.Played(b.Target.ISA, m, false)
	if err != nil {
		return nil, err
	}
	straight, err := bench.Played(b.Target.ISA, m, true)
	if err != nil {
		return nil, err
	}
	b.Run = func(_ context.Context, p *plan.Plan) (float64, float64, error) {
		v, err := loop(p.Insts)
		if err == nil && p.To == (isa.Access{}) {
			var u float64
			u, err = straight(p.Insts)
			v = min(v, u)
		}
		return v, 0, err
	}
	return b, b.Calibrate(context.Background())
}

// throughput compares a record's reciprocal throughput or, if there is none, that by its ports and slots.
func (c *check) throughput(x *reader, m *machine.Model, r *results.Form) {
	want, in, t := x.rec.TP, "throughput", &c.tp
	if want == 0 {
		want, in, t = x.fromPorts(float64(m.Params.DispatchWidth)), "ports", &c.ports
	}
	if want == 0 || math.IsNaN(r.RThru) {
		return
	}
	results := []*results.Form{r}
	for i := range r.Immediates { // the record does not state the measured immediate
		results = append(results, r.Immediates[i].Result)
	}
	t.of++
	for _, z := range results {
		slack := max(nearCycles, nearShare*want)
		if z.RThruLow-slack <= want && want <= z.RThru+slack {
			t.agree++
			return
		}
	}
	c.add(x, in, r.RThru, want)
}

// fromPorts returns the reciprocal throughput by the measured ports and slots; 0 if these are not known or the instruction is microcode, which takes longer.
func (x *reader) fromPorts(width float64) float64 {
	if x.core.kinds || x.core.pipe != "" || x.rec.MS > 0 || x.rec.Slots == nil || len(x.rec.Ports) == 0 {
		return 0
	}
	sets := []string{}
	for p := range x.rec.Ports {
		sets = append(sets, p)
	}
	top := max(*x.rec.Slots/width, x.rec.Div)
	switch halves := x.core.halves != "" && wideRE.MatchString(x.rec.String); { // the second of two load units, or the port of stored data, is busy for another cycle
	case halves && x.writes:
		top = max(top, 2)
	case halves:
		top = max(top, 1)
	}
	for chosen := range 1 << len(sets) {
		all, n := map[string]bool{}, 0.0
		for i, s := range sets {
			if chosen>>i&1 == 1 {
				for _, p := range x.units(s) {
					all[p] = true
				}
			}
		}
		for _, s := range sets {
			if !slices.ContainsFunc(x.units(s), func(p string) bool { return !all[p] }) {
				n += x.rec.Ports[s]
			}
		}
		top = max(top, n/float64(max(1, len(all))))
	}
	return top
}

// units returns the ports for a record's port set, or the units if the core's counters distinguish only kinds of units.
func (x *reader) units(set string) []string {
	if set == "UNKNOWN" && x.vector() {
		set = vectorUnit
	}
	return strings.Split(x.core.join(set, 1), "+")
}

// latencies compares the latency of each pair of operands, or of the slowest pair if the record has only a range.
func (c *check) latencies(x *reader, t *plan.Target, cost *machine.Cost, r *results.Form) {
	measured := map[string]float64{}
	for _, l := range x.rec.Latencies {
		from, to := x.source[l.From], x.source[l.To]
		switch {
		case to.def == "" || to.def == "m":
			continue
		case from.use == "m" || from.use == "a":
			if l.Addr != nil && *l.Addr > 0 { // the E-cores' figures have impossible loads of 0 cycles for addresses and flags
				measured["a>"+to.def] = max(measured["a>"+to.def], *l.Addr)
			}
		case from.use != "":
			measured[from.use+">"+to.def] = max(measured[from.use+">"+to.def], l.Cycles)
		}
	}
	top, row, left := 0.0, 0.0, false // the slowest chain and the slowest row of pairs in one register file
	for i := range r.Pairs {
		p := &r.Pairs[i]
		from, to, across := p.Operands(t)
		if across {
			left = true
			continue
		}
		top = max(top, p.Cycles)
		if v := pairOf(cost, p); v > row {
			row = v
		}
		if want, ok := measured[from+">"+to]; ok && !x.rec.table {
			own := p.Cycles
			if row := pairOf(cost, p); math.Abs(row-want) <= nearChain && math.Abs(own-want) > nearChain {
				own = row // the chain goes through other operands as well, or waits for ports
				c.ways++
			}
			c.pair(x, from+">"+to, own, want, want)
		}
	}
	if g := x.rec.Range; x.rec.table && g.known && top > 0 {
		low := g.hi
		if g.hiBound || left { // the slowest may be one of those
			low = g.lo
		}
		if g.loBound && low == g.lo {
			low = 0
		}
		if within(row, low, g.hi) && !within(top, low, g.hi) {
			top = row
			c.ways++
		}
		c.pair(x, "latency", top, low, g.hi)
	}
}

// within reports whether a latency is between two others, with the tolerance.
func within(v, low, high float64) bool { return v >= low-nearChain && v <= high+nearChain }

// pairOf returns the latency of a pair in the model's row, NaN if the row has none.
func pairOf(c *machine.Cost, p *results.Pair) float64 {
	for i := range c.Effects.Reads {
		for o := range c.Effects.Writes {
			if c.Effects.Reads[i].Op == p.From.Op && c.Effects.Writes[o].Op == p.To.Op {
				v, ok := c.Pair(i, o)
				if !ok {
					v = 0
				}
				return v
			}
		}
	}
	return math.NaN()
}

// pair compares a latency with the measured interval.
func (c *check) pair(x *reader, in string, simulated, low, high float64) {
	c.pairs.of++
	if within(simulated, low, high) {
		c.pairs.agree++
		return
	}
	if simulated < low {
		high = low
	}
	c.add(x, in, simulated, high)
}

var suffixRE = regexp.MustCompile(`(_[A-Z]+)*$`)

// add records a deviation. Deviations with the same stem, ports and kind of operands are grouped, since they probably have the same cause.
func (c *check) add(x *reader, in string, simulated, measured float64) {
	var ports []string
	for p, n := range x.rec.Ports {
		ports = append(ports, fmt.Sprintf("%g*%s", n, p))
	}
	slices.Sort(ports)
	name, _, _ := strings.Cut(x.rec.String, " ")
	stem := suffixRE.ReplaceAllString(name, "")
	kind := "registers"
	switch {
	case x.reads && x.writes:
		kind = "modifies memory"
	case x.writes:
		kind = "store"
	case x.reads:
		kind = "load"
	}
	what := in
	if in != "throughput" && in != "ports" {
		what = "latency"
	}
	c.differ = append(c.differ, deviation{x.rec.String, in, simulated, measured,
		fmt.Sprintf("%s\t%s\t%s\t%s", what, stem[:min(len(stem), 5)], kind, strings.Join(ports, "+"))})
}

// report writes the counts and the groups of deviations, the largest first.
func (c *check) report(w io.Writer, groups int) error {
	fmt.Fprintf(w, "%s: %d forms played by %s (%d others cannot be); throughputs as measured (within %g %% or %g cycles): %v; as measured ports and slots allow, where they were not: %v; latencies within %g cycles: %v, %d of them by their rows alone\n",
		c.core, c.forms, models[c.core], c.none, 100*nearShare, nearCycles, c.tp, c.ports, nearChain, c.pairs, c.ways)
	lists := map[string][]deviation{}
	for _, d := range c.differ {
		lists[d.group] = append(lists[d.group], d)
	}
	keys := []string{}
	for g := range lists {
		keys = append(keys, g)
	}
	slices.SortFunc(keys, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(lists[b]), len(lists[a])), strings.Compare(a, b))
	})
	for _, g := range keys[:min(groups, len(keys))] {
		l := lists[g]
		worst := slices.MaxFunc(l, func(a, b deviation) int { return cmp.Compare(a.size(), b.size()) })
		if _, err := fmt.Fprintf(w, "%d\t%s\t%s\t%s\tsimulated %.2f, measured %g\n", len(l), g, worst.record, worst.in, worst.simulated, worst.measured); err != nil {
			return err
		}
	}
	return nil
}
