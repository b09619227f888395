package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"incore/internal/base/long"
	"incore/internal/bench/plan"
	"incore/internal/isa/x86"
	"incore/internal/machine"
)

var update = flag.Bool("update", false, "write testdata/check.tsv anew")

// checkColumns are those of testdata/check.tsv: per core, how many figures were compared and how many of them agree.
const checkColumns = "core\tthroughputs\tagree\tfrom ports\tagree\tlatencies\tagree"

// line is a core's line of testdata/check.tsv.
func (c *check) line() string {
	return fmt.Sprintf("%s\t%d\t%d\t%d\t%d\t%d\t%d", c.core, c.tp.of, c.tp.agree, c.ports.of, c.ports.agree, c.pairs.of, c.pairs.agree)
}

// TestUpToDate makes every file of models/uops again: it is what the program makes of uops.info's files and of the models under it now.
func TestUpToDate(t *testing.T) {
	all := map[string]map[string][]cost{}
	for _, c := range conversions(t) {
		k := c.core
		all[k.name] = c.rows
		have, err := os.ReadFile(filepath.Join("..", "..", outDir, k.name+".model"))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(have, k.text(without(c.rows, all[k.over]), k.over)) {
			t.Errorf("%s.model is not what 'go run ./tools/mkuops -in DIR -core %s' makes", k.name, k.name)
		}
	}
}

// TestCheck plays every core's records by the simulator of its model: no fewer figures than testdata/check.tsv says agree with what uops.info measured. A change that
// makes one worse edits that file and says why (-update writes it).
func TestCheck(t *testing.T) {
	dir := files(t)
	long.Only(t, "plays a hundred thousand forms")
	path := filepath.Join("testdata", "check.tsv")
	text, err := os.ReadFile(path)
	if err != nil && !*update {
		t.Fatal(err)
	}
	stored := map[string]string{}
	for l := range strings.Lines(string(text)) {
		name, _, _ := strings.Cut(l, "\t")
		stored[name] = strings.TrimSpace(l)
	}
	lines := []string{checkColumns}
	for i := range cores {
		if models[cores[i].name] == "" {
			continue
		}
		c, err := cores[i].checkCore(dir)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, c.line())
		var was check
		if n, _ := fmt.Sscan(stored[c.core], &was.core, &was.tp.of, &was.tp.agree, &was.ports.of, &was.ports.agree, &was.pairs.of, &was.pairs.agree); n < 7 && !*update {
			t.Errorf("%s has no line in %s", c.core, path)
		}
		if !*update && (c.tp.worse(was.tp) || c.ports.worse(was.ports) || c.pairs.worse(was.pairs)) {
			t.Errorf("fewer figures agree, or fewer are compared:\n%s\n%s was stored", c.line(), stored[c.core])
		}
	}
	if *update {
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCheckDocumented holds the table of docs/results/accuracy.md to testdata/check.tsv; -update writes it there.
func TestCheckDocumented(t *testing.T) {
	const page = "../../docs/results/accuracy.md"
	file, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join("testdata", "check.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	table := "| core | model | throughputs measured | agree | from ports | agree | latencies | agree |\n|---|---|---|---|---|---|---|---|\n"
	for i, l := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		var c check
		if n, _ := fmt.Sscan(l, &c.core, &c.tp.of, &c.tp.agree, &c.ports.of, &c.ports.agree, &c.pairs.of, &c.pairs.agree); n < 7 && i > 0 {
			t.Fatalf("%s", l)
		} else if i > 0 {
			table += fmt.Sprintf("| %s | %s |%s%s%s\n", c.core, models[c.core], c.tp.cells(), c.ports.cells(), c.pairs.cells())
		}
	}
	const begin, end = "<!-- check: go test ./tools/mkuops -run TestCheckDocumented -update -->\n", "<!-- end -->\n"
	head, rest, begins := strings.Cut(string(file), begin)
	have, tail, ends := strings.Cut(rest, end)
	switch {
	case !begins || !ends:
		t.Error("docs/results/accuracy.md has no place for the table")
	case *update:
		if err := os.WriteFile(page, []byte(head+begin+table+end+tail), 0o666); err != nil {
			t.Fatal(err)
		}
	case have != table:
		t.Error("docs/results/accuracy.md: the table is not testdata/check.tsv's; 'go test ./tools/mkuops -run TestCheckDocumented -update' writes it")
	}
}

// cells are a tally's two columns of the table.
func (t tally) cells() string {
	if t.of == 0 {
		return " – | – |"
	}
	return fmt.Sprintf(" %d | %.1f %% |", t.of, 100*t.share())
}

// worse reports whether fewer figures are compared than were, or more of them differ.
func (t tally) worse(was tally) bool { return t.of < was.of || t.of-t.agree > was.of-was.agree }

// TestPlayed finds what records that are wrong would show: a throughput of twice as many cycles, one of the operands' latencies, and nothing where the record is the model's.
func TestPlayed(t *testing.T) {
	m, err := machine.Get("skylake")
	if err != nil {
		t.Fatal(err)
	}
	b, err := played(m)
	if err != nil {
		t.Fatal(err)
	}
	f, err := resolve("IMUL (R64, R64)")
	if err != nil {
		t.Fatal(err)
	}
	r, err := b.Form(t.Context(), f.inst.Form, plan.Throughput|plan.Latency)
	if err != nil {
		t.Fatal(err)
	}
	operands := []operandInfo{{Name: "REG0", Type: "reg", RW: "rw"}, {Name: "REG1", Type: "reg", RW: "r"}}
	for _, want := range []struct {
		tp, second float64
		differ     int
	}{{1, 3, 0}, {2, 3, 1}, {1, 5, 1}, {0.5, 1, 2}} {
		rec := &record{String: "IMUL (R64, R64)", TP: want.tp, Operands: operands, Latencies: []pairInfo{{From: "REG0", To: "REG0", Cycles: 3}, {From: "REG1", To: "REG0", Cycles: want.second}}}
		x := &reader{core: &core{}, rec: rec, form: f, table: x86.ISA().Forms}
		x.classify()
		c := &check{core: "SKL"}
		c.throughput(x, m, r)
		c.latencies(x, b.Target, m.Cost(b.Target.ISA, &f.inst), r)
		if len(c.differ) != want.differ || c.tp.of != 1 || c.pairs.of != 2 || c.tp.agree+c.pairs.agree != 3-want.differ {
			t.Errorf("%+v: %+v", want, c)
		}
	}
	// two µops on ports 0 and 1 and one on port 0, in 8 slots of a core of 4 a cycle
	slots := 8.0
	x := &reader{core: &core{}, rec: &record{Ports: map[string]float64{"01": 2, "0": 1}, Slots: &slots}}
	if got := x.fromPorts(4); got != 2 {
		t.Errorf("8 slots in %g cycles", got)
	}
	if slots = 2; x.fromPorts(4) != 1.5 {
		t.Errorf("three µops on two ports in %g cycles", x.fromPorts(4))
	}
}
