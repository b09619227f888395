package report

import (
	"encoding/json"
	"fmt"
	"strings"
)

// This file puts advice in words.

// maxAdvice is how many pieces of advice a report mentions that was not asked for it.
const maxAdvice = 3

// assumed says in a few words what advice takes for granted.
var assumed = map[string]string{"reassociation": "changes rounding", "no-alias": "if stores and loads do not overlap", "rounding": "changes rounding", "multiple": "the remaining iterations need a loop of their own",
	"contiguous": "", "unmasked": "if the mask selects all elements", "fits-32": "if the values fit 32 bits", "not-zero": "if the operand is not 0", "upper-lanes": "if the upper lanes do not matter"}

// Sentence says what to do, without its worth.
func (a *Advice) Sentence() string {
	names := strings.Join(a.Operands, ", ")
	unrolled := ""
	if a.Iterations > 1 && a.Kind != "unroll" {
		unrolled = fmt.Sprintf(", unrolled by %s", figure(a.Iterations))
	}
	switch a.Kind {
	case "accumulators":
		return fmt.Sprintf("%d accumulators for the %s in %s%s", a.Count, a.What, names, unrolled)
	case "reassociate":
		return fmt.Sprintf("join what the chain does not need first (%s), so that it passes through fewer operations", a.What)
	case "unroll":
		return fmt.Sprintf("unroll by %d", a.Count)
	case "addressing":
		return fmt.Sprintf("pointers that advance (%s) instead of base and index%s", names, unrolled)
	case "align-loop":
		return fmt.Sprintf("align the loop to %d bytes of code", a.Count)
	case "align-data":
		return fmt.Sprintf("align the arrays to %d bytes, if they are not", a.Count)
	case "wider-vectors":
		s := fmt.Sprintf("vectors of %d bits", a.Count)
		if a.Accumulators > 0 {
			s += fmt.Sprintf(", %d accumulators", a.Accumulators)
		}
		return s + fmt.Sprintf(", %s iterations in one", figure(a.Iterations))
	case "keep-in-register":
		return fmt.Sprintf("keep %s in a register instead of loading what was stored", names)
	case "false-dependency":
		return fmt.Sprintf("break the false dependency of %s on the old value of %s", a.What, names)
	case "other-instruction":
		return fmt.Sprintf("replace %s by %s", a.What, strings.Join(a.Operands, "; "))
	case "reciprocal":
		return fmt.Sprintf("multiply by the reciprocal of the divisor, which does not change, instead of %s", a.What)
	case "hoist":
		return fmt.Sprintf("move %d instruction%s that compute%s the same every time out of the loop", len(a.Instructions), plural(len(a.Instructions)), third(len(a.Instructions)))
	}
	return a.Kind
}

// third is the ending of a verb.
func third(n int) string {
	if n == 1 {
		return "s"
	}
	return ""
}

// MarshalJSON adds the advice in words, as the text report has it.
func (a Advice) MarshalJSON() ([]byte, error) {
	type values Advice
	return json.Marshal(struct {
		values
		Text       string `json:"text"`
		Conditions string `json:"conditions,omitempty"`
	}{values(a), a.Sentence(), a.conditions()})
}

// worth is what a change gains.
func (a *Advice) worth() string {
	return fmt.Sprintf("%s → %s cycles/iteration", cycles(a.Before), cycles(a.After))
}

// conditions says what a change takes for granted, "" if nothing.
func (a *Advice) conditions() string {
	var parts []string
	for _, x := range a.Assumes {
		if s, ok := assumed[x]; !ok {
			parts = append(parts, x)
		} else if s != "" && x != "multiple" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "; ")
}

// line is what to do, what it gains and what it takes for granted.
func (a *Advice) line() string {
	s := a.Sentence() + ": " + a.worth()
	if c := a.conditions(); c != "" {
		s += " (" + c + ")"
	}
	return s
}

// leads reports whether the change that gains most stands above the table: one that gains in any case.
func (t *Target) leads() bool { return len(t.Advice) > 0 && !t.Advice[0].Conditional }

// help writes what would help most: a change of the code if one is known, else the resource that would help if it cost nothing.
func (p *painter) help(t *Target) {
	if t.leads() {
		p.field("advice", t.Advice[0].line())
	} else {
		s := gain(&t.Prediction)
		if s == "" {
			s = "none from lifting any one limit"
		}
		p.field("gain", s)
	}
}

// moreHelp writes the other changes that gain most, and what else would help where a change stands above the table.
func (p *painter) moreHelp(t *Target) {
	more := t.Advice[:min(len(t.Advice), maxAdvice)]
	if t.leads() {
		more = more[1:]
		if s := gain(&t.Prediction); s != "" {
			p.line("%s", p.wrap("without the limit: "+s, "  "))
		}
	}
	for i := range more {
		p.line("%s", p.wrap("advice: "+more[i].line(), "  "))
	}
}

// advised writes all advice with the changed code.
func (p *painter) advised(t *Target) {
	for i := range t.Advice {
		a := &t.Advice[i]
		p.line("")
		p.line("%s", p.paint(bold, p.wrap(fmt.Sprintf("advice %d: %s: %s, then bound by %s", i+1, a.Sentence(), a.worth(), a.Bound), "  ")))
		if a.Iterations > 1 {
			p.line("  %s", p.wrap(fmt.Sprintf("one iteration of this code does the work of %s of the code as it is, in %s cycles; the remaining iterations need a loop of their own", figure(a.Iterations), cycles(a.After*a.Iterations)), "  "))
		}
		if c := a.conditions(); c != "" {
			p.line("  assumes: %s", p.wrap(c, "  "))
		}
		if a.Conditional || a.Kind == "align-loop" {
			continue
		}
		for _, l := range a.Front {
			p.line("      %s  %s", l.Text, p.paint(dim, "in front of the loop"))
		}
		for _, l := range a.Code {
			mark := "   "
			if l.New {
				mark = p.paint(green, "+  ")
			}
			p.line("   %s%s", mark, l.Text)
		}
	}
}
