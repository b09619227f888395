package main

import (
	"bytes"
	"os"
	"testing"
)

// TestAbsent: a field that the schema does not require has no figure if it is absent.
func TestAbsent(t *testing.T) {
	for _, c := range []struct {
		schema      schema
		required    bool
		hint, value string
	}{
		{schema{Type: "number"}, true, "float", "0.0"},
		{schema{Type: "number"}, false, "Optional[float]", "None"},
		{schema{AnyOf: []*schema{{Type: "number"}, {Type: "null"}}}, true, "Optional[float]", "None"},
		{schema{AnyOf: []*schema{{Type: "number"}, {Type: "null"}}}, false, "Optional[float]", "None"},
		{schema{Ref: "#/$defs/A"}, false, "Optional[A]", "None"},
		{schema{Items: &schema{Type: "number"}}, false, "list[float]", "field(default_factory=list)"},
		{schema{Type: "object", Further: &schema{Type: "number"}}, false, "dict[str, float]", "field(default_factory=dict)"},
		{schema{Type: "integer"}, false, "int", "0"},
	} {
		if hint, value := typeOf(&c.schema, c.required); hint != c.hint || value != c.value {
			t.Errorf("%+v, required %v: %s = %s, want %s = %s", c.schema, c.required, hint, value, c.hint, c.value)
		}
	}
}

// TestInStep: the dataclasses are those of the schema.
func TestInStep(t *testing.T) {
	want, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../python/incore/types.py")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("python/incore/types.py differs from the schema: go run ./tools/pytypes")
	}
}
