package roofline

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"incore/internal/report"
)

const machineA = `name: A
vector_bits: 128
peak: {double: 16, single: 32}
levels:
  - {name: L1, bandwidth: 100, size: 32768}
  - {name: L2, bandwidth: 50}
  - {name: memory, bandwidth: 10}
sources: {all: by hand}
`

const machineB = `name: B
vector_bits: 256
peak: {double: 40}
levels: [{name: l1d, bandwidth: 200}, {name: L2, bandwidth: 60}, {name: DRAM, bandwidth: 40}]
`

const profileP = `{"flops": 1000, "fp_instructions": 500, "element_bits": 64, "bytes": {"L1": 6000, "L2": 3000, "memory": 1000}}`
const profileQ = `{"flops": 1000, "fp_instructions": 250, "element_bits": 64, "bytes": {"L1": 5000, "L2": 2000, "memory": 1000}}`

func machine(t *testing.T, text string) *Machine {
	t.Helper()
	m, err := ReadMachine("test.machine", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func profile(t *testing.T, text string) *Profile {
	t.Helper()
	p, err := ReadProfile("test.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestProject holds equations 1 to 4 to figures worked out by hand. Weighted peaks: 16/(2·128/64)·1000/500 = 8 and 40/(2·256/64)·1000/250 = 20. Of
// the intensity of L1, 1000/10000 = 0.1 and 1000/8000 = 0.125, the roofs of L2 are 5 and 7.5, so that 2 GFLOP/s become 3.
func TestProject(t *testing.T) {
	r, err := Project(machine(t, machineA), machine(t, machineB), profile(t, profileP), profile(t, profileQ), 2)
	if err != nil {
		t.Fatal(err)
	}
	want := []struct{ source, target, roofSource, roofTarget, projected float64 }{
		{0.1, 0.125, 8, 20, 5}, {0.1, 0.125, 5, 7.5, 3}, {0.1, 0.125, 1, 5, 10},
		{0.25, 1. / 3, 8, 20, 5}, {0.25, 1. / 3, 8, 20, 5}, {0.25, 1. / 3, 2.5, 40. / 3, 32. / 3},
		{1, 1, 8, 20, 5}, {1, 1, 8, 20, 5}, {1, 1, 8, 20, 5},
	}
	if len(r.Values) != len(want) {
		t.Fatalf("%d values, want %d", len(r.Values), len(want))
	}
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9*math.Abs(b) }
	for i, w := range want {
		v := r.Values[i]
		if !near(*v.OISource, w.source) || !near(*v.OITarget, w.target) || !near(v.RoofSource, w.roofSource) || !near(v.RoofTarget, w.roofTarget) || !near(v.Projected, w.projected) {
			t.Errorf("value %d, intensity of %s under the roof of %s: %+v, want %+v", i, v.OILevel, v.RoofLevel, v, w)
		}
	}
	if r.Low != 3 || !near(r.High, 32./3) || !near(r.SpeedupLow, 1.5) || r.PeakSource != 8 || r.PeakTarget != 20 {
		t.Errorf("%v to %v, %v times as fast, peaks %v and %v", r.Low, r.High, r.SpeedupLow, r.PeakSource, r.PeakTarget)
	}
}

// TestWider: instructions that do more operations than a machine's multiply-adds are no part of its peak, and a
// warning says so.
func TestWider(t *testing.T) {
	b, q := machine(t, machineB), profile(t, profileQ)
	q.FPInstructions = q.Flops / 100
	r, err := Project(machine(t, machineA), b, profile(t, profileP), q, 2)
	if err != nil {
		t.Fatal(err)
	}
	peak, _ := b.peak(q.ElementBits)
	if r.PeakTarget != peak || !strings.Contains(strings.Join(r.Warnings, "; "), "do 100 operations each, more than the 8 of") {
		t.Errorf("peak %v of %v, %q", r.PeakTarget, peak, r.Warnings)
	}
}

// TestIdentity: a machine projected to itself gives what was measured, whatever the intensity.
func TestIdentity(t *testing.T) {
	a, p := machine(t, machineA), profile(t, profileP)
	r, err := Project(a, a, p, p, 0.7)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(r.Low-0.7) > 1e-12 || math.Abs(r.High-0.7) > 1e-12 || len(r.Warnings) > 0 {
		t.Errorf("%v to %v, %q", r.Low, r.High, r.Warnings)
	}
}

// TestPaper projects by table 1 of the paper. Its profiles are not published, but two limits follow from the table alone: far in the memory-bound
// region the projection's ends are the least and the greatest ratio of a level's bandwidths, far in the compute-bound one that of the peaks, as both have vectors of one length.
func TestPaper(t *testing.T) {
	tx2, err := Shipped("thunderx2")
	if err != nil {
		t.Fatal(err)
	}
	n1, err := Shipped("Neoverse-N1")
	if err != nil {
		t.Fatal(err)
	}
	bound := profile(t, `{"flops": 1, "fp_instructions": 1, "element_bits": 64, "bytes": {"memory": 1000}}`)
	free := profile(t, `{"flops": 1000, "fp_instructions": 500, "element_bits": 64, "bytes": {"memory": 0}}`)
	for _, c := range []struct {
		p         *Profile
		low, high float64
	}{{bound, 1.04 * 21.14 / 25.43, 1.04 * 73.4 / 48}, {free, 1.04 * 18.22 / 17.53, 1.04 * 18.22 / 17.53}} { // the ratios of memory's bandwidths and of L2's; of the peaks
		r, err := Project(tx2, n1, c.p, c.p, 1.04)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(r.Low-c.low) > 1e-9 || math.Abs(r.High-c.high) > 1e-9 {
			t.Errorf("%v to %v, want %v to %v", r.Low, r.High, c.low, c.high)
		}
	}
}

// TestWarnings: what makes a projection doubtful is said.
func TestWarnings(t *testing.T) {
	a, b := machine(t, machineA), machine(t, machineB)
	for _, c := range []struct{ source, target, want string }{
		{profileP, strings.Replace(profileQ, "1000,", "1500,", 1), "do not compute the same"},
		{profileP, strings.Replace(profileQ, "{", `{"partial": "stopped after 10 s", `, 1), "partial: stopped after 10 s"},
		{strings.Replace(profileP, "{", `{"program": ["./a", "10"], `, 1), strings.Replace(profileQ, "{", `{"program": ["./b", "20"], `, 1), `different arguments: "10" in`},
		{profileP, strings.Replace(profileQ, "{", `{"scope": "function f with what it calls", `, 1), "different parts: the whole program in"},
		{strings.Replace(profileP, "6000", "60000", 1), profileQ, "above the roof of L1"},
	} {
		r, err := Project(a, b, profile(t, c.source), profile(t, c.target), 2)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.Join(r.Warnings, "\n"), c.want) {
			t.Errorf("%q is not among the warnings %q", c.want, r.Warnings)
		}
	}
}

// TestBadInput: each mistake is named.
func TestBadInput(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"bandwidth: 50", "bandwidth: -50", "test.machine:6: bandwidth of level L2 is -50"},
		{"bandwidth: 50", "bandwidth: .nan", "bandwidth is NaN"},
		{"vector_bits: 128", "vector_bits: 0", "vector_bits is 0"},
		{"vector_bits: 128", "vector_bits: 1e308", "vector_bits is 1e+308"},
		{"vector_bits: 128", "vector_bits: 1e15", "vector_bits is 1e+15"},
		{"bandwidth: 50", "bandwidth: 1e308", "is 1e+308"},
		{"double: 16, single: 32", "", "no peak"},
		{"double: 16", "double: -1", "peak.double is -1"},
		{"name: L2", "name: L1", "level L1 is there twice"},
		{"  - {name: memory, bandwidth: 10}", "  - {name: memory, bandwidth: 10}\n  - {name: L3}", "levels go from the core outwards"},
		{"name: A", "", "has no name"},
		{"name: A", "name: A\nclock: -1", "test.machine:2: clock is -1 GHz"},
		{"name: A", "name: A\ncores: -3", "test.machine:2: cores is -3"},
		{"bandwidth: 50", "bandwidth: 50, ways: -8", "ways of level L2 is -8"},
		{"bandwidth: 50", "bandwidth: 50, line: -64", "line of level L2 is -64"},
		{"bandwidth: 50", "bandwidth: 50, latency: -3", "latency of level L2 is -3"},
		{"bandwidth: 50", "bandwidth: 50, uncertainty: -5", "uncertainty of level L2 is -5"},
		{"bandwidth: 50", "bandwidth: 50, uncertainty: 7", "uncertainty of level L2 is 7"},
		{"  - {name: memory", strings.Repeat("  - {name: L3}\n", 20000) + "  - {name: memory", "more than 16 levels of memory are given"},
		{"levels:", "levels: [", "test.machine:8: "},
	} {
		_, err := ReadMachine("test.machine", []byte(strings.Replace(machineA, c.from, c.to, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s → %s: %v, want %q", c.from, c.to, err, c.want)
		}
	}
	for _, c := range []struct{ from, to, want string }{
		{`"flops": 1000`, `"flops": 0`, "flops is 0 or missing"},
		{`"flops": 1000`, `"flops": "many"`, "field flops has a string"},
		{`"fp_instructions": 500`, `"fp_instructions": -1`, "fp_instructions is -1"},
		{`"element_bits": 64`, `"element_bits": 80`, "element_bits is 80"},
		{`"L2": 3000`, `"L2": -3`, "bytes of level L2 are -3"},
		{`"bytes": {"L1": 6000, "L2": 3000, "memory": 1000}`, `"bytes": {}`, "bytes is missing"},
		{`{"flops"`, `["flops"`, "is no profile"},
		{`{"L1": 6000, "L2": 3000, "memory": 1000}`, `5`, "p.json:1: field bytes has a number where an object is expected"},
		{`{"L1": 6000, "L2"`, `{"L1": 6000, "l1d"`, "bytes has a level twice, as L1 and l1d"},
		{`"flops": 1000`, `"flops": 1000, "instructions": -1`, "instructions is -1"},
		{`"flops": 1000`, `"flops": 1000, "vector_bits": -1`, "vector_bits is -1"},
		{`"memory": 1000}}`, `"memory": 1000}}` + "\n{}", "p.json:2: more text follows"},
		{`"memory": 1000}}`, `"memory": 1000}} garbage`, "p.json:1: more text follows"},
	} {
		_, err := ReadProfile("p.json", []byte(strings.Replace(profileP, c.from, c.to, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s → %s: %v, want %q", c.from, c.to, err, c.want)
		}
	}
	profile(t, "\xef\xbb\xbf"+strings.ReplaceAll(profileP, ", ", ",\r\n")+"\n\n") // a byte order mark, lines that end in CR LF
	a, p := machine(t, machineA), profile(t, profileP)
	lacks := machine(t, strings.Replace(machineA, "  - {name: L2, bandwidth: 50}\n", "", 1))
	if _, err := Project(lacks, a, p, p, 1); err == nil || !strings.Contains(err.Error(), "has bytes of level L2, which machine A lacks") {
		t.Errorf("a machine without a level of the profile: %v", err)
	}
	if _, err := Project(a, a, p, p, 0); err == nil || !strings.Contains(err.Error(), "--perf") {
		t.Errorf("no performance: %v", err)
	}
	single := profile(t, strings.Replace(profileP, "64", "32", 1))
	if _, err := Project(a, machine(t, machineB), single, single, 1); err == nil || !strings.Contains(err.Error(), "no peak for elements of 32 bits") {
		t.Errorf("no peak in single precision: %v", err)
	}
}

// TestExplore: a longer vector raises the peak, and the weighted one only if instructions do more; another memory moves its roof alone.
func TestExplore(t *testing.T) {
	a, b, p, q := machine(t, machineA), machine(t, machineB), profile(t, profileP), profile(t, profileQ)
	wide := *q
	wide.FPInstructions /= 2
	list := Explore(Side{Machine: a, Profile: p}, b, []Design{{Profile: q}, {Profile: q, VectorBits: 512}, {Profile: &wide, VectorBits: 512}, {Profile: q, Memory: "x", Bandwidth: 400}}, 2, nil)
	for i, want := range []struct{ peak, high float64 }{{20, 32. / 3}, {20, 32. / 3}, {40, 16 * 2. / 3}, {20, 40}} {
		r := list[i].Projection
		if r == nil || r.PeakTarget != want.peak || math.Abs(r.High-want.high) > 1e-9 {
			t.Errorf("design %d: %+v, want %+v", i, r, want)
		}
	}
	if b.level("memory").Bandwidth != 40 || b.Peak.Double != 40 {
		t.Error("the target itself was changed")
	}
	var text bytes.Buffer
	if err := Exploration(list).Text(&text, report.TextOptions{}); err != nil || !strings.Contains(text.String(), "400") && !strings.Contains(text.String(), "x ") {
		t.Errorf("%v: %s", err, text.String())
	}
}

// TestShipped: every machine has a source for each figure it gives.
// TestShipped: every figure of the machine files that incore ships has a source.
func TestShipped(t *testing.T) {
	for _, name := range Names() {
		m, err := Shipped(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		need := map[string]bool{"peak": true, "memory": true, "clock": m.Clock > 0 && !strings.Contains(m.Sources["peak"], "measured by incore")}
		for _, l := range m.Levels {
			need["sizes"] = need["sizes"] || l.Size > 0 || l.Ways > 0
			need["latency"] = need["latency"] || l.Latency > 0
		}
		for what, needed := range need {
			if needed && m.Sources[what] == "" {
				t.Errorf("%s: no source of its %s in %q", name, what, m.Sources)
			}
		}
		if m.Name != name {
			t.Errorf("%s is named %s", name, m.Name)
		}
	}
}

func FuzzReadMachine(f *testing.F) {
	f.Add(machineA)
	f.Add(machineB)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ReadMachine("m", []byte(text))
		if err != nil {
			return
		}
		p := &Profile{Flops: 1, FPInstructions: 1, ElementBits: 64, Bytes: map[string]float64{m.Levels[0].Name: 8}}
		if r, err := Project(m, m, p, p, 1); err == nil && !(r.Low <= r.High) {
			t.Errorf("%v to %v", r.Low, r.High)
		}
	})
}

func FuzzReadProfile(f *testing.F) {
	f.Add(profileP)
	f.Add(`{"bytes": null}`)
	f.Fuzz(func(t *testing.T, text string) {
		if p, err := ReadProfile("p", []byte(text)); err == nil && !(p.Flops > 0 && p.FPInstructions > 0) {
			t.Errorf("%+v", p)
		}
	})
}
