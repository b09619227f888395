package eval

import (
	"context"
	"errors"
	"flag"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"incore/internal/base/long"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
	"incore/internal/machine/accuracy"
)

// slack is how much worse than its stored figure an error or a rank correlation may be: less than what a look at the table shows.
const slack = 0.0005

// sampled is how many blocks a corpus has at most that is predicted where long tests don't run.
const sampled = 250

// TestRatchet holds the engines to the errors of internal/machine/accuracy/accuracy.tsv: whoever worsens one edits that file and says why.
// The corpus testdata/emeraldrapids.tsv, random mixes of common instructions measured by "incore measure --format csv" on an Intel
// Emerald Rapids on 2026-11-21, testdata/zen4.tsv, the same texts measured on a Zen 4 on 2026-11-22, and testdata/emeraldrapids-loops.tsv, loops of tools/blocks/c/loops.c measured on the former, and testdata/zen4-loops.tsv, such loops measured in place on the latter, testdata/zen5-vectors.tsv and zen5-integers.tsv, loops of random instructions with random dependences measured in place on a Zen 5 on 2026-11-28, are always there, and so are those of testdata/published, others' measurements of single instructions
// on Arm cores and the X60 (docs/accuracy.md). The others are looked for in the directory INCORE_CORPORA. -update stores the errors of the corpora that are here.
func TestRatchet(t *testing.T) {
	rows, err := accuracy.Rows()
	if err != nil {
		t.Fatal(err)
	}
	stored := map[string][]accuracy.Row{}
	for _, r := range rows {
		stored[r.Corpus] = append(stored[r.Corpus], r)
	}
	if len(stored["emeraldrapids"]) == 0 {
		t.Error("internal/machine/accuracy/accuracy.tsv says nothing of emeraldrapids")
	}
	fresh := map[string]string{} // line of the file → what it becomes
	for corpus, rows := range stored {
		t.Run(corpus, func(t *testing.T) { ratchet(t, rows, fresh) })
	}
	if *update {
		store(t, fresh)
	}
}

var update = flag.Bool("update", false, "store the errors of the corpora in internal/machine/accuracy/accuracy.tsv")

// store replaces lines of internal/machine/accuracy/accuracy.tsv.
func store(t *testing.T, fresh map[string]string) {
	path := filepath.Join("..", "machine", "accuracy", "accuracy.tsv")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	for i, l := range lines {
		if n, ok := fresh[l]; ok {
			lines[i] = n
		}
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
}

func ratchet(t *testing.T, rows []accuracy.Row, fresh map[string]string) {
	c, err := OpenStored(rows[0], "testdata")
	if errors.Is(err, ErrNotHere) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	if len(c.Blocks) > sampled && !long.Tests() {
		t.Skipf("predicts %d blocks: INCORE_LONG=1 runs it", len(c.Blocks))
	}
	measured := make([]float64, len(c.Blocks))
	preds := make([]Prediction, len(c.Blocks))
	for i := range c.Blocks {
		measured[i] = c.Blocks[i].Cycles
		preds[i] = Predict(c.Model, &c.Blocks[i], c.Conditions)
	}
	for _, row := range rows {
		cycles := make([]float64, len(preds))
		for i := range preds {
			cycles[i] = preds[i].Of(row.Engine)
		}
		now := Summarise(cycles, measured)
		if *update {
			own := row
			own.Blocks, own.Mean, own.Median, own.Lower, own.Upper, own.Within10, own.Within20, own.Tau = now.N, now.Mean, now.Median, now.Lower, now.Upper, now.Within10, now.Within20, now.Tau
			fresh[row.String()] = own.String()
			continue
		}
		if now.Mean > row.Mean+slack || now.Median > row.Median+slack || now.Tau < row.Tau-slack || now.N != row.Blocks {
			t.Errorf("%s: %d blocks, mean %.4f, median %.4f, tau %.4f; internal/machine/accuracy/accuracy.tsv has %d blocks, %.4f, %.4f, %.4f", row.Engine, now.N, now.Mean, now.Median, now.Tau,
				row.Blocks, row.Mean, row.Median, row.Tau)
		}
	}
}

// TestPeers reads what other tools print.
func TestPeers(t *testing.T) {
	yaml := "Kernel: []\nSummary:\n  CriticalPath: 8\n  LCD: 3.0\n  PortPressure: {'0': 0.34, 0DV: 0.0, '1': 4.0, '2': 0.5, 2D: \n      0.5}\nTarget:\n"
	for warnings, want := range map[string]Answer{"Warnings: []": {Cycles: 4}, "Warnings: [UnknownInstrWarning]": {Cycles: 4, Partial: true}} {
		if got := osaca(yaml + warnings); got != want {
			t.Errorf("OSACA with %s: %+v, want %+v", warnings, got, want)
		}
	}
	if got := osaca("Traceback"); !math.IsNaN(got.Cycles) {
		t.Errorf("OSACA without a summary: %+v", got)
	}
	if got := statements("lock;cmpxchgb %dl, (%rbp);testb %al, %al"); got != "lock cmpxchgb %dl, (%rbp)\ntestb %al, %al\n" {
		t.Errorf("statements: %q", got)
	}
}

// TestOSACA runs a stand-in for OSACA many times in one interpreter: every block gets its own answer, one that fails gets none, and the next starts
// from the state that the first started from.
func TestOSACA(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	dir := t.TempDir()
	t.Setenv("PYTHONPATH", dir)
	for name, text := range map[string]string{
		"osaca/__init__.py": "runs = 0\n",
		"osaca/__main__.py": `import osaca, sys
if "--version" in sys.argv:
    print("osaca 0")
    sys.exit()
osaca.runs += 1
text = open(sys.argv[-1]).read()
print(text)
if "fail" in text:
    raise ValueError(text)
unknown = "[UnknownInstrWarning]" if "unknown" in text else "[]"
with open(sys.argv[sys.argv.index("--yaml-out") + 1], "w") as f:
    f.write("\nSummary:\n  LCD: 0.0\n  PortPressure: {'0': %d}\nWarnings: %s\n" % (text.count("\n") + 100 * (osaca.runs - 1), unknown))
`,
		"run": "#!" + python + "\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	blocks := []Block{{Text: "nop"}, {Text: "fail"}, {Text: "nop; unknown"}}
	got, err := runOSACA(context.Background(), filepath.Join(dir, "run"), "HSW", blocks, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 || got[0] != (Answer{Cycles: 1}) || !math.IsNaN(got[1].Cycles) || got[2] != (Answer{Cycles: 2, Partial: true}) {
		t.Errorf("%+v", got)
	}
	if _, err := runOSACA(context.Background(), python, "HSW", blocks, func(int) {}); err == nil || !strings.Contains(err.Error(), "no Python script") {
		t.Errorf("a program for the script: %v", err)
	}
}

// TestArtefact checks the physical arguments against measurements that are none, and plain ones.
func TestArtefact(t *testing.T) {
	text := "cycles\tatt\n0.4\tmovq (%rax), %rcx\n0.5\tmovq (%rax), %rcx\n4\taddq $2072, %rsp; popq %rbx\n5000\tcpuid\n150\tcpuid\n"
	m, err := machine.Get("skylake")
	if err != nil {
		t.Fatal(err)
	}
	blocks, bad, err := read(strings.NewReader(text), nil, catalog.ISA(m.ISA))
	if err != nil || len(bad) > 0 {
		t.Fatal(err, bad)
	}
	for i, want := range []string{"too quick", "", "pages", "virtual machine", ""} {
		if why := Artefact(m, &blocks[i]); want == "" && why != "" || !strings.Contains(why, want) {
			t.Errorf("%s at %g cycles: %q, want %q", blocks[i].Text, blocks[i].Cycles, why, want)
		}
	}
}

// TestHalves checks that each block is in one half, and that the halves are about as large.
func TestHalves(t *testing.T) {
	n := 0
	for i := range 1000 {
		text := strings.Repeat("nop;", i)
		if InHalf(text, 'a') == InHalf(text, 'b') {
			t.Fatal(i)
		}
		if InHalf(text, 'a') {
			n++
		}
	}
	if n < 400 || n > 600 {
		t.Errorf("%d of 1000 in half a", n)
	}
}
