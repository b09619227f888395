package riscv

import (
	"os"
	"sort"
	"testing"
)

// TestCorpus compares with llvm-mc on compiler output: every .s file in the folder that
// INCORE_RISCV_CORPUS names. Statements are counted as often as they occur.
func TestCorpus(t *testing.T) {
	dir := os.Getenv("INCORE_RISCV_CORPUS")
	if dir == "" {
		t.Skip("INCORE_RISCV_CORPUS is not set")
	}
	count := map[string]int{}
	total := 0
	for _, f := range findFiles(t, dir, ".s") {
		for _, s := range statements(t, f) {
			count[s]++
			total++
		}
	}
	stmts := make([]string, 0, len(count))
	for s := range count {
		stmts = append(stmts, s)
	}
	sort.Strings(stmts)
	t.Logf("%d statements, %d different", total, len(stmts))
	var sum tally
	sum.count = count
	sum.compare(t, corpusAttr, stmts)
	sum.log(t)
	if n := float64(sum.taken); float64(sum.resolved) < minResolved*n || float64(sum.same) < minSame*n {
		t.Errorf("%d of %d statements resolved, %d as llvm-mc has them", sum.resolved, sum.taken, sum.same)
	}
	for _, s := range sum.refused {
		t.Logf("llvm-mc refuses %d × %q", count[s], s)
	}
}

// What TestCorpus demands: the shares of statements that resolve, and that have llvm-mc's forms and operands.
const (
	minResolved = 0.9995
	minSame     = 0.999
)

const corpusAttr = "+m,+a,+f,+d,+v,+zba,+zbb,+zbs,+zfh,+zvfh,+zicond"
