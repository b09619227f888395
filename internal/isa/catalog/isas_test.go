package catalog

import "testing"

// TestNames holds the list's names to those that the instruction sets have themselves.
func TestNames(t *testing.T) {
	for i, a := range ISAs() {
		if isas[i].name != a.Name {
			t.Errorf("the list calls %s '%s'", a.Name, isas[i].name)
		}
		for _, n := range append([]string{a.Name}, a.Aliases...) {
			if got := ISA(n); got != a {
				t.Errorf("'%s' is not %s", n, a.Name)
			}
		}
	}
}
