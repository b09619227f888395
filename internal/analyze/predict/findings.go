package predict

import (
	"fmt"
	"strings"

	"incore/internal/report"
	"incore/internal/report/findings"
)

// Finding converts a row to a finding; number is the block's, from 1.
func (r *Row) Finding(file string, number int) findings.Finding {
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
		f.Level, f.Message = findings.Note, fmt.Sprintf("the figure is a lower bound: %s may take longer", report.Counted(r.Unknown, "instruction"))
	case r.Unknown > 0:
		f.Level, f.Message = findings.Warning, fmt.Sprintf("%s without a known cost on %s", report.Counted(r.Unknown, "instruction"), r.Arch)
	}
	f.Cycles, f.Known = Round(r.Cycles), true
	return f
}

// Findings returns an empty report of predictions.
func Findings() *findings.Report {
	return &findings.Report{Command: "incore predict", Version: report.Version, Rules: map[string]string{"unknown-cost": "instructions of a block have no known or no bounded cost", "unreadable": "a block cannot be read"}}
}
