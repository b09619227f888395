package machine

import (
	"strings"
	"testing"

	"incore/internal/isa"
)

// eachIndexed calls do with every form of a model that has an address, and its rows without an index there and with one.
func eachIndexed(t *testing.T, name string, do func(m *Model, a *isa.ISA, f isa.FormID, plain, indexed *found)) {
	t.Helper()
	m, err := Get(name)
	if err != nil {
		t.Fatal(err)
	}
	a := tables(t)[m.ISA]
	c := m.compile(a)
	for f := isa.FormID(1); int(f) < a.Forms.Len(); f++ {
		without, with, ok := addressed(a, f)
		if !ok || a.Forms.Flags(f)&isa.Pseudo != 0 {
			continue
		}
		plain, indexed := c.lookup(&without), c.lookup(&with)
		if plain.uops != nil && indexed.uops != nil {
			do(m, a, f, &plain, &indexed)
		}
	}
}

// TestSimpleAddresses: on the cores that have an address unit for stores with simple addresses alone, no instruction that uops.info measured and that
// has an index in its address uses it.
func TestSimpleAddresses(t *testing.T) {
	for _, name := range []string{"haswell", "broadwell", "skylake", "skylake-server", "cascadelake", "cooperlake"} {
		stores := 0
		eachIndexed(t, name, func(m *Model, a *isa.ISA, f isa.FormID, plain, indexed *found) {
			simple, _ := m.PortSet("7")
			uses := func(r *row) bool {
				for _, u := range r.uops {
					if u.Ports&simple != 0 {
						return true
					}
				}
				return false
			}
			if uses(plain.uops) {
				stores++
			}
			if uses(indexed.uops) && strings.HasPrefix(indexed.uops.source, "uops.info") && namesAddress(a.Forms.Name(f)) {
				t.Errorf("%s: %s uses port 7 with an index in its address", name, a.Forms.Name(f))
			}
		})
		if stores < 200 {
			t.Errorf("%s: %d forms use port 7", name, stores)
		}
	}
}

// namesAddress reports whether an instruction's text has an address that can have an index: not those of string instructions.
func namesAddress(form string) bool {
	return !strings.HasPrefix(form, "INS") && !strings.HasPrefix(form, "OUTS") && !strings.HasPrefix(form, "STOS") && !strings.HasPrefix(form, "MOVS")
}

// TestUnlamination: on Intel's large cores every operation with a VEX or EVEX encoding whose load shares a slot with another µop takes one slot more
// where its address has an index, as uops.info measured it of all such operations with VEX.
func TestUnlamination(t *testing.T) {
	for name, evex := range map[string]int{"haswell": 0, "skylake": 0, "skylake-server": 3400, "cascadelake": 3400, "icelake-client": 3400, "icelake-server": 3400, "rocketlake": 3400,
		"alderlake-p": 3400, "sapphirerapids": 3400, "graniterapids": 3400} {
		n := map[byte]int{}
		eachIndexed(t, name, func(m *Model, a *isa.ISA, f isa.FormID, plain, indexed *found) {
			form, flags := a.Forms.Name(f), a.Forms.Flags(f)
			slots := m.slots(plain.uops)
			if flags&isa.MayLoad == 0 || flags&isa.MayStore != 0 || !strings.HasPrefix(form, "V") || !strings.HasPrefix(plain.uops.source, "uops.info") ||
				slots >= float64(listed(plain.uops)) || strings.HasPrefix(form, "VER") || strings.Contains(form, "GATHER") || strings.Contains(form, "LDMXCSR") {
				return
			}
			n[a.Forms.Encoding(f)]++
			if got := m.slots(indexed.uops); got != slots+1 {
				t.Errorf("%s: %s takes %g slots with an index, %g without", name, form, got, slots)
			}
		})
		t.Logf("%s: %d forms with VEX, %d with EVEX", name, n['V'], n['E'])
		if n['V'] < 200 || n['E'] < evex {
			t.Errorf("%s: %d forms with VEX, %d with EVEX", name, n['V'], n['E'])
		}
	}
}
