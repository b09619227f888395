package results

import (
	"math"
	"strings"
	"testing"

	"incore/internal/bench/plan"
	"incore/internal/isa"
)

// TestRow writes results as rows.
func TestRow(t *testing.T) {
	forms := plan.X86().ISA.Forms
	pair := func(from, to int8, cycles float64) Pair {
		return Pair{From: isa.Access{Op: from}, To: isa.Access{Op: to}, Cycles: cycles, Self: math.NaN()}
	}
	fast := pair(1, 0, 4) // forwarded to itself two cycles sooner
	fast.Self = 2
	address := pair(5, 0, 7.6)
	address.From.Role = isa.RoleAddr
	result := func(name string, rthru float64, pairs ...Pair) *Form {
		r := NewForm(forms.Named(name))
		r.RThru, r.RThruLow, r.Pairs = rthru, rthru, pairs
		return r
	}
	same := func(r *Form, what string) *Form {
		r.Same, r.SameOps = what, [2]int{1, 2}
		return r
	}
	lanes := result("VEXTRACTF128rr", 0.5, pair(1, 0, 3))
	lanes.Immediates = []Immediate{{2, 0, result("VEXTRACTF128rr", 0.25, pair(1, 0, 1))}}
	for want, r := range map[string]*Form{
		"":                             result("ADD64rr", math.NaN()),
		"ADD64rr | = | = | rthru=0.25": result("ADD64rr", 0.25),
		"ADD64rr | = | 1":              result("ADD64rr", math.NaN(), pair(1, 0, 1.1), pair(2, 0, 0.9), pair(2, ^0, 1)),
		"ADC64rr | = | 2 1>0:1 i0>i0:1.5": result("ADC64rr", math.NaN(), pair(1, 0, 1), pair(2, 0, 2), pair(^0, ^0, 1.5),
			pair(2, ^0, 2)),
		"MUL64r | = | 3,4 i1>i0:2":                                                              result("MUL64r", math.NaN(), pair(0, ^0, 3), pair(0, ^1, 4), pair(^1, ^0, 2)),
		"MUL64r | = | 4,4,5":                                                                    result("MUL64r", math.NaN(), pair(0, ^1, 4), pair(0, ^2, 5), pair(0, ^0, 4)),
		"MUL64r | = | 5,4,5":                                                                    result("MUL64r", math.NaN(), pair(0, ^1, 4), pair(0, ^2, 5)), // of the first nothing is known
		"IMUL64rm | = | 7.5 1>0:3":                                                              result("IMUL64rm", math.NaN(), address, pair(1, 0, 3)),
		"VADDPDYrr | = | 4#84 r0-2#84 | rthru=0.5":                                              result("VADDPDYrr", 0.5, fast),
		"XOR64rr | = | 1\nXOR64rr | = | = | zero-idiom when=same(1,2)":                          same(result("XOR64rr", math.NaN(), pair(1, 0, 1)), ZeroIdiom),
		"SBB64rr | = | 1\nSBB64rr | = | = | dep-break when=same(1,2)":                           same(result("SBB64rr", math.NaN(), pair(1, 0, 1)), DepBreak),
		"MOV64rr | = | 0 | rthru=0.167 move-elim":                                               same(result("MOV64rr", 1.0/6, pair(1, 0, 0)), MoveElim),
		"MOV32rr | = | 1 | rthru=0.25\nMOV32rr | = | = | move-elim when=!same(0,1)":             same(result("MOV32rr", 0.25, pair(1, 0, 1)), MoveElimDistinct),
		"VEXTRACTF128rr | = | 3 | rthru=0.5\nVEXTRACTF128rr | = | 1 | rthru=0.25 when=imm(2)=0": lanes,
	} {
		if got := r.Row(forms); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestWrite has what stands beside a row in a file, and why there is none.
func TestWrite(t *testing.T) {
	forms := plan.X86().ISA.Forms
	r := NewForm(forms.Named("ADC64rr"))
	r.RThru, r.RThruLow, r.Note, r.Forward, r.RMW = 0.5, 0.25, "a note", 4.04, 7
	r.Cases = []Case{{"zeros", 2, math.NaN()}, {"ones", 3, 4}}
	none, failed := NewForm(r.Form), NewForm(r.Form)
	failed.Reason = "why"
	for want, r := range map[string]*Form{
		`# ADC64rr with a note
# ADC64rr runs with helpers: reciprocal throughput between 0.25 and 0.5
# ADC64rr to a load of the same bytes takes 4 cycles
# ADC64rr again and again at one address takes 7 cycles each
# ADC64rr with zeros: reciprocal throughput 2
# ADC64rr with ones: reciprocal throughput 3, latency 4
ADC64rr | = | = | rthru=0.5
`: r,
		"# ADC64rr: no figure\n": none,
		"# ADC64rr: why\n":       failed,
	} {
		var b strings.Builder
		if err := r.Write(&b, forms); err != nil || b.String() != want {
			t.Errorf("%v, got\n%swant\n%s", err, b.String(), want)
		}
	}
}
