package plan

import (
	"context"
	"errors"
	"testing"

	"incore/internal/bench/host"
)

// TestFeatures runs a sample of forms: those that CPUID says this machine lacks must be illegal or do nothing, the others run.
func TestFeatures(t *testing.T) {
	x := X86()
	forms := x.Select(nil, nil)
	if len(forms) < 10000 {
		t.Fatalf("only %d forms", len(forms))
	}
	lacking, having := 0, 0
	for i := 0; i < len(forms); i += 97 {
		f := forms[i]
		p, err := x.Throughput(f, 1)
		if err != nil {
			continue
		}
		c := x.Code(p)
		c.Short, c.Long = host.Run{Copies: 1, Trips: 1}, host.Run{Copies: 1, Trips: 2}
		_, err = host.Measure(context.Background(), c, host.Options{Windows: 1, Patience: 1})
		why := new(host.Reason)
		if errors.As(err, &why) && why.Kind == "unsupported" {
			t.Skip(err)
		}
		// Tiles of a core without AMX are refused by the kernel before anything runs.
		illegal := errors.As(err, &why) && (why.Kind == "illegal" || why.Kind == "permission")
		switch lacks := x.Lacks(f); {
		case lacks == "" && illegal:
			t.Errorf("%s: CPUID has what it needs, but it is illegal", x.ISA.Forms.Name(f))
		case lacks != "" && !illegal && x.ISA.Forms.NumDefs(f) > 0:
			t.Errorf("%s runs, but is said to lack %s", x.ISA.Forms.Name(f), lacks)
		case lacks != "":
			lacking++
		default:
			having++
		}
	}
	t.Logf("%d forms run, %d are not there", having, lacking)
	if having == 0 {
		t.Error("no form runs")
	}
}
