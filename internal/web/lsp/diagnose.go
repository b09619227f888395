package lsp

import (
	"cmp"
	"context"
	"slices"
	"time"

	"incore/internal/analyze"
	"incore/internal/report"
	"incore/internal/web/api"
)

// Bounds of a document's diagnostics.
const (
	maxDiagnostics = 1000
	maxAdvised     = 24 // loops, the likely hottest, for which changes are searched
)

// diagnose publishes the diagnostics of a snapshot: first what reading the text tells, then what the analysis of its loops does, then advice.
func (s *snapshot) diagnose(ctx context.Context) {
	s.server.await(ctx)
	if s.version > 0 {
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
	}
	c, err := s.read()
	if err != nil {
		s.put(ctx, s.unreadable(err))
		return
	}
	list := s.ofText(c)
	s.put(ctx, list)
	keys := map[key]bool{}
	for i := range c.Kernels {
		keys[c.of(i).key] = true
	}
	c.memory.keep(keys)
	known := len(list)
	for i := range c.Kernels[:min(len(c.Kernels), maxLenses)] {
		doc, err := c.result(ctx, i, false)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			list = append(list, s.ofError(err)...)
		} else if s.settings.Diagnostics.Unknown {
			list = append(list, s.ofKernel(c, i, doc)...)
		}
	}
	if len(list) > known {
		s.put(ctx, list)
	}
	if !s.settings.Diagnostics.Advice {
		return
	}
	known = len(list)
	last, shown := min(len(c.Kernels), maxAdvised)-1, time.Time{}
	for i := range last + 1 {
		doc, err := c.result(ctx, i, true)
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			list = append(list, s.advice(c, i, doc)...)
		}
		if len(list) > known && (i == last || time.Since(shown) > time.Second) {
			s.put(ctx, list)
			known, shown = len(list), time.Now()
		}
	}
}

// put publishes diagnostics unless a newer snapshot is there.
func (s *snapshot) put(ctx context.Context, list []diagnostic) {
	if ctx.Err() != nil {
		return
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b diagnostic) int {
		return cmp.Or(cmp.Compare(a.Range.Start.Line, b.Range.Start.Line), cmp.Compare(a.Severity, b.Severity))
	})
	list = slices.CompactFunc(list, func(a, b diagnostic) bool { return a.Range.Start.Line == b.Range.Start.Line && a.Message == b.Message })
	s.server.publish(ctx, s.uri, s.version, list[:min(len(list), maxDiagnostics)])
}

// unreadable is the diagnostic of a text that cannot be analysed at all. An empty text needs none.
func (s *snapshot) unreadable(err error) []diagnostic {
	if !s.settings.Diagnostics.Unknown || len(s.text.string) == 0 {
		return nil
	}
	return s.ofError(err)
}

func (s *snapshot) ofError(err error) (out []diagnostic) {
	for _, d := range analyze.Diagnostics(err, nil) {
		d.Message = api.Sentence("the text", d.Message)
		out = append(out, s.converted(&d, severityWarning))
	}
	return out
}

// ofText are the diagnostics of reading a text.
func (s *snapshot) ofText(c *code) (out []diagnostic) {
	if s.settings.Diagnostics.Unknown {
		for _, l := range []error{c.Program.Errors.Err(), c.Program.Cut.Err()} {
			if l != nil {
				out = append(out, s.ofError(l)...)
			}
		}
	}
	if s.settings.Diagnostics.Marks {
		for i := range c.Marks {
			out = append(out, s.converted(&c.Marks[i], severityWarning))
		}
	}
	return out
}

// ofKernel are the diagnostics of a kernel's analysis but for those that reading has told.
func (s *snapshot) ofKernel(c *code, i int, doc *report.Document) (out []diagnostic) {
	lines := c.of(i).lines
	t := &doc.Kernels[0].Targets[0]
	for _, d := range t.Diagnostics {
		if d.Kind == report.Unread {
			continue
		}
		for n := range t.Instructions { // the lines of an earlier version become those of this one
			if t.Instructions[n].Line == d.Line && n < len(lines) {
				d.Line = lines[n]
				break
			}
		}
		out = append(out, s.converted(&d, severityInfo))
	}
	return out
}

// advice are hints at a loop's beginning: changes that make it faster.
func (s *snapshot) advice(c *code, i int, doc *report.Document) (out []diagnostic) {
	t := &doc.Kernels[0].Targets[0]
	for n := range t.Advice[:min(len(t.Advice), 3)] {
		out = append(out, diagnostic{Range: s.text.whole(c.head(i) - 1), Severity: severityHint, Code: t.Advice[n].Kind, Source: "incore", Message: adviceText(&t.Advice[n])})
	}
	return out
}

// adviceText is a piece of advice in one line.
func adviceText(a *report.Advice) string {
	text := a.Text + ": " + report.Cycles(a.Before) + " → " + report.Cycles(a.After) + " cycles/iteration"
	if a.Conditions != "" {
		text += " (" + a.Conditions + ")"
	}
	if a.Option != "" {
		text += "; compiler: " + a.Option
	}
	return text
}

// converted is a diagnostic of a report in the protocol's form.
func (s *snapshot) converted(d *report.Diagnostic, severity int) diagnostic {
	line := min(max(0, d.Line-1), len(s.text.starts)-1)
	x := diagnostic{Range: s.text.whole(line), Severity: severity, Code: d.Kind, Source: "incore", Message: d.Message}
	if d.Col > 1 {
		x.Range.Start = s.text.at(line, d.Col-1)
		if lo, hi := word(s.text.line(line), d.Col-1); hi > lo {
			x.Range.End = s.text.at(line, hi)
		}
	}
	if d.Hint != "" {
		x.Message += "; " + d.Hint
	}
	return x
}
