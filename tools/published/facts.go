package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"incore/internal/eval"
)

// header names the columns of a file of facts.
const header = "set\tcore\tmodel\tkernel\thalf\tcycles\tpredicted\tlimit\tunknown\tpublished\tconversion\tfile\tcommit\tlicence"

func (f *Fact) half() string {
	if f.HeldOut() {
		return "held out"
	}
	return "tuned"
}

func writeFacts(path string, rows []Fact) error {
	var b strings.Builder
	b.WriteString(header + "\n")
	for i := range rows {
		f := &rows[i]
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%s\t%.4g\t%.4g\t%s\t%d\t%s\t%s\t%s\t%s\t%s\n", f.Set, f.Core, f.Arch, f.Kernel, f.half(), f.Cycles, f.Predicted, f.Limit,
			f.Unknown, f.Published, f.Conversion, f.File, f.Commit, f.Licence)
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

func readFacts(path string) ([]Fact, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if lines[0] != header {
		return nil, fmt.Errorf("%s: another header", path)
	}
	var rows []Fact
	for i, l := range lines[1:] {
		c := strings.Split(l, "\t")
		if len(c) != strings.Count(header, "\t")+1 {
			return nil, fmt.Errorf("%s:%d: %d columns", path, i+2, len(c))
		}
		f := Fact{Set: c[0], Core: c[1], Arch: c[2], Kernel: c[3], Limit: c[7], Published: c[9], Conversion: c[10], File: c[11], Commit: c[12], Licence: c[13]}
		var errs [3]error
		f.Cycles, errs[0] = strconv.ParseFloat(c[5], 64)
		f.Predicted, errs[1] = strconv.ParseFloat(c[6], 64)
		f.Unknown, errs[2] = strconv.Atoi(c[8])
		for _, err := range errs {
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", path, i+2, err)
			}
		}
		if f.half() != c[4] {
			return nil, fmt.Errorf("%s:%d: %s is not %s", path, i+2, f.Kernel, c[4])
		}
		rows = append(rows, f)
	}
	return rows, nil
}

// table makes the table of errors by set and core. Kernels with instructions that the model does not know are left out; the last column has their number.
func table(rows []Fact) string {
	var b strings.Builder
	b.WriteString("| set | core | model | kernels | mean error in % | median | bias | held out | mean error | median | bias | not known |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for i := 0; i < len(rows); {
		j := i
		for j < len(rows) && rows[j].Set == rows[i].Set && rows[j].Core == rows[i].Core {
			j++
		}
		fmt.Fprintf(&b, "| %s | %s | %s |", rows[i].Set, rows[i].Core, rows[i].Arch)
		for _, heldOut := range []bool{false, true} {
			var p, m []float64
			for k := i; k < j; k++ {
				if rows[k].HeldOut() == heldOut && rows[k].Unknown == 0 {
					p, m = append(p, rows[k].Predicted), append(m, rows[k].Cycles)
				}
			}
			if s := eval.Summarise(p, m); s.N > 0 {
				fmt.Fprintf(&b, " %d | %.1f | %.1f | %+.1f |", s.N, 100*s.Mean, 100*s.Median, 100*s.Biased)
			} else {
				b.WriteString(" 0 | | | |")
			}
		}
		unknown := 0
		for k := i; k < j; k++ {
			if rows[k].Unknown > 0 {
				unknown++
			}
		}
		fmt.Fprintf(&b, " %d |\n", unknown)
		i = j
	}
	return b.String()
}

// list prints the kernels.
func list(w io.Writer, rows []Fact, heldOut bool) {
	for i := range rows {
		f := &rows[i]
		if f.HeldOut() && !heldOut {
			continue
		}
		fmt.Fprintf(w, "%-8s %-14s %-44s %9.2f measured %9.2f predicted %+6.1f %%  %s", f.Set, f.Core, f.Kernel, f.Cycles, f.Predicted, 100*(f.Predicted/f.Cycles-1), f.Limit)
		if f.Unknown > 0 {
			fmt.Fprintf(w, ", %d unknown", f.Unknown)
		}
		fmt.Fprintln(w)
	}
}

// The table of a page stands between these lines.
const (
	begin = "<!-- published loops: go run ./tools/published -tsv docs/results/published-loops.tsv -doc docs/results/accuracy.md -->\n"
	end   = "<!-- end -->"
)

// document writes the table of a file of facts into a page.
func document(page, facts string) error {
	rows, err := readFacts(facts)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(text), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return fmt.Errorf("%s has no place for the table", page)
	}
	return os.WriteFile(page, []byte(before+begin+table(rows)+end+after), 0o644)
}
