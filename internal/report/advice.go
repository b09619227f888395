package report

import "fmt"

// This file lays advice out.

// maxAdvice is how many pieces of advice a report mentions that was not asked for it.
const maxAdvice = 3

// worth is what a change gains.
func (a *Advice) worth() string {
	return fmt.Sprintf("%s → %s cycles/iteration", cycles(a.Before), cycles(a.After))
}

// line is what to do, what it gains and what it takes for granted.
func (a *Advice) line() string {
	s := a.Text + ": " + a.worth()
	if c := a.Conditions; c != "" {
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
		s := t.Words.Headroom
		if s == "" {
			s = "none by lifting a single limit"
		}
		p.field("headroom", s)
	}
}

// eachHelp writes for each of several machines what would help most there, and how far its figures are off.
func (p *painter) eachHelp(k *Kernel) {
	for i := range k.Targets {
		t := &k.Targets[i]
		s := "headroom " + t.Words.Headroom
		switch {
		case t.leads():
			s = t.Advice[0].line()
		case t.Words.Headroom == "":
			s = "no headroom by lifting a single limit"
		}
		p.line("%s", p.wrap(t.Arch+": "+s+"; "+t.Words.Trust, "  "))
	}
}

// moreHelp writes the other changes that gain most, and what else would help where a change stands above the table.
func (p *painter) moreHelp(t *Target) {
	more := t.Advice[:min(len(t.Advice), maxAdvice)]
	if t.leads() {
		more = more[1:]
		if s := t.Words.Headroom; s != "" {
			p.line("%s", p.wrap("headroom: "+s, "  "))
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
		p.line("%s", p.paint(bold, p.wrap(fmt.Sprintf("advice %d: %s: %s, then bound by %s", i+1, a.Text, a.worth(), a.Bound), "  ")))
		if a.Iterations > 1 {
			p.line("  %s", p.wrap(fmt.Sprintf("one iteration of this code does the work of %s of the code as it is, in %s cycles; the remaining iterations need a loop of their own", figure(a.Iterations), cycles(a.After*a.Iterations)), "  "))
		}
		if c := a.Conditions; c != "" {
			p.line("  assumes: %s", p.wrap(c, "  "))
		}
		if a.Conditional || a.Kind == "align-loop" || len(a.Code) == 0 {
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
