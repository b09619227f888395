package analyze

import (
	"slices"
	"strconv"
	"strings"

	"incore/internal/analysis/whatif"
	"incore/internal/base/regex"
	"incore/internal/base/source"
	"incore/internal/isa"
	"incore/internal/report"
)

// annotation matches a comment beside a load that says which level of the memory hierarchy serves it, or how many cycles it takes: "# incore: L3=50",
// "// incore: L3", "# incore: 40". What says something else is refused as the question that it is part of.
var annotation = regex.Lazy(`(?:#|//|;|@)\s*incore:\s*([^=]*?)(?:\s*=\s*(.*?))?\s*$`)

// annotated reads these comments of a text: by line what the load takes, and what the levels take.
type annotated struct {
	lines  map[int]string
	levels map[string]string
}

func annotations(f *source.File) *annotated {
	if !strings.Contains(f.Text, "incore:") {
		return nil
	}
	a := &annotated{lines: map[int]string{}, levels: map[string]string{}}
	n := 0
	for line := range strings.Lines(f.Text) {
		n++
		m := annotation().FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil {
			continue
		}
		for i := range m {
			m[i] = strings.ReplaceAll(m[i], ",", ";") // which would begin another change
		}
		if a.lines[n] = m[1]; m[2] != "" {
			a.levels[m[1]] = m[2]
		}
	}
	return a
}

// question asks for the cycles of a kernel as its comments say; "": it has none.
func (a *annotated) question(k *isa.Kernel) string {
	if a == nil {
		return ""
	}
	var parts, stated []string
	for i := range k.Lines {
		l := &k.Lines[i]
		what := a.lines[l.No]
		if what == "" || l.Part > 0 {
			continue
		}
		parts = append(parts, "line="+strconv.Itoa(l.No)+":latency="+what)
		if n := a.levels[what]; n != "" && !slices.Contains(stated, what+"="+n) {
			stated = append(stated, what+"="+n)
		}
	}
	return strings.Join(append(stated, parts...), ",")
}

// asAnnotated answers that question.
func (w *writer) asAnnotated(base *whatif.Base, now float64) []report.WhatIf {
	text := w.options.annotated.question(w.k)
	if text == "" {
		return nil
	}
	refused := func(err error) []report.WhatIf {
		return []report.WhatIf{{Question: text, Note: err.Error(), Reason: reason(report.Refused, err.Error(), report.Values{Reason: err.Error()})}}
	}
	q, err := whatif.Parse(text)
	if err != nil {
		return refused(err)
	}
	e, err := base.Ask(q)
	if err != nil {
		return refused(err)
	}
	return []report.WhatIf{answer(text, e, now)}
}
