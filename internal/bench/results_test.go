package bench

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"

	"incore/internal/bench/plan"
	"incore/internal/bench/results"
	"incore/internal/isa"
	"incore/internal/machine"
)

// TestResults writes results, reads them back, and makes a model of them that the loader takes.
func TestResults(t *testing.T) {
	x := plan.X86()
	b := &Bench{Target: x, Run: dataflow(x, func(*isa.Inst) float64 { return 1 })}
	if err := b.Calibrate(context.Background()); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := b.WriteHeader(&out, results.Identity{CPU: "CPU stepping 1 microcode 0x7 (EPYC)", Kernel: "kernel", Date: "2026-01-01", Version: "test"}, "zen4"); err != nil {
		t.Fatal(err)
	}
	forms := x.Select(regexp.MustCompile(`^(ADD64rr|SUB64rr|IMUL64rm|XOR32rr|VADDPDYrr|CMP64rr)$`), nil)
	b.CPUs = [][]int{nil, nil} // two at a time
	if err := b.Forms(context.Background(), forms, plan.Latency|plan.Throughput, func(r *results.Form) error { return r.Write(&out, x.ISA.Forms) }); err != nil {
		t.Fatal(err)
	}
	if _, _, err := results.Measured(strings.NewReader(out.String()), "CPU stepping 2 microcode 0x7 (EPYC)"); err == nil || !strings.Contains(err.Error(), "another machine") {
		t.Errorf("results of another machine: %v", err)
	}
	done, valid, err := results.Measured(strings.NewReader(out.String()+"VADDPSrr | = | 2"), "CPU stepping 1 microcode 0x8 (EPYC)") // updated since
	if err != nil || len(done) != len(forms) || valid != int64(out.Len()) || !done["CMP64rr"] {
		t.Errorf("%v, %d of %d bytes, %v", done, valid, out.Len(), err)
	}
	var model strings.Builder
	if err := results.Build(&out, &model, "here", "Here"); err != nil {
		t.Fatal(err)
	}
	m, err := machine.Load(strings.NewReader(model.String()), "here")
	if err != nil {
		t.Fatalf("%v\n%s", err, model.String())
	}
	in, _ := x.ISA.Parse(nil, "imulq %rax, %rbx", "att")
	if c := m.Cost(x.ISA, &in[0]); c.Latency <= 0 {
		t.Errorf("inherited cost %+v", c)
	}
	in, _ = x.ISA.Parse(nil, "vaddpd %ymm0, %ymm1, %ymm2", "att")
	if c := m.Cost(x.ISA, &in[0]); c.SourceLatency != 1 || !strings.HasPrefix(c.Rows[len(c.Rows)-1], "here:") {
		t.Errorf("measured cost %g from %v", c.SourceLatency, c.Rows)
	}
	if err := results.Build(strings.NewReader("nonsense"), &model, "x", "x"); err == nil {
		t.Error("a model is made of nonsense")
	}
}
