package core

import (
	"context"
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/uops"
	"incore/internal/base/long"
	"incore/internal/bench/emulate"
	"incore/internal/bench/plan"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// simulated plays a machine by the simulator, with noise of a relative standard deviation.
func simulated(t *testing.T, arch string, noise float64) (*Target, *sim.Core, Machine) {
	t.Helper()
	m, err := machine.Get(arch)
	if err != nil {
		t.Fatal(err)
	}
	c, err := sim.Available(m)
	if err != nil {
		t.Fatal(err)
	}
	x := For(catalog.ISA(m.ISA))
	play, err := Played(x, m, m)
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	noisy := func(v, d float64, err error) (float64, float64, error) {
		return v * (1 + noise*math.Abs(rnd.NormFloat64())), d, err
	}
	return x, c, Machine{Base: m, Straight: func(ctx context.Context, insts []isa.Inst) (float64, float64, error) {
		return noisy(play.Straight(ctx, insts))
	}, Loop: func(ctx context.Context, body []isa.Inst, offset int) (float64, float64, error) {
		return noisy(play.Loop(ctx, body, offset))
	}}
}

// straight is a machine that runs straight code alone.
func straight(run Runner) Machine { return Machine{Straight: run} }

// find runs the probe of one structure.
func find(t *testing.T, x *Target, m Machine, name string) Finding {
	t.Helper()
	return all(t, x, m, name)[0]
}

// all runs a probe.
func all(t *testing.T, x *Target, m Machine, name string) (out []Finding) {
	t.Helper()
	var probes []Probe
	for _, p := range Probes(x) {
		if p.Name == name {
			probes = append(probes, p)
		}
	}
	err := Run(context.Background(), x, m, probes, func(_ Probe, fs []Finding) error {
		out = fs
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestSizes finds the sizes of structures of simulated cores, which are known.
func TestSizes(t *testing.T) {
	for _, c := range long.Spread([]struct {
		arch, probe string
		size        func(*sim.Core) int
	}{
		{"skylake", "rob", func(c *sim.Core) int { return c.ROB }},
		{"alderlake-p", "rob", func(c *sim.Core) int { return c.ROB }},
		{"skylake", "load-queue", func(c *sim.Core) int { return c.LoadQueue }},
		{"skylake", "store-queue", func(c *sim.Core) int { return c.StoreQueue }},
		{"alderlake-p", "load-queue", func(c *sim.Core) int { return c.LoadQueue }},
		{"neoverse-v2", "rob", func(c *sim.Core) int { return c.ROB }},
		{"neoverse-n1", "rob", func(c *sim.Core) int { return c.ROB }},
		{"neoverse-n1", "load-queue", func(c *sim.Core) int { return c.LoadQueue }},
		{"neoverse-n1", "store-queue", func(c *sim.Core) int { return c.StoreQueue }},
		{"apple-m1", "load-queue", func(c *sim.Core) int { return c.LoadQueue }},
		{"xiangshan-nanhu", "rob", func(c *sim.Core) int { return c.ROB }},
		{"xiangshan-nanhu", "load-queue", func(c *sim.Core) int { return c.LoadQueue }},
		{"xiangshan-nanhu", "store-queue", func(c *sim.Core) int { return c.StoreQueue }},
		{"sifive-p550", "rob", func(c *sim.Core) int { return c.ROB }},
		{"xuantie-c910", "rob", func(c *sim.Core) int { return c.ROB }},
	}, 5) {
		x, core, run := simulated(t, c.arch, 0.002)
		f := find(t, x, run, c.probe)
		want := float64(c.size(core))
		t.Logf("%s %s: %s, %g in truth; %s", c.arch, c.probe, f.Value, want, f.How)
		if f.Value == "" || math.Abs(f.Number-want) > 2+0.015*want {
			t.Errorf("%s %s: found %q (%g), want %g: %s", c.arch, c.probe, f.Value, f.Number, want, f.How)
		}
	}
}

// TestBusyDivider is of a core whose divider does not overlap two chains of square roots: nothing can be found.
func TestBusyDivider(t *testing.T) {
	x, _, run := simulated(t, "haswell", 0)
	if f := find(t, x, run, "rob"); f.Value != "" || !strings.Contains(f.How, "hides") {
		t.Errorf("found %q: %s", f.Value, f.How)
	}
}

// TestNotFound gives the probe of a structure that nothing limits, and one whose curve is noise: no value.
func TestNotFound(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for name, run := range map[string]Runner{
		"flat": func(_ context.Context, in []isa.Inst) (float64, float64, error) {
			return 400 + 0.01*float64(len(in)), 0, nil
		},
		"noise": func(_ context.Context, in []isa.Inst) (float64, float64, error) {
			return 300 + 300*rnd.Float64(), 0, nil
		},
		"none": func(context.Context, []isa.Inst) (float64, float64, error) {
			return 0, 0, &Unmeasurable{"unstable", true}
		},
	} {
		if f := find(t, X86(), straight(run), "rob"); f.Value != "" || f.How == "" {
			t.Errorf("%s: found %q, %q", name, f.Value, f.How)
		}
	}
	want := errors.New("broken")
	err := Run(context.Background(), X86(), straight(func(context.Context, []isa.Inst) (float64, float64, error) { return 0, 0, want }), Probes(X86())[1:2], func(Probe, []Finding) error { return nil })
	if !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
}

// TestLeave finds change points of drawn curves.
func TestLeave(t *testing.T) {
	step := func(at int, noise ...int) (p []Point) {
		for x := range 40 {
			y := 100.0
			if x >= at {
				y = 150
			}
			for _, n := range noise {
				if x == n {
					y = 250 - y // the other side
				}
			}
			p = append(p, Point{x, y, 0})
		}
		return p
	}
	for _, c := range []struct {
		points      []Point
		last, first int
		ok          bool
	}{
		{step(20), 19, 20, true},
		{step(20, 17), 19, 17, true}, // a point on the wrong side widens the interval
		{step(20, 23), 23, 20, true},
		{step(40), 0, 0, false},
		{step(39), 0, 0, false}, // one point is no level
		{step(0), 0, 0, false},
	} {
		if last, first, ok := leave(c.points, 100, 10, 3); last != c.last || first != c.first || ok != c.ok {
			t.Errorf("got %d %d %v, want %d %d %v", last, first, ok, c.last, c.first, c.ok)
		}
	}
}

// TestNopFusion plays a core of six slots whose NOPs share the slot of the instruction before them, one of twelve without
// such sharing that executes copies on six ports, and one of six: the slots are what the width is.
func TestNopFusion(t *testing.T) {
	nop := func(in *isa.Inst) bool { return strings.HasPrefix(X86().ISA.Forms.Name(in.Form), "NOOP") }
	for name, c := range map[string]struct {
		cycles func(slots, unfused, others float64) float64
		width  string
		slot   string
	}{
		"fuses":    {func(slots, _, _ float64) float64 { return slots / 6 }, "6", "movq %rax, %rbx"},
		"twelve":   {func(_, all, others float64) float64 { return math.Max(all/12, others/6) }, "12", "nopw (%rax,%rax)"},
		"no twins": {func(_, all, _ float64) float64 { return all / 6 }, "6", "nopw (%rax,%rax)"},
	} {
		s := &session{t: X86(), parse: map[string]isa.Inst{}, m: &Machine{Straight: func(_ context.Context, in []isa.Inst) (float64, float64, error) {
			slots, others, open := 0.0, 0.0, false
			for i := range in {
				if n := nop(&in[i]); n && open {
					open = false
					continue
				} else if !n {
					others++
				}
				slots, open = slots+1, true
			}
			return c.cycles(slots, float64(len(in)), others), 0, nil
		}}}
		f, err := width().run(context.Background(), s)
		if err != nil || f[0].Value != c.width || s.slot[0] != c.slot {
			t.Errorf("%s: width %q by '%s', want %s by '%s'; %s; %v", name, f[0].Value, s.slot, c.width, c.slot, f[0].How, err)
		}
	}
}

// TestFusionVerdict concludes from pairs that fused and pairs that did not.
func TestFusionVerdict(t *testing.T) {
	for name, c := range map[string]struct {
		votes     map[string]*ballot
		value     string
		registers bool
	}{
		"all":            {map[string]*ballot{"cmp+jcc": {[2]int{20, 0}, [2]int{10, 0}}, "add+jcc": {[2]int{10, 1}, [2]int{}}}, "add+jcc cmp+jcc", false},
		"registers only": {map[string]*ballot{"cmp+jcc": {[2]int{20, 0}, [2]int{0, 10}}, "cmp+jcc.imm": {[2]int{}, [2]int{0, 8}}, "other: negq+je": {[2]int{0, 2}, [2]int{}}}, "cmp+jcc", true},
		"one with":       {map[string]*ballot{"cmp+jcc": {[2]int{20, 0}, [2]int{10, 0}}, "add+jcc": {[2]int{10, 0}, [2]int{0, 10}}}, "add+jcc cmp+jcc", false},
		"mixed":          {map[string]*ballot{"cmp+jcc": {[2]int{10, 10}, [2]int{}}}, "", false},
	} {
		var f Finding
		out := f.conclude(c.votes)
		if out[0].Value != c.value || (len(out) > 1) != c.registers {
			t.Errorf("%s: %q and %d more, want %q; %s", name, out[0].Value, len(out)-1, c.value, out[0].How)
		}
	}
}

// TestBreakOff finds where curves on a slope leave it, with points beside the line.
func TestBreakOff(t *testing.T) {
	curve := func(slope float64, at int, rise func(n int) float64, odd ...int) (p []Point) {
		for x := range 64 {
			y := 300 + slope*float64(x)
			if x >= at {
				y += rise(x - at)
			}
			for _, o := range odd {
				if x == o {
					y += 340
				}
			}
			p = append(p, Point{x, y, 0})
		}
		return p
	}
	all := func(int) float64 { return 340 }
	link := func(n int) float64 { return math.Min(340, 21*float64(n+1)) }
	for _, c := range []struct {
		points []Point
		last   int
		ok     bool
	}{
		{curve(0.2, 30, all), 29, true},
		{curve(1, 30, link), 29, true},
		{curve(0.2, 30, all, 28), 29, true}, // right in front
		{curve(0.2, 30, all, 17, 25), 29, true},
		{curve(1, 64, all), 0, false},
		{curve(0.2, 60, all), 0, false}, // too near the end
	} {
		if last, ok := breakOff(c.points, 15); last != c.last && c.ok || ok != c.ok {
			t.Errorf("got %d %v, want %d %v", last, ok, c.last, c.ok)
		}
	}
}

// TestPrograms checks that every probe's statements assemble to instructions that decode to themselves, by a runner that encodes them.
func TestPrograms(t *testing.T) {
	for _, x := range long.Some([]*Target{RISCV64(), X86(), ARM64()}, 2) {
		n := 0
		seen := map[string]bool{}
		run := func(_ context.Context, in []isa.Inst) (float64, float64, error) {
			for i := range in {
				code, err := x.ISA.Encode(nil, &in[i], 0)
				if err != nil || len(code) == 0 {
					return 0, 0, err
				}
				text := string(x.ISA.Print(nil, &in[i], x.ISA.Syntaxes[0]))
				if seen[text] {
					continue
				}
				seen[text] = true
				var back isa.Inst
				if size, err := x.ISA.Decode(code, 0, &back); err != nil || size != len(code) {
					t.Errorf("%s: %x decodes to %d bytes, %v", text, code, size, err)
				}
			}
			n++
			return 12 * float64(len(in)), 0, nil
		}
		err := Run(context.Background(), x, straight(run), Probes(x), func(p Probe, fs []Finding) error {
			var b strings.Builder
			if err := Write(&b, p, fs, "measured"); err != nil {
				return err
			}
			if !Done(b.String())[p.Name] {
				t.Errorf("%s is not done in %q", p.Name, b.String())
			}
			return nil
		})
		if err != nil || n < 100 {
			t.Errorf("%s: %d programs, %v", x.ISA.Name, n, err)
		}
	}
}

// TestBehaviour finds what simulated cores do at rename and in memory: what their models say.
func TestBehaviour(t *testing.T) {
	for _, c := range []struct {
		arch   string
		zero   bool              // zero idioms can be seen: more of them than ordinary instructions go in a cycle
		values map[string]string // of findings
	}{
		{"skylake", true, map[string]string{"load-latency": "4", "increment": "executed"}},
		{"alderlake-p", true, map[string]string{"load-latency": "5", "add-immediate": "eliminated"}},
		{"neoverse-v2", true, map[string]string{"load-latency": "4", "store-forward": "5", "idiom-eor": "waits", "idiom-movz": idiomZero}},
		{"sifive-p670", false, map[string]string{"load-latency": "4", "store-forward": "5", "idiom-xor": "waits", "idiom-li": idiomPlain}},
		{"xiangshan-nanhu", false, map[string]string{"load-latency": "5"}}, // whose NOPs take ports: of these, 4 go in a cycle
		{"xuantie-c910", false, nil},
		{"spacemit-x60", false, map[string]string{"load-latency": "4", "add-immediate": "executed"}},
	} {
		x, core, run := simulated(t, c.arch, 0.002)
		m, err := machine.Get(c.arch)
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]string{}
		for _, p := range []string{"dispatch-width", "latencies", "eliminated", "idioms", "fuses"} {
			for _, f := range all(t, x, run, p) {
				found[f.Name] = f.Value
			}
		}
		if want := strconv.Itoa(core.Width); found["dispatch-width"] != want {
			t.Errorf("%s: width %q, want %s", c.arch, found["dispatch-width"], want)
		}
		if (found["zero-idioms"] == "true") != c.zero {
			t.Errorf("%s: zero idioms %q", c.arch, found["zero-idioms"])
		}
		if want := fused(t, x, m); found["fuses"] != want {
			t.Errorf("%s: fuses %q, want %q", c.arch, found["fuses"], want)
		}
		for _, p := range x.eliminated {
			in, err := x.parse(p.chain[0])
			if err != nil {
				t.Fatal(err)
			}
			if _, _, copies := x.ISA.RegMove(&in); copies && (found[p.name] == "eliminated") != (m.Cost(x.ISA, &in).Flags&machine.MoveElim != 0) {
				t.Errorf("%s: %s is %q", c.arch, p.name, found[p.name])
			}
		}
		for n, want := range c.values {
			if found[n] != want {
				t.Errorf("%s: %s is %q, want %q", c.arch, n, found[n], want)
			}
		}
	}
}

// fused lists the kinds of pairs among a vocabulary's couples that a model fuses.
func fused(t *testing.T, x *Target, m *machine.Model) string {
	kinds := map[string]bool{}
	for _, c := range x.couples {
		first, err := x.parse(c.first[len(c.first)-1])
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range c.second {
			second, err := x.parse(s)
			if err != nil {
				t.Fatal(err)
			}
			pair := &isa.Kernel{ISA: x.ISA, Lines: []isa.Line{{Inst: first}, {Inst: second}}}
			if k := x.ISA.FusesWith(&first, &second); m.Fuses(k) || k != "" && uops.Bind(m, pair).Insts[0].Flags&machine.FusedFirst != 0 { // of some forms alone
				kinds[k] = true
			}
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(kinds)), " ")
}

// TestInOrder is of a core on which no chain hides behind another: its sizes cannot be found, and it is said why.
func TestInOrder(t *testing.T) {
	x, _, run := simulated(t, "spacemit-x60", 0)
	for _, p := range []string{"rob", "scheduler", "load-queue"} {
		if f := find(t, x, run, p); f.Value != "" || !strings.Contains(f.How, "hides") || !strings.Contains(f.How, "divu") {
			t.Errorf("%s: found %q: %s", p, f.Value, f.How)
		}
	}
}

// TestEmulate runs every 23rd program of the probes under QEMU, as they are on cores that models play: each must be
// executed as it was planned.
func TestEmulate(t *testing.T) {
	long.Only(t, "runs programs of probes under QEMU")
	for _, arch := range []string{"xiangshan-nanhu", "neoverse-v2"} {
		x, _, play := simulated(t, arch, 0)
		b := plan.For(x.ISA)
		e, err := emulate.New(context.Background(), b)
		if err != nil {
			t.Skip(err)
		}
		probes := slices.DeleteFunc(Probes(x), func(p Probe) bool { return p.Name == "l1i" }) // of up to 64,000 instructions
		n, ran := 0, 0
		err = e.Groups(context.Background(), func(yield func(emulate.Group) bool) {
			err := Programs(context.Background(), x, play, probes, func(probe string, insts []isa.Inst) error {
				if n++; n%23 != 0 {
					return nil
				}
				p, err := b.Straight(insts, x.Values)
				if err != nil {
					return err
				}
				yield(emulate.Group{Name: probe, Form: insts[0].Form, Plans: []*plan.Plan{p}})
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		}, func(r *emulate.Trial) error {
			if r.Reason != "" {
				t.Errorf("%s: %s: %s", arch, r.Name, r.Reason)
			} else {
				ran++
			}
			return nil
		}, nil)
		if err != nil || ran < 50 {
			t.Errorf("%s: %d programs ran, %v", arch, ran, err)
		}
		t.Logf("%s: %d of %d programs were tried, %d ran as planned", arch, n/23, n, ran)
	}
}

// TestHere runs programs on this machine: two links of a chain take twice as long as one.
func TestHere(t *testing.T) {
	x := X86()
	here := Here(x, nil)
	s := &session{t: x, m: &here, parse: map[string]isa.Inst{}}
	last := 0.0
	for range 5 {
		one, _, err := s.cycles(context.Background(), Program{rep("imulq %rax, %rax", 20)})
		if err != nil {
			t.Skipf("cannot measure here: %v", err)
		}
		two, _, err := s.cycles(context.Background(), Program{rep("imulq %rax, %rax", 40)})
		if err != nil {
			t.Skipf("cannot measure here: %v", err)
		}
		if last = two / one; math.Abs(last-2) < 0.05 {
			return
		}
	}
	t.Errorf("twice the chain takes %.2f times as long", last)
}

// shownElsewhere are options that no effect shows, with what does.
var shownElsewhere = map[string]string{
	"store-turns": "the bound of the first-level data cache (l1.TestStoresAcrossLines)", "prf-gpr": "the probe of that name", "prf-vec": "the probe of that name", "prf-flags": "the probe of that name", "taken-branches": "the probe of that name", "load-entries": "the probe scheduler-load",
	"micro-fusion":   "the probe of that name",
	"jcc-erratum":    "depends on where a jump lies, by Intel's description: TestMisplaced of internal/analysis/frontend",
	"fusion-in-line": "depends on where a pair lies, by Intel's description",
}

// TestEffects: what one core alone states has a microbenchmark (`effects`), which takes longer or shorter on the core's model with the option than without.
func TestEffects(t *testing.T) {
	type statement struct{ value, source string }
	said := map[string]map[statement]string{} // option → statement → a model with it
	for _, name := range machine.Names() {
		m, err := machine.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range m.Facts {
			if o := machine.OptionNamed(f.Name); o == nil || o.Feature && f.Value != "true" {
				continue
			}
			if said[f.Name] == nil {
				said[f.Name] = map[statement]string{}
			}
			if s := (statement{f.Value, f.Source}); said[f.Name][s] == "" || m.Base == "" {
				said[f.Name][s] = name
			}
		}
	}
	x := X86()
	for option, by := range said {
		if len(by) != 1 {
			continue
		}
		for _, arch := range by {
			if m, _ := machine.Get(arch); m.ISA != x.ISA.Name {
				t.Logf("%s: stated by %s alone, whose instruction set has no effects", option, arch)
				continue
			}
			with, without := shown(t, x, arch, option)
			if with == 0 && shownElsewhere[option] != "" {
				continue
			}
			if with == 0 || math.Abs(with-without) < 0.02*with {
				t.Errorf("%s, which %s alone states: no effect shows it; %.2f cycles with it, %.2f without", option, arch, with, without)
			}
		}
	}
}

// shown is the time of the effect of an option on a model with and without it, where these differ most.
func shown(t *testing.T, x *Target, arch, option string) (with, without float64) {
	m, err := machine.Get(arch)
	if err != nil {
		t.Fatal(err)
	}
	off := machine.Fact{Name: option}
	if machine.OptionNamed(option).Feature {
		off.Value = "false"
	}
	less, err := m.With(off)
	if err != nil {
		t.Fatal(err)
	}
	cycles := func(m *machine.Model, code []string) float64 {
		k := &isa.Kernel{ISA: x.ISA}
		for _, s := range code {
			in, err := x.parse(s)
			if err != nil {
				t.Fatal(err)
			}
			bytes, err := x.ISA.Encode(nil, &in, 0)
			if err != nil {
				t.Fatal(err)
			}
			in.Size = uint8(len(bytes))
			k.Lines = append(k.Lines, isa.Line{Inst: in})
		}
		return sim.Predict(depgraph.Build(uops.Bind(m, k), depgraph.Options{}), sim.Options{Copies: longBody / len(code), Aligned: true}).Cycles
	}
	for i := range x.effects {
		if e := &x.effects[i]; e.option == option {
			if a, b := cycles(m, e.code), cycles(less, e.code); math.Abs(a-b) >= math.Abs(with-without) {
				with, without = a, b
			}
		}
	}
	return with, without
}

// TestJoined finds on simulated cores, over a base that says neither, whether reading the stack pointer behind push and
// pop takes a µop, and whether moves share the slot of what follows: as their models state.
func TestJoined(t *testing.T) {
	base, err := machine.Get("llvm/Znver3Model")
	if err != nil {
		t.Fatal(err)
	}
	for _, arch := range []string{"zen5", "zen4", "skylake", "goldmont"} {
		m, err := machine.Get(arch)
		if err != nil {
			t.Fatal(err)
		}
		stated := map[string]string{} // in a model of the findings
		for _, p := range []Probe{stackEngine(), moveFusion()} {
			for _, f := range played(t, p, m, base) {
				if f.Fact || f.Feature {
					stated[f.Name] = f.Value
				}
			}
		}
		want := map[bool]string{true: "ALU0 ALU1 ALU2 ALU3"}[m.Core().StackSync != 0]
		if got := stated["stack-sync"]; got != want {
			t.Errorf("%s: stack-sync on %q, want %q", arch, got, want)
		}
		if got := stated["move-fusion"] == "true"; got != m.Core().MoveFusion {
			t.Errorf("%s: move-fusion %v, in the model %v", arch, got, m.Core().MoveFusion)
		}
	}
}
