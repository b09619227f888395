package ports

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"incore/internal/analysis/throughput"
	"incore/internal/analysis/uops"
	"incore/internal/base/long"
	"incore/internal/bench"
	"incore/internal/bench/plan"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// bind puts a plan on a model.
func bind(t *plan.Target, p *plan.Plan, m *machine.Model) *machine.Bound {
	k := &isa.Kernel{ISA: t.ISA, Loop: true}
	for i := range p.Insts {
		k.Lines = append(k.Lines, isa.Line{Inst: p.Insts[i], No: i + 1})
	}
	return uops.Bind(m, k)
}

// boundOracle plays a machine: the port bound and the dispatch width of a model and noise that
// slows down by a relative standard deviation.
func boundOracle(s *Subjects, m *machine.Model, noise float64, seed uint64) Oracle {
	rnd := rand.New(rand.NewPCG(seed, 1))
	return s.Oracle(func(_ context.Context, p *plan.Plan) (float64, float64, error) {
		tp := throughput.Analyze(bind(s.Target, p, m), throughput.Optimal)
		v := max(tp.Cycles, tp.Dispatch) * (1 + noise*math.Abs(rnd.NormFloat64()))
		return v, 0, nil
	})
}

// simOracle plays a machine by the simulator.
func simOracle(s *Subjects, m *machine.Model) Oracle {
	run, err := bench.Played(s.Target.ISA, m, false)
	return s.Oracle(func(_ context.Context, p *plan.Plan) (float64, float64, error) {
		if err != nil {
			return 0, 0, err
		}
		v, err := run(p.Insts)
		return v, 0, err
	})
}

// compare counts the forms of a result (what helps them, and what stands for a NOP, are none), those with something that mixes can show, those whose µops are the model's up to the names of ports, and those besides that no mix of the forms
// tells from the model's (by proof: see alike). What no mix can show is not compared: µops with at least as many ports as the core is wide.
func compare(t *testing.T, s *Subjects, inf *Inference, m *machine.Model) (c score) {
	var ours, theirs []Map
	var at []int
	for i := 1; i < len(inf.Forms); i++ {
		if w, ok := s.ModelMap(i, m, inf.Width); ok && !s.Statement(i) {
			ours, theirs, at = append(ours, inf.Forms[i].Uops), append(theirs, w), append(at, i)
		}
	}
	to := Align(ours, theirs, inf.Ports, len(m.Ports))
	var truth, found []costs // found: the truth with the µops of all forms so far that are alike
	for _, i := range at {
		truth = append(truth, s.modelCosts(i, m, inf.Width))
	}
	found = slices.Clone(truth)
	c.all = len(at)
	named := Name(inf, s, m)
	for k, i := range at {
		got, _ := ours[k].Renamed(to)
		r := &inf.Forms[i]
		if row, _ := named.Row(i); row != "" {
			c.rows++
		}
		if len(theirs[k]) > 0 {
			c.visible++
		}
		if r.Explained && got.equal(theirs[k]) {
			c.right++
			continue
		}
		if r.Explained {
			found[k] = found[k].with(ours[k], to, inf.Width, r.Busy)
			if alike(truth, found) {
				c.alike++
				t.Logf("%s: %s as well as %s: no mix tells", r.Name, names(m, got), names(m, theirs[k]))
				continue
			}
			found[k] = truth[k]
		}
		if row, _ := named.Row(i); row != "" {
			t.Logf("wrong row %s", row)
			c.wrongRows++
		}
		t.Logf("%s: %s, want %s (%.3f cycles, %.1f slots, rms %.3f worst %.3f, rivals %d, busy %.1f, %s)", r.Name, names(m, got), names(m, theirs[k]), r.Cycles, r.Slots, r.RMS, r.Worst, len(r.Rivals), r.Busy, r.Reason)
	}
	t.Logf("%s: %d of %d forms right, %d more alike (%d have µops that mixes can show), width %.2f, early %v, %d ports, %d classes, dropped %v, %d mixes, %d unsolved, alike %v, rows %d, %d of them wrong", m.Name, c.right, c.all, c.alike, c.visible, inf.Width, inf.Early, inf.Ports,
		len(inf.Classes), inf.Dropped, inf.Asked, inf.Unsolved, inf.Alike, c.rows, c.wrongRows)
	return c
}

// score is how many forms of a played machine are found, and how many rows are written.
type score struct{ right, alike, all, visible, rows, wrongRows int }

// wrong is how many are not.
func (c score) wrong() int { return c.all - c.right - c.alike }

// tooMany reports whether more than one in 16 of the forms with something to see is wrong. (On Zen 4 the comparisons of scalars are: their flags leave
// by an ALU's bus, where they compete with other results alone.)
func (c score) tooMany() bool { return c.wrong() > c.visible/16 }

// modelCosts is what an instance of a form needs by a model, units that are no ports included, without what it runs with.
func (s *Subjects) modelCosts(i int, m *machine.Model, width float64) (c costs) {
	p, err := s.Target.Mix([]plan.Part{{Subject: s.list[i], N: 1}}, 1)
	if err != nil {
		return c
	}
	in := &bind(s.Target, p, m).Insts[len(s.Forms[i].With)]
	c.slots = in.Slots / width
	for _, u := range in.Uops {
		if u.Ports != 0 && u.Cycles > 0 {
			c.parts = append(c.parts, part{uint64(u.Ports), u.Cycles, u.Resource})
		}
	}
	return c
}

// with is a form's needs with the µops that were found, under other names of the ports, in place of those that mixes can show.
func (c costs) with(m Map, to []int, width, busy float64) (out costs) {
	out.slots, out.alone = c.slots, math.Round(2*busy)/2
	for _, p := range c.parts {
		if p.unit || float64(bits.OnesCount64(p.ports)) > width-0.5 {
			out.parts = append(out.parts, p)
		}
	}
	for _, s := range m {
		named := uint64(0)
		for i, n := range to {
			if s>>i&1 != 0 && n >= 0 {
				named |= 1 << n
			} else if s>>i&1 != 0 {
				named |= 1 << (maxUnits - 1 - i) // a port that the model has not
			}
		}
		out.parts = append(out.parts, part{named, 1, false})
	}
	return out
}

// maxUnits is how many ports and other units a model has at most.
const maxUnits = 64

func names(m *machine.Model, x Map) string {
	var s []string
	for _, p := range x.Sorted() {
		s = append(s, m.SetName(machine.PortSet(p)))
	}
	return strings.Join(s, " ")
}

// behindUnit reports whether a form holds a unit that is no port (a divider, a transfer between register files) for longer than its µops need their ports, so that
// these cannot be seen.
func behindUnit(s *Subjects, i int, m *machine.Model) bool {
	p, err := s.Target.Mix([]plan.Part{{Subject: s.list[i], N: 1}}, 1)
	if err != nil {
		return true
	}
	b := bind(s.Target, p, m)
	var ports, all load
	for i := range b.Insts {
		for _, u := range b.Insts[i].Uops {
			if all.add(Set(u.Ports), u.Cycles); !u.Resource {
				ports.add(Set(u.Ports), u.Cycles)
			}
		}
	}
	return all.cycles() > 1.05*ports.cycles()
}

// common are the commonest register forms that a model knows.
func common(t testing.TB, m *machine.Model, n int) *Subjects {
	x := plan.For(catalog.ISA(m.ISA))
	list, err := os.ReadFile("../../cli/" + map[string]string{"x86-64": "quick.txt", "aarch64": "quick-aarch64.txt", "riscv64": "quick-riscv64.txt"}[m.ISA])
	if err != nil {
		t.Fatal(err)
	}
	var forms []isa.FormID // the commonest first; of those that incore bench ports takes without --instr
	able := slices.DeleteFunc(x.Registers(x.Select(nil, nil)), func(f isa.FormID) bool { return x.Widest(f) > 256 })
	for _, n := range strings.Fields(string(list)) {
		if f := x.ISA.Forms.Named(n); slices.Contains(able, f) {
			forms = append(forms, f)
		}
	}
	all, _, err := Prepare(x, forms)
	if err != nil {
		t.Fatal(err)
	}
	var known []isa.FormID
	for i := range all.Forms {
		if _, ok := all.ModelMap(i, m, 99); ok && !all.Statement(i) && len(known) < n && !behindUnit(all, i, m) {
			known = append(known, all.list[i].Form)
		}
	}
	s, skipped, err := Prepare(x, known)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d forms, %d subjects, skipped %v", len(forms), len(s.Forms), skipped)
	return s
}

// played are the machines whose maps are inferred; INCORE_PLAYED names others. Zen 3 is none of them: what crosses the halves of a vector register shares one unit there that
// is no port (LANE in its model), and the inference takes that unit for a port (docs/port-maps.md).
func played() []string {
	if list := os.Getenv("INCORE_PLAYED"); list != "" {
		return strings.Split(list, ",")
	}
	return long.Some([]string{"skylake", "zen4", "neoverse-v2", "sifive-p670", "haswell", "zen2", "zen1", "alderlake-p", "neoverse-v1", "apple-m1", "spacemit-x60"}, 1)
}

// TestSynthetic infers the port maps of machines whose maps are known.
func TestSynthetic(t *testing.T) {
	for _, arch := range played() {
		t.Run(arch, func(t *testing.T) {
			m, err := machine.Get(arch)
			if err != nil {
				t.Fatal(err)
			}
			s := common(t, m, 300)
			inf, err := Infer(context.Background(), s.Forms, 0, boundOracle(s, m, 0.01, 1), s.Options())
			if err != nil {
				t.Fatal(err)
			}
			if c := compare(t, s, inf, m); c.tooMany() {
				t.Errorf("%d wrong of %d forms with something to see", c.wrong(), c.visible)
			} else if c.wrongRows > c.rows/50 {
				t.Errorf("%d of %d rows wrong", c.wrongRows, c.rows)
			}
		})
	}
}

// TestNopFusion infers the map of a core on which a NOP shares the slot of the instruction before it: width and slots must be those of what doesn't.
func TestNopFusion(t *testing.T) {
	long.Only(t, "infers the map of a core")
	m, err := machine.Get("zen4")
	if err != nil {
		t.Fatal(err)
	}
	s := common(t, m, 60)
	inf, err := Infer(context.Background(), s.Forms, 0, s.Oracle(func(_ context.Context, p *plan.Plan) (float64, float64, error) {
		slots, open := 0.0, false
		rest := *p
		rest.Insts = nil
		for _, in := range p.Insts {
			nop := strings.HasPrefix(s.Target.ISA.Forms.Name(in.Form), "NOOP")
			if !nop {
				rest.Insts = append(rest.Insts, in)
			}
			if nop && open {
				open = false
				continue
			}
			slots, open = slots+1, true
		}
		ports := throughput.Analyze(bind(s.Target, &rest, m), throughput.Optimal).Cycles
		return math.Max(ports, slots/6), 0, nil
	}), s.Options())
	if err != nil {
		t.Fatal(err)
	}
	if c := compare(t, s, inf, m); inf.Width != 6 || c.tooMany() {
		t.Errorf("width %g, %d wrong of %d with something to see", inf.Width, c.wrong(), c.visible)
	}
}

// TestEarly infers the map of a core that spreads each instruction's µops evenly over its ports, half-way at least: mixes take longer than ports allow, and
// the answers that bounds alone give are wrong. Among those not found are the model's transfers out of vectors: their second ALU µop stands for places lost, which no core spreads.
func TestEarly(t *testing.T) {
	long.Only(t, "infers the map of a core")
	m, err := machine.Get("zen3")
	if err != nil {
		t.Fatal(err)
	}
	s := common(t, m, 120)
	inf, err := Infer(context.Background(), s.Forms, 0, s.Oracle(func(_ context.Context, p *plan.Plan) (float64, float64, error) {
		b := bind(s.Target, p, m)
		tp := throughput.Analyze(b, throughput.Optimal)
		var l load
		for i := range b.Insts {
			for _, u := range b.Insts[i].Uops {
				if !u.Resource {
					l.add(Set(u.Ports), u.Cycles)
				}
			}
		}
		return max(tp.Dispatch, tp.Cycles+0.7*(max(tp.Cycles, l.even())-tp.Cycles)), 0, nil
	}), s.Options())
	if err != nil {
		t.Fatal(err)
	}
	if c := compare(t, s, inf, m); !inf.Early || c.wrong() > c.visible/8 {
		t.Errorf("early %v, %d wrong of %d with something to see", inf.Early, c.wrong(), c.visible)
	}
}

// TestSimulated infers the port map of a simulated core, which chooses ports before it knows what comes, has a front end, latencies
// and queues: the map must come out of times that miss the bound now and then.
func TestSimulated(t *testing.T) {
	for _, arch := range long.Some([]string{"skylake", "zen4"}, 1) {
		t.Run(arch, func(t *testing.T) {
			m, err := machine.Get(arch)
			if err != nil {
				t.Fatal(err)
			}
			s := common(t, m, 120)
			inf, err := Infer(context.Background(), s.Forms, 0, simOracle(s, m), s.Options())
			if err != nil {
				t.Fatal(err)
			}
			if c := compare(t, s, inf, m); c.tooMany() {
				t.Errorf("%d wrong of %d forms with something to see", c.wrong(), c.visible)
			}
		})
	}
}
