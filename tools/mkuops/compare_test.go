package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCompare holds results against records: figures within a range, with another immediate, below an upper bound, and ones that differ for a reason that is
// known and for none.
func TestCompare(t *testing.T) {
	name := filepath.Join(t.TempDir(), "here.results")
	if err := os.WriteFile(name, []byte(`source: measured
# ADC64rr runs with helpers: reciprocal throughput between 0.25 and 0.5
ADC64rr | = | 1 | rthru=0.5
VEXTRACTF128rr | = | 3 | rthru=0.5
VEXTRACTF128rr | = | 1 | rthru=0.25 when=imm(2)=0
VSHUFF32X4Z256rri | = | 3 | rthru=0.5
VSHUFF32X4Z256rri | = | 2 | rthru=0.5 when=imm(3)=0
VSHUFF32X4Z256rri | = | 1 | rthru=0.33 when=imm(3)=2
XOR64rr | = | 1 | rthru=0.25
XOR64rr | = | = | zero-idiom when=same(1,2)
PEXTRWrri | = | 5.5 | rthru=1
SHL64rCL | = | 1 | rthru=0.5
IMUL64rr | = | 3 1>i0:4 | rthru=1
`), 0o666); err != nil {
		t.Fatal(err)
	}
	mine, err := readResults(name)
	if err != nil {
		t.Fatal(err)
	}
	c := &comparison{rounding: 0.5, causes: causes["ZEN4"]}
	for _, r := range []struct {
		form, latency string
		tp            float64
	}{
		{"ADC64rr", "1", 0.33},
		{"VEXTRACTF128rr", "1", 0.25},
		{"VSHUFF32X4Z256rri", "1", 0.33}, // the second of the immediates
		{"XOR64rr", "1", 0.25},
		{"PEXTRWrri", "[≤6;≤9]", 1},
		{"SHL64rCL", "[1;16]", 0.5}, // a known cause
		{"IMUL64rr", "3", 2},        // none, in both
	} {
		rec := &record{TP: r.tp}
		if rec.Range, err = parseLatency(r.latency); err != nil {
			t.Fatal(err)
		}
		m, ok := mine[r.form]
		if !ok {
			t.Fatalf("no %s", r.form)
		}
		c.add(r.form, rec, &m)
	}
	var b strings.Builder
	if err := c.report(&b, 0); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"latency equal within half a cycle: 5 of 7 (71.4 %) (1 of them within", "throughput equal within 6 % + 0.02: 6 of 7 ",
		"both: 5 of 7 ", "different things: 6 of 7 ", "SHL64rCL\t\tlatency\t1\t16\ttheirs has counts of 0", "IMUL64rr\t\tlatency\t4\t3\t\n", "IMUL64rr\t\tthroughput\t1\t2\t\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	b.Reset()
	if err := c.report(&b, 1); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "\n| 1 | `"); n != 1 {
		t.Errorf("%d groups instead of one in\n%s", n, b.String())
	}
}
