package compare

import (
	"fmt"
	"strconv"
	"strings"

	"incore/internal/report"
	"incore/internal/report/findings"
)

// Where returns where a kernel stands: a source line if debug information names one, else a line of the text, else the file.
func Where(d *report.Document, k *report.Kernel) (file string, line int) {
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
	_, mine := Where(d, &d.Kernels[k])
	for i := range d.Kernels {
		if _, line := Where(d, &d.Kernels[i]); d.Kernels[i].Function == of && (line < mine || line == mine && i < k) {
			n++
		}
	}
	return fmt.Sprintf("%s#%d", of, n)
}

// findings are the loops as findings at the places of the last version.
func (c *Comparison) findings() *findings.Report {
	docs := c.docs
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
						f.File, f.Line = Where(docs[v], &docs[v].Kernels[k])
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
				case x.Change > 0 && !Alike(x.Change):
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
