package yamlfile

import (
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// fraction returns the line and text of the first number with a fraction where a value of a type takes a whole one; "" if there is none.
// The parser cuts fractions off: 8.5 becomes 8.
func fraction(text []byte, t reflect.Type) (line int, number string) {
	f, err := parser.ParseBytes(text, 0)
	if err != nil {
		return 0, "" // Read says what is wrong
	}
	for _, d := range f.Docs {
		if d.Body == nil {
			continue
		}
		if line, number = fractionIn(d.Body, t); number != "" {
			break
		}
	}
	return line, number
}

func fractionIn(n ast.Node, t reflect.Type) (line int, number string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if a, ok := n.(*ast.AnchorNode); ok {
		n = a.Value
	}
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		for _, v := range pairs(n) {
			if in := inside(t, v.Key.String()); in != nil && v.Value != nil {
				if line, number = fractionIn(v.Value, in); number != "" {
					return line, number
				}
			}
		}
	case reflect.Slice, reflect.Array:
		if s, ok := n.(*ast.SequenceNode); ok {
			for _, v := range s.Values {
				if line, number = fractionIn(v, t.Elem()); number != "" {
					return line, number
				}
			}
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if k := n.GetToken(); k != nil {
			if v, err := strconv.ParseFloat(k.Value, 64); err == nil && v != math.Trunc(v) {
				return k.Position.Line, k.Value
			}
		}
	}
	return 0, ""
}

// pairs returns the keys and values of a mapping.
func pairs(n ast.Node) []*ast.MappingValueNode {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}
	}
	return nil
}

// inside returns the type of a struct's field, or of a map's values; nil if there is no such field.
func inside(t reflect.Type, key string) reflect.Type {
	if t.Kind() == reflect.Map {
		return t.Elem()
	}
	for i := range t.NumField() {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
		switch {
		case name == "" && strings.Contains(options, "inline"):
			if in := inside(t.Field(i).Type, key); in != nil {
				return in
			}
		case name == key, name == "" && strings.EqualFold(t.Field(i).Name, key):
			return t.Field(i).Type
		}
	}
	return nil
}
