package report

import (
	"encoding/json"
	"path"
	"reflect"
	"slices"
	"strings"
)

// JSONSchema returns the JSON Schema (draft 2020-12) of Document, made from the Go types. It does not require fields that may be absent, and
// allows further fields, which later versions may add (Schema).
func JSONSchema() ([]byte, error) {
	return SchemaOf(Schema, "incore analyze --format json", reflect.TypeFor[Document]())
}

// SchemaOf returns the JSON Schema of a type; its definitions hold the further types, too. Types keep their names, of which
// those of other languages are made: google/jsonschema-go writes each type where it is used, without a name.
func SchemaOf(id, title string, root reflect.Type, further ...reflect.Type) ([]byte, error) {
	s := &schemaMaker{defs: map[string]any{}, root: append(further, root)}
	all := map[string]any{"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "urn:" + strings.Replace(id, ".", ":", 1), "title": title, "$ref": s.of(root)["$ref"], "$defs": s.defs}
	for _, t := range further {
		s.of(t)
	}
	out, err := json.MarshalIndent(all, "", "  ")
	return append(out, '\n'), err
}

// schemaMaker collects the definitions of named types.
type schemaMaker struct {
	defs map[string]any
	root []reflect.Type
}

// name returns the name of a type's definition: its package is part of it, unless that is this one or the type was asked for.
func (s *schemaMaker) name(t reflect.Type) string {
	if t.PkgPath() == reflect.TypeFor[Document]().PkgPath() || slices.Contains(s.root, t) {
		return t.Name()
	}
	base := path.Base(t.PkgPath())
	return strings.ToUpper(base[:1]) + base[1:] + t.Name()
}

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
	name := s.name(t)
	ref := map[string]any{"$ref": "#/$defs/" + name}
	if s.defs[name] != nil {
		return ref
	}
	properties, required := map[string]any{}, []string{}
	def := map[string]any{"type": "object", "properties": properties}
	s.defs[name] = def
	for _, f := range reflect.VisibleFields(t) { // those of embedded structs, too
		field, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if field == "-" || field == "" {
			continue
		}
		properties[field] = s.of(f.Type)
		if !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero") {
			required = append(required, field)
		}
	}
	def["required"] = required
	return ref
}
