package sim

import (
	"reflect"
	"slices"
	"testing"
)

// EveryCycle returns options with which no cycle is skipped.
func EveryCycle(o Options) Options {
	o.everyCycle = true
	return o
}

// TestClocks: a unit that advances is among the clocks of a pipeline, and so is every unit that counts events of later cycles.
func TestClocks(t *testing.T) {
	p := new(pipeline)
	var clocks []any
	for _, c := range p.clocks() {
		clocks = append(clocks, c)
	}
	v, found := reflect.ValueOf(p).Elem(), 0
	for i := range v.NumField() {
		f := v.Type().Field(i)
		advances := reflect.PointerTo(f.Type).Implements(reflect.TypeFor[clocked]())
		switch unit := reflect.NewAt(f.Type, v.Field(i).Addr().UnsafePointer()).Interface(); {
		case advances && !slices.Contains(clocks, unit):
			t.Errorf("%s has a clock that is not among the pipeline's", f.Name)
		case advances:
			found++
		case holds(f.Type, reflect.TypeFor[delayed](), map[reflect.Type]bool{reflect.TypeFor[detector](): true}):
			t.Errorf("%s counts events of later cycles, and has no clock", f.Name)
		}
	}
	if found != len(clocks) {
		t.Errorf("%d units of the pipeline have a clock, clocks lists %d", found, len(clocks))
	}
}

// holds reports whether values of a type contain values of another one, directly or behind pointers and slices; seen types are left out.
func holds(t, other reflect.Type, seen map[reflect.Type]bool) bool {
	if t == other {
		return true
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Array, reflect.Slice, reflect.Pointer:
		return holds(t.Elem(), other, seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if holds(t.Field(i).Type, other, seen) {
				return true
			}
		}
	}
	return false
}
