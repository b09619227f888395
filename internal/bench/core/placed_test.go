package core

import (
	"context"
	"testing"

	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// played runs a probe on a core that a model plays, over a base.
func played(t *testing.T, p Probe, m, base *machine.Model) []Finding {
	t.Helper()
	x := For(catalog.ISA(m.ISA))
	play, err := Played(x, m, base)
	if err != nil {
		t.Fatal(err)
	}
	fs, err := p.run(context.Background(), &session{t: x, m: &play, width: float64(m.Params.DispatchWidth), parse: map[string]isa.Inst{}})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range fs {
		t.Log(m.Name, f.Name, f.Value, f.How)
	}
	return fs
}
