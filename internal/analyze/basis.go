package analyze

import (
	"fmt"
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/frontend"
	"incore/internal/analysis/sim"
	"incore/internal/asm"
	"incore/internal/isa"
	"incore/internal/machine"
	"incore/internal/report"
)

// basis lists the assumptions and data that the figures depend on.
func (w *writer) basis(p *report.Prediction) []report.Statement {
	var out []report.Statement
	add := func(holds bool, kind string) {
		if holds {
			out = append(out, report.Statement{Kind: kind})
		}
	}
	e, m := w.estimate(), w.a.Bound.Model
	add(true, report.InCache)
	add(!w.k.Loop, report.StraightCode)
	add(w.a.Graph.ForwardAssumed, report.ForwardingUnknown)
	add(m.Params.DispatchWidth == 0, report.WidthUnknown)
	add(m.Params.InOrder && e.Result == nil, report.InOrderBounds)
	if unfollowed(e) > 0 {
		out = append(out, report.Statement{Kind: report.NotSimulated, Values: report.Values{Limit: e.Limit, Cycles: report.Round(e.Result.Cycles)}})
	}
	add(slices.ContainsFunc(w.k.Lines, func(l isa.Line) bool { return w.k.Unconfigured(&l.Inst) }), report.VectorUnconfigured)
	if w.k.Loop {
		out = append(out, w.placement(p)...)
	}
	if w.a.Graph.Crowded {
		out = append(out, report.Statement{Kind: report.RenamingDensity, Values: report.Values{Entries: m.Core().Renaming.Density, LineBytes: depgraph.RenamingBytes}})
	}
	if wrong := w.a.Graph.Mistaken(); len(wrong) > 0 {
		out = append(out, report.Statement{Kind: report.RenamingMistakes, Values: w.mistakes(wrong)})
	}
	add(e.Result != nil && e.Result.Waits, report.WaitsForStores)
	if worst := sim.Unlucky(w.a.Graph); worst > e.Cycles*(1+report.Mentioned) {
		out = append(out, report.Statement{Kind: report.DataAlignment, Values: report.Values{Cycles: report.Round(worst)}})
	}
	add(!w.a.Loop.Complete, report.ChainsLeftOut)
	return append(out, modelBasis(w.a.Bound)...)
}

// modelBasis lists the properties of the machine model that limit the reliability of its figures.
func modelBasis(b *machine.Bound) (out []report.Statement) {
	m := b.Model
	if b.Foreign {
		out = append(out, report.Statement{Kind: report.ForeignModel, Values: report.Values{Core: m.Name, Needs: m.ISA, Has: b.Kernel.ISA.Name}})
	}
	for i, n := range m.Notes {
		if !slices.Contains(m.Notes[:i], n) {
			out = append(out, report.Statement{Kind: report.OfModel, Values: report.Values{Reason: n}})
		}
	}
	if len(m.Notes) == 0 && b.Borrows() {
		out = append(out, report.Statement{Kind: report.BorrowedCosts})
	}
	if n := b.Unknown(); n > 0 {
		out = append(out, report.Statement{Kind: report.UnknownCosts, Values: report.Values{Instructions: n, Of: len(b.Insts)}})
	}
	return out
}

// mistakes describes the first of the loads that memory renaming may serve with the wrong data.
func (w *writer) mistakes(wrong []depgraph.Mistaken) report.Values {
	text := func(i int) string { return isa.Brief(w.k.Lines[i].Text) }
	return report.Values{Instruction: text(wrong[0].Load), From: text(wrong[0].Store), Count: len(wrong), LineBytes: w.a.Bound.Model.Core().Renaming.Granule}
}

// placement reports the instructions of the loop that the µop cache cannot hold, and the effect of another alignment of its code.
func (w *writer) placement(p *report.Prediction) (out []report.Statement) {
	b := w.a.Bound
	v := report.Values{Instructions: len(frontend.Left(b)), Of: len(b.Insts)}
	if jumps := frontend.Misplaced(b); len(jumps) > 0 {
		for _, n := range jumps {
			v.Addresses = append(v.Addresses, fmt.Sprintf("%#x", b.Insts[n].Line.Addr))
		}
		return []report.Statement{{Kind: report.JumpsMisplaced, Values: v}}
	}
	slots, entries := frontend.Overflows(b)
	switch {
	case slots > 0:
		v.Slots, v.Entries = slots, entries
		out = append(out, report.Statement{Kind: report.OverflowsOpCache, Values: v})
	case v.Instructions > 0:
		out = append(out, report.Statement{Kind: report.DenseCode, Values: v})
	}
	return append(out, w.codeLines(p)...)
}

// codeLines reports the effect of another alignment of the loop on a core that needs a fixed time to fetch each line of code.
func (w *writer) codeLines(p *report.Prediction) []report.Statement {
	b, cycles := w.a.Bound, w.estimate().Cycles
	if b.Kernel.Loop && b.Model.Core().FetchEntries.Line > 0 {
		return codeEntries(b, cycles, p)
	}
	lines := frontend.Lines(b, 1)
	if lines == 0 {
		return nil
	}
	fewest, most := frontend.LineRange(b)
	v := report.Values{LineBytes: b.Model.Core().FetchLine, Start: start(b, b.Model.Core().FetchLine)}
	switch worst := float64(most); {
	case !frontend.Known(b) && most > 1 && worst > cycles+0.01:
		v.CodeLines, v.Low, v.High = most, report.Round(cycles), worst
		return []report.Statement{{Kind: report.LoopPlacement, Values: v}}
	case frontend.Known(b) && float64(lines) > cycles-0.01 && lines > fewest:
		v.CodeLines, v.FewestLines = lines, fewest
		return []report.Statement{{Kind: report.LoopLines, Values: v}}
	}
	return nil
}

// start returns the place in a line of code at which a loop is assumed to begin.
func start(b *machine.Bound, line int) int {
	return int((b.Insts[0].Line.Addr + uint64(frontend.Start(b))) % uint64(line))
}

// codeEntries reports the same on a core whose µop cache fetches entries of a line.
func codeEntries(b *machine.Bound, cycles float64, p *report.Prediction) []report.Statement {
	fewest, most, here := frontend.FetchRange(b)
	v := report.Values{LineBytes: b.Model.Core().FetchEntries.Line, Start: start(b, b.Model.Core().FetchEntries.Line)}
	least := float64(fewest) // of the whole loop, wherever its code begins
	for _, r := range p.IfFree {
		if r.Free == "frontend" {
			least = max(least, r.Cycles)
		}
	}
	switch {
	case !frontend.Known(b) && float64(here) > cycles-0.01 && least < cycles*(1-report.Noticed):
		v.Low, v.High = report.Round(least), report.Round(max(float64(most), cycles))
		return []report.Statement{{Kind: report.EntryPlacement, Values: v}}
	case !frontend.Known(b) && float64(most) > cycles+0.01:
		v.Low, v.High = report.Round(cycles), float64(most)
		return []report.Statement{{Kind: report.EntryPlacement, Values: v}}
	case frontend.Known(b) && float64(here) > cycles-0.01 && fewest < here:
		v.Low, v.High = float64(fewest), float64(here)
		return []report.Statement{{Kind: report.EntryLines, Values: v}}
	}
	return nil
}

// remarks converts the parser's notes on a kernel to statements.
func remarks(notes []asm.Note) (out []report.Statement) {
	kinds := map[asm.NoteKind]string{asm.NotLoop: report.NotALoop, asm.LoopWithin: report.LoopWithin, asm.BranchesNotTaken: report.BranchesNotTaken,
		asm.PathChosen: report.PathChosen, asm.TableJump: report.TableJump, asm.CallNotFollowed: report.CallNotFollowed}
	for _, n := range notes {
		out = append(out, report.Statement{Kind: kinds[n.Kind], Values: report.Values{Lines: n.Lines.String(), Without: n.Without.String(), Label: n.Label, Places: n.Places, To: n.To}})
	}
	return out
}
