package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"incore/internal/eval"
	"incore/internal/machine/accuracy"
)

// testdata is the folder of the repository's corpora, relative to its root.
const testdata = "internal/eval/testdata"

// ablate prints, as Markdown, the benefit of each option of a core on each available corpus of that core.
func ablate(core string) error {
	var columns []string
	var options []string
	found := map[[2]string]eval.Ablation{}
	blocks := map[string]int{}
	for _, row := range accuracy.Of(core, "sim") {
		c, err := eval.OpenStored(row, testdata)
		if errors.Is(err, eval.ErrNotHere) {
			fmt.Printf("%s is left out: %v\n", row.Corpus, err)
			continue
		} else if err != nil {
			return err
		}
		options = eval.Options(c.Model)
		columns = append(columns, row.Corpus)
		blocks[row.Corpus] = len(c.Blocks)
		for _, a := range eval.Ablate(row, c, options) {
			found[[2]string{a.Option, a.Corpus}] = a
		}
	}
	if len(columns) == 0 {
		return fmt.Errorf("no corpus of %s is here", core)
	}
	fmt.Printf("| without |")
	for _, c := range columns {
		fmt.Printf(" %s (%d) |", filepath.Base(c), blocks[c])
	}
	fmt.Printf("\n|---|%s\n", strings.Repeat("---|", len(columns)))
	for _, o := range options {
		fmt.Printf("| %s |", o)
		for _, c := range columns {
			a, ok := found[[2]string{o, c}]
			fmt.Printf(" %s |", cell(&a, ok))
		}
		fmt.Println()
	}
	return nil
}

// cell formats an ablation for a table: the percentage points of mean error, their interval, and the number of changed blocks. Significant changes are bold.
func cell(a *eval.Ablation, ok bool) string {
	switch {
	case !ok:
		return "needed by others"
	case a.Changed == 0:
		return "–"
	}
	text := fmt.Sprintf("%+.2f [%+.2f, %+.2f]", 100*a.Mean, 100*a.Low, 100*a.High)
	if a.Significant() {
		text = "**" + text + "**"
	}
	return fmt.Sprintf("%s %d", text, a.Changed)
}
