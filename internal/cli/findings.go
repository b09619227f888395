package cli

import (
	"fmt"
	"strconv"
	"strings"

	"incore/internal/analyze/predict"
	"incore/internal/report"
	"incore/internal/report/compare"
	"incore/internal/report/findings"
)

// place returns where a kernel stands: a source line if debug information names one, else a line of the text, else the file.
func place(d *report.Document, k *report.Kernel) (file string, line int) {
	first := 0
	for i := range k.SourceLines {
		if s := &k.SourceLines[i]; first == 0 || s.File == file && s.Line < first {
			file, first = s.File, s.Line
		}
	}
	if first > 0 {
		return file, first
	}
	lines := k.Lines
	if i := strings.LastIndexByte(lines, ':'); i >= 0 { // "a.c:5-9", whose folder is not known
		return d.Input.File, 0
	}
	if i := strings.IndexAny(lines, "-,"); i >= 0 {
		lines = lines[:i]
	}
	n, _ := strconv.Atoi(lines)
	return d.Input.File, n
}

// loopKey names a kernel by its function and its number there, so that a label that a compiler counts up does not matter.
func loopKey(d *report.Document, k int) string {
	of := d.Kernels[k].Function
	if of == "" {
		return d.Kernels[k].Name
	}
	n := 0
	_, mine := place(d, &d.Kernels[k])
	for i := range d.Kernels {
		if _, line := place(d, &d.Kernels[i]); d.Kernels[i].Function == of && (line < mine || line == mine && i < k) {
			n++
		}
	}
	return fmt.Sprintf("%s#%d", of, n)
}

// compared converts a comparison to findings at the places of the last version.
func compared(c *compare.Comparison, docs []*report.Document) *findings.Report {
	out := &findings.Report{Command: "incore compare", Version: c.Version, Rules: map[string]string{
		"slower": "a loop takes more cycles than before, by more than the limit", "changed": "a loop takes other cycles than before, within the limit",
		"incomparable": "the iterations of a loop's versions do different work", "not-compared": "no loop of the versions was matched and compared"}}
	for i := range c.Loops {
		l := &c.Loops[i]
		for n := range l.Results {
			r := &l.Results[n]
			for v := 1; v < len(r.Versions); v++ {
				f := findings.Finding{Name: l.Name, Arch: r.Arch}
				x, old := &r.Versions[v], &r.Versions[0]
				if x.Missing {
					continue
				}
				for k := range docs[v].Kernels {
					if docs[v].Kernels[k].Name == l.Names[v] {
						f.File, f.Line = place(docs[v], &docs[v].Kernels[k])
						f.Key = loopKey(docs[v], k)
					}
				}
				f.Cycles, f.Known = x.Cycles, true
				if x.Times > 0 { // for the same work as before
					f.Cycles = report.Round(x.Cycles / x.Times)
				}
				f.Message = fmt.Sprintf("%s on %s: %s cycles/iteration, %s before (%+.1f %%)", l.Name, r.Arch, bounded(f.Cycles, x.AtLeast), bounded(old.Cycles, old.AtLeast), 100*x.Change)
				f.Details = "bound by " + old.Limit + " → " + x.Limit + "\n" + strings.Join(x.Why, "\n")
				switch {
				case x.Incomparable != "":
					f.Rule, f.Level, f.Message = "incomparable", findings.Skipped, l.Name+" cannot be compared: "+x.Incomparable
				case x.Slower:
					f.Rule, f.Level = "slower", findings.Failure
				case x.Change > 0 && !compare.Alike(x.Change):
					f.Rule, f.Level = "changed", findings.Note
				default:
					f.Rule = "changed"
				}
				out.Findings = append(out.Findings, f)
			}
		}
	}
	if !c.Compared() {
		out.Findings = append(out.Findings, findings.Finding{Rule: "not-compared", Level: findings.Failure, Name: "loops compared", Message: "no loop of the versions was compared"})
	}
	return out
}

// bounded writes cycles, or a lower bound of them with its sign.
func bounded(v float64, least bool) string {
	if least {
		return "≥ " + count3(v)
	}
	return count3(v)
}

// count3 writes cycles with at most three decimals.
func count3(v float64) string {
	return strconv.FormatFloat(float64(int64(v*1000+0.5))/1000, 'g', -1, 64)
}

// predicted converts a row of predict to a finding; number is the block's, from 1.
func predicted(r *predict.Row, file string, number int) findings.Finding {
	f := findings.Finding{Rule: "unknown-cost", Name: r.Block, Arch: r.Arch, File: file}
	if file == "<stdin>" {
		f.File = ""
	} else if len(r.Fields) > 0 {
		f.Line = number
	}
	if len(f.Name) > 120 {
		f.Name = f.Name[:120]
	}
	f.Name = strings.ToValidUTF8(f.Name, "�")
	switch {
	case r.Err != nil:
		f.Rule, f.Level, f.Message = "unreadable", findings.Failure, strings.Join(strings.Fields(r.Err.Error()), " ")
		return f
	case r.Unknown > 0 && r.AtLeast:
		f.Level, f.Message = findings.Note, fmt.Sprintf("the figure is a lower bound: %s may take longer", counted(r.Unknown, "instruction"))
	case r.Unknown > 0:
		f.Level, f.Message = findings.Warning, fmt.Sprintf("%s without a known cost on %s", counted(r.Unknown, "instruction"), r.Arch)
	}
	f.Cycles, f.Known = predict.Round(r.Cycles), true
	return f
}

// predictions returns an empty report of predictions.
func predictions() *findings.Report {
	return &findings.Report{Command: "incore predict", Version: Version, Rules: map[string]string{"unknown-cost": "instructions of a block have no known or no bounded cost", "unreadable": "a block cannot be read"}}
}
