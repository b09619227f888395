package bench

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"incore/internal/isa"
	"incore/internal/machine"
)

// userForms are the forms that user code can run one after another, by what a target excludes, without those of
// instruction sets that are no extension of it (32-bit RISC-V and what shares its encodings).
func userForms(x *Target) (out []isa.FormID) {
	for f := isa.FormID(1); int(f) < x.ISA.Forms.Len(); f++ {
		const not = isa.Branch | isa.Call | isa.Return | isa.IndirectBranch | isa.Trap | isa.Pseudo
		foreign := slices.ContainsFunc(x.Needs(f), func(n string) bool {
			return n == "rv32" || strings.HasSuffix(n, "inx") || strings.HasSuffix(n, "inxmin") || strings.HasPrefix(n, "xcv")
		})
		if !foreign && !x.excluded(x.ISA.Forms.Name(f)) && x.ISA.Forms.Flags(f)&not == 0 {
			out = append(out, f)
		}
	}
	return out
}

// TestShares counts the forms that are planned for.
func TestShares(t *testing.T) {
	for _, c := range []struct {
		x                   *Target
		throughput, latency float64 // least shares
	}{{ARM64(), 0.97, 0.99}, {RISCV64(), 0.97, 0.99}} {
		forms := userForms(c.x)
		planned, pairs, chained, wanted, chains := 0, 0, 0, 0, 0
		why := map[string][]string{}
		for _, f := range forms {
			name := c.x.ISA.Forms.Name(f)
			_, in, err := c.x.first(f)
			if err == nil {
				_, err = c.x.Throughput(f, 1)
			}
			if err != nil {
				s := strings.ReplaceAll(err.Error(), name, "it")
				why[s] = append(why[s], name)
				continue
			}
			planned++
			if n := len(c.x.pairs(&in)); n > 0 {
				pairs++
				wanted += n
				l, _ := c.x.Latencies(f)
				if chains += len(l); len(l) > 0 {
					chained++
				} else {
					why["no chain"] = append(why["no chain"], name)
				}
			}
		}
		t.Logf("%s: %d of %d user-mode forms planned (%.1f %%); of %d with a result that depends on an operand %d have a latency (%.1f %%), %d chains for %d pairs (%.1f %%)", c.x.ISA.Name,
			planned, len(forms), percent(planned, len(forms)), pairs, chained, percent(chained, pairs), chains, wanted, percent(chains, wanted))
		for _, s := range sortedBySize(why) {
			t.Logf("  %d: %s: %s", len(why[s]), s, strings.Join(why[s][:min(5, len(why[s]))], " "))
		}
		if percent(planned, len(forms)) < 100*c.throughput || percent(chained, pairs) < 100*c.latency {
			t.Errorf("%s: too few forms are planned", c.x.ISA.Name)
		}
	}
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(1, of)) }

func sortedBySize(m map[string][]string) (out []string) {
	for s := range m {
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b string) int {
		if d := len(m[b]) - len(m[a]); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return out
}

// TestIndependence checks by their effects that instances in throughput plans don't wait for each other.
func TestIndependence(t *testing.T) {
	for _, x := range []*Target{ARM64(), RISCV64()} {
		n, bad := 0, 0
		for i, f := range userForms(x) {
			p, err := x.Throughput(f, 1)
			if err != nil || i%3 != 0 {
				continue
			}
			n++
			if at, reg := dependent(x, p, 3); at >= 0 {
				if bad++; bad < 20 {
					t.Errorf("%s: instance %d (%s) waits for one shortly before it, in %s", x.ISA.Forms.Name(f), at, x.Text(&p.Insts[at]), x.ISA.Regs.Name(reg))
				}
			}
		}
		t.Logf("%s: %d plans, %d with dependences", x.ISA.Name, n, bad)
	}
}

// simulated plays a machine by the simulator of a model.
func simulated(x *Target, m *machine.Model) (func(context.Context, *Plan) (float64, float64, error), error) {
	run, err := Played(x.ISA, m, false)
	return func(_ context.Context, p *Plan) (float64, float64, error) {
		v, err := run(p.Insts)
		return v, 0, err
	}, err
}

// flowing plays a machine without limits other than latency, by the latencies of a model, pair by pair.
func flowing(x *Target, m *machine.Model) func(context.Context, *Plan) (float64, float64, error) {
	return func(_ context.Context, p *Plan) (float64, float64, error) {
		k := &isa.Kernel{ISA: x.ISA, Loop: true}
		for i := range p.Insts {
			k.Lines = append(k.Lines, isa.Line{Inst: p.Insts[i], No: i + 1})
		}
		b := m.Bind(k)
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

// recovery counts what of a model's figures is found again.
type recovery struct {
	pairs, right, across int // latencies within one register file, those found; those between files, of which only sums can be seen
	forms, exact         int // throughputs
	wrong                []string
}

// recoverModel measures every step-th form of a machine that run plays.
func recoverModel(t *testing.T, x *Target, m *machine.Model, what, step int, run func(context.Context, *Plan) (float64, float64, error)) (c recovery) {
	b := &Bench{Target: x, Run: run}
	if err := b.Calibrate(context.Background()); err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %s", m.Name, b.describeHelpers())
	for i, f := range userForms(x) {
		_, in, err := x.first(f)
		if err != nil || i%step != 0 {
			continue
		}
		cost := m.Cost(x.ISA, &in)
		if cost.Flags&machine.Unknown != 0 {
			continue
		}
		r, err := b.Form(context.Background(), f, what)
		if err != nil {
			t.Fatal(err)
		}
		name := x.ISA.Forms.Name(f)
		if what&Throughput != 0 && !math.IsNaN(r.RThru) {
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
			if from, to := x.kindOf[p.From.Reg], x.kindOf[p.To.Reg]; from != to {
				c.across++
				continue
			}
			if c.pairs++; math.Abs(p.Cycles-want) <= 0.5 || math.Abs(p.Self-want) <= 0.5 {
				c.right++
			} else {
				c.wrong = append(c.wrong, fmt.Sprintf("%s %s>%s: latency %.2f, the model has %.1f (chain %.2f)", name, operandName(p.From), operandName(p.To), p.Cycles, want, p.Total))
			}
		}
	}
	return c
}

// TestSynthetic measures machines that are played: what the solver finds must be the model's figures. Latencies by data
// flow alone, where they are the model's exactly, and by the simulator, where forms of several µops on one port take
// longer than the table says.
func TestSynthetic(t *testing.T) {
	for _, c := range []struct {
		arch                        string
		x                           *Target
		flow, simulated, throughput float64 // least shares
	}{{"neoverse-v2", ARM64(), 97, 95, 97}, {"cortex-a72", ARM64(), 99, 92, 98}, {"sifive-p670", RISCV64(), 99, 91, 97}, {"spacemit-x60", RISCV64(), 99, 80, 98}} {
		m, err := machine.Get(c.arch)
		if err != nil {
			t.Fatal(err)
		}
		flow := recoverModel(t, c.x, m, Latency, 7, flowing(c.x, m))
		run, err := simulated(c.x, m)
		if err != nil {
			t.Fatal(err)
		}
		sim := recoverModel(t, c.x, m, Latency|Throughput, 7, run)
		t.Logf("%s: latencies of %d of %d pairs by data flow (%.1f %%, %d between register files aside), of %d of %d in the simulator (%.1f %%), throughputs of %d of %d forms there (%.1f %%)", c.arch,
			flow.right, flow.pairs, percent(flow.right, flow.pairs), flow.across, sim.right, sim.pairs, percent(sim.right, sim.pairs), sim.exact, sim.forms, percent(sim.exact, sim.forms))
		for _, w := range append(flow.wrong[:min(20, len(flow.wrong))], sim.wrong[:min(20, len(sim.wrong))]...) {
			t.Log("  " + w)
		}
		if percent(flow.right, flow.pairs) < c.flow || percent(sim.right, sim.pairs) < c.simulated || percent(sim.exact, sim.forms) < c.throughput {
			t.Errorf("%s: too few figures are found", c.arch)
		}
	}
}

// pairOf is a model's latency of a pair.
func pairOf(c *machine.Cost, p PairLatency) (float64, bool) {
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
		x           *Target
		want        []string // parameters
	}{
		{"neoverse-v2", `^(LD|ST)(R[BHSDQWX]|P[SDQWX]|UR[QX])`, ARM64(), []string{"load-latency: 4", "loads-per-cycle: 3", "stores-per-cycle: 2"}},
		{"sifive-p670", `^(L[BHWD]U?|S[BHWD]|F[LS][WD])$`, RISCV64(), []string{"load-latency: 4", "loads-per-cycle: 2", "stores-per-cycle: 2"}},
		{"spacemit-x60", `^(L[BHWD]U?|S[BHWD]|F[LS][WD])$`, RISCV64(), []string{"load-latency: 4", "loads-per-cycle: 2", "stores-per-cycle: 2"}},
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
		if err := b.Memory(context.Background(), c.x.MemoryTests(regexp.MustCompile(c.forms)), &out, nil); err != nil {
			t.Fatal(err)
		}
		r := memoryResults{}
		for line := range strings.Lines(out.String()) {
			r.add(line)
			if strings.HasPrefix(line, memoryPrefix+"write-back") && !strings.Contains(line, ": 1 ±") {
				t.Error(line)
			}
		}
		params := strings.Join(r.params("x"), "\n")
		t.Logf("%s: %d figures\n%s", c.arch, len(r), params)
		for _, p := range c.want {
			if !strings.Contains(params, "param "+p+" ") {
				t.Errorf("%s: no %s", c.arch, p)
			}
		}
	}
}
