package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func ptr(v float64) *float64 { return &v }

// sample is a document with every feature: two machines, chains, an unknown instruction, labels, diagnostics.
func sample() *Document {
	ports := func(a, b, c, d float64) Ports {
		return Ports{{Name: "0", Cycles: a}, {Name: "1", Cycles: b}, {Name: "LD", Cycles: c}, {Name: "DIV", Cycles: d, Resource: true}}
	}
	insts := []Instruction{
		{Index: 0, Line: 4, Text: "ldr d1, [x0, 8]", Form: "LDRDui", Uops: 1, Latency: 4, LatencyMin: 4, LatencyMax: 4, Ports: ports(0, 0, 1, 0)[2:3], Source: "test", Flags: []string{}, CP: ptr(4)},
		{Index: 1, Line: 5, Text: "fadd d0, d0, d1", Form: "FADDDrr", Uops: 1, Latency: 6, LatencyMin: 6, LatencyMax: 6, Ports: ports(.5, .5, 0, 0)[:2], Source: "test", Flags: []string{}, LCD: ptr(6), CP: ptr(6)},
		{Index: 2, Line: 6, Text: "frobnicate x0, x1, a_rather_long_symbol_name+1234", Form: "?", Uops: 1, Latency: 1, LatencyMin: 1, LatencyMax: 9, Ports: Ports{}, Flags: []string{"unknown"}},
		{Index: 3, Line: 7, Text: "cmp x0, x1", Form: "SUBSXrr", Uops: 1, Latency: 1, LatencyMin: 1, LatencyMax: 1, Ports: ports(0, 1, 0, 0)[1:2], Source: "test", Flags: []string{"fused-first"}},
		{Index: 4, Line: 8, Text: "bne .L4", Form: "Bcc", Ports: Ports{}, Source: "test", Flags: []string{"fused-second"}},
	}
	t := Target{Arch: "test-core", Title: "A Test Core", Why: "the default for tests",
		Prediction:   Prediction{Cycles: 6, Low: 6, High: 19, Bound: "latency", Engine: "bounds", Text: "6.0 to 19.0 cycles/iteration (1 of 5 instructions have no known cost), bound by the loop-carried dependency through d0; ports would allow 1.5", Partial: true},
		Throughput:   Throughput{Cycles: 1.5, Low: 1.5, High: 2.5, Policy: "optimal", Ports: ports(.5, 1.5, 1, 0), Bottleneck: []string{"1"}, Slots: 4, Dispatch: 1, Width: 4},
		CriticalPath: Path{Cycles: 10, Low: 10, High: 19, Instructions: []int{0, 1}, Latencies: []float64{4, 6}},
		LoopCarried: []Chain{{Cycles: 6, Latency: 6, Distance: 1, Instructions: []int{1}, Latencies: []float64{6}, Via: "d0"},
			{Cycles: 2.5, Latency: 5, Distance: 2, Instructions: []int{0, 2}, Latencies: []float64{4, 1}, Via: "memory"}},
		Baseline: 1, Instructions: insts,
		Dependencies: []Dependency{{From: 0, To: 1, Kind: "register", Via: "d1", Latency: 4, CP: true}, {From: 1, To: 1, Kind: "register", Via: "d0", Distance: 1, Latency: 6, LCD: true},
			{From: 3, To: 4, Kind: "flag", Via: "flags", Latency: 1}, {From: 2, To: 0, Kind: "memory", Via: "memory", Distance: 1, Latency: 1}},
		Accuracy:    []Accuracy{{Corpus: "loops", Blocks: 113, Mean: 0.0773, Median: 0.013, Within10: 0.7257, Tau: 0.9006}},
		Assumptions: []string{"all data are in the L1 cache, branches are predicted, nothing else runs on the core"},
		Basis:       []Statement{{Kind: InCache, Text: "all data are in the L1 cache, branches are predicted, nothing else runs on the core"}},
		Diagnostics: []Diagnostic{{Severity: "warning", File: "t.s", Line: 6, Col: 2, Message: "unknown instruction in 'frobnicate x0, x1'", Hint: "nearest known: fnmsub"}}}
	t.Words = Words{Bound: "chain through d0", Headroom: "6.0 → 1.5 cycles with no dependencies", IfFree: "dependencies 1.5; no change by allocate/rename, ports", Trust: "validated on this core: 8 % mean error on 113 blocks and loops, on which the model was tuned",
		Engine: "the greatest of the bounds, not the simulator: the core executes in order", Accuracy: "median error 1.3\u00a0%, 73\u00a0% within 10\u00a0%, on 113 blocks (loops)"}
	p := &t.Prediction
	p.UnknownCosts, p.EngineWhy = &Interval{Low: 6, High: 19, Instructions: 1}, "the core executes in order"
	p.Loop, p.Unrolled, p.UnrolledBound, p.Bounds = 6, 5.5, "front end", Bounds{Ports: 1.5, Dispatch: 1, Latency: 6, Branch: 1}
	p.IfFree = []Rung{{"dispatch", 6, "latency"}, {"ports", 6, "latency"}, {"dependences", 1.5, "ports"}}
	t.WhatIf = []WhatIf{{Question: "rob=2x", Cycles: 6, Bound: "latency"}, {Question: "latency(FADD*)-1", Cycles: 5, Gain: 1. / 6, Bound: "latency"}, {Question: "latency(FMUL*)-1", Note: "no instruction of the kernel has a form like FMUL*"}}
	t.Sensitivity = []Sensitivity{{"latency of FADDDrr", &WhatIf{Question: "latency(FADDDrr)=0.5x", Cycles: 3, Gain: .5, Bound: "latency"}, &WhatIf{Question: "latency(FADDDrr)=0", Cycles: 1.5, Gain: .75, Bound: "ports"}},
		{"all ports", nil, &WhatIf{Question: "ports=free", Cycles: 6, Bound: "latency"}}}
	t.Timeline = &Timeline{First: 40, Iterations: 1, Steady: true, Uops: []TimelineUop{
		{Iteration: 40, Instruction: 0, Kind: "load", Port: "LD", Dispatched: 0, Ready: 1, Issued: 3, Done: 7, Retired: 7,
			Waits: []Wait{{For: "dispatch", Cycles: 2, Reason: "reorder buffer full", Instruction: 1, Iteration: 38}, {For: "port", Cycles: 2, Reason: "port busy", Via: "LD", Instruction: 0, Iteration: 39}}},
		{Iteration: 40, Instruction: 1, Kind: "execute", Port: "0", Dispatched: 0, Ready: 120, Issued: 120, Done: 126, Retired: 126,
			Waits: []Wait{{For: "operand", Cycles: 119, Reason: "register", Via: "d0", Instruction: 1, Iteration: 39}}},
		{Iteration: 40, Instruction: 2, Kind: "execute", Dispatched: 1, Ready: 2, Issued: 2, Done: 3, Retired: 126, Waits: []Wait{{For: "retirement", Cycles: 123, Reason: "order", Instruction: 1, Iteration: 40}}}}}
	return &Document{Schema: Schema, Version: Version, Input: Input{File: "t.s", ISA: "aarch64", Why: "detected", Instructions: 5, Unresolved: 1},
		Kernels: []Kernel{{Name: "f:.L4", Function: "f", Lines: "4-8", Unroll: 4, Loop: true, Depth: 1, Why: "innermost loop, nest depth 1", Notes: []string{"a note"},
			Labels: []Label{{Name: ".L4", Line: 3, Before: 0}}, Targets: []Target{t}}},
		Others:      []Candidate{{Name: "f:.L9", Function: "f", Lines: "20-24", Depth: 1, Instructions: 5, Arch: "test-core", Cycles: 1, Bound: "ports", Engine: "bounds"}},
		Diagnostics: []Diagnostic{{Severity: "note", File: "t.s", Message: "2 further statements outside of the kernels are not known instructions"}}}
}

// two is the sample on two machines.
func two() *Document {
	d := sample()
	t := d.Kernels[0].Targets[0]
	t.Arch, t.Title, t.Why, t.LoopCarried, t.Accuracy = "other-core", "Another Core", "", []Chain{}, []Accuracy{}
	t.Prediction = Prediction{Cycles: 1.5, Low: 1.5, High: 10, Bound: "ports", Engine: "bounds", Text: "1.5 cycles/iteration, bound by port 1"}
	t.Prediction.Steady = Recurs
	t.Prediction.Engine, t.Prediction.Period, t.Prediction.Loop, t.Prediction.Unrolled = "simulator", 2, 1.5, 1.5
	t.Prediction.Gap = "the bounds allow 1.0 (ports); the simulator finds 0.50 more"
	t.Prediction.Stalls = []Stall{{"front end", 1}, {"dispatch width", .5}}
	t.Diagnostics, t.WhatIf, t.Sensitivity, t.Timeline = nil, nil, nil, nil
	d.Kernels[0].Targets = append(d.Kernels[0].Targets, t)
	return d
}

func TestGolden(t *testing.T) {
	for name, render := range map[string]func(io.Writer) error{
		"text":    func(w io.Writer) error { return sample().Text(w, TextOptions{}) },
		"text-80": func(w io.Writer) error { return sample().Text(w, TextOptions{Width: 80, Color: true}) },
		"text-50": func(w io.Writer) error { return sample().Text(w, TextOptions{Width: 50}) },
		"two":     func(w io.Writer) error { return two().Text(w, TextOptions{Width: 100}) },
		"json":    func(w io.Writer) error { return JSON(w, sample()) },
		"yaml":    func(w io.Writer) error { return sample().YAML(w) },
		"csv":     func(w io.Writer) error { return two().CSV(w) },
		"dot":     func(w io.Writer) error { return two().DOT(w) },
		"svg":     func(w io.Writer) error { return sample().SVG(w) },
		"osaca": func(w io.Writer) error {
			return OSACAText(w, sample(), OSACAOptions{Time: time.Unix(0, 0).UTC(), Arch: "TST"})
		},
		"osaca-yaml": func(w io.Writer) error { return OSACAYAML(w, sample(), time.Unix(0, 0).UTC()) },
	} {
		var b bytes.Buffer
		if err := render(&b); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		file := filepath.Join("testdata", name+".golden")
		if *update {
			if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b.Bytes(), want) {
			t.Errorf("%s differs from %s (-update rewrites it):\n%s", name, file, b.String())
		}
	}
}

// TestFormats checks that JSON and YAML have the same content, with the ports in the model's order, and that SVG is valid XML.
func TestFormats(t *testing.T) {
	var j, y, s bytes.Buffer
	if err := JSON(&j, sample()); err != nil {
		t.Fatal(err)
	}
	if err := sample().YAML(&y); err != nil {
		t.Fatal(err)
	}
	var fromJSON, fromYAML any
	if err := json.Unmarshal(j.Bytes(), &fromJSON); err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(y.Bytes(), &fromYAML); err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(fromJSON)
	b, err := json.Marshal(fromYAML)
	if err != nil || !bytes.Equal(a, b) {
		t.Errorf("JSON and YAML differ: %v\n%s\n%s", err, a, b)
	}
	if i, k := strings.Index(j.String(), `"LD"`), strings.Index(j.String(), `"DIV"`); i < 0 || k < i {
		t.Error("ports are not in the model's order")
	}
	if err := two().SVG(&s); err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(&s); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("SVG: %v", err)
		}
	}
}

// TestWidth checks that no line of the text report is wider than the terminal, down to a narrow one.
func TestWidth(t *testing.T) {
	for _, width := range []int{60, 80, 100, 132} {
		var b bytes.Buffer
		if err := two().Text(&b, TextOptions{Width: width}); err != nil {
			t.Fatal(err)
		}
		for _, l := range strings.Split(b.String(), "\n") {
			if n := utf8.RuneCountInString(l); n > width && !strings.Contains(l, "warning:") && !strings.Contains(l, "note:") {
				t.Errorf("width %d: line of %d: %s", width, n, l)
			}
		}
	}
}

// TestLayout checks invariants of graph layouts on random graphs: layers ascend along edges, nodes of a layer
// don't overlap, all nodes are within the picture.
func TestLayout(t *testing.T) {
	seed := uint32(1)
	next := func(n int) int {
		seed = seed*1664525 + 1013904223
		return int(seed>>8) % n
	}
	for round := range 60 {
		g := &graph{}
		n := 2 + next(60)
		for i := range n {
			g.nodes = append(g.nodes, node{label: fmt.Sprintf("%d: op%d", i, next(1000))})
		}
		for range next(2*n + 1) {
			a, b := next(n), next(n)
			g.edges = append(g.edges, edge{from: a, to: b, back: a >= b || next(10) == 0})
		}
		l, err := newLayout(g)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := l.crossings(), crossingPairs(l); got != want {
			t.Fatalf("round %d: %d crossings counted, %d there", round, got, want)
		}
		for i, e := range g.edges {
			if !e.back && l.verts[e.from].layer >= l.verts[e.to].layer {
				t.Fatalf("round %d: edge %d does not lead down", round, i)
			}
		}
		for _, row := range l.layers {
			for i, v := range row {
				x := &l.verts[v]
				if x.x-x.w/2 < -1e-6 || x.x+x.w/2 > l.width+1e-6 || x.y > l.height {
					t.Fatalf("round %d: vertex outside of the picture: %+v, %g×%g", round, *x, l.width, l.height)
				}
				if i > 0 {
					p := &l.verts[row[i-1]]
					right := p.x + p.w/2
					if slices.ContainsFunc(g.edges, func(e edge) bool { return e.from == row[i-1] && e.to == e.from }) {
						right += ownWidth + charWidth // the arc and its latency
					}
					if right > x.x-x.w/2+1e-6 {
						t.Fatalf("round %d: vertices overlap: %+v %+v", round, *p, *x)
					}
				}
			}
		}
	}
}

// crossingPairs counts crossing edges pair by pair.
func crossingPairs(l *layout) (n int) {
	type ends struct{ top, bottom int }
	for y := 0; y+1 < len(l.layers); y++ {
		var all []ends
		for _, v := range l.layers[y] {
			for _, u := range l.down[v] {
				all = append(all, ends{l.verts[v].pos, l.verts[u].pos})
			}
		}
		for i, a := range all {
			for _, b := range all[i+1:] {
				if a.top < b.top && a.bottom > b.bottom || a.top > b.top && a.bottom < b.bottom {
					n++
				}
			}
		}
	}
	return n
}

// TestLargeGraph checks that a graph with millions of waypoints is refused before the layout starts, and that it can still be written as DOT.
func TestLargeGraph(t *testing.T) {
	g := &graph{}
	const chain = 2000
	for i := range 2 * chain {
		g.nodes = append(g.nodes, node{label: strconv.Itoa(i)})
	}
	for i := 1; i < chain; i++ {
		g.edges = append(g.edges, edge{from: i - 1, to: i}, edge{from: i, to: chain + i}, edge{from: 0, to: i})
	}
	err := svgOf(io.Discard, []*graph{g})
	if err == nil || !strings.Contains(err.Error(), "too large to draw") || !strings.Contains(err.Error(), ".dot") {
		t.Errorf("a graph of two million points: %v", err)
	}
}

// TestLongTimeline checks that the timeline of a chain of twice the length is about twice as long and contains each µop.
func TestLongTimeline(t *testing.T) {
	size := func(n int) int {
		d := sample()
		x := &d.Kernels[0].Targets[0]
		x.Timeline = &Timeline{Iterations: 1, Steady: true}
		for i := range int64(n) {
			x.Timeline.Uops = append(x.Timeline.Uops, TimelineUop{Port: "P1", Dispatched: 3 * i, Ready: 3 * i, Issued: 3*i + 1, Done: 3*i + 4, Retired: 3*i + 5})
		}
		var b strings.Builder
		if err := d.Text(&b, TextOptions{}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(b.String(), " P1 "); got < n {
			t.Errorf("%d rows of %d µops", got, n)
		}
		return b.Len()
	}
	if small, large := size(1000), size(4000); large > 6*small {
		t.Errorf("a timeline of 1,000 µops is %d bytes, one of 4,000 %d", small, large)
	}
}
