package machine

import (
	"bufio"
	"os"
	"sort"
	"strings"
	"testing"

	"incore/internal/isa"
)

// TestNames resolves every CPU name of LLVM, and the names that people and other tools use.
func TestNames(t *testing.T) {
	f, err := os.Open("testdata/cpus.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for s := bufio.NewScanner(f); s.Scan(); {
		isaName, names, ok := strings.Cut(s.Text(), ": ")
		if !ok || s.Text()[0] == '#' {
			continue
		}
		for _, name := range strings.Fields(names) {
			n++
			if m, err := GetFor(isaName, name); err != nil {
				t.Errorf("%s: %v", name, err)
			} else if m.ISA != isaName {
				t.Errorf("%s for %s is %s, a model for %s", name, isaName, m.Name, m.ISA)
			}
		}
	}
	if n < 200 {
		t.Errorf("only %d CPU names tested", n)
	}
	for name, want := range map[string]string{
		"skx": "skylake-server", "SKX": "skylake-server", "skylake-avx512": "skylake-server", "CLX": "cascadelake", "csx": "cascadelake",
		"zen4": "zen4", "znver4": "zen4", "ZEN": "zen1", "zen1": "zen1", "ZEN2": "zen2", "zen3": "zen3", "zen5": "zen5", "znver5": "zen5",
		"neoverse-v2": "neoverse-v2", "grace": "neoverse-v2", "v2": "neoverse-v2", "tx2": "thunderx2", "TX2": "thunderx2", "thunderx2t99": "thunderx2",
		"spr": "sapphirerapids", "SPR": "sapphirerapids", "hsw": "haswell", "HSW": "haswell", "bdw": "broadwell", "BDW": "broadwell", "skl": "skylake",
		"snb": "sandybridge", "SNB": "sandybridge", "ivb": "ivybridge", "IVB": "ivybridge", "icl": "icelake-client", "ICL": "icelake-client",
		"icx": "icelake-server", "ICX": "icelake-server", "adl-p": "alderlake-p", "n1": "neoverse-n1", "N1": "neoverse-n1", "n2": "neoverse-n2",
		"v1": "neoverse-v1", "a64fx": "a64fx", "A64FX": "a64fx", "m1": "apple-m1", "M1": "apple-m1", "a72": "cortex-a72", "A72": "cortex-a72", "tsv110": "tsv110", "TSV110": "tsv110",
		"RV64": "riscv64", "spacemit-x60": "spacemit-x60", "u74": "sifive-7", "rocketlake": "rocketlake", "rkl": "rocketlake", "apple-m1": "apple-m1"} {
		m, err := Get(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if m.Name != want {
			t.Errorf("%s is %s, want %s", name, m.Name, want)
		}
	}
	if _, err := Get("skylkae"); err == nil || !strings.Contains(err.Error(), "skylake") {
		t.Errorf("a misspelt name: %v", err)
	}
}

const goodModel = `name: t
title: A test
isa: x86-64
ports: 0 1
resources: DIV
group 01: 0 1
param dispatch-width: 4  # nowhere
feature micro-fusion: true  # nowhere
fuses: cmp+jcc

source: measured here
# a comment
@ADD64rr SUB64rr
# amid a row: @NOSUCH |

  XOR64rr | 01 | 1
IMUL64rr | 2*0 DIV:3 1@2:4/load | 3#7 r0-2#7 r1+1 0>0:5 m>0:1 | ld=1 uops=2 slots=3 rthru=1.5
XOR64rr | = | = | zero-idiom when=same(1,2)&!(imm(2)=-1|reg(1)=RAX)
VADDPD*rr | 0 | 4,? | source=somewhere else
`

// TestMistakes checks that each mistake is reported with its line and what to do about it.
func TestMistakes(t *testing.T) {
	if m, err := Load(strings.NewReader(goodModel), "good"); err != nil {
		t.Fatal(err)
	} else if err := m.Validate(tables(t)["x86-64"]); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"name: t\n", "", "no 'name:'"},
		{"isa: x86-64\n", "", "no 'isa:'"},
		{"ports: 0 1\nresources: DIV", "", "no 'ports:'"},
		{"ports: 0 1", "ports: 0 1 0", ":4: port '0' is named twice"},
		{"resources: DIV", "resources: 1", ":5: port '1' is named twice"},
		{"resources: DIV", "resources: DIV\nabout VID: the divider", ":6: about 'VID': the model has no such port"},
		{"resources: DIV", "resources: DIV\nabout DIV:", ":6: 'about DIV' has no value"},
		{"group 01: 0 1", "group 01: 0 7", "unknown port '7'"},
		{"group 01: 0 1", "group 1: 0", "has the name of another"},
		{"title: A test", "titel: A test", ":2: unknown key 'titel' (did you mean title"},
		{"dispatch-width: 4  # nowhere", "dispatch-width: 4", "has no source"},
		{"dispatch-width: 4", "dispatch-width: -4", ":7: parameter 'dispatch-width': bad value '-4'"},
		{"dispatch-width: 4", "rob: 99999999", ":7: parameter 'rob': bad value '99999999'"},
		{"dispatch-width: 4", "fetch-width: -4", "parameter 'fetch-width: -4': bad value '-4'"},
		{"dispatch-width: 4", "store-forward: nan", ":7: parameter 'store-forward': bad value 'nan'"},
		{"dispatch-width: 4", "scheduler-x: 20 NOPE", "parameter 'scheduler-x: 20 NOPE': unknown port 'NOPE'"},
		{"micro-fusion: true", "micro-fuson: true", "unknown feature 'micro-fuson' (did you mean micro-fusion"},
		{"source: measured here\n", "", "row without a source"},
		{"XOR64rr | 01 | 1", "XOR64rr | 01 | -1", ":13: negative latency"},
		{"XOR64rr | 01 | 1", "XOR64rr | 09 | 1", "unknown port '09'"},
		{"XOR64rr | 01 | 1", "XOR64rr | 01", "a row has the fields"},
		{"XOR64rr | 01 | 1", "XOR64rr | | 1", "empty µops"},
		{"XOR64rr | 01 | 1", "XOR64rr | 01 |", "empty latency"},
		{"2*0 DIV:3", "0*0 DIV:3", "bad number of µops"},
		{"2*0 DIV:3", "1000*0 1000*0 1000*0 1000*0 1000*0", "more than 4096 µops"},
		{"2*0 DIV:3", "2*0 DIV:0", "bad number of cycles"},
		{"1@2:4/load", "1@2:4/lode", "unknown kind of µop"},
		{"r0-2#7", "r0-2#0", "forwarding tag"},
		{"r1+1", "x1+1", "bad late operand"},
		{"0>0:5", "0>q:5", "bad latency exception"},
		{"ld=1", "ld=x", "bad value"},
		{"ld=1", "lod=1", "unknown attribute"},
		{"same(1,2)", "same(1)", "wrong number of arguments"},
		{"same(1,2)", "sane(1,2)", "unknown test"},
		{"reg(1)=RAX)", "reg(1)=RAX", "missing ')'"},
		{"reg(1)=RAX", "reg(1)=RAXX", "unknown register 'RAXX'"},
		{"@ADD64rr", "@ADD64rx", ":13: unknown form 'ADD64rx'"},
		{"VADDPD*rr", "VADDPX*rr", "no form matches 'VADDPX*rr'"},
		{"name: t\n", "name: t\nbase: nosuch\n", "base 'nosuch'"},
		{"name: t\n", "hello\nname: t\n", ":1: expected 'key: value'"},
	} {
		text := strings.Replace(goodModel, c.old, c.new, 1)
		if text == goodModel {
			t.Fatalf("nothing replaced for %q", c.old)
		}
		m, err := Load(strings.NewReader(text), "bad.model")
		if err == nil {
			err = m.Validate(tables(t)["x86-64"])
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: got %v, want %q", c.new, c.old, err, c.want)
		}
	}
	if _, err := Load(strings.NewReader(" \n"), "empty"); err == nil || !strings.Contains(err.Error(), "empty") {
		t.Errorf("empty file: %v", err)
	}
}

// FuzzModel feeds the parser anything: a model or an error, never a panic, and what
// is accepted also joins with the tables.
func FuzzModel(f *testing.F) {
	f.Add(goodModel)
	f.Add("name: x\nbase: zen5\n\nsource: s\nADD64rr | ALU0+ALU1 | 1\n")
	f.Add("name: x\nisa: x86-64\nports: A B C\nparam scheduler-a: 8 A # x\nparam scheduler-b: 8 B # x\nparam scheduler-c: 8 C # x\nparam steering-x: packet a b+B/2 # x\n" +
		"param steering-y: turns c queue=64 imbalance=9 delay=2 hold=5 # x\nparam result-ports: 3 A # x\nparam address-turns: B # x\nsource: s\nADD64rr | A+B | 1\n")
	f.Add("name: x\nisa: x86-64\nports: a\nsource: s\nA*[ | a | 1 | when=((((")
	a := tables(f)["x86-64"]
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Load(strings.NewReader(text), "fuzz")
		if err != nil {
			return
		}
		if m.ISA == a.Name {
			_ = m.Validate(a)
		}
		m.UopText([]Uop{{Ports: 3, Cycles: 1}})
	})
}

// TestAliases checks that no name means two models of one ISA.
func TestAliases(t *testing.T) {
	seen := map[alias]string{}
	for _, a := range allNames().aliases {
		name := alias{name: strings.ToLower(a.name), isa: a.isa}
		if o := seen[name]; o != "" && o != a.model {
			t.Errorf("'%s' means both %s and %s", a.name, o, a.model)
		}
		seen[name] = a.model
	}
}

// TestWiden checks that inherited rows, and they alone, move to the wider set of ports.
func TestWiden(t *testing.T) {
	m, err := Load(strings.NewReader(`name: wide
base: uops/ZEN4
ports: ALU4
widen ALU0123: ALU0 ALU1 ALU2 ALU3 ALU4
widen FP45/load: FP4
double-width: FPFAdd01

source: test
SUB64rr | ALU0123 | 1
`), "wide")
	if err != nil {
		t.Fatal(err)
	}
	a := tables(t)["x86-64"]
	for form, want := range map[string]string{"ADD64rr": "ALU0+ALU1+ALU2+ALU3+ALU4", "SUB64rr": "ALU0123", "ADD64rm": "LSU Load AGU012/load ALU0+ALU1+ALU2+ALU3+ALU4",
		"VMOVAPSYrm": "FP4/load LSU Load", "VMOVAPSYmr": "FP45/sta FPSt LSU Store", "VADDPDZrr": "FPFAdd01", "VMULPDZrr": "FPAES01:2"} {
		r := m.compile(a).lookup(&isa.Inst{Form: a.Forms.Named(form)})
		if r.uops == nil {
			t.Errorf("%s: no row", form)
			continue
		}
		got, wanted := strings.Fields(m.UopText(r.uops.uops)), strings.Fields(want)
		sort.Strings(got)
		sort.Strings(wanted)
		if strings.Join(got, " ") != strings.Join(wanted, " ") {
			t.Errorf("%s: %v, want %v", form, got, wanted)
		}
	}
	if _, err := Load(strings.NewReader("name: w\nbase: zen4\nwiden NOSUCH: ALU0\n"), "w"); err == nil || !strings.Contains(err.Error(), "unknown port 'NOSUCH'") {
		t.Errorf("a set that doesn't exist: %v", err)
	}
	if _, err := Load(strings.NewReader("name: w\nbase: zen4\ndouble-width: ALU0/1\n"), "w"); err == nil || !strings.Contains(err.Error(), "no number of cycles") {
		t.Errorf("a unit that was busy for a cycle: %v", err)
	}
	if _, err := Load(strings.NewReader("name: w\nbase: zen4\ndouble-width: NOSUCH\n"), "w"); err == nil || !strings.Contains(err.Error(), "unknown port 'NOSUCH'") {
		t.Errorf("a set of double width that doesn't exist: %v", err)
	}
}
