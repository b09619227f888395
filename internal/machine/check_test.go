package machine

import (
	"strings"
	"testing"

	"incore/internal/base/long"
)

// TestCheckCounts: every form is counted once for its µops and once for its latency, and the layers of uops.info show.
func TestCheckCounts(t *testing.T) {
	isas := tables(t)
	for _, c := range []struct {
		model    string
		uopsInfo int // at least so many forms
	}{{"skylake", 2500}, {"skylake-server", 11000}, {"icelake-client", 12000}, {"alderlake-p", 14000}, {"zen4", 4500}, {"neoverse-v2", 0}, {"spacemit-x60", 0}} {
		m, err := Get(c.model)
		if err != nil {
			t.Fatal(err)
		}
		x := m.Check(isas[m.ISA])
		uops, latency := 0, 0
		for o := range NumOrigins {
			uops, latency = uops+x.Uops[o], latency+x.Latencies[o]
		}
		if uops != x.Forms || latency != x.Forms || x.Forms < 1000 {
			t.Errorf("%s: %d forms, %d counted by µops and %d by latency", c.model, x.Forms, uops, latency)
		}
		if x.Latencies[UopsInfo] < c.uopsInfo {
			t.Errorf("%s: latency of %d forms from uops.info", c.model, x.Latencies[UopsInfo])
		}
		for _, s := range x.Suspicious {
			if s.Line == 0 || s.File == "" || s.N < 1 || s.Why == "" {
				t.Errorf("%s: %+v", c.model, s)
			}
		}
		if len(x.Unread) > 0 {
			t.Errorf("%s: nothing reads %v", c.model, x.Unread)
		}
		if len(x.Suspicious) > 80 {
			t.Errorf("%s: %d suspicious rows", c.model, len(x.Suspicious))
		}
	}
}

// TestSuspicious: each kind of contradiction is found where it stands.
// TestMisspelt: of a user's file the rows and parameters that hit nothing are told, of its base nothing.
func TestMisspelt(t *testing.T) {
	m, err := Load(strings.NewReader("name: x\nisa: x86-64\nbase: skylake\nparam dispatch-widht: 2  # test\n\nsource: test\nADD32rq SUB32rr | 0156 | 1\nIMUL99* | 1 | 3\n"), "x.model")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, err := range m.Misspelt(tables(t)["x86-64"]) {
		got = append(got, err.Error())
	}
	for i, want := range []string{"x.model:7: unknown form 'ADD32rq'", "x.model:8: no form matches 'IMUL99*'", "x: nothing reads the parameter 'dispatch-widht' (did you mean dispatch-width"} {
		if len(got) != 3 || !strings.HasPrefix(got[i], want) {
			t.Fatalf("%q, want %q", got, want)
		}
	}
}

func TestSuspicious(t *testing.T) {
	m, err := Load(strings.NewReader(`name: x
title: X
isa: x86-64
ports: A B
param dispatch-width: 2  # test
param dispatch-widht: 2  # test
feature micro-fusion: true  # test
source: uops.info TEST
ADD32rr | A+B | 0 | uops=1
SUB32rr | A | 1 | uops=2
IMUL32rr | A:4 | 3 | uops=1 rthru=1
XOR32rr | A | 1 | uops=1
MOV32rr | A | 1 | uops=1
MOV32rr | = | = | move-elim
`), "x.model")
	if err != nil {
		t.Fatal(err)
	}
	x := m.Check(tables(t)["x86-64"])
	if len(x.Unread) != 1 || x.Unread[0].Name != "dispatch-widht" || !strings.Contains(ParamHint("dispatch-widht"), "dispatch-width") {
		t.Errorf("nothing reads %v (%s)", x.Unread, ParamHint("dispatch-widht"))
	}
	got := map[string]string{}
	for _, s := range x.Suspicious {
		got[s.Form] = s.Why
	}
	for form, why := range map[string]string{"ADD32rr": "0 cycles", "SUB32rr": "counts 2 µops, lists 1", "IMUL32rr": "the ports allow no less than 4"} {
		if !strings.Contains(got[form], why) {
			t.Errorf("%s: %q, want %q", form, got[form], why)
		}
		delete(got, form)
	}
	if len(got) > 0 {
		t.Errorf("besides: %v", got)
	}
}

// TestIndexedForms: no embedded model says of an instruction with an index in its address that it takes fewer slots, fewer or other µops, or many
// more slots than without.
func TestIndexedForms(t *testing.T) {
	isas := tables(t)
	first := []string{"sandybridge", "haswell", "skylake", "skylake-server", "icelake-client", "sapphirerapids", "graniterapids", "arrowlake-p", "zen4"}
	for _, name := range long.Some(append(first, Names()...), len(first)) {
		m, err := Get(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range m.Check(isas[m.ISA]).Suspicious {
			if strings.Contains(s.Why, "with an index") {
				t.Errorf("%s: %s", name, s.String())
			}
		}
	}
}

// TestSuspiciousIndexed: an indexed form that contradicts the plain one is found.
func TestSuspiciousIndexed(t *testing.T) {
	m, err := Load(strings.NewReader(`name: x
isa: x86-64
ports: A B
param dispatch-width: 2  # test
feature micro-fusion: true  # test
source: test
ADD32rm | A B/load | 5 | slots=1
ADD32rm | A B/load | = | slots=2 when=!none(4)
SUB32rm | A B/load | 5 | slots=2
SUB32rm | A B/load | = | slots=1 when=!none(4)
AND32rm | A B/load | 5 | slots=1
AND32rm | A | = | slots=1 when=!none(4)
OR32rm | A B/load | 5 | slots=1
OR32rm | A B/load | = | slots=9 when=!none(4)
`), "x.model")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, s := range m.Check(tables(t)["x86-64"]).Suspicious {
		got[s.Form] = s.Why
	}
	for form, why := range map[string]string{"SUB32rm": "1 slots with an index in the address, 2 without", "AND32rm": "1 µops with an index in the address, 2 without", "OR32rm": "9 slots"} {
		if !strings.Contains(got[form], why) {
			t.Errorf("%s: %q, want %q", form, got[form], why)
		}
		delete(got, form)
	}
	if len(got) > 0 {
		t.Errorf("besides: %v", got)
	}
}
