package memdep_test

import (
	"strings"
	"testing"

	"incore/internal/analysis/memdep"
	"incore/internal/catalog"
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
