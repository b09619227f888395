package analyze

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"incore/internal/analysis/engine"
	"incore/internal/base/source"
	"incore/internal/report"
)

// TestEngines checks on examples of every instruction set that the simulator's prediction is never below the bounds, that
// stalls add up to it, and that every question is answered.
func TestEngines(t *testing.T) {
	for _, suffix := range []string{"skx", "zen4", "n2", "v2", "hsw"} {
		files, err := filepath.Glob(filepath.Join("..", "..", "examples", "*-"+suffix+".s"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no examples for %s: %v", suffix, err)
		}
		for i, path := range files {
			if i%3 != 0 { // a third of them, each whole
				continue
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f, _ := source.New(filepath.Base(path), data)
			o := Options{Archs: []string{archOf[suffix]}, Asked: 1, Questions: Questions{Sensitivity: true, Timeline: 2, TimelineFrom: -1, WhatIf: []string{"rob=2x", "ports.load+1"}}}
			doc, err := Run(f, o)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			name := filepath.Base(path) + " " + doc.Kernels[0].Name
			checkPrediction(t, name, &doc.Kernels[0].Targets[0])
			checkLadder(t, name, &doc.Kernels[0].Targets[0])
			checkTimeline(t, name, &doc.Kernels[0].Targets[0])
			for _, k := range doc.Kernels[1:] {
				if !doc.Input.Chosen {
					continue // all are shown in full
				}
				if x := &k.Targets[0]; x.Prediction.Engine != doc.Kernels[0].Targets[0].Prediction.Engine && x.Prediction.EngineWhy == "" || x.Timeline != nil || x.WhatIf != nil {
					t.Errorf("%s %s: predicted by the %s, or asked, although only the first kernel was", path, k.Name, x.Prediction.Engine)
				}
			}
		}
	}
}

// checkLadder checks the limit in the headline against the what-if predictions: a limit that bounds alone gains when it is removed, and every question has one answer.
func checkLadder(t *testing.T, name string, x *report.Target) {
	t.Helper()
	p := &x.Prediction
	free := map[string]float64{}
	for _, r := range p.IfFree {
		free[r.Free] = r.Cycles
	}
	for _, s := range x.Sensitivity {
		if s.Double != nil && s.Free != nil && (s.Double.Cycles > p.Cycles*(1+report.Noticed) || s.Free.Cycles > s.Double.Cycles+1e-6) {
			t.Errorf("%s: %s doubled takes %g cycles, free %g, as it is %g", name, s.Resource, s.Double.Cycles, s.Free.Cycles, p.Cycles)
		}
	}
	alone := map[string]string{engine.Ports: "ports", engine.Latency: "dependences", engine.Dispatch: "dispatch"}[p.Bound]
	if tied := len(p.Limit.Ties) > 0; alone != "" && !tied && free[alone] >= p.Cycles*(1-report.Noticed) {
		t.Errorf("%s: '%s', but %s free takes %g of %g cycles", name, p.Text, alone, free[alone], p.Cycles)
	}
	if p.Limit.Kind == report.LimitBuffer && p.Cycles-free["window"] < (p.Cycles-max(p.Bounds.Ports, p.Bounds.Dispatch, p.Bounds.Latency, p.Bounds.FrontEnd, p.Bounds.Cache))/2 {
		t.Errorf("%s: '%s', but with free buffers %g cycles", name, p.Text, free["window"])
	}
	rungs := map[string]string{"all ports": "ports", "all buffers": "window", "all dependences": "dependences", "front end": "frontend", "dispatch width": "dispatch", "store forwarding": "memory"}
	for _, s := range x.Sensitivity {
		if rung, ok := rungs[s.Resource]; ok && s.Free != nil && math.Abs(s.Free.Cycles-free[rung]) > 1e-6 {
			t.Errorf("%s: %s free takes %g cycles in --sensitivity, %g in the ladder", name, s.Resource, s.Free.Cycles, free[rung])
		}
	}
}

func checkPrediction(t *testing.T, name string, x *report.Target) {
	t.Helper()
	p := &x.Prediction
	if p.Engine != engine.NameSimulator {
		t.Errorf("%s: engine %s, %s", name, p.Engine, p.EngineWhy)
		return
	}
	const average = 0.02 // an average over iterations without a period may lie a little below a bound
	low := max(p.Bounds.Ports, p.Bounds.Dispatch, p.Bounds.FrontEnd, p.Bounds.Latency, p.Bounds.Branch)
	if p.Cycles < low*(1-average) || p.Period > 0 && p.Cycles < low-1e-6 {
		t.Errorf("%s: %g cycles, the bounds %+v", name, p.Cycles, p.Bounds)
	}
	if p.Cycles > low*1.06 && p.Gap == "" || p.Gap != "" && p.Cycles <= low {
		t.Errorf("%s: %g cycles, the bounds %g, gap %q", name, p.Cycles, low, p.Gap)
	}
	sum := 0.0
	for _, s := range p.Stalls {
		sum += s.Cycles
	}
	if len(p.Stalls) == 0 || math.Abs(sum-p.Cycles) > 1e-5 {
		t.Errorf("%s: reasons for the end of dispatch %+v add up to %g of %g cycles", name, p.Stalls, sum, p.Cycles)
	}
	for _, r := range p.IfFree {
		if r.Cycles <= 0 || r.Cycles > p.Cycles {
			t.Errorf("%s: %g cycles with %s free, %g without", name, r.Cycles, r.Free, p.Cycles)
		}
	}
	if len(x.WhatIf) != 3 || x.WhatIf[2].Question != "rob=2x,ports.load+1" || len(x.Sensitivity) < 5 {
		t.Errorf("%s: answers %+v, %d lines of sensitivity", name, x.WhatIf, len(x.Sensitivity))
	}
}

func checkTimeline(t *testing.T, name string, x *report.Target) {
	t.Helper()
	tl := x.Timeline
	if tl == nil || len(tl.Uops) == 0 || tl.Uops[0].Dispatched != 0 {
		t.Errorf("%s: no timeline", name)
		return
	}
	ports := map[string]bool{"": true}
	for _, l := range x.Throughput.Ports {
		ports[l.Name] = true
	}
	for i := range tl.Uops {
		u := &tl.Uops[i]
		if u.Dispatched > u.Ready || u.Ready > u.Issued || u.Issued > u.Done || u.Done > u.Retired || u.Instruction >= len(x.Instructions) || !ports[u.Port] || u.Kind == "" {
			t.Errorf("%s: µop %+v", name, u)
		}
		for _, w := range u.Waits {
			if w.Instruction >= len(x.Instructions) || w.Reason == "" || w.Cycles <= 0 {
				t.Errorf("%s: wait %+v", name, w)
			}
			if w.For == "port" && (w.Reason == "port busy") != (w.Via != "") || w.For == "port" && w.Reason != "port busy" && w.Reason != "order" && w.Reason != "older stores" {
				t.Errorf("%s: wait for a port %+v, which docs/json.md does not have", name, w)
			}
			if w.For == "operand" && w.Reason != "itself" && w.Reason != "memory" && !depends(x, w.Instruction, u.Instruction, u.Iteration-w.Iteration, w.Via) {
				t.Errorf("%s: instruction %d waits for %s of %d, which no dependence says", name, u.Instruction, w.Via, w.Instruction)
			}
		}
	}
}

func depends(x *report.Target, from, to, distance int, via string) bool {
	for _, d := range x.Dependencies {
		if d.From == from && d.To == to && d.Distance == distance && d.Via == via {
			return true
		}
	}
	return false
}

// TestEngineChoice checks the engine of the headline, and that the paper's policy (uniform) selects the bounds.
func TestEngineChoice(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
		why  string
	}{
		{Options{}, engine.NameSimulator, ""},
		{Options{Engine: engine.Simulator}, engine.NameSimulator, ""},
		{Options{Engine: engine.Bounds}, engine.NameBounds, ""},
		{Options{Policy: 1}, engine.NameBounds, "a notion of the bounds"},
		{Options{Policy: 1, Engine: engine.Bounds}, engine.NameBounds, ""},
		{Options{Policy: 1, Engine: engine.Simulator}, engine.NameSimulator, ""},
	} {
		f, _ := source.New("t.s", []byte(tenInstructions))
		c.o.Archs = []string{"skx"}
		doc, err := Run(f, c.o)
		if err != nil {
			t.Fatal(err)
		}
		if p := doc.Kernels[0].Targets[0].Prediction; p.Engine != c.want || !strings.Contains(p.EngineWhy, c.why) || c.why == "" && p.EngineWhy != "" {
			t.Errorf("%+v: %s, %q", c.o, p.Engine, p.EngineWhy)
		}
	}
}

// TestUnknownInterval checks that an instruction without data also widens the simulator's prediction to an interval: from the cycles of
// the kernel without it to the cycles with all of its slots on the busiest port.
func TestUnknownInterval(t *testing.T) {
	text := ".L1:\n\taddl\t%eax, %ebx\n\tfrobnicate\t%eax\n\tdecl\t%ecx\n\tjne\t.L1\n"
	for _, e := range []engine.Choice{engine.Bounds, engine.Simulator} {
		f, _ := source.New("t.s", []byte(text))
		doc, err := Run(f, Options{Archs: []string{"skx"}, Engine: e})
		if err != nil {
			t.Fatal(err)
		}
		p := doc.Kernels[0].Targets[0].Prediction
		u := p.UnknownCosts
		if u == nil || u.Instructions != 1 || u.Low > p.Cycles || u.High < p.Cycles || u.High < 2*u.Low || p.Low > u.Low || p.High < u.High || u.Low != 1 {
			t.Errorf("%s: %+v, unknown %+v", e, p, u)
		}
	}
}

// BenchmarkReport makes the whole report of a kernel of ten instructions from its text, by each engine, with and without questions.
func BenchmarkReport(b *testing.B) {
	for _, c := range []struct {
		name string
		o    Options
	}{
		{"bounds", Options{Engine: engine.Bounds}},
		{"simulator", Options{}},
		{"timeline", Options{Questions: Questions{Timeline: 2, TimelineFrom: -1}}},
		{"sensitivity", Options{Questions: Questions{Sensitivity: true}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			c.o.Archs = []string{"skx"}
			for b.Loop() {
				f, _ := source.New("bench.s", []byte(tenInstructions))
				if _, err := Run(f, c.o); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e3/float64(b.N), "ms/report")
		})
	}
}

// TestTogether checks a loop that ports, dispatch and front end bound equally: the removal of one of them alone gains nothing.
func TestTogether(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "examples", "triad.s"))
	if err != nil {
		t.Fatal(err)
	}
	f, _ := source.New("triad.s", data)
	doc, err := Run(f, Options{Archs: []string{"skx"}})
	if err != nil {
		t.Fatal(err)
	}
	rungs := doc.Kernels[0].Targets[0].Prediction.IfFree
	for i, r := range rungs {
		want := 1.5 // 6 slots, 4 a cycle; three accesses, two ports
		if i == len(rungs)-1 {
			want = 1 // a taken branch, and the chain through the index
		}
		if (r.Free == "frontend+dispatch+ports") != (i == len(rungs)-1) || math.Abs(r.Cycles-want) > 0.01 {
			t.Errorf("%+v, want %g cycles", r, want)
		}
	}
}

// TestHeldUp checks that the headline names a full buffer on a loop that larger buffers would make faster: dispatch
// stalls as often at the limit on µops for certain ports, but the loop is no faster without that limit.
func TestHeldUp(t *testing.T) {
	const loop = ".L1:\n movzbl (%rdi), %ecx\n incq %rdi\n addl %ecx, %edx\n addl %edx, %eax\n cmpq %rdi, %rsi\n jne .L1\n"
	for _, arch := range []string{"zen4", "zen3", "zen2", "skx", "golden-cove"} {
		f, _ := source.New("adler.s", []byte(loop))
		doc, err := Run(f, Options{Archs: []string{arch}})
		if err != nil {
			t.Fatal(err)
		}
		p := doc.Kernels[0].Targets[0].Prediction
		if strings.Contains(p.Text, "limits of dispatch") {
			t.Errorf("%s: %s; stalls %v, if free %v", arch, p.Text, p.Stalls, p.IfFree)
		}
	}
}

// TestSharedReads checks that a report names register reads as the limit if these, and no bound, explain the prediction.
func TestSharedReads(t *testing.T) {
	for code, kind := range map[string]string{
		"vmovups (%rsi), %ymm0\nvfmadd213pd 32(%rsi), %ymm2, %ymm0\nvmovups %ymm0, 512(%rsi)\n": report.LimitReads,
		"vmovups (%rsi), %ymm0\nvaddpd 32(%rsi), %ymm2, %ymm0\nvmovups %ymm0, 512(%rsi)\n":      report.LimitBound,
	} {
		_, x := analyzed(t, code, "zen3")
		if l := x.Prediction.Limit; l.Kind != kind || (len(l.Units) == 2) != (kind == report.LimitReads) {
			t.Errorf("%q: %s, %+v", code, x.Prediction.Text, l)
		}
	}
}

// TestBlocked checks that a report names the store whose forwarding fails, and only that store.
func TestBlocked(t *testing.T) {
	for _, c := range []struct {
		code, arch string
		blocked    int
		held       bool
	}{
		{"movl %eax, (%rdi)\nmovq (%rdi), %rax\n", "zen4", 18, true},
		{"movl %eax, (%rdi)\nmovq (%rdi), %rax\n", "skylake", 14, true},
		{"movq %rax, (%rdi)\nmovl (%rdi), %eax\n", "skylake", 0, false},
		{"str w0, [x1]\nldr x0, [x1]\n", "exynos-m5", 0, false}, // whose model says nothing of such loads
	} {
		_, x := analyzed(t, c.code, c.arch)
		if x.Memory == nil || len(x.Memory.Dependencies) != 1 || x.Memory.Dependencies[0].Blocked != c.blocked {
			t.Errorf("%s: %q: %+v, want %d cycles", c.arch, c.code, x.Memory, c.blocked)
		}
		if held := x.Prediction.Limit.Kind == report.LimitForwarding; held != c.held {
			t.Errorf("%s: %q: %s", c.arch, c.code, x.Prediction.Text)
		}
	}
}
