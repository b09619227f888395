package bench

import (
	"context"
	"math"
	"testing"

	"incore/internal/bench/plan"
	"incore/internal/isa"
)

// TestFewerHelpers finds the throughput of a form that waits for the flags, on a machine of 4 units and 6 slots a cycle
// that does xor at rename: neither kind of helper alone tells it.
func TestFewerHelpers(t *testing.T) {
	x := plan.X86()
	b := &Bench{Target: x, helpers: make([]float64, len(x.Helpers())), clearing: 2}
	b.Run = func(_ context.Context, p *plan.Plan) (float64, float64, error) {
		units, chain, longest := 0.0, 0, 0
		for i := range p.Insts {
			if p.Own[i] {
				units++
				chain++
			} else {
				chain = 0
				if x.ISA.Forms.Name(p.Insts[i].Form) != "XOR64rr" {
					units++
				}
			}
			longest = max(longest, chain)
		}
		return max(units/4, float64(len(p.Insts))/6, float64(longest-3)/8*p.N), 0, nil // (long chains wait)
	}
	r, err := b.Form(context.Background(), x.ISA.Forms.Named("ADC64rr"), plan.Throughput)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(r.RThru-0.25) > 0.005 || r.RThruLow < r.RThru {
		t.Errorf("between %g and %g, want 0.25", r.RThruLow, r.RThru)
	}
}

// TestImmediates measures a form that crosses lanes unless its immediate is 0, one for which 2 does that, and one of
// which the immediate tells nothing.
func TestImmediates(t *testing.T) {
	x := plan.X86()
	b := &Bench{Target: x, helpers: make([]float64, len(x.Helpers())), clearing: 2}
	b.Run = func(_ context.Context, p *plan.Plan) (float64, float64, error) {
		each, latency := 0.5, 3.0
		for i := range p.Insts {
			in := &p.Insts[i]
			switch name := x.ISA.Forms.Name(in.Form); {
			case !p.Own[i]:
			case name == "VEXTRACTF128rr" && in.Ops[2].Imm == 0, name == "VSHUFF32X4Z256rri" && in.Ops[3].Imm == 2:
				each, latency = 0.25, 1
			}
		}
		if (p.To == isa.Access{}) {
			return each * p.N, 0, nil
		}
		return latency*p.N + float64(len(p.Helpers)), 0, nil
	}
	for i := range b.helpers {
		b.helpers[i] = 1
	}
	for name, want := range map[string]string{
		"VEXTRACTF128rr":    "VEXTRACTF128rr | = | 3 | rthru=0.5\nVEXTRACTF128rr | = | 1 | rthru=0.25 when=imm(2)=0",
		"VSHUFF32X4Z256rri": "VSHUFF32X4Z256rri | = | 3 | rthru=0.5\nVSHUFF32X4Z256rri | = | 1 | rthru=0.25 when=imm(3)=2",
		"VPSHUFDri":         "VPSHUFDri | = | 3 | rthru=0.5",
	} {
		r, err := b.Form(context.Background(), x.ISA.Forms.Named(name), plan.Latency|plan.Throughput)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Row(b.Target.ISA.Forms); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
