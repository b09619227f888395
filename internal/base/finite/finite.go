// Package finite checks numbers that users write: figures that are not finite, or so large or small that a product of two is not, make results that no format can hold.
package finite

import (
	"fmt"
	"math"
	"reflect"
	"strings"
)

// Most and Least are the largest and smallest magnitude of a number in an input. Products and quotients of several such numbers are finite.
const (
	Most  = 1e21
	Least = 1e-21
)

// Number reports whether a number is 0 or of a magnitude from Least to Most.
func Number(v float64) bool {
	a := math.Abs(v)
	return v == 0 || a >= Least && a <= Most // false for NaN
}

// Positive reports whether a number is a Number above 0.
func Positive(v float64) bool { return v > 0 && Number(v) }

// Check returns an error that names the first field of a value, by its name in files, that is no Number.
func Check(v any) error { return check(reflect.ValueOf(v), "") }

func check(v reflect.Value, name string) error {
	switch v.Kind() {
	case reflect.Float64, reflect.Float32:
		if !Number(v.Float()) {
			return fmt.Errorf("%s is %v: a number up to %g is needed", name, v.Float(), Most)
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return check(v.Elem(), name)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if err := check(v.Index(i), name); err != nil {
				return err
			}
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			if err := check(v.MapIndex(k), join(name, fmt.Sprint(k))); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				if err := check(v.Field(i), join(name, fieldName(f))); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func join(name, field string) string {
	if name == "" || field == "" {
		return name + field
	}
	return name + "." + field
}

// fieldName returns a field's name in YAML or JSON.
func fieldName(f reflect.StructField) string {
	for _, tag := range []string{"yaml", "json"} {
		if name, _, _ := strings.Cut(f.Tag.Get(tag), ","); name != "" && name != "-" {
			return name
		}
	}
	if f.Anonymous {
		return ""
	}
	return strings.ToLower(f.Name)
}
