package roofline

import (
	"math"
	"strings"
	"testing"
)

// looped is a profile of two loops, one of which a chain of loads bounds. 10⁹ lines come from memory in the second.
const looped = `{"flops": 2e9, "fp_instructions": 1e9, "element_bits": 64, "instructions": 3e9, "seconds": 10, "program": ["./prog"],
"bytes": {"L1": 16e9, "L2": 0, "memory": 8e9}, "traffic": {"L2": 64e9, "memory": 128e9},
"loops": [
 {"function": "f", "loop": "f+1", "module": "prog", "source": "p.c:1", "addr": 1, "iterations": 1e9, "instructions": 2e9, "flops": 2e9, "fp_instructions": 1e9, "bytes": {"L1": 16e9}, "seconds": 4, "samples": 1000},
 {"function": "g", "loop": "g+1", "module": "prog", "source": "p.c:9", "addr": 2, "iterations": 5e8, "instructions": 1e9, "flops": 0, "fp_instructions": 0, "bytes": {"memory": 8e9}, "lines": {"memory": 1e9}, "seconds": 5, "samples": 1000}]}`

// clocked has a clock of 2 GHz; memory is 100 cycles away, L1 4.
const clocked = `{name: C, vector_bits: 128, clock: 2, core: x, peak: {double: 16}, levels: [{name: L1, bandwidth: 100, latency: 4}, {name: L2, bandwidth: 50, latency: 14}, {name: memory, bandwidth: 10, latency: 100}]}`

func side(t *testing.T, m, p string, cycles float64) Side {
	return Side{Machine: machine(t, m), Profile: profile(t, p), Times: []*CoreTime{{Cycles: cycles, Limit: "ports", Instructions: 2, Data: 1},
		{Cycles: 4, Instructions: 2, Limit: "latency", Chains: []Chain{{Cycles: 4, Loads: 1}}}}}
}

// TestTimes holds the times of the model to figures by hand. In the core: 10⁹ passes of 3 cycles at 2 GHz are 1.5 s, 5·10⁸ of 4 cycles 1 s. The chain of the
// second waits 96 cycles for each of its loads, as two lines a pass come from memory: 5·10⁸ · 100 cycles are 25 s. Lines: 10⁹ of 64 bytes, two bytes moved for
// each that is brought, at 10 GB/s of the three in four that triad counts: 9.6 s.
func TestTimes(t *testing.T) {
	var r Refined
	s := side(t, clocked, looped, 3)
	parts, err := r.parts(&s, Refinements)
	if err != nil {
		t.Fatal(err)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9*math.Abs(want)+1e-12 {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	near("core of f", parts[0].core, 1.5)
	near("data ports of f", parts[0].l1, 0.5)
	near("core of g", parts[1].core, 1)
	near("chain of g", parts[1].chain, 25)
	near("data of g", parts[1].data, 9.6)
	near("data of g beyond L1", parts[1].extra, 9.6*(1/10.-1/100.)*10)
	near("total of f", parts[0].total(true), 1.5)
	if parts[0].function != "|f" || parts[0].key != "|f|p.c:1" || len(parts) != 3 {
		t.Errorf("%d parts, %+v", len(parts), parts[0])
	}
	s.Profile.LineBytes = 256 // as those of A64FX
	if parts, err = r.parts(&s, Refinements); err != nil {
		t.Fatal(err)
	}
	near("data of g in lines of 256 bytes", parts[1].data, 4*9.6)
	s.Times = nil // by the paper's peak and bytes: 10⁹ instructions of 4 operations at most at 16 GFLOP/s, and 16 bytes an instruction from L1
	if parts, err = r.parts(&s, []string{ByLoop}); err != nil {
		t.Fatal(err)
	}
	near("core of f by the peak", parts[0].core, 0.25)
	near("bytes of f", parts[0].data, 0.16)
	near("bytes of g", parts[1].data, 0.8)
}

// TestCrossed: of 1000 passes whose loads keep two ports busy for 1.5 cycles, 3000 loads across lines take 3 cycles a pass; 500 stores across lines on one port
// 1 + 0.5. That is the loop's time where it is more than the simulated one, and the core uses ports twice.
func TestCrossed(t *testing.T) {
	l := &LoopWork{Instructions: 2000, CrossingLoads: 3000, CrossingStores: 500}
	c := &CoreTime{Instructions: 2, Cycles: 2, Data: 1.5, Loads: 1.5, Stores: 1, LoadPorts: 2, StorePorts: 1}
	if got := c.crossed(l); got != 3 {
		t.Errorf("%v cycles, want 3", got)
	}
	l.CrossingLoads = 0
	if got := c.crossed(l); got != 1.5 {
		t.Errorf("%v cycles by stores, want 1.5", got)
	}
	for cycles, want := range map[float64]float64{1: 1.5, 2: 2} {
		c.Cycles = cycles
		tm := &timer{m: &Machine{Clock: 1}, p: &Profile{}, with: Refinements}
		var p part
		if err := tm.core(&p, l, c); err != nil || p.core != want*1000/1e9 {
			t.Errorf("%v s, want %v (%v)", p.core, want*1000/1e9, err)
		}
	}
	c.StorePorts = 0
	if got := c.crossed(l); got != 0 {
		t.Errorf("%v cycles where no port is used twice", got)
	}
}

// TestRefine: each loop takes its own share of the model over. On the target f's loop takes half the cycles, and so half of its 4 s; g's 5 s and the second
// outside the loops stay: 8 s.
func TestRefine(t *testing.T) {
	a, b := side(t, clocked, looped, 3), side(t, clocked, looped, 1.5)
	r, err := Refine(a, b, 0, Refinements)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(r.Speedup-10/8.) > 1e-9 || math.Abs(r.Point-2/8.) > 1e-9 || r.Low > r.Point || r.High < r.Point {
		t.Errorf("%+v", r)
	}
	if l := r.Loops[0]; !strings.HasPrefix(l.Loop, "g+1") || l.Bound != "latency" || math.Abs(l.Seconds-5) > 1e-9 {
		t.Errorf("%+v", l)
	}
	for i := range Refinements { // a machine projected to itself is as fast, whatever is refined
		r, err := Refine(a, a, 0.4, Refinements[:i+1])
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(r.Point-0.4) > 1e-9 || math.Abs(r.Speedup-1) > 1e-9 {
			t.Errorf("with %v: %v GFLOP/s of 0.4, %v times as fast", r.With, r.Point, r.Speedup)
		}
	}
}

// TestRefineRefuses: what refinements need is asked for.
func TestRefineRefuses(t *testing.T) {
	a := side(t, clocked, looped, 3)
	plain := Side{Machine: a.Machine, Profile: profile(t, profileP)}
	slow := side(t, strings.Replace(clocked, "clock: 2, ", "", 1), looped, 3)
	untimed := side(t, clocked, strings.Replace(looped, `"seconds": 10, `, "", 1), 3)
	for _, c := range []struct {
		from, to Side
		want     string
	}{{plain, a, "has no loops"}, {a, plain, "has no loops"}, {a, slow, "clock"}, {untimed, a, "--perf"}} {
		if _, err := Refine(c.from, c.to, 0, Refinements); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if err := CheckRefinements([]string{"ECM"}); err == nil {
		t.Error("ECM in capitals is known")
	}
}
