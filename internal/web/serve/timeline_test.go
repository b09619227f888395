package serve

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"incore/internal/base/long"
	"incore/internal/report"
	"incore/internal/report/page"
)

// pipeline is a page with the lives of so many µops.
func pipeline(t *testing.T, uops int) string {
	t.Helper()
	const perIteration = 20
	d := report.Document{Schema: report.Schema, Version: report.Version, Input: report.Input{File: "long.s", ISA: "x86-64"}, Kernels: []report.Kernel{{Name: "long", Loop: true, Unroll: 1}}}
	x := report.Target{Arch: "m", Title: "M", Prediction: report.Prediction{Cycles: 5, Bound: "ports", Engine: "simulator"}, Timeline: &report.Timeline{First: 100, Iterations: uops / perIteration}}
	for i := range perIteration {
		x.Instructions = append(x.Instructions, report.Instruction{Index: i, Line: i + 1, Text: fmt.Sprintf("vaddpd %%ymm%d, %%ymm0, %%ymm1", i), Form: "VADDPDYrr"})
	}
	for i := range uops {
		at := int64(i / 4)
		x.Timeline.Uops = append(x.Timeline.Uops, report.TimelineUop{Iteration: 100 + i/perIteration, Instruction: i % perIteration, Kind: "execute", Port: "0", Dispatched: at, Ready: at + 5, Issued: at + 8, Done: at + 12, Retired: at + 20,
			Waits: []report.Wait{{For: "operand", Cycles: 5, Reason: "register", Via: "ymm0", Instruction: (i + perIteration - 1) % perIteration, Iteration: 100 + max(0, i-1)/perIteration}}})
	}
	d.Kernels[0].Targets = []report.Target{x}
	name := filepath.Join(t.TempDir(), fmt.Sprintf("%d.html", uops))
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := page.HTML(f, &d); err != nil {
		t.Fatal(err)
	}
	return "file://" + name
}

// steps goes through a pipeline by keys, wheel and zoom, and returns how long the page's script was busy for one, of each kind a low quantile of 40, in ms.
const steps = `(async () => {
	const c = document.querySelector("canvas.pipeline"), frame = () => new Promise(r => requestAnimationFrame(() => r()));
	c.focus();
	const act = {key: () => c.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowDown", bubbles: true})), page: () => c.dispatchEvent(new KeyboardEvent("keydown", {key: "PageDown", bubbles: true})),
		end: n => c.dispatchEvent(new KeyboardEvent("keydown", {key: n % 2 ? "Home" : "End", bubbles: true})), wheel: () => c.dispatchEvent(new WheelEvent("wheel", {deltaY: 100, bubbles: true, cancelable: true})),
		zoom: n => c.dispatchEvent(new WheelEvent("wheel", {deltaY: n % 2 ? 1 : -1, ctrlKey: true, bubbles: true, cancelable: true, clientX: 500}))};
	const out = {};
	for (const [name, f] of Object.entries(act)) {
		const took = [];
		for (let n = 0; n < 40; n++) {
			const before = performance.now();
			f(n);
			await frame(); // in which the page draws, behind its own request
			took.push(performance.now() - before);
		}
		took.sort((a, b) => a - b);
		out[name] = took[8];
	}
	return out;
})().then(r => { window.took = r; })`

// TestLongPipeline: what a step costs does not grow with the number of µops: 20,000 are as fluid as 400.
func TestLongPipeline(t *testing.T) {
	long.Only(t, "draws 20,000 µops")
	b := start(t)
	took := map[int]map[string]float64{}
	for _, uops := range []int{400, 20_000} {
		p := open(t, b, pipeline(t, uops), 1280)
		await(t, p, `document.querySelector("canvas.pipeline")?.height > 100`)
		var ms map[string]float64
		do(t, p, chromedp.Evaluate(steps, nil))
		await(t, p, "window.took")
		if err := p.Eval("window.took", &ms); err != nil {
			t.Fatal(err)
		}
		t.Logf("%d µops: ms for a step: %v", uops, ms)
		took[uops] = ms
		do(t, p, chromedp.Evaluate(`document.querySelector("canvas.pipeline").dispatchEvent(new KeyboardEvent("keydown", {key: "End", bubbles: true}))`, nil))
		await(t, p, fmt.Sprintf(`document.querySelector(".info").textContent.includes("iteration %d")`, uops/20-1))
	}
	const frame = 1000. / 60 // a step is drawn with the next one
	if len(took[20_000]) != 5 {
		t.Errorf("steps that were timed: %v", took[20_000])
	}
	for kind, ms := range took[20_000] {
		if ms > 4*max(took[400][kind], frame) {
			t.Errorf("%s: a step takes %.1f ms with 20,000 µops, %.1f with 400", kind, ms, took[400][kind])
		}
	}
}
