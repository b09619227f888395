package isa

import (
	"math/rand"
	"os"
	"testing"
)

// TestFixedEnc checks that the decision tree finds every encoding of the fixed-width ISAs
// for random fillings of its fields, and that fields and fixed bits cover each other.
func TestFixedEnc(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for _, dir := range []string{"aarch64", "riscv"} {
		data, err := os.ReadFile(dir + "/tables.bin")
		if err != nil {
			t.Fatal(err)
		}
		e := LoadFixedEnc(string(data))
		if e.Len() < 1000 {
			t.Fatalf("%s: %d encodings", dir, e.Len())
		}
		for i := range e.Len() {
			if e.Of(e.Form(i)) != i {
				t.Errorf("%s: encoding %d is not its form's", dir, i)
			}
			if e.Value(i)&^e.Mask(i) != 0 {
				t.Errorf("%s: encoding %d: value %#x outside mask %#x", dir, i, e.Value(i), e.Mask(i))
			}
			var field uint32
			for k, l := 0, e.Fields(i); k < l.Len(); k += FieldLen {
				field |= (1<<l.At(k+3) - 1) << l.At(k+1)
			}
			if field&e.Mask(i) != 0 {
				t.Errorf("%s: encoding %d: fields %#x overlap fixed bits %#x", dir, i, field, e.Mask(i))
			}
			for range 20 {
				if w := rng.Uint32()&^e.Mask(i) | e.Value(i); !candidate(e, w, i) {
					t.Fatalf("%s: %#x does not lead to encoding %d", dir, w, i)
				}
			}
		}
	}
}

func candidate(e *FixedEnc, w uint32, i int) bool {
	c := e.Candidates(w)
	for k := range c.Len() {
		if int(c.At(k)) == i {
			return true
		}
	}
	return false
}

// TestAliases checks that aliases come best first and that their patterns are whole.
func TestAliases(t *testing.T) {
	for _, dir := range []string{"aarch64", "riscv"} {
		data, err := os.ReadFile(dir + "/tables.bin")
		if err != nil {
			t.Fatal(err)
		}
		forms, _, _ := Load(string(data))
		a := LoadAliases(string(data))
		n := 0
		for f := FormID(1); int(f) < forms.Len(); f++ {
			for i, end := a.Of(f); i < end; i++ {
				n++
				if a.Asm(i) == "" {
					t.Errorf("%s: %s has an alias without text", dir, forms.Name(f))
				}
			}
		}
		if n == 0 || n != a.form.Len() {
			t.Errorf("%s: %d aliases found, %d in the table", dir, n, a.form.Len())
		}
	}
}
