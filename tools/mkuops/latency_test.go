package main

import (
	"encoding/json"
	"testing"
)

// TestThroughMemory: what forwarding takes is left out, unless the store was renamed.
func TestThroughMemory(t *testing.T) {
	golden := &core{store: 4, forward: 5, renames: true}
	for _, c := range []struct {
		name   string
		cycles float64 // from the loaded to the stored value, by the figures
		want   float64
	}{
		{"ADD (M64, R64)", 6, 1},        // forwarded in 5
		{"ADD (M64, I8)", 1, 1},         // renamed
		{"ADD_LOCK (M64, R64)", 18, 13}, // 18 again with the model's forwarding
		{"XCHG (M64, R64)", 17, 12},
	} {
		f, err := resolve(c.name)
		if err != nil {
			t.Fatal(err)
		}
		r := &record{String: c.name}
		x := &reader{core: golden, rec: r, form: f, reads: true, writes: true}
		if got := x.throughMemory(c.cycles); got != c.want {
			t.Errorf("%s: %g cycles, want %g", c.name, got, c.want)
		}
	}
	x := &reader{core: golden, rec: &record{String: "MOV (M64, R64)"}, form: &form{}}
	for cycles, want := range map[float64]float64{0: 0, 1: 1, 4: 0, 7: 3} {
		if got := x.stored(cycles); got != want {
			t.Errorf("stored after %g: %g, want %g", cycles, got, want)
		}
	}
}

// TestBorrow: another encoding's latencies are taken where the table gives both forms ranges of one kind.
func TestBorrow(t *testing.T) {
	ends := []pairInfo{{From: "REG1", To: "REG0", Cycles: 1}, {From: "REG2", To: "REG0", Cycles: 4}}
	between := []pairInfo{{From: "REG1", To: "REG0", Cycles: 3}}
	for _, c := range []struct {
		r, s latRange
		l    []pairInfo
		want float64 // of the first pair, 0 = nothing is taken
	}{
		{latRange{1, 4, false, false, true}, latRange{1, 4, false, false, true}, ends, 1},
		{latRange{2, 4, false, false, true}, latRange{1, 4, false, false, true}, ends, 2},
		{latRange{5, 5, false, false, true}, latRange{5, 5, false, false, true}, between, 3}, // the donor's is quicker, for both
		{latRange{6, 6, false, false, true}, latRange{5, 5, false, false, true}, between, 0},
		{latRange{2, 2, false, false, true}, latRange{1, 4, false, false, true}, ends, 0},
		{latRange{1, 4, false, true, true}, latRange{1, 4, false, true, true}, ends, 0},
	} {
		r := record{Range: c.r}
		r.borrow(&record{Range: c.s, Latencies: c.l})
		if got := append(r.Latencies, pairInfo{})[0].Cycles; got != c.want {
			t.Errorf("%+v from %+v: %g, want %g", c.r, c.s, got, c.want)
		}
	}
	if got := narrower("VPSLLW_EVEX (ZMM, ZMM, XMM)"); got != "VPSLLW (YMM, YMM, XMM)" {
		t.Error(got)
	}
	if got := halfWidth.Replace("VADDPH_ER (ZMM, ZMM, M16_1to32)"); got != "VADDPH (YMM, YMM, M16_1to16)" {
		t.Error(got)
	}
}

// TestShortOf: a core that is one cycle quicker is another core, one whose figure is 2 cycles short saw no addition done at rename.
func TestShortOf(t *testing.T) {
	for _, c := range []struct {
		lo, hi, donor float64
		want          bool
	}{{3, 3, 1, true}, {5, 5, 3, true}, {4, 4, 3, false}, {5, 6, 5, true}, {3, 3, 4, false}} {
		r := &record{Range: latRange{c.lo, c.hi, false, false, true}}
		d := &record{Latencies: []pairInfo{{From: "REG1", To: "REG0", Cycles: c.donor}}}
		if got := r.shortOf(d); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestLoadsInMemory: the figures are those of Redwood Cove.
func TestLoadsInMemory(t *testing.T) {
	cycles := func(c float64) *float64 { return &c }
	for _, c := range []struct {
		name      string
		to        string
		addr, mem float64
		want      bool
	}{
		{"MOV (R64, M64)", "REG0", 5, 0, false},
		{"IMUL (R64, M64)", "REG0", 8, 3, false}, // the multiplication alone
		{"MOVBE (R64, M64)", "REG0", 7, 2, false},
		{"ADC (R64, M64)", "REG0", 6, 6, true},
		{"CMOVB (R64, M64)", "REG0", 7, 6, true},
		{"MOVZX (R32, M16)", "REG0", 5, 5, true},
		{"MUL (M64)", "REG0", 8, 8, true},
		{"ADD (M64, I8)", "MEM0", 0, 1, false}, // the address of what was stored by the same registers takes no time
		{"ADD (M64, R64)", "MEM0", 6, 6, true},
	} {
		r := &record{String: c.name, Latencies: []pairInfo{{From: "REG0", To: c.to, Cycles: 1}, {From: "MEM0", To: c.to, Cycles: 1, Addr: cycles(c.addr), Mem: cycles(c.mem)}}}
		if got := r.loadsInMemory(&goldenCove); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestBehindLoad: what an operation takes behind its load. The figures are those of Skylake.
func TestBehindLoad(t *testing.T) {
	for _, c := range []struct {
		name, register string // with memory; with a register in its place
		slowest        float64
		record         string // operands and latencies
		want           string
	}{
		{"TZCNT (R64, M64)", "TZCNT (R64, R64)", 3, `"uops": 2, "operands": [{"name": "REG0", "type": "reg", "rw": "w"}, {"name": "MEM0", "type": "mem", "rw": "r"}],
			"latencies": [{"from": "REG0", "to": "REG0", "cycles": 0}, {"from": "MEM0", "to": "REG0", "cycles": 1, "cycles_addr": 8, "cycles_mem": 5}]`, "8 m>0:3"},
		{"CVTSD2SS (XMM, M64)", "CVTSD2SS (XMM, XMM)", 5, `"uops": 3, "operands": [{"name": "REG0", "type": "reg", "rw": "rw"}, {"name": "MEM0", "type": "mem", "rw": "r"}],
			"latencies": [{"from": "REG0", "to": "REG0", "cycles": 1}, {"from": "MEM0", "to": "REG0", "cycles": 1, "cycles_addr": 11, "cycles_mem": 8}]`, "11 1>0:1 m>0:5"},
		{"DIVSD (XMM, M64)", "DIVSD (XMM, XMM)", 13, `"uops": 2, "div_cycles": 4, "operands": [{"name": "REG0", "type": "reg", "rw": "rw"}, {"name": "MEM0", "type": "mem", "rw": "r"}],
			"latencies": [{"from": "REG0", "to": "REG0", "cycles": 13}, {"from": "MEM0", "to": "REG0", "cycles": 1}]`, "19 1>0:13 m>0:13"},
		{"SQRTPD (XMM, M128)", "SQRTPD (XMM, XMM)", 13, `"uops": 2, "div_cycles": 4, "operands": [{"name": "REG0", "type": "reg", "rw": "w"}, {"name": "MEM0", "type": "mem", "rw": "r"}],
			"latencies": [{"from": "MEM0", "to": "REG0", "cycles": 1}]`, "19 m>0:13"},
		{"NOT (M64)", "NOT (R64)", 1, `"uops": 4, "operands": [{"name": "MEM0", "type": "mem", "rw": "rw"}],
			"latencies": [{"from": "MEM0", "to": "MEM0", "cycles": 1, "cycles_addr": 10, "cycles_mem": 4}]`, "6"},
	} {
		r := &record{String: c.name}
		if err := json.Unmarshal([]byte("{"+c.record+"}"), r); err != nil {
			t.Fatal(err)
		}
		f, err := resolve(c.name)
		if err != nil {
			t.Fatal(err)
		}
		k := intelLegacy
		k.siblings = map[string]*record{c.register: {Latencies: []pairInfo{{From: "REG1", To: "REG0", Cycles: c.slowest}}}}
		if got := k.rowsOf(r, f, "")[0].latency; got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestBesideLoad: what the registers of a form that loads take on AMD's cores, and what is taken of a form that LLVM does not describe. The figures are those of Zen 4
// and Zen 2.
func TestBesideLoad(t *testing.T) {
	zen4 := amd("ZEN4", "llvm/Znver4Model", "FP")
	zen2 := amd("ZEN2", "llvm/Znver2Model", "FPU")
	one := 1.0
	table := func(lo, hi float64, lowBound, highBound bool) record {
		return record{table: true, Uops: &one, Range: latRange{lo, hi, lowBound, highBound, true}, Ports: map[string]float64{"FP12": 1}}
	}
	for _, c := range []struct {
		core           core
		name, register string
		rec, registers record
		want           string
	}{
		{zen4, "VPERMI2PD (XMM, K, XMM, M128)", "VPERMI2PD (XMM, K, XMM, XMM)", table(3, 11, false, true), table(3, 3, false, false), "FP45/load LSU Load FPFMisc12 | 10 | uops=1 slots=1 ld=7"},
		{zen4, "VPADDD (XMM, K, XMM, M128)", "VPADDD (XMM, K, XMM, XMM)", table(1, 10, false, true), table(1, 2, false, false), "FP45/load LSU Load FPFMisc12 | 9 1>0:1 3>0:1 | uops=1 slots=1 ld=7"},
		{zen4, "VCVTDQ2PD (YMM, M128)", "VCVTDQ2PD (YMM, XMM)", table(11, 11, true, true), table(4, 4, false, false), "FP45/load LSU Load FPFMisc12 | 11 | uops=1 slots=1 ld=7"},
		{zen2, "VPERM2F128 (YMM, YMM, M256, I8)", "VPERM2F128 (YMM, YMM, YMM, I8)",
			record{Uops: &one, Ports: map[string]float64{"FP2": 1}, Latencies: []pairInfo{{From: "REG1", To: "REG0", Cycles: 3}}},
			record{Latencies: []pairInfo{{From: "REG1", To: "REG0", Cycles: 3}}}, "AGU/load FPU2 | 11 | uops=1 slots=1 ld=8"},
	} {
		c.rec.String = c.name
		f, err := resolve(c.name)
		if err != nil {
			t.Fatal(err)
		}
		c.core.siblings = map[string]*record{c.register: &c.registers}
		if got := c.core.rowsOf(&c.rec, f, "")[0].String(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
