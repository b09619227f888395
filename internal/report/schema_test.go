package report

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

const schemaFile = "../../docs/report.schema.json"

// TestSchema checks that the shipped schema matches the Go types.
func TestSchema(t *testing.T) {
	want, err := JSONSchema()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(schemaFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs from the types: go test ./internal/report -run TestSchema -update", schemaFile)
	}
}

// TestDocumentsFitSchema checks the stored documents against the schema, and that the check finds documents that do not fit.
func TestDocumentsFitSchema(t *testing.T) {
	text, err := JSONSchema()
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	for _, d := range s.Defs { // fields that the types do not have are mistakes here
		if d.AdditionalProperties == nil {
			d.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
		}
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	zero := 0.0
	doc := Document{Schema: Schema, Kernels: []Kernel{{Targets: []Target{{
		LoopCarried: []Chain{{Instructions: []int{0}, Latencies: []float64{1}}}, Dependencies: []Dependency{{}}, Assumptions: []string{""}, Basis: []Statement{{Kind: InCache, Values: Values{Latency: &Range{}}}}, Accuracy: []Accuracy{{}}, Diagnostics: []Diagnostic{{}},
		Throughput: Throughput{Ports: Ports{{Name: "0", Cycles: 1}}, Bottleneck: []string{"0"}}, CriticalPath: Path{Instructions: []int{}, Latencies: []float64{}},
		Instructions: []Instruction{{LCD: &zero, Ports: Ports{}, Flags: []string{}}}}}}}}
	if err := JSON(&out, &doc); err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(out.Bytes(), &v); err != nil {
		t.Fatal(err)
	}
	if err := r.Validate(v); err != nil {
		t.Error(err)
	}
	delete(v.(map[string]any)["kernels"].([]any)[0].(map[string]any), "name")
	if err := r.Validate(v); err == nil || !strings.Contains(err.Error(), `missing properties: ["name"]`) {
		t.Errorf("a kernel without a name: %v", err)
	}
}
