package analyze

import (
	"incore/internal/asm"
	"incore/internal/isa"
	"incore/internal/machine"
	"incore/internal/report"
)

// This file makes statements (typed values) of the reasons for a choice or for a missing figure. The same reasons in words are in the fields Why, Open and Note.

// reason makes a statement of a reason whose words another package wrote.
func reason(kind, words string, v report.Values) report.Statement {
	return report.Statement{Kind: kind, Text: words, Values: v}
}

// language states how the instruction set of a text was found.
func language(l *asm.Language, ofMachine bool) report.Statement {
	switch {
	case l.Sampled > 0:
		return reason(report.ISADetected, l.Why, report.Values{Instructions: l.Known, Of: l.Sampled, Count: l.Registers})
	case ofMachine:
		return reason(report.ISAOfMachine, l.Why, report.Values{})
	}
	return reason(report.ISAGiven, l.Why, report.Values{})
}

// foundBy states how a kernel of a text was found.
func foundBy(k *asm.Kernel) report.Statement {
	f := &k.Found
	switch f.By {
	case asm.ByLines:
		return reason(report.GivenLines, k.Why, report.Values{Lines: f.Name})
	case asm.ByLabel:
		return reason(report.GivenLabel, k.Why, report.Values{Label: f.Name})
	case asm.ByFunction:
		return reason(report.WholeFunction, k.Why, report.Values{Label: f.Name})
	case asm.ByMarks:
		return reason(report.MarkedCode, k.Why, report.Values{Label: f.Name})
	case asm.ByHeat:
		return reason(report.InnermostLoop, k.Why, report.Values{Rank: f.Rank, Count: f.Count, Reason: k.HeatWhy})
	}
	return reason(report.WholeText, k.Why, report.Values{})
}

// reason states how a piece of machine code was found.
func (l *loop) reason(words string) report.Statement {
	name := ""
	if l.fn != nil {
		name = l.fn.Name
	}
	switch {
	case l.from != nil:
		return reason(report.LoopOfFunction, words, report.Values{Label: name, Rank: l.index + 1, Places: len(l.from.Paths()), Reason: words})
	case l.marked:
		return reason(report.MarkedCode, words, report.Values{Label: "IACA"})
	}
	return reason(report.WholeFunction, words, report.Values{Label: name})
}

// taken states why incore chose a machine that the user did not name.
func (t *Target) taken() report.Statement {
	switch {
	case t.Why == "":
		return report.Statement{}
	case t.Host:
		return reason(report.ThisMachine, t.Why, report.Values{Reason: t.Why})
	}
	return reason(report.DefaultMachine, t.Why, report.Values{Needs: t.Model.ISA, Reason: t.Why})
}

// unbounded states why the cost of an instruction has no upper bound.
func unbounded(in *machine.Inst, words string) report.Statement {
	v := report.Values{Instruction: isa.Brief(in.Line.Text)}
	switch {
	case in.Calls():
		return reason(report.CallsFunction, words, v)
	case in.Open != "":
		v.Reason = in.Open
		return reason(report.OutsideCore, words, v)
	case in.Flags&machine.StandIn != 0:
		return reason(report.NoFigures, words, v)
	}
	return reason(report.NoPorts, words, v)
}
