package x86

import (
	"sort"
	"strings"
	"testing"

	"incore/internal/isa"
)

// uncoded says why a form is not produced by the decoder, "" if it is.
func uncoded(f isa.FormID) string {
	t, c := codes().table, codes()
	has := func(preds ...string) bool {
		for _, p := range t.Predicates(f) {
			for _, q := range preds {
				if p == q {
					return true
				}
			}
		}
		return false
	}
	name := t.Name(f)
	switch flags := t.Flags(f); {
	case unreachable[name] != "":
		return unreachable[name]
	case c.forms[f].sig != 0 && c.sigs[c.forms[f].sig].Decode:
		return ""
	case flags&isa.Pseudo != 0:
		return "pseudo-instruction"
	case strings.HasSuffix(name, "_PREFIX"):
		return "prefix: part of the instruction that follows"
	case has("Not64BitMode", "In32BitMode"):
		return "not in 64-bit mode"
	case c.forms[f].sig != 0 && c.sigs[c.forms[f].sig].AdSize == 16:
		return "16-bit addresses"
	case flags&isa.CodeGenOnly != 0:
		return "for LLVM's code generator: another form has the same machine code"
	case flags&isa.AsmParserOnly != 0:
		return "for LLVM's parser: another form has the same machine code"
	case c.forms[f].sig == 0:
		return "3DNow"
	}
	return "?"
}

// TestCoverage accounts for every form that the decoder doesn't produce.
// TestRoundTrip shows that it produces all others.
func TestCoverage(t *testing.T) {
	reasons := map[string][]string{}
	f := codes().table
	for i := 1; i < f.Len(); i++ {
		r := uncoded(isa.FormID(i))
		reasons[r] = append(reasons[r], f.Name(isa.FormID(i)))
	}
	var keys []string
	for r := range reasons {
		keys = append(keys, r)
	}
	sort.Strings(keys)
	for _, r := range keys {
		l := reasons[r]
		if r == "" {
			t.Logf("%5d decoded", len(l))
			continue
		}
		t.Logf("%5d %s: %s …", len(l), r, strings.Join(l[:min(6, len(l))], " "))
		if r == "?" || r == "3DNow" && len(l) > 60 {
			t.Errorf("unexplained: %v", l)
		}
	}
}

// BenchmarkEncode encodes an instruction with a memory operand.
func BenchmarkEncode(b *testing.B) {
	var in isa.Inst
	if _, err := decode([]byte{0x62, 0xf1, 0xed, 0x58, 0x58, 0x48, 0x01}, 0, &in); err != nil {
		b.Fatal(err)
	}
	var buf [16]byte
	b.ReportAllocs()
	for b.Loop() {
		if _, err := encode(buf[:0], &in, 0); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPrint prints it.
func BenchmarkPrint(b *testing.B) {
	var in isa.Inst
	if _, err := decode([]byte{0x62, 0xf1, 0xed, 0x58, 0x58, 0x48, 0x01}, 0, &in); err != nil {
		b.Fatal(err)
	}
	buf := make([]byte, 0, 64)
	b.ReportAllocs()
	for b.Loop() {
		buf = printInst(buf[:0], &in, "att")
	}
}
