package baselines

import (
	"io"
	"slices"

	"incore/internal/report"
	"incore/internal/report/compare"
	"incore/internal/report/findings"
)

// CI writes a result in one of report.CIFormats.
func (r *Result) CI(w io.Writer, format string) error { return findings.Write(w, format, r.findings()) }

// findings are the verdicts as findings.
func (r *Result) findings() *findings.Report {
	out := &findings.Report{Command: "incore baseline check", Version: r.Version, Rules: map[string]string{
		"slower": "a loop takes more cycles than the baseline allows", "accepted": "a loop takes more cycles than the baseline has, which was accepted",
		"faster": "a loop takes fewer cycles than the baseline has: write it anew", "new": "a loop is not in the baseline", "gone": "a loop of the baseline is gone", "other-work": "an iteration of a loop does other work than in the baseline", "stale": "the baseline was made by another version of incore"}}
	levels := map[string]findings.Level{"slower": findings.Failure, "accepted": findings.Note, "faster": findings.Note, "new": findings.Note, "gone": findings.Warning, "other-work": findings.Skipped}
	if r.Stale != "" {
		out.Findings = append(out.Findings, findings.Finding{Rule: "stale", Level: findings.Note, Name: "baseline", Message: r.Stale, File: r.From, Line: 1})
	}
	for i := range r.Loops {
		l := &r.Loops[i]
		f := findings.Finding{Rule: l.Verdict, Level: levels[l.Verdict], Name: l.Name, Key: l.Key, Arch: l.Arch, Message: l.Message(), File: l.File, Cycles: l.Iteration, Known: l.Verdict != "gone"}
		if f.Level == findings.OK {
			f.Message = ""
		}
		if d := r.Documents[l.File]; d != nil {
			if k := slices.IndexFunc(d.Kernels, func(k report.Kernel) bool { return k.Name == l.Name }); k >= 0 {
				f.File, f.Line = compare.Where(d, &d.Kernels[k])
			}
		}
		out.Findings = append(out.Findings, f)
	}
	return out
}
