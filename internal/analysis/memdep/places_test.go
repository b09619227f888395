package memdep_test

import (
	"fmt"
	"testing"

	"incore/internal/analysis/memdep"
	"incore/internal/isa"
	"incore/internal/isa/x86"
)

// TestPlaces: where accesses go, as far as it follows from what registers and memory hold.
func TestPlaces(t *testing.T) {
	value := func(reg string, v int64) memdep.Alias {
		a, err := memdep.ParseAlias(x86.ISA(), fmt.Sprintf("%s=%d", reg, v))
		if err != nil || a.Base != isa.NoReg {
			t.Fatal(a, err)
		}
		return a
	}
	known := []memdep.Alias{value("rdi", 0x1004), value("rsi", 0x8000), value("rax", -64*40), value("rcx", 0)}
	for _, c := range []struct {
		text     string
		accesses int // whose places are known
		step     int64
		offset   int64 // in a line, in the last iteration
	}{
		{"vmovups (%rdi),%zmm0\nadd $64,%rdi", 1, 64, 4},                                // no store
		{"vmovups 0x2000(%rsi,%rax),%zmm0\nadd $64,%rax", 1, 64, 0},                     // a counter from below zero
		{"lea 8(%rsi,%rcx,4),%rdx\nvmovups %ymm0,(%rdx)\nadd $8,%rcx", 1, 32, 8 + 0*32}, // a pointer made in the loop
		{"mov (%rbx),%rdx\nvmovups (%rdx),%ymm0\nadd $8,%rcx", 0, 0, 0},                 // nothing is known of rbx
		{"and $-64,%rdi\nvmovups (%rdi),%zmm0\nadd $64,%rdi", 1, 64, 0},                 // aligned by the loop itself
		{"vmovups x(%rip),%zmm0\nadd $64,%rdi", 0, 0, 0},
	} {
		_, r := memdep.Find(bind(t, "zen4", c.text), memdep.Options{Alias: known})
		if r == nil || len(r.Places) != c.accesses {
			t.Errorf("%q: %+v, want %d places", c.text, r, c.accesses)
			continue
		}
		for _, p := range r.Places {
			n := len(p.At)
			if n < 32 || p.At[n-1]-p.At[n-2] != c.step || p.At[n-1]&31 != c.offset&31 {
				t.Errorf("%q: goes to %x", c.text, p.At)
			}
		}
		if _, r := memdep.Find(bind(t, "zen4", c.text), memdep.Options{}); r != nil && len(r.Places) > 0 {
			t.Errorf("%q: places though registers are not known", c.text)
		}
	}
}
