package main

import (
	"bytes"
	"encoding/hex"
	"math"
	"os"
	"strings"
	"testing"

	"incore/internal/isa/catalog"
	"incore/internal/object"
)

const factsFile = "../../docs/results/published-loops.tsv"

// TestDocumented holds the table of docs/results/accuracy.md to the file of facts.
func TestDocumented(t *testing.T) {
	rows, err := readFacts(factsFile)
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/results/accuracy.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), begin+table(rows)+end) {
		t.Errorf("docs/results/accuracy.md has another table: go run ./tools/published -tsv docs/results/published-loops.tsv -doc docs/results/accuracy.md")
	}
	for i := range rows {
		f := &rows[i]
		if f.Cycles <= 0 || f.Predicted <= 0 && f.Unknown == 0 || f.Published == "" || f.Conversion == "" || f.Commit == "" || f.Licence == "" {
			t.Errorf("%s, %s: incomplete", f.Core, f.Kernel)
		}
	}
	out := t.TempDir() + "/facts.tsv"
	if err := writeFacts(out, rows); err != nil {
		t.Fatal(err)
	}
	was, _ := os.ReadFile(factsFile)
	if is, _ := os.ReadFile(out); !bytes.Equal(is, was) {
		t.Error("the file is not what its rows print")
	}
}

// TestWalk follows a function with a loop whose counter is on the stack, and one whose branch depends on an argument.
func TestWalk(t *testing.T) {
	for _, c := range []struct {
		code string
		n    int // executed instructions; 0: an error
	}{
		// mov w27, #1; 1: str x27, [sp, #8]; ldr x27, [sp, #8]; add w27, w27, #1; cmp w27, #3; b.le 1b; ret
		{"3b008052fb0700f9fb0740f97b0700117f0f0071 8dffff54 c0035fd6", 1 + 3*5 + 1},
		// cbnz x0, .; ret
		{"000000b5c0035fd6", 0},
	} {
		code, err := hex.DecodeString(strings.ReplaceAll(c.code, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		f, err := object.Raw(code, 0x1000, catalog.ISA("aarch64"))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		err = walk(f, 0x1000, func(*object.Line) { n++ })
		if (err == nil) != (c.n > 0) || c.n > 0 && n != c.n {
			t.Errorf("%s: %d instructions, want %d (%v)", c.code, n, c.n, err)
		}
	}
}

// TestSeries: the slope leaves out what every call costs.
func TestSeries(t *testing.T) {
	page := "let infos = [\n{\ntitle: \"copy aligned\",\nlabels: [\"0\",\"scalar\",\"rvv_m1\",],\ndata: [\n[1000,2000,3000,4000,5000,],\n" +
		"[1,1,1,1,1,],\n[6.6666666,8,8.5714286,8.8888889,9.0909091,],\n]\n},\n]"
	list := readSeries(page)
	if len(list) != 2 || list[1].label != "rvv_m1" || list[1].title != "copy aligned" {
		t.Fatalf("%+v", list)
	}
	if slope, n, ok := list[1].slope(500, 6000); !ok || n != 5 || math.Abs(slope-0.1) > 1e-5 { // 50 cycles and a tenth per byte
		t.Error(slope, n, ok)
	}
	if _, _, ok := list[1].slope(500, 3500); ok {
		t.Error("a slope of three sizes")
	}
}

// TestSlashCell reads a figure before that of 32-bit code.
func TestSlashCell(t *testing.T) {
	if got := tableCell("# Cortex-A53\t1.32\t1.17/1.29(**)\n", "Cortex-A53", 1, true); got != "1.17" {
		t.Errorf("%q", got)
	}
}

// TestTableCell reads cells of tables in the heads of programs.
func TestTableCell(t *testing.T) {
	head := "# Core\t\tA\tB\n# Cortex-A53\t8.40/+80%\t4.06\t\t4.45(*)\n# Cortex-X2\t6.1 (***)\n# Apple A14/M1\t3.5 (**)\n# Cortex-A57\t7.88 (+74%)\n"
	for _, c := range []struct {
		core   string
		column int
		want   string
	}{{"Cortex-A53", 0, "8.40"}, {"Cortex-A53", 1, "4.06"}, {"Cortex-A53", 2, "4.45"}, {"Cortex-A53", 3, ""}, {"Cortex-X2", 0, "6.1"}, {"Apple A14/M1", 0, ""}, {"Cortex-A57", 0, "7.88"}, {"Cortex-A5", 0, ""}} {
		if got := tableCell(head, c.core, c.column, false); got != c.want {
			t.Errorf("%s, column %d: %q, want %q", c.core, c.column, got, c.want)
		}
	}
}
