package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"incore/internal/report"
)

// requests are the methods. Each reads its parameters and takes the document's snapshot while messages wait; the answer is made beside other requests.
var requests map[string]func(s *server, params json.RawMessage) (answer, error)

func init() { // not an initializer, which would be a circle through Handle
	requests = map[string]func(s *server, params json.RawMessage) (answer, error){
		"initialize": (*server).initialize,
		"shutdown": func(s *server, _ json.RawMessage) (answer, error) {
			return func(context.Context) (any, error) {
				s.mu.Lock()
				s.over = true
				s.mu.Unlock()
				return nil, nil
			}, nil
		},
		"textDocument/hover":          about(func(s *Settings) bool { return s.Hover }, (*snapshot).hover),
		"textDocument/inlayHint":      about(func(s *Settings) bool { return s.InlayHints }, (*snapshot).hints),
		"textDocument/codeLens":       about(func(s *Settings) bool { return s.CodeLens }, (*snapshot).lenses),
		"textDocument/completion":     about(func(s *Settings) bool { return s.Completion }, (*snapshot).complete),
		"textDocument/definition":     about(func(s *Settings) bool { return s.Definition }, (*snapshot).definition),
		"textDocument/documentSymbol": about(func(s *Settings) bool { return s.Symbols }, (*snapshot).symbols),
		"workspace/executeCommand":    (*server).execute,
	}
}

// about makes a method of one about a document that a setting can switch off. Its answer is then null, as for text without one.
func about(on func(*Settings) bool, do func(*snapshot, context.Context, *documentParams) (any, error)) func(*server, json.RawMessage) (answer, error) {
	return func(s *server, params json.RawMessage) (answer, error) {
		var p documentParams
		if err := json.Unmarshal(params, &p); err != nil {
			return nil, badParams(err)
		}
		x, err := s.snapshot(p.TextDocument.URI)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context) (any, error) {
			x := s.settledOn(ctx, x)
			if !on(&x.settings) {
				return nil, nil
			}
			return do(x, ctx, &p)
		}, nil
	}
}

// hover says what is known of the instruction on a line, or of the loop that begins there.
func (s *snapshot) hover(ctx context.Context, p *documentParams) (any, error) {
	if !s.assembly() {
		return nil, nil
	}
	c, err := s.read()
	if err != nil {
		return nil, nil // the diagnostics say why
	}
	line := p.Position.Line + 1
	var b strings.Builder
	for i := range c.Kernels {
		if c.head(i) != line {
			continue
		}
		if doc, err := c.best(ctx, i); err == nil { // otherwise the diagnostics say why
			summary(&b, doc)
		}
	}
	if text := c.instructionOn(line); text != "" {
		var out bytes.Buffer
		if err := c.ExplainText(&out, text, report.TextOptions{Width: 100}); err == nil {
			fmt.Fprintf(&b, "```text\n%s```\n", out.String())
		} else {
			fmt.Fprintf(&b, "%s\n", err)
		}
		if k, n := c.holding(line); k >= 0 && n >= 0 {
			if doc, err := c.best(ctx, k); err == nil {
				within(&b, doc, n)
			}
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if b.Len() == 0 {
		return nil, nil
	}
	r := s.text.whole(p.Position.Line)
	return hover{Contents: markup{"markdown", b.String()}, Range: &r}, nil
}

// summary writes a kernel's prediction in brief.
func summary(b *strings.Builder, doc *report.Document) {
	k := &doc.Kernels[0]
	t := &k.Targets[0]
	fmt.Fprintf(b, "**%s** on %s: %s\n\n", k.Name, t.Arch, t.Prediction.Text)
	if t.Words.Headroom != "" {
		fmt.Fprintf(b, "headroom: %s\n\n", t.Words.Headroom)
	}
	for i := range t.Advice {
		fmt.Fprintf(b, "- %s\n", adviceText(&t.Advice[i]))
	}
	if t.Words.Trust != "" {
		fmt.Fprintf(b, "\n%s\n\n", t.Words.Trust)
	}
}

// within writes what an instruction costs in its kernel.
func within(b *strings.Builder, doc *report.Document, n int) {
	k := &doc.Kernels[0]
	if n >= len(k.Targets[0].Instructions) {
		return
	}
	fmt.Fprintf(b, "in %s: %s", k.Name, k.Targets[0].Prediction.Text)
	if s := share(&k.Targets[0], n); s != "" {
		fmt.Fprintf(b, "; this instruction: %s", s)
	}
	b.WriteString("\n")
}

// share writes what instruction n adds to the slowest chain, and its load of a port, the busiest of the kernel's if it uses that. Of an unknown cost both are
// assumptions, which it leaves out.
func share(t *report.Target, n int) string {
	in := &t.Instructions[n]
	if slices.Contains(in.Flags, "unknown") {
		return "cost not known"
	}
	var parts []string
	if in.LCD != nil {
		parts = append(parts, "chain "+report.Cycles(*in.LCD))
	}
	best := -1
	for i := range in.Ports {
		if in.Ports[i].Cycles > 0 && (best < 0 || t.Throughput.Ports.Of(in.Ports[i].Name) > t.Throughput.Ports.Of(in.Ports[best].Name)+report.Noticed) {
			best = i
		}
	}
	if best >= 0 {
		parts = append(parts, in.Ports[best].Name+" "+report.Cycles(in.Ports[best].Cycles))
	}
	return strings.Join(parts, " · ")
}

// title is a kernel's prediction for a code lens: cycles with their doubt, machine, limit.
func title(t *report.Target) string {
	return t.Prediction.Figure() + " cycles/iteration on " + t.Arch + ", " + t.Words.Bound + doubt(t.Prediction.AtLeast, unknown(t))
}

// unknown is the number of instructions without a known cost.
func unknown(t *report.Target) int {
	if u := t.Prediction.UnknownCosts; u != nil {
		return u.Instructions
	}
	return 0
}

// doubt words why a title's cycles are not certain.
func doubt(least bool, unknown int) (text string) {
	if least {
		text = " (at least: it calls a function, or has an instruction whose time has no upper bound)"
	}
	if unknown > 0 {
		text += fmt.Sprintf(" (instructions of unknown cost: %d)", unknown)
	}
	return text
}

// hints are inlay hints: behind an instruction its cycles on the slowest chain and its busiest port, behind a loop's label its cycles and their limit.
func (s *snapshot) hints(ctx context.Context, p *documentParams) (any, error) {
	out := []inlayHint{}
	if !s.assembly() {
		return out, nil
	}
	c, err := s.read()
	if err != nil {
		return out, nil
	}
	first, last := p.Range.Start.Line+1, p.Range.End.Line+1
	for i := range c.Kernels {
		head, lines := c.head(i), c.Program.LineNumbers(&c.Kernels[i])
		if min(head, lines[0].First) > last || max(head, lines[len(lines)-1].Last) < first {
			continue
		}
		doc, err := c.best(ctx, i)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue
		}
		t := &doc.Kernels[0].Targets[0]
		if head >= first && head <= last {
			out = append(out, inlayHint{Position: s.text.end(head - 1), Label: title(t), Tooltip: t.Prediction.Text, PaddingLeft: true})
		}
		for n, line := range c.of(i).lines {
			if line < first || line > last || line == head || n >= len(t.Instructions) || n > 0 && c.of(i).lines[n-1] == line {
				continue
			}
			if label := share(t, n); label != "" {
				out = append(out, inlayHint{Position: s.text.end(line - 1), Label: label, PaddingLeft: true})
			}
		}
	}
	return out, nil
}

// maxLenses is the number of loops, the likely hottest, that have code lenses, and for which diagnostics are made.
const maxLenses = 512

// commandReport shows the report of a loop. Its arguments are the document's URI and the line (from 0) at which the loop begins.
const commandReport = "incore.report"

// lenses are code lenses above loops.
func (s *snapshot) lenses(ctx context.Context, _ *documentParams) (any, error) {
	if !s.assembly() {
		return s.sourceLenses(ctx)
	}
	out := []codeLens{}
	c, err := s.read()
	if err != nil {
		return out, nil
	}
	c.work()
	for i := range c.Kernels[:min(len(c.Kernels), maxLenses)] {
		doc, err := c.best(ctx, i)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue
		}
		line := c.head(i) - 1
		out = append(out, codeLens{Range: s.text.whole(line), Command: &command{Title: title(&doc.Kernels[0].Targets[0]), Command: commandReport, Arguments: []any{s.uri, line}}})
	}
	return out, nil
}

// symbols are the loops.
func (s *snapshot) symbols(ctx context.Context, _ *documentParams) (any, error) {
	out := []symbol{}
	if !s.assembly() {
		return nil, nil
	}
	c, err := s.read()
	if err != nil {
		return out, nil
	}
	c.work()
	for i := range c.Kernels {
		k := &c.Kernels[i]
		lines := c.Program.LineNumbers(k)
		head := c.head(i) - 1
		x := symbol{Name: k.Name, Kind: symbolOperator, SelectionRange: s.text.whole(head), Detail: report.Counted(k.Len(), "instruction")}
		x.Range = Range{Position{min(head, lines[0].First-1), 0}, s.text.end(max(head, lines[len(lines)-1].Last-1))}
		if doc := c.memory.have(place{c.of(i).key, false}); doc != nil {
			x.Detail = title(&doc.Kernels[0].Targets[0])
		}
		out = append(out, x)
	}
	return out, nil
}

// execute runs a command: that of code lenses, which shows a report.
func (s *server) execute(params json.RawMessage) (answer, error) {
	var p executeParams
	var uri string
	var line int
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, badParams(err)
	}
	if p.Command != commandReport || len(p.Arguments) != 2 || json.Unmarshal(p.Arguments[0], &uri) != nil || json.Unmarshal(p.Arguments[1], &line) != nil {
		return nil, badParams(fmt.Errorf("%s with a document's URI and a line is the only command", commandReport))
	}
	x, err := s.snapshot(uri)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (any, error) {
		text, err := s.settledOn(ctx, x).report(ctx, line)
		if err != nil {
			return nil, err
		}
		return text, s.display(ctx, text)
	}, nil
}

// report returns the text report of the loop that begins at a line.
func (s *snapshot) report(ctx context.Context, line int) (string, error) {
	if !s.assembly() {
		return s.sourceReport(ctx, line)
	}
	c, err := s.read()
	if err != nil {
		return "", err
	}
	for i := range c.Kernels {
		if c.head(i) != line+1 {
			continue
		}
		doc, err := c.result(ctx, i, true)
		if err != nil {
			return "", err
		}
		var b bytes.Buffer
		err = report.Text(&b, doc, report.TextOptions{Width: 120, All: true, Advice: true})
		return b.String(), err
	}
	return "", fmt.Errorf("line %d: no loop begins here any more", line+1)
}

// display shows a text as a document of the editor, if it can.
func (s *server) display(ctx context.Context, text string) error {
	if !s.client.Capabilities.Window.ShowDocument.Support {
		return nil
	}
	s.mu.Lock()
	if s.reports == "" {
		dir, err := os.MkdirTemp("", "incore-lsp-")
		if err != nil {
			s.mu.Unlock()
			return err
		}
		s.reports = dir
	}
	f, err := os.CreateTemp(s.reports, "report-*.txt")
	s.mu.Unlock()
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return s.conn.Call(ctx, "window/showDocument", showDocumentParams{URI: uriOf(filepath.ToSlash(f.Name())), TakeFocus: true}, nil)
}
