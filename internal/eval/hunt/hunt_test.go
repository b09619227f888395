package hunt

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"incore/internal/bench/plan"
	"incore/internal/isa"
	"incore/internal/isa/x86"
	"incore/internal/report"
)

// options hunt a predictor that is wrong about additions of vectors, whatever registers they name.
func options(t *testing.T) Options {
	t.Helper()
	target := plan.For(x86.ISA()).Modelled()
	forms := target.Select(regexp.MustCompile("^(V?(ADD|MUL|SUB)P[SD](Y|Z)?r[rm]|(ADD|SUB|IMUL|XOR)64r[rm]|MOV64(rr|rm|mr))$"), nil)
	pool := NewPool(target, forms)
	if pool.Len() < 10 {
		t.Fatalf("a pool of %d forms", pool.Len())
	}
	right := func(_ context.Context, insts []isa.Inst, _ []byte) (float64, error) { return float64(len(insts)), nil }
	wrong := func(ctx context.Context, insts []isa.Inst, code []byte) (float64, error) {
		cycles := 0.0
		for i := range insts {
			switch name := target.ISA.Forms.Name(insts[i].Form); {
			case strings.Contains(name, "ADDP"):
				cycles += 3
			case strings.Contains(name, "IMUL"):
				return 0, errors.New("not known")
			default:
				cycles++
			}
		}
		return cycles, nil
	}
	return Options{Pool: pool, A: wrong, B: right, Seed: 5, Starts: 60, Insts: 4, Threshold: 0.3, Keep: func(Step) error { return nil }}
}

// TestRun: what is found is additions of vectors, shrunk to one instruction, with any registers; the same seed finds the same, also where a run goes on.
func TestRun(t *testing.T) {
	o := options(t)
	var kept bytes.Buffer
	o.Keep = func(s Step) error {
		line, err := json.Marshal(s)
		kept.Write(append(line, '\n'))
		return err
	}
	found, err := Run(context.Background(), o)
	if err != nil || len(found) == 0 {
		t.Fatalf("%d found, %v", len(found), err)
	}
	for _, d := range found {
		if len(d.Block.Insns) != 1 || !strings.Contains(d.Kind, "addp") && !strings.Contains(d.Kind, "ADDP") || d.Block.Sharing || d.Share < most {
			t.Errorf("%+v", d)
		}
	}
	again, err := Run(context.Background(), options(t))
	if err != nil || kinds(again) != kinds(found) {
		t.Errorf("again: %s, %v; not %s", kinds(again), err, kinds(found))
	}
	steps, whole, err := ReadSteps(strings.NewReader(kept.String() + `{"start":`))
	if err != nil || len(steps) != o.Starts || whole != int64(kept.Len()) {
		t.Fatalf("%d steps, %d bytes, %v", len(steps), whole, err)
	}
	o = options(t)
	o.Done = steps[:20]
	if on, err := Run(context.Background(), o); err != nil || kinds(on) != kinds(found) {
		t.Errorf("resumed: %s, %v; not %s", kinds(on), err, kinds(found))
	}
	var text bytes.Buffer
	if Rank(found); (&Report{A: "a", B: "b", Discoveries: found}).Text(&text, report.TextOptions{Most: 1}) != nil || strings.Count(text.String(), "\n1. ") != 1 || strings.Contains(text.String(), "\n2. ") {
		t.Error(text.String())
	}
}

func kinds(list []Discovery) string {
	var out []string
	for _, d := range list {
		out = append(out, d.Kind)
	}
	return strings.Join(out, "|")
}

// TestSample: with sharing, a sample names the registers of the example.
func TestSample(t *testing.T) {
	o := options(t)
	rng := newRNG(1)
	b := o.Pool.Random(rng, 3)
	for range 10 {
		for k, in := range o.Pool.Sample(rng, b) {
			if got := o.Pool.registers(&in); !reflect.DeepEqual(got, b.regs[k]) {
				t.Errorf("registers %v, not %v", got, b.regs[k])
			}
			if in.Form != b.Insns[k].Form {
				t.Errorf("form %d, not %d", in.Form, b.Insns[k].Form)
			}
		}
	}
}
