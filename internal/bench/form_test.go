package bench

import (
	"context"
	"math"
	"testing"

	"incore/internal/bench/plan"
	"incore/internal/isa"
)

// dataflow is a machine without limits other than latency: every instruction takes lat cycles
// from the last of its operands, measured in steady state.
func dataflow(x *plan.Target, lat func(*isa.Inst) float64) func(context.Context, *plan.Plan) (float64, float64, error) {
	return func(_ context.Context, p *plan.Plan) (float64, float64, error) {
		ready := map[uint16]float64{}
		var e isa.Effects
		run := func() (end float64) {
			for i := range p.Insts {
				x.ISA.Effects(&p.Insts[i], &e)
				at := 0.0
				for _, r := range e.Reads {
					u := x.ISA.Regs.Units(r.Reg)
					for k := 0; k < u.Len() && !r.SameValue && r.Role != isa.RoleControl; k++ {
						at = math.Max(at, ready[u.At(k)])
					}
				}
				at += lat(&p.Insts[i])
				for _, w := range e.Writes {
					u := x.ISA.Regs.Units(w.Reg)
					for k := range u.Len() {
						ready[u.At(k)] = at
					}
				}
				end = math.Max(end, at)
			}
			return end
		}
		var mid float64
		for range 40 {
			mid = run()
		}
		end := mid
		for range 40 {
			end = run()
		}
		return (end - mid) / 40, 0, nil
	}
}

// TestLatencyPlans puts a machine of known latencies in the hardware's place: the chains planned must find them.
func TestLatencyPlans(t *testing.T) {
	x := plan.X86()
	helper := map[string]float64{"LEA64r": 1, "VPSHUFDri": 2, "KORQrr": 1, "MMX_PSHUFWri": 1, "VMOV64toPQIrr": 3, "VMOVPQIto64rr": 3, "KMOVQkr": 2, "KMOVQrk": 2,
		"VPMOVQ2MZ128rr": 4, "VPMOVM2QZ128rr": 2, "MMX_MOVD64to64rr": 3, "MMX_MOVD64from64rr": 3, "TEST64rr": 1, "CMOV64rr": 1, "AND64ri8": 1, "ADD64rr": 1}
	b := &Bench{Target: x}
	form := isa.NoForm
	b.Run = dataflow(x, func(in *isa.Inst) float64 {
		if in.Form == form {
			return 7
		}
		if l, ok := helper[x.ISA.Forms.Name(in.Form)]; ok {
			return l
		}
		return 1
	})
	if err := b.Calibrate(context.Background()); err != nil {
		t.Fatal(err)
	}
	if b.Residual > 0.51 {
		t.Errorf("residual %g with exact measurements", b.Residual)
	}
	for _, name := range []string{"SUB64rr", "ADC64rr", "IMUL64rr", "IMUL64rm", "MUL64r", "VFMADD213PDYr", "ADDPDrr", "VADDPSYrm", "CMP64rr", "SETCCr", "SHL64rCL", "CVTSI642SDrr_Int",
		"VPCMPEQDZrr", "VPADDDZrrk", "VMOVMSKPDrr", "KANDWrr", "KUNPCKBWrr", "PEXTRWrr", "XADD64rr", "MULX64rr", "MMX_PADDDrr", "BSF64rr"} {
		form = x.ISA.Forms.Named(name)
		if form == isa.NoForm {
			t.Errorf("no form %s", name)
			continue
		}
		r, err := b.Form(context.Background(), form, plan.Latency)
		if err != nil || len(r.Pairs) == 0 {
			t.Errorf("%s: %v, %+v", name, err, r)
			continue
		}
		for _, p := range r.Pairs {
			if math.Abs(p.Cycles-7) > 0.51 {
				from, to, _ := p.Operands(x)
				t.Errorf("%s %s>%s: %.2f cycles (chain of %.2f), want 7", name, from, to, p.Cycles, p.Total)
			}
		}
	}
}

// TestSystem solves for sums: what is determined is found exactly, what isn't is split evenly.
func TestSystem(t *testing.T) {
	var s system
	s.init(5)
	s.add([]int{0}, 2.01)
	s.add([]int{0, 1}, 5)
	s.add([]int{2, 3}, 7.02)
	x, worst := s.solve()
	want := []float64{2, 3, 3.5, 3.5, math.NaN()}
	for i := range want {
		if x[i] != want[i] && !(math.IsNaN(x[i]) && math.IsNaN(want[i])) {
			t.Errorf("unknown %d is %g, want %g", i, x[i], want[i])
		}
	}
	if worst > 0.03 {
		t.Errorf("residual %g", worst)
	}
}
