package findings

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Write writes a report in a format.
func Write(w io.Writer, format string, r *Report) error {
	switch format {
	case "sarif":
		return r.sarif(w)
	case "junit":
		return r.junit(w)
	case "gitlab":
		return r.gitlab(w)
	case "metrics":
		return r.metrics(w)
	case "benchmark":
		return r.benchmark(w)
	}
	return fmt.Errorf("unknown format %q", format)
}

func indented(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

type object = map[string]any

// sarif writes SARIF 2.1.0 (OASIS). Findings without a message are left out: they are no results.
func (r *Report) sarif(w io.Writer) error {
	levels := map[Level]string{Note: "note", Warning: "warning", Failure: "error", Skipped: "none"}
	prints := r.fingerprints()
	var rules []object
	var names []string
	for name := range r.Rules {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		rules = append(rules, object{"id": name, "shortDescription": object{"text": r.Rules[name]}})
	}
	results, notes := []object{}, []object(nil)
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Level == OK {
			continue
		}
		text := f.Message
		if f.Details != "" {
			text += "\n" + strings.TrimSpace(f.Details)
		}
		if f.File == "" { // services refuse a result without a place
			notes = append(notes, object{"level": levels[f.Level], "message": object{"text": text}, "associatedRule": object{"id": f.Rule}})
			continue
		}
		x := object{"ruleId": f.Rule, "level": levels[f.Level], "message": object{"text": text}, "partialFingerprints": object{"incoreLoop/v1": prints[i]}}
		if at := slices.Index(names, f.Rule); at >= 0 {
			x["ruleIndex"] = at
		}
		place := object{"artifactLocation": artifact(f.File), "region": object{"startLine": max(1, f.Line)}} // services refuse a place without a line
		x["locations"] = []object{{"physicalLocation": place, "logicalLocations": []object{{"name": f.Name, "kind": "function"}}}}
		if f.Level == Skipped {
			x["kind"] = "notApplicable"
		}
		results = append(results, x)
	}
	driver := object{"name": "incore", "version": r.Version, "rules": append([]object{}, rules...)}
	run := object{"tool": object{"driver": driver}, "columnKind": "unicodeCodePoints", "automationDetails": object{"id": r.Command + "/"}, "results": results}
	if len(notes) > 0 {
		run["invocations"] = []object{{"executionSuccessful": true, "toolExecutionNotifications": notes}}
	}
	return indented(w, object{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
		"runs": []object{run}})
}

// artifact is the place of a file: relative to the root of the sources where it is below it.
func artifact(path string) object {
	p := relative(path)
	u := (&url.URL{Path: p}).EscapedPath()
	if strings.HasPrefix(p, "/") || len(p) > 1 && p[1] == ':' {
		return object{"uri": (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(p, "/")}).String()}
	}
	return object{"uri": u, "uriBaseId": "%SRCROOT%"}
}

// junit writes JUnit's XML: a suite for each machine, a test for each loop.
func (r *Report) junit(w io.Writer) error {
	var all []*Suite
	by := map[string]*Suite{}
	for i := range r.Findings {
		f := &r.Findings[i]
		s := by[f.Arch]
		if s == nil {
			s = &Suite{Name: strings.TrimSpace(r.Command + " " + f.Arch)}
			by[f.Arch], all = s, append(all, s)
		}
		t := Case{Name: f.Name, Class: f.Arch, File: relative(f.File)}
		switch f.Level {
		case Failure:
			t.Failure = &Verdict{valid(f.Message), valid(f.Details)}
		case Skipped:
			t.Skipped = &Verdict{valid(f.Message), ""}
		default:
			t.Out = valid(strings.TrimSpace(f.Message + "\n" + f.Details))
		}
		s.Add(t)
	}
	return JUnit(w, all)
}

// valid removes what XML cannot hold.
func valid(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, s)
}

// gitlab writes GitLab's subset of Code Climate's issues, which merge requests show.
func (r *Report) gitlab(w io.Writer) error {
	severity := map[Level]string{Note: "info", Skipped: "info", Warning: "minor", Failure: "major"}
	prints := r.fingerprints()
	out := []object{}
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Level == OK {
			continue
		}
		path := relative(f.File)
		if path == "" {
			path = "unknown"
		}
		out = append(out, object{"description": f.Message, "check_name": "incore-" + f.Rule, "fingerprint": prints[i], "severity": severity[f.Level],
			"location": object{"path": path, "lines": object{"begin": max(1, f.Line)}}})
	}
	return indented(w, out)
}

// metrics writes the text format of OpenMetrics, which GitLab compares between branches.
func (r *Report) metrics(w io.Writer) error {
	var b strings.Builder
	b.WriteString("# HELP incore_cycles_per_iteration Predicted cycles of one iteration of a loop.\n# TYPE incore_cycles_per_iteration gauge\n")
	seen := map[string]int{}
	for i := range r.Findings {
		f := &r.Findings[i]
		if !f.Known {
			continue
		}
		labels := fmt.Sprintf(`arch="%s",loop="%s"`, label(f.Arch), label(f.Name))
		if file := relative(f.File); file != "" {
			labels += fmt.Sprintf(`,file="%s"`, label(file))
		}
		if n := seen[labels]; n > 0 {
			fmt.Fprintf(&b, "incore_cycles_per_iteration{%s,n=\"%d\"} %s\n", labels, n+1, number(f.Cycles))
		} else {
			fmt.Fprintf(&b, "incore_cycles_per_iteration{%s} %s\n", labels, number(f.Cycles))
		}
		seen[labels]++
	}
	b.WriteString("# EOF\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func label(s string) string { return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) }

// benchmark writes the list that services for benchmarks read (github-action-benchmark's customSmallerIsBetter, Bencher).
func (r *Report) benchmark(w io.Writer) error {
	out := []object{}
	seen := map[string]int{}
	for i := range r.Findings {
		f := &r.Findings[i]
		if !f.Known {
			continue
		}
		name := strings.TrimSpace(f.Name + " " + f.Arch)
		if file := relative(f.File); file != "" {
			name = file + ": " + name
		}
		if seen[name]++; seen[name] > 1 {
			name += fmt.Sprintf(" (%d)", seen[name])
		}
		x := object{"name": name, "unit": "cycles/iteration", "value": f.Cycles}
		if f.Message != "" {
			x["extra"] = f.Message
		}
		out = append(out, x)
	}
	return indented(w, out)
}
