// Package regex has regular expressions that are compiled at their first use: most runs use few of them, and compiling all would be a tenth of a short run.
package regex

import (
	"regexp"
	"sync"
)

// Lazy returns a function that returns the compiled expression.
func Lazy(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
