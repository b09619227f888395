package describe

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"

	"incore/internal/analysis/engine"
	"incore/internal/analysis/sim"
	"incore/internal/report"
)

var update = flag.Bool("update", false, "write testdata/words.golden")

// reasons are the kinds whose words stand beside them in the document.
var reasons = map[string]bool{report.ISAGiven: true, report.ISAOfMachine: true, report.ISADetected: true, report.FileFormat: true, report.WholeText: true, report.GivenLines: true, report.GivenLabel: true,
	report.WholeFunction: true, report.MarkedCode: true, report.InnermostLoop: true, report.LoopOfFunction: true, report.ThisMachine: true, report.DefaultMachine: true, report.CallsFunction: true,
	report.OutsideCore: true, report.NoFigures: true, report.NoPorts: true, report.NotSimulatable: true, report.Refused: true}

// kinds reads the kinds that package report declares.
func kinds(t *testing.T) (out []string) {
	f, err := parser.ParseFile(token.NewFileSet(), "../statement.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && len(v.Values) == 1 {
			if lit, ok := v.Values[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
				s, _ := strconv.Unquote(lit.Value)
				out = append(out, s)
			}
		}
		return true
	})
	return out
}

// full has a value in every field.
func full() report.Values {
	return report.Values{Instructions: 3, Of: 8, Count: 12, Cycles: 4.5, Low: 1.04, High: 2, Latency: &report.Range{Low: 1, High: 5}, Uops: &report.Range{Low: 2, High: 2}, Limit: "cache", Slots: 5000, Entries: 1536,
		Addresses: []string{"0x401020", "0x40103f"}, CodeLines: 3, FewestLines: 2, LineBytes: 64, Lines: "5-9", Without: "7-8", Label: ".L4", Places: 6, To: 11, Extension: "AVX-512F", Core: "zen2", Needs: "x86-64", Has: "aarch64",
		Machines: []string{"skx", "zen4"}, More: 2, Instruction: "foo %rax", From: "bar %rbx", Form: "PEXT64rr", Reason: "has a reason", Nearest: []string{"for", "fop"}, Kernel: "f:.L4", Profile: "callgrind", Share: 0.25}
}

// few has what turns sentences into the singular, or leaves parts out.
func few() report.Values {
	v := full()
	v.Instructions, v.Without, v.Label, v.Lines, v.Machines, v.More, v.Nearest, v.Latency, v.Limit = 0, "", "", "5", nil, 0, nil, &report.Range{Low: 4, High: 4}, "branch"
	return v
}

// TestWords holds the sentences of every kind, and that every kind has one.
func TestWords(t *testing.T) {
	var b strings.Builder
	for _, kind := range kinds(t) {
		if kind == report.FromInput || kind == report.FromObject || reasons[kind] {
			continue // in the words of those who find them
		}
		for _, v := range []report.Values{full(), few()} {
			text := statement(kind, &v)
			if say, ok := messages[kind]; ok {
				message, hint := say(&v)
				text = message + " | " + hint
			}
			if text == "" {
				t.Errorf("%s has no words", kind)
			}
			fmt.Fprintf(&b, "%s: %s\n", kind, text)
		}
	}
	const golden = "testdata/words.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("sentences changed (-update writes them):\n%s", b.String())
	}
}

// TestReasons checks that what the simulator and the engines name has words.
func TestReasons(t *testing.T) {
	for r := sim.FrontEnd; r <= sim.RegistersFull; r++ {
		switch r {
		case sim.Operands, sim.PortBusy, sim.OlderStores: // of µops, not of dispatch
			continue
		}
		if endings[r.String()] == "" {
			t.Errorf("dispatch ends for %q: no words", r)
		}
	}
	for _, r := range []sim.Reason{sim.ROBFull, sim.SchedulerFull, sim.LoadQueueFull, sim.StoreQueueFull, sim.RegistersFull, sim.DispatchLimit, sim.FrontEnd, sim.Width} {
		if buffers[r.String()] == "" {
			t.Errorf("full buffer %q: no words", r)
		}
	}
	for free := range ideal {
		if limits[free] == "" {
			t.Errorf("if %q is free: no words", free)
		}
	}
	for got, want := range map[string]string{engine.Latency: string(report.BoundLatency), engine.Ports: string(report.BoundPorts), engine.Dispatch: string(report.BoundDispatch), engine.FrontEnd: string(report.BoundFrontEnd),
		engine.Branch: string(report.BoundBranch), engine.Cache: string(report.BoundCache), engine.Scheduling: string(report.BoundScheduling)} {
		if got != want {
			t.Errorf("the engine says %q, the report %q", got, want)
		}
	}
}

// TestOtherLimits: of the limits that the figure exceeds the greatest is named, whichever it is.
func TestOtherLimits(t *testing.T) {
	for _, c := range []struct {
		bounds report.Bounds
		want   string
	}{
		{report.Bounds{}, "; ports would allow 2.0, allocate/rename 2.5"},
		{report.Bounds{FrontEnd: 2.5, Cache: 2}, "; ports would allow 2.0, allocate/rename 2.5"},
		{report.Bounds{FrontEnd: 3}, "; ports would allow 2.0, allocate/rename 2.5, the front end 3.0"},
		{report.Bounds{Cache: 3}, "; ports would allow 2.0, allocate/rename 2.5, the L1 cache 3.0"},
		{report.Bounds{FrontEnd: 4}, "; ports would allow 2.0, allocate/rename 2.5"}, // as great as the figure: a tie
	} {
		x := report.Target{LoopCarried: []report.Chain{{Cycles: 4, Via: "rax"}}, Throughput: report.Throughput{Cycles: 2, Dispatch: 2.5, Bottleneck: []string{"P0"}},
			Prediction: report.Prediction{Cycles: 4, Bounds: c.bounds, Bound: report.BoundLatency, Limit: report.Limit{Kind: report.LimitBound, Bound: report.BoundLatency, Cycles: 4}}}
		prediction(&x, true)
		if want := "bound by the loop-carried dependency through rax" + c.want; x.Prediction.Cause != want {
			t.Errorf("%+v: %q, want %q", c.bounds, x.Prediction.Cause, want)
		}
	}
}

// TestLimits words each kind of limit.
func TestLimits(t *testing.T) {
	chain := []report.Chain{{Cycles: 3, Via: "rax"}}
	tp := report.Throughput{Cycles: 2, Bottleneck: []string{"P0", "P5"}, About: map[string]string{"P5": "of division"}, Slots: 6, Dispatch: 1.5, Width: 4}
	for _, c := range []struct {
		limit report.Limit
		want  string
	}{
		{report.Limit{Kind: report.LimitBound, Bound: report.BoundLatency, Cycles: 3}, "bound by the loop-carried dependency through rax (3.0 of 4.0 cycles); ports would allow 2.0"},
		{report.Limit{Kind: report.LimitBound, Bound: report.BoundPorts, Cycles: 4, Ties: []report.Bound{report.BoundBranch, report.BoundCache}}, "bound equally by ports P0, P5, taken branch, L1 cache; allocate/rename would allow 1.5, the loop-carried dependency through rax 3.0"},
		{report.Limit{Kind: report.LimitBound, Bound: report.BoundPorts, Cycles: 2}, "bound by ports P0, P5 (of division; 2.0 of 4.0 cycles)"},
		{report.Limit{Kind: report.LimitBound, Bound: report.BoundDispatch, Cycles: 4}, "bound by allocate/rename (6 µops, 4 per cycle); ports would allow 2.0, the loop-carried dependency through rax 3.0"},
		{report.Limit{Kind: report.LimitBound, Bound: report.BoundBranch, Cycles: 1}, "bound by the taken branch (1.0 of 4.0 cycles); ports would allow 2.0"},
		{report.Limit{Kind: report.LimitBuffer, Buffer: "scheduler full"}, "bound by a full scheduler; ports would allow 2.0"},
		{report.Limit{Kind: report.LimitReads, Units: []string{"R0", "R1"}}, "bound by register-file read ports (R0, R1), which several kinds of µops share; ports would allow 2.0"},
		{report.Limit{Kind: report.LimitForwarding}, "bound by failed store-to-load forwarding; ports would allow 2.0"},
		{report.Limit{Kind: report.LimitSeveral, Bound: report.BoundFrontEnd, Cycles: 3}, "bound by several limits, mostly the front end (3.0 of 4.0 cycles)"},
		{report.Limit{Kind: report.LimitUnexplained, Bound: report.BoundCache, Cycles: 1}, "bound by no single limit; the largest is the L1 data cache (its banks, lines and ports; 1.0 of 4.0 cycles)"},
		{report.Limit{Kind: report.LimitNone}, "nothing in the model bounds it"},
	} {
		x := report.Target{LoopCarried: chain, Throughput: tp, Prediction: report.Prediction{Cycles: 4, Bound: c.limit.Bound, Limit: c.limit}}
		prediction(&x, true)
		if !strings.HasPrefix(x.Prediction.Cause, c.want) {
			t.Errorf("%+v: %q, want %q", c.limit, x.Prediction.Cause, c.want)
		}
		if x.Prediction.Text != "4.0 cycles/iteration, "+x.Prediction.Cause {
			t.Errorf("text %q", x.Prediction.Text)
		}
	}
}

// TestFromValues checks that all words come from values: a document that went through JSON without its words has them again.
func TestFromValues(t *testing.T) {
	doc := report.Document{Kernels: []report.Kernel{{Remarks: []report.Statement{{Kind: report.CallNotFollowed, Values: few()}}, Targets: []report.Target{{
		Prediction: report.Prediction{Cycles: 4, Limit: report.Limit{Kind: report.LimitSeveral, Bound: report.BoundPorts, Cycles: 3}, Above: &report.Above{Bound: report.BoundPorts, Bounds: 3, Cycles: 1},
			Stalls: []report.Stall{{Reason: "reorder buffer full", Cycles: 4}}, IfFree: []report.Rung{{Free: "window", Cycles: 3}}},
		Basis: []report.Statement{{Kind: report.DataAlignment, Values: full()}}, Diagnostics: []report.Diagnostic{{Kind: report.UnknownCost, Values: full()}}}}}}}
	Document(&doc)
	x := &doc.Kernels[0].Targets[0]
	if p := &x.Prediction; p.Gap != "the bounds allow 3.0 cycles (ports), the simulator finds 1.0 more. Of 4.0 cycles dispatch stops in 4.0 because the reorder buffer is full. It would take 3.0 with unlimited buffers (ROB, schedulers)" {
		t.Errorf("gap %q", p.Gap)
	}
	before, _ := json.Marshal(doc)
	var again report.Document
	x.Prediction.Text, x.Prediction.Cause, x.Prediction.Gap, x.Assumptions, doc.Kernels[0].Notes, x.Basis[0].Text, x.Diagnostics[0].Message = "", "", "", nil, nil, "", ""
	bare, _ := json.Marshal(doc)
	if err := json.Unmarshal(bare, &again); err != nil {
		t.Fatal(err)
	}
	Document(&again)
	if after, _ := json.Marshal(again); string(after) != string(before) {
		t.Errorf("without its words:\n%s\nwant\n%s", after, before)
	}
}

// TestTrust: the line speaks of code like that shown, held out if there is enough, counts no corpus twice, and names a limiting cost that is not the core's own.
func TestTrust(t *testing.T) {
	corpus := func(name string, blocks int, mean float64) report.Accuracy {
		return report.Accuracy{Corpus: name, Blocks: blocks, Mean: mean}
	}
	blocks, loops := corpus("zen3", 100, 0.01), corpus("zen3-loops", 80, 0.05)
	unseen, unseenLoops, single := corpus("heldout-zen3", 300, 0.04), corpus("heldout-zen3-loops", 200, 0.07), corpus("published/n1", 25, 0)
	for _, c := range []struct {
		engine string
		loop   bool
		list   []report.Accuracy
		want   string
	}{
		{"simulator", true, nil, "not validated on this core"},
		{"simulator", true, []report.Accuracy{single}, "no loops validated on this core, only 25 published figures of single instructions"},
		{"simulator", true, []report.Accuracy{blocks, loops, unseen, unseenLoops, single}, "validated on this core: 7 % mean error on 200 unseen loops"},
		{"simulator", false, []report.Accuracy{blocks, loops, unseen, unseenLoops, single}, "validated on this core: 4 % mean error on 300 unseen blocks of straight code"},
		{"simulator", true, []report.Accuracy{blocks, loops, unseen}, "compared on this core: 5 % mean error on 80 loops, which were looked at while the model was made"},
		{"simulator", true, []report.Accuracy{blocks, loops, corpus("heldout-zen3-kernels", 21, 0.02)}, "compared on this core: 5 % mean error on 80 loops, which were looked at while the model was made"},
		{"simulator", true, []report.Accuracy{corpus("zen5-loops/loops", 113, 0.05), corpus("zen5-loops/loops+places", 113, 0.03)}, "compared on this core: 5 % mean error on 113 loops, which were looked at while the model was made"},
		{"simulator", true, []report.Accuracy{blocks}, "no loops compared on this core; 1 % mean error on 100 blocks of straight code"},
		{"bounds", true, []report.Accuracy{unseenLoops}, "validated on this core: 7 % mean error on 200 unseen loops; the figure is the greatest bound, not a simulation"},
	} {
		got := trust(&report.Target{Prediction: report.Prediction{Engine: report.Engine(c.engine)}, Accuracy: c.list}, c.loop)
		if got = strings.ReplaceAll(got, "\u00a0", " "); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	borrowed := []report.Instruction{{Text: "addq %rax, %rbx", Flags: []string{"borrowed"}, Source: "Zen 4"}, {Text: "jmp 1b"}}
	if got, want := trust(&report.Target{Instructions: borrowed}, true), "not validated on this core, and the costs are another core's"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	four := 4.0
	x := report.Target{Prediction: report.Prediction{Bound: "ports"}, Throughput: report.Throughput{Bottleneck: []string{"P0"}}, Instructions: []report.Instruction{
		{Text: "vaddpd %ymm1, %ymm0, %ymm0", Ports: report.Ports{{Name: "P0", Cycles: 0.5}}, LCD: &four, Flags: []string{"unknown"}},
		{Text: "vdivpd %ymm1, %ymm2, %ymm3", Ports: report.Ports{{Name: "P0", Cycles: 5}}, Flags: []string{"borrowed"}, Source: "Zen 4"}}}
	for bound, want := range map[string]string{"ports": "; the cost of the limiting vdivpd is another core's (Zen 4)", "latency": "; the cost of the limiting vaddpd is not known", "dispatch": ""} {
		if x.Prediction.Bound = report.Bound(bound); !strings.HasSuffix(trust(&x, true), "core"+want) {
			t.Errorf("%s: %q, want %q", bound, trust(&x, true), want)
		}
	}
}

// TestHeadroom: the limit that costs most is named, and another one that costs as much.
func TestHeadroom(t *testing.T) {
	p := report.Prediction{Cycles: 4, IfFree: []report.Rung{{Free: "ports", Cycles: 3}, {Free: "window", Cycles: 2}, {Free: "dependences", Cycles: 2}, {Free: "frontend", Cycles: 4}}}
	if got, want := headroom(&p), "4.0 → 2.0 cycles with unlimited buffers (ROB, schedulers), or with no dependencies"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	p.IfFree = []report.Rung{{Free: "ports", Cycles: 4}, {Free: "frontend", Cycles: 4}}
	if got := headroom(&p); got != "" {
		t.Errorf("nothing helps, but: %q", got)
	}
	p.IfFree = append(p.IfFree, report.Rung{Free: "frontend+ports", Cycles: 3})
	if got, want := headroom(&p), "4.0 → 3.0 cycles with an ideal front end and unlimited ports"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestPortsWithOneMeaning: what two ports stand for is said once.
func TestPortsWithOneMeaning(t *testing.T) {
	tp := &report.Throughput{Bottleneck: []string{"A", "D0", "D1", "E"}, About: map[string]string{"D0": "the divider", "D1": "the divider", "E": "locks"}}
	if got := ports(tp); got != "ports A, D0, D1 (the divider), E (locks)" {
		t.Error(got)
	}
}

// TestLoopLimits: a list names the limit of a loop on a core that issues in order as its report does, and code that
// is reserved.
func TestLoopLimits(t *testing.T) {
	l := report.Loops{Loops: []report.LoopInfo{{Bound: report.BoundScheduling, InOrder: true}, {Bound: report.BoundScheduling}, {Bound: report.BoundPorts, InOrder: true}, {Bound: report.BoundPorts, Reserved: "'vsetvli': why"}}}
	Loops(&l)
	for i, want := range []string{inOrder, "several limits", "ports", "reserved by the specification"} {
		if got := l.Loops[i].Limit; got != want {
			t.Errorf("loop %d: %q, want %q", i, got, want)
		}
	}
}
