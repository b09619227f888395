package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
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
	var s map[string]any
	if err := json.Unmarshal(text, &s); err != nil {
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
	if wrong := fits(s, s, v, "document"); wrong != "" {
		t.Error(wrong)
	}
	delete(v.(map[string]any)["kernels"].([]any)[0].(map[string]any), "name")
	if wrong := fits(s, s, v, "document"); !strings.Contains(wrong, "kernels[0]: no name") {
		t.Errorf("a kernel without a name: %q", wrong)
	}
}

// fits checks a value against a schema made by JSONSchema; it returns the first error, "" if there is none.
func fits(root, s map[string]any, v any, at string) string {
	if ref, ok := s["$ref"].(string); ok {
		return fits(root, root["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any), v, at)
	}
	if any, ok := s["anyOf"].([]any); ok {
		if v == nil {
			return ""
		}
		return fits(root, any[0].(map[string]interface{}), v, at)
	}
	bad := fmt.Sprintf("%s is no %v but %v", at, s["type"], v)
	switch s["type"] {
	case "object":
		o, ok := v.(map[string]any)
		if !ok {
			return bad
		}
		for _, r := range list(s["required"]) {
			if _, ok := o[r.(string)]; !ok {
				return at + ": no " + r.(string)
			}
		}
		properties, _ := s["properties"].(map[string]any)
		for k, x := range o {
			p, known := properties[k].(map[string]any)
			if !known {
				if p, known = s["additionalProperties"].(map[string]any); !known {
					return at + ": " + k + " is not in the schema"
				}
			}
			if wrong := fits(root, p, x, at+"."+k); wrong != "" {
				return wrong
			}
		}
	case "array":
		a, ok := v.([]any)
		if !ok {
			return bad
		}
		for i, x := range a {
			if wrong := fits(root, s["items"].(map[string]any), x, fmt.Sprintf("%s[%d]", at, i)); wrong != "" {
				return wrong
			}
		}
	case "string":
		if _, ok := v.(string); !ok {
			return bad
		}
	case "boolean":
		if _, ok := v.(bool); !ok {
			return bad
		}
	case "number", "integer":
		n, ok := v.(float64)
		if !ok || s["type"] == "integer" && n != float64(int64(n)) {
			return bad
		}
	}
	return ""
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}
