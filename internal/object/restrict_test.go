package object

import (
	"debug/dwarf"
	"slices"
	"strings"
	"testing"
	"time"

	"incore/internal/isa/x86"
)

// TestRestrictedRegisters: which argument registers hold restrict pointers, where results and other parameters take some of them, or none.
func TestRestrictedRegisters(t *testing.T) {
	const body = " { for (long i = 0; i < n; i++) a[i] = b[i] * 2; "
	const params = "double *__restrict__ a, double *b, long n)"
	for _, c := range []struct{ language, text, want string }{
		{"c", "void f(" + params + body + "}", "RDI"},
		{"c", "void f(int k, double x, " + params + body + "}", "RSI"},
		{"c", "void f(_Decimal64 x, " + params + body + "}", ""},
		{"c", "struct big { double v[8]; }; struct big f(" + params + body + "struct big r = {{a[0]}}; return r; }", ""},
		{"c", "void f(double p, double q, double r, double s, double t, double u, double v, double w, double x, " + params + body + "}", ""},
		{"c++", "struct S { int k; void f(" + params + "; }; void S::f(" + params + body + "}", "RSI"},
		{"c++", "struct big { double v[8]; }; struct S { big f(" + params + "; }; big S::f(" + params + body + "big r{}; r.v[0] = a[0]; return r; }", ""},
		{"c++", "namespace s { void f(" + params + "; } void s::f(" + params + body + "}", "RDI"},
	} {
		for _, level := range []string{"-O1", "-O2"} {
			f := compiled(t, c.text, "-g", level, "-c", "-x", c.language)
			found := false
			for _, fn := range f.Functions() {
				var got []string
				for _, r := range fn.restricted() {
					got = append(got, x86.ISA().Regs.Name(r))
				}
				found = true
				if strings.Join(got, " ") != c.want {
					t.Errorf("%s %s: %v, want %q", level, c.text, got, c.want)
				}
			}
			if !found {
				t.Errorf("%s %s: no function", level, c.text)
			}
		}
	}
}

// TestEndlessNumber: a unit that ends within a number is no endless list of entries.
func TestEndlessNumber(t *testing.T) {
	abbrev := []byte{1, 0x11, 0, 0, 0, 0}
	info := []byte{9, 0, 0, 0, 4, 0, 0, 0, 0, 0, 8, 1, 0x80}
	f := &File{ISA: x86.ISA(), dwarfOf: func() (*dwarf.Data, error) { return dwarf.New(abbrev, nil, nil, info, nil, nil, nil, nil) }}
	done := make(chan bool)
	go func() { f.SourceLine(0x1000); close(done) }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("does not end")
	}
}

// TestOverlap: of sections that overlap, each byte is in one.
func TestOverlap(t *testing.T) {
	f := &File{sections: []section{{".b", 0x1008, make([]byte, 8), true, 0}, {".a", 0x1000, make([]byte, 32), true, 0}, {".end", ^uint64(0) - 3, make([]byte, 8), true, 0}}}
	f.orderSections()
	var got []string
	for _, at := range []uint64{0x1000, 0x1007, 0x1008, 0x100f, 0x1010} {
		name := ""
		if s := f.sectionAt(at); s != nil {
			name = s.name
		}
		got = append(got, name)
	}
	if want := []string{".a", ".a", ".b", ".b", ""}; !slices.Equal(got, want) || len(f.Warnings()) != 1 {
		t.Errorf("%v, want %v; warnings %q", got, want, f.Warnings())
	}
}
