package cli

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"incore/internal/analyze/predict"
	"incore/internal/bench/core"
	"incore/internal/bench/ports"
	"incore/internal/bench/results"
	"incore/internal/eval"
	"incore/internal/eval/hunt"
	"incore/internal/eval/suite"
	"incore/internal/eval/tables"
	"incore/internal/program/dyndeps"
	"incore/internal/program/trace"
	"incore/internal/report"
	"incore/internal/report/baselines"
	"incore/internal/report/compare"
	"incore/internal/report/page"
	"incore/internal/roofline"
)

// TestResults: the results of the commands have the formats that the options offer, and the layout of a result is that of its JSON: who changes
// one changes the other.
func TestResults(t *testing.T) {
	for _, c := range []struct {
		result  report.Result
		formats []string
	}{
		{page.Document{Document: &report.Document{Schema: report.Schema}}, []string{"text", "json", "csv", "yaml", "html", "dot", "svg"}},
		{&report.Deps{Schema: report.DepsSchema}, []string{"text", "json", "dot", "svg"}},
		{page.Loops{Loops: &report.Loops{Schema: report.LoopsSchema}}, []string{"text", "json", "csv", "html"}},
		{page.Annotation{Annotation: &report.Annotation{Schema: report.AnnotateSchema}}, []string{"text", "json", "html"}},
		{&report.Explanation{Schema: report.ExplainSchema}, []string{"text", "json"}},
		{report.MachineList{}, []string{"text", "json"}},
		{&report.Built{}, []string{"text", "json"}},
		{&report.Hottest{Schema: report.HottestSchema}, []string{"text", "json"}},
		{&report.Measurement{Schema: report.MeasureSchema}, []string{"text", "json"}},
		{&report.MachineInfo{}, []string{"text", "json"}},
		{&compare.Comparison{Schema: compare.Schema}, append([]string{"text", "json", "html", "markdown"}, report.CIFormats...)},
		{(&baselines.Baseline{}).Check(&baselines.Baseline{}), append([]string{"text", "json"}, report.CIFormats...)},
		{trace.Results{}, []string{"text", "json"}},
		{&dyndeps.Report{}, []string{"text", "json", "csv"}},
		{&dyndeps.Experiment{}, []string{"text", "json", "csv"}},
		{core.Findings{}, []string{"text", "json", "csv"}},
		{&results.Forms{}, []string{"text", "json", "csv"}},
		{&results.Memory{}, []string{"text", "json", "csv"}},
		{&results.Listing{}, []string{"text", "json", "csv"}},
		{&results.Built{}, []string{"text", "json"}},
		{&suite.Made{}, []string{"text", "json"}},
		{&suite.Summary{}, []string{"text", "json"}},
		{&suite.Added{}, []string{"text", "json"}},
		{&suite.Exports{}, []string{"text", "json"}},
		{results.Checks{}, []string{"text", "json"}},
		{results.Overview{}, []string{"text", "json"}},
		{&results.Agreement{}, []string{"text", "json"}},
		{&ports.Report{}, []string{"text", "json"}},
		{&roofline.Profile{}, []string{"text", "json"}},
		{&roofline.Projection{Schema: roofline.Schema}, []string{"text", "json", "csv", "html", "svg"}},
		{roofline.Exploration{}, []string{"text", "json", "csv", "html", "svg"}},
		{&hunt.Report{}, []string{"text", "json"}},
		{eval.NewPredictions(t.Context(), "", &predict.Job{Source: new(predict.Blocks)}, nil, func(int) {}), append([]string{"text", "json", "csv", "html", "jsonl"}, report.CIFormats...)},
		{&tables.Report{}, []string{"text", "json", "csv", "html", "tsv"}},
	} {
		if got := report.Formats(c.result); !slices.Equal(got, c.formats) {
			t.Errorf("%T: formats %v, want %v", c.result, got, c.formats)
		}
		if none := reflect.Zero(reflect.TypeOf(c.result)).Interface().(report.Result); !slices.Equal(report.Formats(none), c.formats) {
			t.Errorf("%T without a value: formats %v", c.result, report.Formats(none))
		}
		var b bytes.Buffer
		if err := report.Write(&b, c.result, "json", report.TextOptions{}); err != nil {
			t.Errorf("%T: %v", c.result, err)
		}
		var fields struct {
			Schema string `json:"schema"`
		}
		err := json.Unmarshal(b.Bytes(), &fields)
		if want := c.result.Layout(); err != nil || fields.Schema != want || !regexp.MustCompile(`^incore(\.[a-z-]+)+/[1-9]$`).MatchString(want) {
			t.Errorf("%T: layout %q, schema %q, %v", c.result, want, fields.Schema, err)
		}
		if err := report.Write(&b, c.result, "papyrus", report.TextOptions{}); err == nil {
			t.Errorf("%T is written as papyrus", c.result)
		}
	}
}

// TestSentences: the code of the commands has no string literal of three words and more, apart from what is said of
// options, errors, warnings and progress: results are described by the packages that they come from.
func TestSentences(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || name == "help.go" || name == "cli.go" || name == "numbers.go" { // what is said of calls
			continue
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if aboutCalls(n) {
				return false
			}
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING && wordsIn(l.Value) >= 3 {
				found = append(found, files.Position(l.Pos()).String()+": "+l.Value)
			}
			return true
		})
	}
	for _, s := range found {
		t.Errorf("%s: what says something of a result belongs to the result's package", s)
	}
}

// notResults are the functions whose texts are about the call: options, errors, warnings, progress.
var notResults = regexp.MustCompile(`^(Errorf|New|panic|complain|note|count|amount|jobsFlag|Bool|String|Int|.*Var.*)$`)

// aboutCalls reports whether a part of the code holds texts about the call of a command, not about its result.
func aboutCalls(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.KeyValueExpr:
		key, ok := n.Key.(*ast.Ident)
		return ok && slices.Contains([]string{"Use", "Short", "Long", "Example", "Msg", "Hint"}, key.Name)
	case *ast.CompositeLit:
		of, ok := n.Type.(*ast.Ident)
		return ok && of.Name == "option"
	case *ast.AssignStmt:
		switch to := n.Lhs[0].(type) {
		case *ast.SelectorExpr:
			return slices.Contains([]string{"Usage", "Long", "Example"}, to.Sel.Name)
		case *ast.Ident:
			return to.Name == "hint"
		}
	case *ast.CallExpr:
		if toStderr(n) {
			return true
		}
		switch f := n.Fun.(type) {
		case *ast.SelectorExpr:
			return notResults.MatchString(f.Sel.Name)
		case *ast.Ident:
			return notResults.MatchString(f.Name)
		}
	}
	return false
}

// toStderr reports whether a call writes to standard error, where no result goes.
func toStderr(n *ast.CallExpr) bool {
	if len(n.Args) == 0 {
		return false
	}
	to, ok := n.Args[0].(*ast.SelectorExpr)
	return ok && to.Sel.Name == "stderr"
}

var wordRE = regexp.MustCompile(`[a-zA-Z]{2,}`)

// wordsIn counts the words of a literal.
func wordsIn(s string) (n int) {
	text, err := strconv.Unquote(s)
	if err != nil {
		return 0
	}
	for _, w := range strings.Fields(text) {
		if wordRE.FindString(w) == strings.Trim(w, ".,;:()'") {
			n++
		}
	}
	return n
}
