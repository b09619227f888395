package cli

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"testing"

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
		{&report.Measurement{Schema: report.MeasureSchema}, []string{"text", "json"}},
		{&report.MachineInfo{}, []string{"text", "json"}},
		{&compare.Comparison{Schema: compare.Schema}, append([]string{"text", "json", "html", "markdown"}, report.CIFormats...)},
		{(&baselines.Baseline{}).Check(&baselines.Baseline{}), append([]string{"text", "json"}, report.CIFormats...)},
		{trace.Results{}, []string{"text", "json"}},
		{&dyndeps.Report{}, []string{"text", "json", "csv"}},
		{&dyndeps.Experiment{}, []string{"text", "json", "csv"}},
		{&roofline.Profile{}, []string{"text", "json"}},
		{&roofline.Projection{Schema: roofline.Schema}, []string{"text", "json", "csv", "html", "svg"}},
		{roofline.Exploration{}, []string{"text", "json", "csv", "html", "svg"}},
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
		if _ = json.Unmarshal(b.Bytes(), &fields); fields.Schema != "" && fields.Schema != c.result.Layout() {
			t.Errorf("%T: layout %q, schema %q", c.result, c.result.Layout(), fields.Schema)
		}
		if err := report.Write(&b, c.result, "papyrus", report.TextOptions{}); err == nil {
			t.Errorf("%T is written as papyrus", c.result)
		}
	}
}
