package analyze

import (
	"fmt"
	"strings"
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

// TestExplainSuggests checks what the error for a text that is no instruction suggests.
func TestExplainSuggests(t *testing.T) {
	for _, c := range []struct{ text, arch, want string }{
		{"vfmadd231pd", "zen5", "'vfmadd231pd' needs operands (give them, or a form: VFMADD231PDm, VFMADD231PDr"},
		{"VADDPDYrrr", "zen5", "no form is named 'VADDPDYrrr' (forms that begin so: VADDPDYrr"},
		{"popcn", "zen5", "unknown mnemonic 'popcn' in 'popcn' (mnemonics that begin so: popcntl"},
		{"fmla v0.4s,v1.4s,v2.4s", "zen5", "it is one of aarch64"},
		{"vle32", "zen5", "mnemonics of riscv64 that begin so: vle32.v"},
		{"divsdd xmm0, xmm1", "zen5", "nearest known: divsd"},
		{"gather", "zen5", "mnemonics with it: vgatherdpd"},
		{"", "zen5", "instruction expected in ''"},
		{"fmadd", "neoverse-n1", "'fmadd' needs operands (give them, or a form: FMADDDrrr"},
	} {
		_, err := Explain(c.text, Options{Archs: []string{c.arch}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
}

// TestExplainOne: a second instruction behind a separator is an error, in every syntax.
func TestExplainOne(t *testing.T) {
	for _, text := range []string{"add rax, rbx; imul rcx, rdx", "addq %rax, %rbx; nop", "add x0, x1, x2; nop", "add a0, a1, a2; nop"} {
		if _, _, _, err := resolveOne(text, &Options{}, ""); err == nil || !strings.Contains(err.Error(), "not one statement") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestExplainReserved: what the specification reserves is said of a machine that would execute it.
func TestExplainReserved(t *testing.T) {
	for text, want := range map[string]string{"vsetvli t0, a0, e64, mf8, ta, ma": "elements of 64 bits need an LMUL of 1 or more", "vsetvli t0, a0, e32, m1, ta, ma": ""} {
		x, err := Explain(text, Options{Archs: []string{"x60"}})
		if err != nil {
			t.Fatal(err)
		}
		notes := strings.Join(x.Instructions[0].Costs[0].Notes, "\n")
		if want != "" && !strings.Contains(notes, want) || want == "" && strings.Contains(notes, "reserves") {
			t.Errorf("%s: %q, want %q", text, notes, want)
		}
	}
}
