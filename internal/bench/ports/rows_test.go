package ports

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"incore/internal/analysis/throughput"
	"incore/internal/base/long"
	"incore/internal/bench"
	"incore/internal/bench/emulate"
	"incore/internal/bench/host"
	"incore/internal/bench/plan"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// TestResume stops an inference in the middle and goes on from what was recorded: no mix is measured twice, and the result is the same.
func TestResume(t *testing.T) {
	m, err := machine.Get("skylake")
	if err != nil {
		t.Fatal(err)
	}
	s := common(t, m, 40)
	ask := boundOracle(s, m, 0, 1)
	var file bytes.Buffer
	record := func(m Measurement, key string) {
		if err := Record(&file, m, key); err != nil {
			t.Fatal(err)
		}
	}
	whole, err := Infer(context.Background(), s.Forms, 0, ask, Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	_, err = Infer(ctx, s.Forms, 0, func(ctx context.Context, m Mix, parts int) (float64, float64, error) {
		if n++; n == whole.Asked/2 {
			cancel()
		}
		return ask(ctx, m, parts)
	}, Options{Record: record})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("stopped with %v", err)
	}
	known := Recorded(file.String() + "# mix torn lin")
	if len(known) == 0 || len(known) >= whole.Asked {
		t.Fatalf("%d of %d mixes recorded", len(known), whole.Asked)
	}
	rest, err := Infer(context.Background(), s.Forms, 0, ask, Options{Known: known})
	if err != nil {
		t.Fatal(err)
	}
	if rest.Asked+len(known) != whole.Asked {
		t.Errorf("%d mixes after %d recorded, %d in one go", rest.Asked, len(known), whole.Asked)
	}
	var a, b strings.Builder
	for w, inf := range map[*strings.Builder]*Inference{&a: whole, &b: rest} {
		if err := Name(inf, s, m).Write(w); err != nil {
			t.Fatal(err)
		}
	}
	if a.String() != b.String() {
		t.Errorf("results differ:\n%s\n%s", a.String(), b.String())
	}
}

// TestStopKnown stops an inference whose mixes were all measured before, in each of its stages: it ends there.
func TestStopKnown(t *testing.T) {
	m, err := machine.Get("skylake")
	if err != nil {
		t.Fatal(err)
	}
	s := common(t, m, 20)
	known := map[string]Measurement{}
	note := map[Progress]bool{}
	opt := Options{Known: known, Checks: 3, Record: func(m Measurement, key string) { known[key] = m }}
	if _, err = Infer(context.Background(), s.Forms, 0, boundOracle(s, m, 0, 1), opt); err != nil {
		t.Fatal(err)
	}
	unasked := func(context.Context, Mix, int) (float64, float64, error) {
		t.Error("a known mix is asked again")
		return 0, 0, errors.New("asked")
	}
	opt.Note = func(p Progress) { note[p] = true }
	if _, err = Infer(context.Background(), s.Forms, 0, unasked, opt); err != nil {
		t.Fatal(err)
	}
	if len(note) < len(s.Forms) {
		t.Errorf("%d steps of progress with %d forms", len(note), len(s.Forms))
	}
	for at := range note {
		ctx, cancel := context.WithCancel(context.Background())
		opt.Note = func(p Progress) {
			if p == at {
				cancel()
			}
		}
		if _, err := Infer(ctx, s.Forms, 0, unasked, opt); !errors.Is(err, context.Canceled) {
			t.Errorf("stopped at %v: %v", at, err)
		}
		cancel()
	}
}

// TestRows reads the written rows as a model and finds the µops of the base in them.
func TestRows(t *testing.T) {
	for _, c := range long.Some([]struct {
		arch string
		rows int // least
	}{{"sifive-p670", 15}, {"alderlake-p", 30}, {"neoverse-v2", 30}}, 1) {
		m, err := machine.Get(c.arch)
		if err != nil {
			t.Fatal(err)
		}
		s := common(t, m, 60)
		opt := s.Options()
		opt.Checks = 20
		inf, err := Infer(context.Background(), s.Forms, 0, boundOracle(s, m, 0.005, 2), opt)
		if err != nil {
			t.Fatal(err)
		}
		n := Name(inf, s, m)
		var b strings.Builder
		fmt.Fprintf(&b, "name: here\nisa: %s\nbase: %s\n\nsource: measured\n", m.ISA, m.Name)
		if err := n.Write(&b); err != nil {
			t.Fatal(err)
		}
		here, err := machine.Load(strings.NewReader(b.String()), "here")
		if err != nil {
			t.Fatalf("%v in\n%s", err, b.String())
		}
		rows := 0
		for i := 1; i < len(s.Forms); i++ {
			if row, _ := n.Row(i); row == "" {
				continue
			}
			rows++
			a, _ := s.ModelMap(i, here, inf.Width)
			if want, ok := s.ModelMap(i, m, inf.Width); ok && !a.equal(want) {
				t.Errorf("%s: %s: %v, want %v", c.arch, s.Forms[i].Name, a, want)
			}
		}
		if rows < c.rows {
			t.Errorf("%s: only %d rows", c.arch, rows)
		}
		for _, k := range inf.Checks {
			if d := k.Predicted/k.Measured - 1; d > 0.03 || d < -0.1 {
				t.Errorf("%s: %s: measured %.3f, predicted %.3f", c.arch, k.Key, k.Measured, k.Predicted)
			}
		}
	}
}

// TestEmulate runs every 19th mix that inferences of two played machines ask for under QEMU: each must be executed as it was planned.
func TestEmulate(t *testing.T) {
	long.Only(t, "runs mixes under QEMU")
	for _, arch := range long.Some([]string{"sifive-p670", "neoverse-v2"}, 1) {
		m, err := machine.Get(arch)
		if err != nil {
			t.Fatal(err)
		}
		s := common(t, m, 120)
		e, err := emulate.New(context.Background(), s.Target)
		if err != nil {
			t.Skip(err)
		}
		n, ran := 0, 0
		err = e.Groups(context.Background(), func(yield func(emulate.Group) bool) {
			_, err := Infer(context.Background(), s.Forms, 0, s.Oracle(func(_ context.Context, p *plan.Plan) (float64, float64, error) {
				if n++; n%19 == 0 && !yield(emulate.Group{Name: fmt.Sprint("mix ", n), Form: p.Form, Plans: []*plan.Plan{p}}) {
					return 0, 0, context.Canceled
				}
				tp := throughput.Analyze(bind(s.Target, p, m), throughput.Optimal)
				return max(tp.Cycles, tp.Dispatch), 0, nil
			}), s.Options())
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
		if err != nil || ran < 30 {
			t.Errorf("%s: %d mixes ran, %v", arch, ran, err)
		}
		t.Logf("%s: of %d mixes %d were tried, %d ran as planned", arch, n, n/19, ran)
	}
}

// TestBadOracle has oracles without an answer.
func TestBadOracle(t *testing.T) {
	forms := []Form{{Name: "nop"}, {Name: "a"}, {Name: "b"}}
	_, err := Infer(context.Background(), forms, 0, func(context.Context, Mix, int) (float64, float64, error) { return 0, 0, &NoFigure{"unstable"} }, Options{})
	if err == nil || !strings.Contains(err.Error(), "could not be measured") {
		t.Errorf("no figure at all: %v", err)
	}
	broken := errors.New("broken")
	if _, err = Infer(context.Background(), forms, 0, func(context.Context, Mix, int) (float64, float64, error) { return 0, 0, broken }, Options{}); !errors.Is(err, broken) {
		t.Errorf("broken: %v", err)
	}
	if _, err = Infer(context.Background(), forms, 7, nil, Options{}); err == nil {
		t.Error("a NOP that is none of the forms")
	}
	// every mix takes the same time, whatever is in it: nothing may be called explained that contradicts itself, and nothing may panic
	if _, err = Infer(context.Background(), forms, 0, func(context.Context, Mix, int) (float64, float64, error) { return 1, 0, nil }, Options{Checks: 3}); err != nil {
		t.Error(err)
	}
}

// TestLoad holds the bound against sets computed by hand.
func TestLoad(t *testing.T) {
	for _, c := range []struct {
		m    Map
		want float64
	}{
		{Map{1}, 1}, {Map{3}, 0.5}, {Map{1, 3}, 1}, {Map{1, 3, 3}, 1.5}, {Map{1, 2, 3}, 1.5}, {Map{7, 7, 7, 7, 1}, 5. / 3}, {nil, 0}, {Map{0}, 0},
	} {
		var l load
		for _, s := range c.m {
			l.add(s, 1)
		}
		if got := l.cycles(); got < c.want-1e-9 || got > c.want+1e-9 {
			t.Errorf("%v: %g, want %g", c.m, got, c.want)
		}
	}
}

// TestHost measures a mix on the machine under us, if it can be measured: that there is a figure, not which.
func TestHost(t *testing.T) {
	x := plan.For(catalog.ISA("x86-64"))
	s, _, err := Prepare(x, []isa.FormID{x.ISA.Forms.Named("ADD64rr"), x.ISA.Forms.Named("IMUL64rr")})
	if err != nil {
		t.Fatal(err)
	}
	b := bench.NewBench(x)
	v, _, err := s.Oracle(b.Time)(context.Background(), Mix{{len(s.Forms) - 2, 2}, {len(s.Forms) - 1, 1}}, 2)
	var none *NoFigure
	var why *host.Reason
	if errors.As(err, &none) || errors.As(err, &why) {
		t.Skip(err)
	}
	if err != nil || !(v > 0) {
		t.Errorf("%g cycles, %v", v, err)
	}
}

// TestCrosses asks of forms whether they bring something from one register file to another.
func TestCrosses(t *testing.T) {
	for name, forms := range map[string]string{"x86-64": "VMOVPDI2DIrr+ VMOV64toPQIrr+ UCOMISDrr+ KMOVDkr+ VPINSRDrr+ VADDPDrr- CMOV32rr- ADD64rr- CMP64rr-", "aarch64": "FMOVXDr+ SCVTFUXDri+ FCMPDrr+ ADDXri- FADDDrr-"} {
		x := plan.For(catalog.ISA(name))
		for _, f := range strings.Fields(forms) {
			f, want := f[:len(f)-1], f[len(f)-1] == '+'
			sub, err := x.Subject(x.ISA.Forms.Named(f))
			if err != nil {
				t.Fatal(f, err)
			}
			if got := x.Crosses(sub); got != want {
				t.Errorf("%s: %v", f, got)
			}
		}
	}
}
