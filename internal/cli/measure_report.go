package cli

import (
	"fmt"
	"io"
	"strings"

	"incore/internal/bench/block"
	"incore/internal/report"
)

// This file writes a measurement as text and as JSON.

func (m *measured) text(w io.Writer, unrolled bool) error {
	f := m.figure
	form := "in a loop"
	if unrolled {
		form = "unrolled"
	}
	if m.fromFile() {
		fmt.Fprintf(w, "%s: %s\n", m.kernel.Name, m.kernel.Why)
		if m.others > 0 {
			fmt.Fprintf(w, "not measured: %s; --function and --loop choose one\n", counted(m.others, "further loop"))
		}
	}
	if m.ended != nil {
		m.placed(w)
	} else {
		fmt.Fprintf(w, "%.2f ± %.2f cycles per iteration, %s, %s (%s), at %.2f GHz\n", f.Cycles, f.Uncertainty, counted(m.n, "instruction"), form, counted(f.Copies, "copy"), f.GHz)
	}
	if m.notPlaced != nil {
		fmt.Fprintf(w, "not in place, but copies of the body with another closing branch: %v\n", m.notPlaced)
	}
	if o := f.Other; o.Of > 0 {
		fmt.Fprintf(w, "unsteady: the same code took %.2f cycles in %d of %d processes, for as long as each ran; the uncertainty reaches there\n", o.Cycles, o.Seen, o.Of)
	}
	if f.Least > 0 {
		fmt.Fprintf(w, "unstable: between %.2f and %.2f cycles, from one process to another; loops this short depend on the resources left by the sibling hyper-thread\n", f.Least, f.Cycles)
	}
	m.memory(w)
	for _, c := range m.chosen {
		fmt.Fprintln(w, c)
	}
	if a := m.assembled; a != nil && m.ended == nil {
		if len(a.Symbols) > 0 {
			fmt.Fprintf(w, "symbols placed in memory of their own: %s\n", strings.Join(a.Symbols, " "))
		}
		if a.Relative > 0 {
			fmt.Fprintf(w, "made absolute: %s relative to the instruction pointer\n", counted(a.Relative, "address"))
		}
		if a.Branches+a.Jumps > 0 {
			fmt.Fprintf(w, "one path through the loop: %s inside to the next instruction whichever way the condition goes; %s left out\n", counted(a.Branches, "branch"), counted(a.Jumps, "jump"))
		}
	}
	p := m.prediction
	if p == nil {
		return nil
	}
	_, err := fmt.Fprintf(w, "prediction (%s, %s): %.2f cycles, bound by %s; %+.1f %% against the measurement\n", p.arch, p.Engine, p.Cycles, p.Limit, m.difference())
	for _, s := range m.explain() {
		if err == nil {
			_, err = fmt.Fprintf(w, "  %s\n", s)
		}
	}
	return err
}

// counted puts a number before the right form of its noun.
func counted(n int, noun string) string { return report.Counted(n, noun) }

// placed describes the measurement of a loop in place.
func (m *measured) placed(w io.Writer) {
	f, e := m.figure, m.ended
	fmt.Fprintf(w, "%.2f ± %.2f cycles per iteration, %s, in place with its own closing branch, at offset %#x of a page, at %.2f GHz\n", f.Cycles, f.Uncertainty, counted(m.place.N, "instruction"), m.place.Offset, f.GHz)
	fmt.Fprintf(w, "%s starts with %#x to end it after %s, with %#x after %d%s\n", e.Register(here()), e.Values[0], counted(e.Short, "iteration"), e.Values[1], e.Long, anew(f))
	if n := m.place.Relative; n > 0 {
		fmt.Fprintf(w, "on other pages than in the file, at the same offset: %s relative to the instruction pointer\n", counted(n, "address"))
	}
}

// anew describes how often the runs restart.
func anew(f *block.Figure) string {
	if f.Rounds < 2 {
		return ""
	}
	return fmt.Sprintf(", %d times anew so as to stay in the cache", f.Rounds)
}

// memory describes the memory that the code accessed.
func (m *measured) memory(w io.Writer) {
	pages := m.figure.Pages
	if len(pages) == 0 {
		fmt.Fprintln(w, "memory: none touched")
		return
	}
	behind := "all onto one physical one"
	switch n := m.figure.Physical; {
	case len(pages) <= n && n > 1:
		behind = "each onto a physical one"
	case n > 1:
		behind = fmt.Sprintf("onto %d physical ones", n)
	}
	noun := "pages"
	if len(pages) == 1 {
		noun = "page"
	}
	fmt.Fprintf(w, "memory: %d %s mapped, %s", len(pages), noun, behind)
	for i, p := range pages {
		if i == 4 {
			fmt.Fprint(w, " …")
			break
		}
		fmt.Fprintf(w, " %#x", p)
	}
	fmt.Fprintln(w)
}

func (m *measured) json(w io.Writer, unrolled bool) error {
	out := report.Measurement{Schema: report.MeasureSchema, Kernel: m.kernel.Name, Cycles: m.figure.Cycles, Uncertainty: m.figure.Uncertainty, GHz: m.figure.GHz, Instructions: m.n, Copies: m.figure.Copies,
		Unrolled: unrolled, Pages: append([]uint64{}, m.figure.Pages...), Physical: m.figure.Physical}
	out.Least = m.figure.Least
	if o := m.figure.Other; o.Of > 0 {
		out.Unsteady = &report.OtherState{Cycles: o.Cycles, Seen: o.Seen, Of: o.Of}
	}
	if a := m.assembled; a != nil {
		out.Symbols, out.Branches = a.Symbols, a.Branches
	}
	if e := m.ended; e != nil {
		out.InPlace = &report.InPlace{Offset: m.place.Offset, Register: e.Register(here()), Values: e.Values, Iterations: [2]int{e.Short, e.Long}}
		out.Instructions = m.place.N
	}
	if m.notPlaced != nil {
		out.NotInPlace = m.notPlaced.Error()
	}
	if p := m.prediction; p != nil {
		out.Prediction = &report.Expected{Arch: p.arch, Engine: report.Engine(p.Engine), Cycles: p.Cycles, Static: p.static, Bound: report.Bound(p.Limit), Difference: m.difference(), Explained: m.explain()}
		for _, s := range p.sources {
			out.Prediction.Sources = append(out.Prediction.Sources, report.SourceOf{Source: s.source, Instructions: s.lines})
		}
	}
	return report.JSON(w, out)
}
