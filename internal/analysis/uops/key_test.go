package uops

import (
	"reflect"
	"slices"
	"testing"
)

// TestKeyFields: every property of a µop that compilation sets changes its key.
func TestKeyFields(t *testing.T) {
	later := []string{"Lists", "Lots", "Room", "Settle", "Freed", "Reach", "FreeReach"} // set by the simulator, from the others
	plain := new(Op).appendKey(nil)
	for i := range reflect.TypeFor[Op]().NumField() {
		f := reflect.TypeFor[Op]().Field(i)
		if slices.Contains(later, f.Name) {
			continue
		}
		u := new(Op)
		v := reflect.ValueOf(u).Elem().Field(i)
		switch f.Type.Kind() {
		case reflect.Array:
			for k := range v.Len() {
				u := new(Op)
				reflect.ValueOf(u).Elem().Field(i).Index(k).SetUint(1)
				if slices.Equal(u.appendKey(nil), plain) {
					t.Errorf("%s[%d] is not in the key", f.Name, k)
				}
			}
			continue
		case reflect.Slice:
			u.Extra = make([]hold, 1)
			other := u.appendKey(nil)
			for k := range f.Type.Elem().NumField() {
				u.Extra = make([]hold, 1)
				setOne(v.Index(0).Field(k))
				if slices.Equal(u.appendKey(nil), other) {
					t.Errorf("%s.%s is not in the key", f.Name, f.Type.Elem().Field(k).Name)
				}
			}
		default:
			setOne(v)
		}
		if slices.Equal(u.appendKey(nil), plain) {
			t.Errorf("%s is not in the key", f.Name)
		}
	}
}

// TestKeyUops: so does everything else of a µop that is not of the simulator or of a report.
func TestKeyUops(t *testing.T) {
	other := []string{"Op", "Inst", "Frees", "Ends", "Uses"} // the first has a test of its own, the last three follow from others
	plain := (&Uop{Op: new(Op)}).appendKey(nil)
	for i := range reflect.TypeFor[Uop]().NumField() {
		f := reflect.TypeFor[Uop]().Field(i)
		if slices.Contains(other, f.Name) {
			continue
		}
		u := &Uop{Op: new(Op)}
		if v := reflect.ValueOf(u).Elem().Field(i); f.Type == reflect.TypeFor[[]Dep]() {
			v.Set(reflect.ValueOf([]Dep{{Dist: 1, Lat: 2}}))
			one := u.appendKey(nil)
			v.Set(reflect.ValueOf([]Dep{{Dist: 2, Lat: 1}}))
			if slices.Equal(u.appendKey(nil), one) {
				t.Errorf("dependences of %s are not in the key", f.Name)
			}
		} else {
			setOne(v)
		}
		if slices.Equal(u.appendKey(nil), plain) {
			t.Errorf("%s is not in the key", f.Name)
		}
	}
}

// setOne sets a value to 1, or to true.
func setOne(v reflect.Value) {
	switch {
	case v.CanInt():
		v.SetInt(1)
	case v.CanUint():
		v.SetUint(1)
	default:
		v.SetBool(true)
	}
}
