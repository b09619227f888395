package growth

import (
	"fmt"
	"testing"
)

// failures collects what Check reports.
type failures struct {
	testing.TB
	text []string
}

func (f *failures) Helper() {}
func (f *failures) Errorf(format string, args ...any) {
	f.text = append(f.text, fmt.Sprintf(format, args...))
}

var sink []byte

// allocate takes n bytes in pieces.
func allocate(n int) {
	for range n >> 16 {
		sink = make([]byte, 1<<16)
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name  string
		bytes func(n int) int
		fails bool
	}{
		{"linear", func(n int) int { return n << 10 }, false},
		{"square", func(n int) int { return n * n }, true},
		{"a small square", func(n int) int { return n * n >> 10 }, false},
	} {
		f := &failures{TB: t}
		Check(f, 4096, func(n int) func() { return func() { allocate(c.bytes(n)) } })
		if (len(f.text) > 0) != c.fails {
			t.Errorf("%s: %q", c.name, f.text)
		}
	}
}
