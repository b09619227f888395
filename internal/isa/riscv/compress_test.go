package riscv

import (
	"os"
	"strings"
	"testing"
)

// TestCompress compares with llvm-mc's compression on the statements of testdata/compress.txt,
// or of the folder that INCORE_RISCV_CORPUS names.
func TestCompress(t *testing.T) {
	var stmts []string
	if dir := os.Getenv("INCORE_RISCV_CORPUS"); dir != "" {
		seen := map[string]bool{}
		for _, f := range findFiles(t, dir, ".s") {
			for _, s := range statements(t, f) {
				if !seen[s] {
					seen[s] = true
					stmts = append(stmts, s)
				}
			}
		}
	} else {
		data, err := os.ReadFile("testdata/compress.txt")
		if err != nil {
			t.Fatal(err)
		}
		stmts = strings.Split(strings.TrimSpace(string(data)), "\n")
	}
	a := ISA()
	want := llvmAssemble(t, corpusAttr+",+c", stmts)
	n, bad := 0, 0
	for i, s := range stmts {
		code, err := a.Parse(nil, s, "")
		if want[i] == nil || err != nil || len(code) != len(want[i]) {
			continue
		}
		for k := range code {
			Compress(&code[k])
			if got := ourInst(a, &code[k]); got != want[i][k].String() {
				if bad++; bad < 20 {
					t.Errorf("%q: %s, llvm-mc has %s", s, got, want[i][k])
				}
			}
			n++
		}
	}
	t.Logf("%d instructions, %d differ", n, bad)
}
