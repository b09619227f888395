package bench

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"incore/internal/analysis/uops"
	"incore/internal/base/long"
	"incore/internal/bench/plan"
	"incore/internal/bench/results"
	"incore/internal/isa"
	"incore/internal/machine"
)

// simulated plays a machine by the simulator of a model.
func simulated(x *plan.Target, m *machine.Model) (func(context.Context, *plan.Plan) (float64, float64, error), error) {
	run, err := Played(x.ISA, m, false)
	return func(_ context.Context, p *plan.Plan) (float64, float64, error) {
		v, err := run(p.Insts)
		return v, 0, err
	}, err
}

// flowing plays a machine without limits other than latency, by the latencies of a model, pair by pair.
func flowing(x *plan.Target, m *machine.Model) func(context.Context, *plan.Plan) (float64, float64, error) {
	return func(_ context.Context, p *plan.Plan) (float64, float64, error) {
		k := &isa.Kernel{ISA: x.ISA, Loop: true}
		for i := range p.Insts {
			k.Lines = append(k.Lines, isa.Line{Inst: p.Insts[i], No: i + 1})
		}
		b := uops.Bind(m, k)
		ready := make([]float64, x.ISA.Regs.NumUnits())
		iteration := func() (end float64) {
			for i := range b.Insts {
				in := &b.Insts[i]
				results := make([]float64, len(in.Effects.Writes))
				for r, from := range in.Effects.Reads {
					units, at := x.ISA.Regs.Units(from.Reg), 0.0
					for u := 0; u < units.Len() && from.Role != isa.RoleControl; u++ {
						at = math.Max(at, ready[units.At(u)])
					}
					for o := range results {
						if l, ok := in.Pair(r, o); ok {
							results[o] = math.Max(results[o], at+l)
						}
					}
				}
				for o, to := range in.Effects.Writes {
					units := x.ISA.Regs.Units(to.Reg)
					for u := range units.Len() {
						ready[units.At(u)] = results[o]
					}
					end = math.Max(end, results[o])
				}
			}
			return end
		}
		const rounds = 24
		for range rounds {
			iteration()
		}
		first := iteration()
		last := first
		for range rounds {
			last = iteration()
		}
		return (last - first) / rounds, 0, nil
	}
}

// shared is the greatest latency of atomic operations that does not hide what they take otherwise: a plan has eight places for them (plan.Target.Throughput), each
// of which waits for what the operation before left there.
const shared = 8

// recovery counts what of a model's figures is found again.
type recovery struct {
	memory               int // forms left out, as each waits for what the one before left in memory
	pairs, right, across int // latencies within one register file, those found; those between files, of which only sums can be seen
	forms, exact         int // throughputs
	wrong                []string
}

// foreign reports whether a form is of an instruction set that is no extension of a target's: 32-bit RISC-V, and what
// shares its encodings.
func foreign(x *plan.Target, f isa.FormID) bool {
	return slices.ContainsFunc(x.Needs(f), func(n string) bool {
		return n == "rv32" || strings.HasSuffix(n, "inx") || strings.HasSuffix(n, "inxmin") || strings.HasPrefix(n, "xcv")
	})
}

// recoverModel measures every step-th form of a machine that run plays.
func recoverModel(t *testing.T, x *plan.Target, m *machine.Model, what, step int, run func(context.Context, *plan.Plan) (float64, float64, error)) (c recovery) {
	b := &Bench{Target: x, Run: run}
	if err := b.Calibrate(context.Background()); err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %s", m.Name, b.describeHelpers())
	for i, f := range x.Select(nil, nil) {
		in, err := x.Instance(f)
		if err != nil || i%step != 0 || foreign(x, f) {
			continue
		}
		cost := m.Cost(x.ISA, &in)
		if cost.Flags&machine.Unknown != 0 {
			continue
		}
		if slices.ContainsFunc(cost.Effects.Mem, func(a isa.MemRef) bool { return a.Load && a.Store }) && cost.Latency > shared {
			c.memory++ // few places are at hand, and what was stored there comes later than registers do
			continue
		}
		r, err := b.Form(context.Background(), f, what)
		if err != nil {
			t.Fatal(err)
		}
		name := x.ISA.Forms.Name(f)
		if what&plan.Throughput != 0 && !math.IsNaN(r.RThru) {
			want := math.Max(cost.RThroughput, float64(cost.Slots)/float64(m.Params.DispatchWidth))
			if c.forms++; math.Abs(r.RThru-want) <= 0.05*math.Max(r.RThru, want)+0.02 {
				c.exact++
			} else {
				c.wrong = append(c.wrong, fmt.Sprintf("%s: throughput %.3f, the model has %.3f (%s)", name, r.RThru, want, cost.Ports))
			}
		}
		for _, p := range r.Pairs {
			want, ok := pairOf(cost, p)
			if !ok {
				continue
			}
			if from, to := x.Kind(p.From.Reg), x.Kind(p.To.Reg); from != to {
				c.across++
				continue
			}
			if c.pairs++; math.Abs(p.Cycles-want) <= 0.5 || math.Abs(p.Self-want) <= 0.5 {
				c.right++
			} else {
				from, to, _ := p.Operands(x)
				c.wrong = append(c.wrong, fmt.Sprintf("%s %s>%s: latency %.2f, the model has %.1f (chain %.2f)", name, from, to, p.Cycles, want, p.Total))
			}
		}
	}
	return c
}

// TestSynthetic measures machines that are played: what the solver finds must be the model's figures. Latencies by data
// flow alone, where they are the model's exactly, and by the simulator, where forms of several µops on one port take
// longer than the table says.
func TestSynthetic(t *testing.T) {
	for _, c := range long.Some([]struct {
		arch                        string
		x                           *plan.Target
		flow, simulated, throughput float64 // least shares
	}{{"cortex-a72", plan.ARM64(), 99, 92, 98}, {"sifive-p670", plan.RISCV64(), 99, 91, 97}, {"neoverse-v2", plan.ARM64(), 97, 95, 97}, {"spacemit-x60", plan.RISCV64(), 99, 80, 98}}, 2) {
		m, err := machine.Get(c.arch)
		if err != nil {
			t.Fatal(err)
		}
		flow := recoverModel(t, c.x, m, plan.Latency, 5, flowing(c.x, m))
		run, err := simulated(c.x, m)
		if err != nil {
			t.Fatal(err)
		}
		sim := recoverModel(t, c.x, m, plan.Latency|plan.Throughput, 5, run)
		t.Logf("%s: latencies of %d of %d pairs by data flow (%.1f %%, %d between register files aside), of %d of %d in the simulator (%.1f %%), throughputs of %d of %d forms there (%.1f %%), %d forms left out", c.arch,
			flow.right, flow.pairs, share(flow.right, flow.pairs), flow.across, sim.right, sim.pairs, share(sim.right, sim.pairs), sim.exact, sim.forms, share(sim.exact, sim.forms), sim.memory)
		for _, w := range append(flow.wrong[:min(20, len(flow.wrong))], sim.wrong[:min(20, len(sim.wrong))]...) {
			t.Log("  " + w)
		}
		if share(flow.right, flow.pairs) < c.flow || share(sim.right, sim.pairs) < c.simulated || share(sim.exact, sim.forms) < c.throughput {
			t.Errorf("%s: too few figures are found", c.arch)
		}
	}
}

// pairOf is a model's latency of a pair.
func pairOf(c *machine.Cost, p results.Pair) (float64, bool) {
	for i := range c.Effects.Reads {
		for o := range c.Effects.Writes {
			if c.Effects.Reads[i].Op == p.From.Op && c.Effects.Writes[o].Op == p.To.Op {
				return c.Pair(i, o)
			}
		}
	}
	return 0, false
}

// TestSyntheticMemory measures loads and stores of machines that are played: what the tests on memory find must be the
// model's parameters, and no write-back may wait for the load.
func TestSyntheticMemory(t *testing.T) {
	for _, c := range []struct {
		arch, forms string
		x           *plan.Target
		want        []string // parameters
	}{
		{"neoverse-v2", `^(LD|ST)(R[BHSDQWX]|P[SDQWX]|UR[QX])`, plan.ARM64(), []string{"load-latency: 4", "loads-per-cycle: 3", "stores-per-cycle: 2"}},
		{"sifive-p670", `^(L[BHWD]U?|S[BHWD]|F[LS][WD])$`, plan.RISCV64(), []string{"load-latency: 4", "loads-per-cycle: 2", "stores-per-cycle: 2"}},
		{"spacemit-x60", `^(L[BHWD]U?|S[BHWD]|F[LS][WD])$`, plan.RISCV64(), []string{"load-latency: 4", "loads-per-cycle: 2", "stores-per-cycle: 2"}},
	} {
		m, err := machine.Get(c.arch)
		if err != nil {
			t.Fatal(err)
		}
		b := &Bench{Target: c.x}
		if b.Run, err = simulated(c.x, m); err != nil {
			t.Fatal(err)
		}
		if err := b.Calibrate(context.Background()); err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := b.WriteHeader(&out, results.Identity{}, c.arch); err != nil {
			t.Fatal(err)
		}
		if err := b.Memory(context.Background(), c.x.MemoryTests(regexp.MustCompile(c.forms)), func(x results.MemoryFigure) error { return x.Write(&out) }); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if strings.HasPrefix(line, "# memory: write-back") && !strings.Contains(line, ": 1 ±") {
				t.Error(line)
			}
		}
		var model strings.Builder
		if err := results.Build(strings.NewReader(out.String()), &model, "x", "x"); err != nil {
			t.Fatal(err)
		}
		for _, p := range c.want {
			if !strings.Contains(model.String(), "param "+p+" ") {
				t.Errorf("%s: no %s in\n%s", c.arch, p, model.String())
			}
		}
	}
}

func share(n, of int) float64 { return 100 * float64(n) / float64(max(1, of)) }
