package memdep_test

import (
	"strings"
	"testing"

	"incore/internal/analysis/memdep"
	"incore/internal/isa/catalog"
)

func TestCheckAliases(t *testing.T) {
	a := catalog.ISA("x86-64")
	for _, c := range []struct {
		list string
		ok   bool
	}{
		{"rdi=rsi+8", true},
		{"rdi=rsi+8 rsi=rdx rcx=0", true},
		{"rdi=rsi+8 rdi=rsi+8", true},
		{"rdi=rsi+8 rsi=rdi-8", true},
		{"rdi=0 rsi=64 rdi=rsi-64", true},
		{"rdi=rsi rsi=0 rdx=rdi+8 rdx=8", true},
		{"rdi=rdi", true},
		{"rdi=rdi+8", false},
		{"rdi=0 rdi=64", false},
		{"rdi=rsi+8 rsi=rdi+8", false},
		{"rdi=rsi+8 rsi=rdx+8 rdx=rdi", false},
		{"rdi=rsi+8 rsi=0 rdi=0", false},
		{"rsi=0 rdi=rsi rdi=8", false},
	} {
		var list []memdep.Alias
		for _, text := range strings.Fields(c.list) {
			x, err := memdep.ParseAlias(a, text)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, x)
		}
		if err := memdep.CheckAliases(a, list); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.list, err)
		}
	}
}

// FuzzParseAlias reads aliases and says whether several can hold.
func FuzzParseAlias(f *testing.F) {
	for _, s := range []string{"rdi=rsi+8", "rdi=rdi+8", "rdi=0;rdi=64", "rdi=rsi - 0x10", "=", "rdi=-9223372036854775808", "rdi=rsi+-8"} {
		f.Add(s)
	}
	a := catalog.ISA("x86-64")
	f.Fuzz(func(t *testing.T, text string) {
		var list []memdep.Alias
		for _, one := range strings.Split(text, ";") {
			if x, err := memdep.ParseAlias(a, one); err == nil {
				list = append(list, x)
			}
		}
		if memdep.CheckAliases(a, list) == nil && memdep.CheckAliases(a, append(list, list...)) != nil {
			t.Fatalf("%q holds once and not twice", text)
		}
	})
}
