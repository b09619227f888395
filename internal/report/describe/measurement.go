package describe

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"incore/internal/report"
)

// Measurement fills in the words of a measurement and of the prediction beside it.
func Measurement(m *report.Measurement) {
	add := func(format string, args ...any) { m.Words = append(m.Words, fmt.Sprintf(format, args...)) }
	if m.Why != "" {
		add("%s: %s", m.Kernel, m.Why)
		if m.Others > 0 {
			add("not measured: %s; a function and the number of its loop choose one", report.Counted(m.Others, "further loop"))
		}
	}
	ran(m, add)
	if m.NotInPlace != "" {
		add("not in place, but copies of the body with another closing branch: %s", m.NotInPlace)
	}
	if o := m.Unsteady; o != nil {
		add("unsteady: the same code took %.2f cycles in %d of %d processes, for as long as each ran; the uncertainty reaches there", o.Cycles, o.Seen, o.Of)
	}
	if m.Least > 0 {
		add("unstable: between %.2f and %.2f cycles, from one process to another; loops this short depend on the resources left by the sibling hyper-thread", m.Least, m.Cycles)
	}
	m.Words = append(append(m.Words, touched(m)), m.Chosen...)
	changed(m, add)
	p := m.Prediction
	if p == nil {
		return
	}
	add("prediction (%s, %s): %.2f cycles, bound by %s; %+.1f %% against the measurement", p.Arch, p.Engine, p.Cycles, p.Bound, p.Difference)
	p.Explained = explain(m)
}

// ran says how long the code took, and how it was run.
func ran(m *report.Measurement, add func(format string, args ...any)) {
	e := m.InPlace
	if e == nil {
		form := "in a loop"
		if m.Unrolled {
			form = "unrolled"
		}
		add("%.2f ± %.2f cycles per iteration, %s, %s (%s), at %.2f GHz", m.Cycles, m.Uncertainty, report.Counted(m.Instructions, "instruction"), form, report.Counted(m.Copies, "copy"), m.GHz)
		return
	}
	anew := ""
	if e.Rounds >= 2 {
		anew = fmt.Sprintf(", %d times anew so as to stay in the cache", e.Rounds)
	}
	add("%.2f ± %.2f cycles per iteration, %s, in place with its own closing branch, at offset %#x of a page, at %.2f GHz", m.Cycles, m.Uncertainty, report.Counted(m.Instructions, "instruction"), e.Offset, m.GHz)
	add("%s starts with %#x to end it after %s, with %#x after %d%s", e.Register, e.Values[0], report.Counted(e.Iterations[0], "iteration"), e.Values[1], e.Iterations[1], anew)
	if m.Relative > 0 {
		add("on other pages than in the file, at the same offset: %s relative to the instruction pointer", report.Counted(m.Relative, "address"))
	}
}

// changed says what of the code is not as it was written.
func changed(m *report.Measurement, add func(format string, args ...any)) {
	if m.InPlace != nil {
		return
	}
	if len(m.Symbols) > 0 {
		add("symbols placed in memory of their own: %s", strings.Join(m.Symbols, " "))
	}
	if m.Relative > 0 {
		add("made absolute: %s relative to the instruction pointer", report.Counted(m.Relative, "address"))
	}
	if m.Branches+m.Jumps > 0 {
		add("one path through the loop: %s inside to the next instruction whichever way the condition goes; %s left out", report.Counted(m.Branches, "branch"), report.Counted(m.Jumps, "jump"))
	}
}

// touched describes the memory that the code accessed.
func touched(m *report.Measurement) string {
	if len(m.Pages) == 0 {
		return "memory: none touched"
	}
	behind := "all onto one physical one"
	switch n := m.Physical; {
	case len(m.Pages) <= n && n > 1:
		behind = "each onto a physical one"
	case n > 1:
		behind = fmt.Sprintf("onto %d physical ones", n)
	}
	s := fmt.Sprintf("memory: %s mapped, %s", report.Counted(len(m.Pages), "page"), behind)
	for i, p := range m.Pages {
		if i == 4 {
			return s + " …"
		}
		s += fmt.Sprintf(" %#x", p)
	}
	return s
}

// staticBound names the bound by which the static analysis predicts at least so many cycles.
func staticBound(p *report.Expected) string {
	u := &p.Unmodelled
	switch p.StaticBound {
	case report.BoundLatency:
		if u.Memory {
			return "the loop-carried chain through " + u.Via + ", of which stores and loads are a part"
		}
		return "the loop-carried chain through " + u.Via
	case report.BoundPorts:
		return "ports " + strings.Join(u.Ports, ", ")
	case report.BoundCache:
		return "the banks, lines and ports of the data cache"
	}
	return string(p.StaticBound)
}

// agreeing is the difference in percent up to which a prediction agrees with the measurement.
const agreeing = 5

// fewPages is the number of entries of the largest L1 data TLB of current cores: 72 on Zen 4 and 96 on Zen 5 (AMD's
// software optimization guides), 96 on Golden Cove (Intel's optimization manual).
const fewPages = 96

// assist is the number of cycles beyond the prediction from which on an access by an empty mask may be the cause: a masked load of a page that is not mapped
// takes 560 on Zen 5.
const assist = 50

// explain lists possible causes of a difference between prediction and measurement, the certain ones first.
func explain(m *report.Measurement) (out []string) {
	p, u := m.Prediction, &m.Prediction.Unmodelled
	if d := p.Difference; d <= agreeing && d >= -agreeing {
		return nil
	}
	doubt := m.Uncertainty + 0.02*m.Cycles
	switch {
	case m.Cycles+doubt < p.Static:
		out = append(out, fmt.Sprintf("the measurement is below a bound of the model, %s (%.2f cycles): some cost in it is wrong for this machine", staticBound(p), p.Static))
	case math.Abs(p.Cycles-m.Cycles) <= doubt:
		out = append(out, "they agree within the uncertainty of the measurement, which is too large to say more")
	case p.Cycles < m.Cycles:
		out = append(out, "the measurement is above the prediction: something limits this code that the model lacks, or a cost in the model is too low")
	default:
		out = append(out, fmt.Sprintf("the prediction is above the static bounds (%.2f) and above the measurement: the simulated core has a limit that this one does not have", p.Static))
	}
	if u.Masked && p.Cycles+assist < m.Cycles {
		out = append(out, "not modelled: an access by a mask without elements, which the measurement maps no page for, takes hundreds of cycles where none is mapped")
	}
	if n := len(m.Pages); n > 0 && p.Cycles < m.Cycles {
		if n > m.Physical {
			out = append(out, fmt.Sprintf("not modelled: the %d pages lie on %s, so that accesses may meet that have different addresses", n, report.Counted(m.Physical, "physical page")))
		}
		if n > fewPages {
			out = append(out, fmt.Sprintf("not modelled: misses of the TLB, whose first level holds fewer than %d pages", n))
		}
		if u.Pages {
			out = append(out, "not modelled: pages that accesses cross")
		}
		if u.Lines {
			out = append(out, "not modelled: lines that accesses cross, as the model has no figure for that")
		}
		holds := "the words of memory are equal here, unless the code stores others"
		if !u.Equal {
			holds = "as one page is behind all addresses, loads find what was stored by others, which is not followed"
		}
		for _, o := range u.Overlaps {
			out = append(out, fmt.Sprintf("not modelled, depends on data: %.2f cycles if '%s' reads what '%s' wrote, %s later (%s): %s", o.Cycles, o.Load, o.Store, report.Counted(o.Distance, "iteration"), o.Why, holds))
		}
	}
	if u.Divides {
		out = append(out, "not modelled, depends on data: how long a division takes; the model has one figure for all dividends")
	}
	if u.Pattern > 1 {
		out = append(out, fmt.Sprintf("all words of memory are equal here, so the store-to-load pattern is known: it repeats every %d iterations, and the prediction assumes that", u.Pattern))
	}
	if m.InPlace == nil && m.Branches > 0 && p.Cycles < m.Cycles {
		out = append(out, fmt.Sprintf("not modelled: whether branches inside (%d) are taken, and predicted", m.Branches))
	}
	for _, s := range p.Sources {
		if strings.Contains(s.Source, "measured") {
			continue
		}
		list := s.Instructions
		if len(list) > 6 {
			list = append(slices.Clone(list[:6]), fmt.Sprintf("and %d more", len(s.Instructions)-6))
		}
		out = append(out, fmt.Sprintf("rest on %s: %s", s.Source, strings.Join(list, "; ")))
	}
	return out
}
