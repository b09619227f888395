package machine_test

import (
	"strings"
	"testing"

	"incore/internal/machine"
)

// TestOverridden: what a model states in vain is an error of its line, and one mistake gives one.
func TestOverridden(t *testing.T) {
	for _, c := range []struct{ header, want string }{
		{"base: zen5\nparam fetch-width: 2 # t", "x.model:3: parameter 'fetch-width' has no effect: 'fetch-entries' of zen5 wins; change that, or remove it by 'param fetch-entries: none'"},
		{"base: zen5\nparam taken-branch: 9 # t", "x.model:3: parameter 'taken-branch' has no effect: 'fetch-entries' of zen5 wins"},
		{"base: zen5\nparam fetch-entries: none # t\nparam fetch-width: 2 # t", ""},
		{"base: zen4\nparam scheduler: 4 # t", "x.model:3: parameter 'scheduler' has no effect: 'scheduler-int0' of zen4 wins"},
		{"base: skylake\nparam decode-width: 4 # t", "x.model:3: parameter 'decode-width' has no effect: 'decode-slots' of skylake wins"},
		{"base: skylake\nfuses: none cmp+jcc", "x.model:3: 'fuses: none cmp+jcc': 'none' stands alone, on a line before the pairs that the core fuses"},
		{"base: skylake\nfuses: cmp+jcc none", "x.model:3: 'fuses: cmp+jcc none': 'none' stands alone"},
		{"base: skylake\nfuses: none\nfuses: cmp+jcc", ""},
		{"base: skylake\nbase: zen4", "x.model:3: 'base' is given twice"},
		{"base: skylake\ntitle: a\ntitle: b", "x.model:4: 'title' is given twice"},
		{"base: zen5\nparam rob: 9 # t\nparam scheduler-fp0: none # t", "x.model:4: parameter 'steering-fp: "},
		{"base: zen5\nparam scheduler-fp0: none # t", "there is no scheduler 'fp0'; it is the base's, and 'param steering-fp: none' removes it"},
		{"base: zen5\nparam scheduler-fp0: none # t\nparam steering-fp: none # t", ""},
	} {
		_, err := machine.Load(strings.NewReader("name: mine\n"+c.header+"\n"), "x.model")
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%q: %v", c.header, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n")):
			t.Errorf("%q: %v, want one error with %q", c.header, err, c.want)
		}
	}
}
