package ports

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"incore/internal/analysis/throughput"
	"incore/internal/bench"
	"incore/internal/catalog"
	"incore/internal/isa"
	"incore/internal/machine"
)

// bind puts a plan on a model.
func bind(t *bench.Target, p *bench.Plan, m *machine.Model) *machine.Bound {
	k := &isa.Kernel{ISA: t.ISA, Loop: true}
	for i := range p.Insts {
		k.Lines = append(k.Lines, isa.Line{Inst: p.Insts[i], No: i + 1})
	}
	return m.Bind(k)
}

// boundOracle plays a machine: the port bound and the dispatch width of a model and noise that
// slows down by a relative standard deviation.
func boundOracle(s *Subjects, m *machine.Model, noise float64, seed uint64) Oracle {
	rnd := rand.New(rand.NewPCG(seed, 1))
	return s.Oracle(func(_ context.Context, p *bench.Plan) (float64, float64, error) {
		ports, dispatch := throughput.Quick(bind(s.Target, p, m))
		v := math.Max(ports, dispatch) * (1 + noise*math.Abs(rnd.NormFloat64()))
		return v, 0, nil
	})
}

// simOracle plays a machine by the simulator.
func simOracle(s *Subjects, m *machine.Model) Oracle {
	run, err := bench.Played(s.Target.ISA, m, false)
	return s.Oracle(func(_ context.Context, p *bench.Plan) (float64, float64, error) {
		if err != nil {
			return 0, 0, err
		}
		v, err := run(p.Insts)
		return v, 0, err
	})
}

// compare counts the forms of a result, those with something that mixes can show, and those whose µops are the model's up to the names of ports. What no mix can show is not compared: µops with at
// least as many ports as the core is wide.
func compare(t *testing.T, s *Subjects, inf *Inference, m *machine.Model) (right, all, visible int) {
	var ours, theirs []Map
	var at []int
	for i := 1; i < len(inf.Forms); i++ {
		if w, ok := s.ModelMap(i, m, inf.Width); ok {
			ours, theirs, at = append(ours, inf.Forms[i].Uops), append(theirs, w), append(at, i)
		}
	}
	to := Align(ours, theirs, inf.Ports, len(m.Ports))
	for k, i := range at {
		got, _ := ours[k].Renamed(to)
		r := &inf.Forms[i]
		if len(theirs[k]) > 0 {
			visible++
		}
		if r.Explained && got.equal(theirs[k]) {
			right++
		} else {
			t.Logf("%s: %s, want %s (%.3f cycles, %.1f slots, rms %.3f worst %.3f, rivals %d, busy %.1f, %s)", r.Name, names(m, got), names(m, theirs[k]), r.Cycles, r.Slots, r.RMS, r.Worst, len(r.Rivals), r.Busy, r.Reason)
		}
	}
	return right, len(at), visible
}

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
	p, err := s.Target.Mix([]bench.Part{{Subject: s.list[i], N: 1}}, 1)
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
	x := bench.For(catalog.ISA(m.ISA))
	list, err := os.ReadFile("../../cli/" + map[string]string{"x86-64": "quick.txt", "aarch64": "quick-aarch64.txt", "riscv64": "quick-riscv64.txt"}[m.ISA])
	if err != nil {
		t.Fatal(err)
	}
	var forms []isa.FormID // the commonest first
	able := x.Registers(x.Select(nil, nil))
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

// played are the machines whose maps are inferred. The model of Zen 4 lets transfers and compares that keep several ALUs from working hold four ALU µops
// in a slot or two, which no core has and inference does not look for.
var played = []string{"skylake", "haswell", "zen2", "zen3", "zen4", "alderlake-p", "neoverse-v2", "sifive-p670", "spacemit-x60"}

// wrong is how many of the forms with something to see may be wrong.
func wrong(arch string, visible int) int {
	if arch == "zen4" {
		return visible / 8
	}
	return visible / 20
}

// TestSynthetic infers the port maps of machines whose maps are known.
func TestSynthetic(t *testing.T) {
	for _, arch := range played {
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
			right, all, visible := compare(t, s, inf, m)
			t.Logf("%s: %d of %d forms right (%d have µops that mixes can show), width %.2f, %d ports, %d classes, dropped %v, %d mixes, %d unsolved, alike %v", arch, right, all, visible, inf.Width, inf.Ports, len(inf.Classes), inf.Dropped, inf.Asked, inf.Unsolved, inf.Alike)
			if all-right > wrong(arch, visible) {
				t.Errorf("%d wrong of %d forms with something to see", all-right, visible)
			}
		})
	}
}

// TestNopFusion infers the map of a core on which a NOP shares the slot of the instruction before it: width and slots must be those of what doesn't.
func TestNopFusion(t *testing.T) {
	m, err := machine.Get("zen4")
	if err != nil {
		t.Fatal(err)
	}
	s := common(t, m, 60)
	inf, err := Infer(context.Background(), s.Forms, 0, s.Oracle(func(_ context.Context, p *bench.Plan) (float64, float64, error) {
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
		ports, _ := throughput.Quick(bind(s.Target, &rest, m))
		return math.Max(ports, slots/6), 0, nil
	}), s.Options())
	if err != nil {
		t.Fatal(err)
	}
	right, all, visible := compare(t, s, inf, m)
	t.Logf("%d of %d right, width %g", right, all, inf.Width)
	if inf.Width != 6 || all-right > visible/20 {
		t.Errorf("width %g, %d wrong of %d with something to see", inf.Width, all-right, visible)
	}
}

// TestEarly infers the map of a core that spreads each instruction's µops evenly over its ports, half-way at least: mixes take longer than ports allow, and
// the answers that bounds alone give are wrong.
func TestEarly(t *testing.T) {
	m, err := machine.Get("zen4")
	if err != nil {
		t.Fatal(err)
	}
	s := common(t, m, 120)
	inf, err := Infer(context.Background(), s.Forms, 0, s.Oracle(func(_ context.Context, p *bench.Plan) (float64, float64, error) {
		b := bind(s.Target, p, m)
		bound, dispatch := throughput.Quick(b)
		var l load
		for i := range b.Insts {
			for _, u := range b.Insts[i].Uops {
				if !u.Resource {
					l.add(Set(u.Ports), u.Cycles)
				}
			}
		}
		return math.Max(dispatch, bound+0.7*(math.Max(bound, l.even())-bound)), 0, nil
	}), s.Options())
	if err != nil {
		t.Fatal(err)
	}
	right, all, visible := compare(t, s, inf, m)
	t.Logf("%d of %d right (%d with something to see), early %v, %d ports, dropped %v", right, all, visible, inf.Early, inf.Ports, inf.Dropped)
	if !inf.Early || all-right > visible/8 {
		t.Errorf("early %v, %d wrong of %d with something to see", inf.Early, all-right, visible)
	}
}

// TestSimulated infers the port map of a simulated core, which chooses ports before it knows what comes, has a front end, latencies
// and queues: the map must come out of times that miss the bound now and then.
func TestSimulated(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	for _, arch := range played {
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
			right, all, visible := compare(t, s, inf, m)
			t.Logf("%s: %d of %d forms right (%d have µops that mixes can show), width %.2f, %d ports, %d classes, dropped %v, %d mixes, %d unsolved, alike %v", arch, right, all, visible, inf.Width, inf.Ports, len(inf.Classes), inf.Dropped, inf.Asked, inf.Unsolved, inf.Alike)
			if all-right > wrong(arch, visible) {
				t.Errorf("%d wrong of %d forms with something to see", all-right, visible)
			}
		})
	}
}
