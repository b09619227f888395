package machine

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// This file reads records: parameters with several named parts, as "uop-cache: 1536 window=32 lines=3". Each part is a field of a struct; the field's
// tag `key` is the name of the part. The first part has no name. A part that is on or off consists of its name alone. Parts that are not stated are
// 0.

const (
	keyTag   = "key"
	firstKey = "." // of the part that stands first, without a name
)

// readRecord reads a record into the struct that to points to.
func readRecord(to any, text string) error {
	v := reflect.ValueOf(to).Elem()
	v.SetZero()
	var seen []string
	for i, word := range strings.Fields(text) {
		name, value, named := strings.Cut(word, "=")
		f, part := fieldOf(v, name)
		switch {
		case f.IsValid() && named == (f.Kind() != reflect.Bool):
		case i == 0 && !named:
			name, value = firstKey, word
			f, part = fieldOf(v, firstKey)
		default:
			f = reflect.Value{}
		}
		if !f.IsValid() {
			return fmt.Errorf("no part '%s' (parts are %s)", clip(word), recordParts(v.Type()))
		}
		if slices.Contains(seen, name) {
			return fmt.Errorf("'%s' twice", clip(name))
		}
		seen = append(seen, name)
		if f.Kind() == reflect.Bool {
			value = "true"
		}
		if err := setParam(f.Addr().Interface(), value); err != nil {
			return err
		}
		if err := bounded(part, f.Addr().Interface()); err != nil {
			return err
		}
	}
	if len(seen) == 0 {
		return fmt.Errorf("it is empty (parts are %s)", recordParts(v.Type()))
	}
	if first, part := fieldOf(v, firstKey); first.IsValid() && !slices.Contains(seen, firstKey) {
		return fmt.Errorf("%s is missing in front of the other parts (parts are %s)", strings.ToUpper(part.Name), recordParts(v.Type()))
	}
	return nil
}

// fieldOf returns the part of a record with a name; it is not valid if there is none.
func fieldOf(v reflect.Value, name string) (reflect.Value, reflect.StructField) {
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.Tag.Get(keyTag) == name {
			return v.Field(i), f
		}
	}
	return reflect.Value{}, reflect.StructField{}
}

// recordParts lists the parts of a record in the notation of model files: "SLOTS window= lines= past-branch".
func recordParts(t reflect.Type) string {
	var parts []string
	for i := range t.NumField() {
		switch f := t.Field(i); {
		case f.Tag.Get(keyTag) == firstKey:
			parts = append(parts, strings.ToUpper(f.Name))
		case f.Type.Kind() == reflect.Bool:
			parts = append(parts, f.Tag.Get(keyTag))
		default:
			parts = append(parts, f.Tag.Get(keyTag)+"=")
		}
	}
	return strings.Join(parts, " ")
}

// recordText writes the parts of a record that are not 0, in the notation of model files.
func recordText(record any) string {
	var parts []string
	v := reflect.ValueOf(record)
	for i := range v.NumField() {
		name := v.Type().Field(i).Tag.Get(keyTag)
		switch f := v.Field(i); {
		case f.IsZero():
		case f.Kind() == reflect.Bool:
			parts = append(parts, name)
		case name == firstKey:
			parts = append(parts, fmt.Sprint(f.Interface()))
		default:
			parts = append(parts, fmt.Sprintf("%s=%v", name, f.Interface()))
		}
	}
	return strings.Join(parts, " ")
}

// isRecord reports whether a type is a record.
func isRecord(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.NumField() > 0 && t.Field(0).Tag.Get(keyTag) != ""
}

// recordDoc lists the parts of a record with their meanings.
func recordDoc(t reflect.Type) string {
	var parts []string
	for i := range t.NumField() {
		f := t.Field(i)
		name := f.Tag.Get(keyTag)
		if name == firstKey {
			name = strings.ToUpper(f.Name)
		}
		parts = append(parts, name+": "+f.Tag.Get("doc"))
	}
	return strings.Join(parts, "; ")
}
