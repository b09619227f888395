package tables

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"incore/internal/eval/suite"
	"incore/internal/report"
)

// sample is a directory with two benchmarks, of which one predictor fails on one.
func sample() *suite.Dir {
	d := &suite.Dir{Machines: []string{"a CPU"}, Measured: map[string]*suite.Measured{}, Predictions: map[string]map[string]*suite.Prediction{}}
	add := func(id, kernel string, held bool, cycles, sim, mca float64) {
		d.Benchmarks = append(d.Benchmarks, &suite.Benchmark{ID: id, Kernel: kernel, HeldOut: held, Compiler: "gcc", Level: "-O2", Vectors: "sse2", Transformation: "none"})
		d.Measured[id] = &suite.Measured{ID: id, Cycles: cycles}
		p := map[string]*suite.Prediction{"sim": {Cycles: sim, Seconds: 0.5, Limits: map[string]float64{"latency": 1, "ports": 3}}, "llvm-mca": {Cycles: mca}}
		if mca == 0 {
			p["llvm-mca"].Failure = "does not know it"
		}
		d.Predictions[id] = p
	}
	add("a", "dot", false, 100, 110, 150)
	add("b", "axpy", true, 200, 180, 0)
	d.Benchmarks = append(d.Benchmarks, &suite.Benchmark{ID: "c", Kernel: "dot"})
	d.Dropped = []suite.Dropped{{ID: "c", Reason: "noisy"}, {Key: "x", Reason: "equal binary"}, {Key: "y", Reason: "equal binary"}}
	return d
}

// TestMake: figures are those of the benchmarks that were measured and predicted.
func TestMake(t *testing.T) {
	r := Make(sample(), Both)
	if r.Benchmarks != 2 || r.Made != 3 || r.Dropped["equal binary"] != 2 || r.Dropped["noisy"] != 1 {
		t.Errorf("%+v", r)
	}
	want := map[string]Predictor{"sim": {Datapoints: 2, MAPE: 0.1, Tau: 1, CPUSeconds: 1}, "llvm-mca": {Datapoints: 1, Failures: 1, MAPE: 0.5}}
	for _, p := range r.Predictors {
		w := want[p.Name]
		if p.Datapoints != w.Datapoints || p.Failures != w.Failures || math.Abs(p.MAPE-w.MAPE) > 1e-9 || p.Tau != w.Tau || p.CPUSeconds != w.CPUSeconds {
			t.Errorf("%s: %+v", p.Name, p)
		}
		delete(want, p.Name)
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
	if len(r.Halves) != 2 || r.Halves[0].Benchmarks != 1 || r.Halves[1].Benchmarks != 1 {
		t.Errorf("halves %+v", r.Halves)
	}
	for _, g := range r.Groups {
		if g.By == "bound" && (g.Value != "ports" || g.Number != 2) {
			t.Errorf("%+v", g)
		}
	}
}

// TestMemoryBound: what the dependences of the run make 1.4 times as long is bound by them, however few of them the code shows.
func TestMemoryBound(t *testing.T) {
	d := sample()
	for id, cycles := range map[string][3]float64{"a": {50, 50, 100}, "b": {100, 100, 130}} {
		for i, name := range []string{withoutPaths, withPaths, recordedPaths} {
			d.Predictions[id][name] = &suite.Prediction{ID: id, Predictor: name, Cycles: cycles[i]}
		}
	}
	r := Make(d, Both)
	if r.Latency != 1 || len(r.Memory) != 2 || r.Memory[0].With.Datapoints != 2 || r.Memory[1].With.Datapoints != 1 {
		t.Errorf("%d bound, %+v", r.Latency, r.Memory)
	}
	for _, g := range r.Groups {
		if g.By == "kernel" && g.Bound != map[string]int{"dot": 1, "axpy": 0}[g.Value] {
			t.Errorf("%+v", g)
		}
	}
}

// TestRender: each format has the figures, and the JSON the names that other programs ask for.
func TestRender(t *testing.T) {
	r := Make(sample(), Both)
	var text, table, js, html bytes.Buffer
	for _, err := range []error{r.Text(&text, report.TextOptions{}), r.CSV(&table), report.JSON(&js, r), r.HTML(&html)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	var got struct {
		Benchmarks int
		Dropped    map[string]int
		Predictors []map[string]any
	}
	if err := json.Unmarshal(js.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	for _, k := range []string{"name", "datapoints", "failures", "mape", "median", "q1", "q3", "tau", "cpu_seconds"} {
		if _, ok := got.Predictors[0][k]; !ok {
			t.Errorf("no %s in %v", k, got.Predictors[0])
		}
	}
	if !strings.Contains(text.String(), "10.00 %") || strings.Count(table.String(), "\n") != 3 {
		t.Errorf("%s\n%s", text.String(), table.String())
	}
	if s := html.String(); !strings.Contains(s, "<svg") || !strings.Contains(s, `"kernel":"axpy"`) || strings.Contains(s, "src=") || strings.Contains(s, "href=") {
		t.Error("the page lacks a drawing or a benchmark, or needs another file")
	}
}

// TestEmpty: a directory in which nothing was measured makes a report.
func TestEmpty(t *testing.T) {
	r := Make(&suite.Dir{}, Both)
	var b bytes.Buffer
	for _, err := range []error{r.Text(&b, report.TextOptions{}), r.CSV(&b), report.JSON(&b, r), r.HTML(&b)} {
		if err != nil {
			t.Error(err)
		}
	}
}
