package uops_test

import (
	"strings"
	"testing"

	"incore/internal/analysis/uops"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// TestLoadHalves checks that on a core with load-halves the first of two loads that overwrite a register does not wait for it, in this place alone.
func TestLoadHalves(t *testing.T) {
	m, err := machine.Load(strings.NewReader("name: halves\nbase: skylake\nfeature load-halves: true # test\n"), "halves.model")
	if err != nil {
		t.Fatal(err)
	}
	plain, err := machine.Get("skylake")
	if err != nil {
		t.Fatal(err)
	}
	waits := func(m *machine.Model, text string) (out []bool) {
		b := uops.Bind(m, kernel(t, catalog.ISA("x86-64"), strings.ReplaceAll(text, "; ", "\n")))
		for i := range b.Insts {
			in, w := &b.Insts[i], false
			for k, r := range in.Effects.Reads {
				_, ok := in.Pair(k, 0)
				w = w || ok && r.Role == isa.RoleData
			}
			out = append(out, w)
		}
		return out
	}
	const pair, apart = "movlps (%rsi), %xmm1; movhps 8(%rsi), %xmm1; movlps (%rsi), %xmm1", "movlps (%rsi), %xmm1; nop; movhps 8(%rsi), %xmm1"
	if got := waits(m, pair); got[0] || !got[1] || !got[2] {
		t.Errorf("%s: waits %v", pair, got)
	}
	if got := waits(m, apart); !got[0] || !got[2] {
		t.Errorf("%s: waits %v", apart, got)
	}
	if got := waits(plain, pair); !got[0] {
		t.Errorf("%s: the first one does not wait on a core without load-halves", pair)
	}
}
