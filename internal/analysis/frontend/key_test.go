package frontend

import (
	"reflect"
	"slices"
	"testing"
)

// TestKeyFields: everything that determines what a Feed delivers changes its key.
func TestKeyFields(t *testing.T) {
	without := []string{"c", "slots", "total", "gap", "entry"} // the core, which the caller compares; what is only returned; the state at the start
	f := func() *Feed { return &Feed{code: &code{insts: make([]macro, 1), groups: make([]group, 1)}} }
	plain := f().AppendKey(nil)
	parts := map[string]func(f *Feed) reflect.Value{
		"State": func(f *Feed) reflect.Value { return reflect.ValueOf(&f.State).Elem() },
		"code":  func(f *Feed) reflect.Value { return reflect.ValueOf(f.code).Elem() },
		"macro": func(f *Feed) reflect.Value { return reflect.ValueOf(&f.insts[0]).Elem() },
		"group": func(f *Feed) reflect.Value { return reflect.ValueOf(&f.groups[0]).Elem() },
	}
	for name, part := range parts {
		for i := range part(f()).NumField() {
			changed := f()
			v := part(changed).Field(i)
			field := part(changed).Type().Field(i).Name
			v = reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
			switch {
			case slices.Contains(without, field):
				continue
			case v.CanInt():
				v.SetInt(1)
			case v.CanFloat():
				v.SetFloat(1)
			case v.Kind() == reflect.Bool:
				v.SetBool(true)
			default:
				v.Set(reflect.MakeSlice(v.Type(), 2, 2))
			}
			if slices.Equal(changed.AppendKey(nil), plain) {
				t.Errorf("%s.%s is not in the key", name, field)
			}
		}
	}
}
