package report

import "fmt"

// This file renders advice as text.

// maxAdvice is the number of pieces of advice in a report if TextOptions.Advice is not set.
const maxAdvice = 3

// worth returns the cycles before and after a change.
func (a *Advice) worth() string {
	return fmt.Sprintf("%s → %s cycles/iteration", cycles(a.Before), cycles(a.After))
}

// line returns the change, its gain and its conditions.
func (a *Advice) line() string {
	s := a.Text + ": " + a.worth()
	if c := a.Conditions; c != "" {
		s += " (" + c + ")"
	}
	if a.Option != "" {
		s += "; compiler: " + a.Option
	}
	return s
}

// leads reports whether the summary above the table names the best change: it does so if its gain is unconditional.
func (t *Target) leads() bool { return len(t.Advice) > 0 && !t.Advice[0].Conditional }

// help writes the best improvement: a change of the code if one is known, otherwise the limit whose removal gains most.
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

// eachHelp writes for each of several machines the best improvement and the error of predictions.
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

// moreHelp writes the next best changes and, if the summary already names a change, the limit whose removal gains most.
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

// adviceLines writes the advice of the detailed report, which has the limits that help in its headline.
func (p *painter) adviceLines(t *Target) {
	if p.Advice {
		return // it has been written with its code
	}
	for i := range t.Advice[:min(len(t.Advice), maxAdvice)] {
		p.line("%s", p.wrap("advice: "+t.Advice[i].line(), "  "))
	}
}

// advised writes all advice, each with the changed code.
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
		if a.Option != "" {
			p.line("  compiler: %s", p.wrap(a.Option, "  "))
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
		for _, l := range a.Behind {
			p.line("      %s  %s", l.Text, p.paint(dim, "behind the loop"))
		}
	}
}
