package analyze

import (
	"fmt"
	"testing"
)

// TestExplainForwarding checks that the latency for an operand from an instruction of the same kind is listed in addition to the general latency.
func TestExplainForwarding(t *testing.T) {
	for _, c := range []struct{ text, arch, from, want string }{
		{"fmadd d0, d1, d2, d3", "neoverse-v2", "d3", "4, 2 its kind"},
		{"fmadd d0, d1, d2, d3", "neoverse-v2", "d1", "4"},
		{"vaddpd %ymm0, %ymm1, %ymm2", "emeraldrapids", "ymm0", "3, 2 its kind"},
		{"shlx %rax, %rbx, %rcx", "emeraldrapids", "rbx", "1, 3 some others"},
	} {
		x, err := Explain(c.text, Options{Archs: []string{c.arch}})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, l := range x.Instructions[0].Costs[0].Pairs {
			switch {
			case l.From != c.from:
			case l.Producer == "":
				got += fmt.Sprint(l.Cycles)
			default:
				got += fmt.Sprintf(", %v %s", l.Cycles, l.Producer)
			}
		}
		if got != c.want {
			t.Errorf("%s, %s on %s: %s, want %s", c.text, c.from, c.arch, got, c.want)
		}
	}
}
