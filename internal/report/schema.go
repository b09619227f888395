package report

import (
	"encoding/json"
	"reflect"
	"strings"
)

// JSONSchema returns the JSON Schema (draft 2020-12) of Document, made from the Go types. It does not require fields that may be absent, and
// allows further fields, which later versions may add (Schema).
func JSONSchema() ([]byte, error) {
	s := &schemaMaker{defs: map[string]any{}}
	root := map[string]any{"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": Schema, "title": "incore analyze --format json", "$ref": s.of(reflect.TypeFor[Document]())["$ref"], "$defs": s.defs}
	out, err := json.MarshalIndent(root, "", "  ")
	return append(out, '\n'), err
}

// schemaMaker collects the definitions of named types.
type schemaMaker struct{ defs map[string]any }

// of returns the schema of a type.
func (s *schemaMaker) of(t reflect.Type) map[string]any {
	if t == reflect.TypeFor[Ports]() { // an object, in the model's order
		return map[string]any{"type": "object", "additionalProperties": map[string]any{"type": "number"}}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return map[string]any{"anyOf": []any{s.of(t.Elem()), map[string]any{"type": "null"}}}
	case reflect.Slice, reflect.Array:
		return map[string]any{"type": "array", "items": s.of(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": s.of(t.Elem())}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Float32, reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Struct:
		return s.object(t)
	case reflect.Interface:
		return map[string]any{}
	}
	return map[string]any{"type": "integer"}
}

// object defines a struct and returns a reference to its definition.
func (s *schemaMaker) object(t reflect.Type) map[string]any {
	ref := map[string]any{"$ref": "#/$defs/" + t.Name()}
	if s.defs[t.Name()] != nil {
		return ref
	}
	properties, required := map[string]any{}, []string{}
	def := map[string]any{"type": "object", "properties": properties}
	s.defs[t.Name()] = def
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" || name == "" {
			continue
		}
		properties[name] = s.of(f.Type)
		if !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero") {
			required = append(required, name)
		}
	}
	def["required"] = required
	return ref
}
