package analyze

import (
	"strings"
	"testing"

	"incore/internal/source"
)

// TestManyUnknown checks that a kernel of unknown instructions is refused with a message, in bounded time.
func TestManyUnknown(t *testing.T) {
	for n, want := range map[int]string{
		60:   "u.s:2: 60 of the 62 instructions of kernel .L1 are not known in x86-64 att",
		3000: "u.s:2:2: 1001 of the first 1001 statements are no known x86-64 att instructions",
	} {
		var b strings.Builder
		b.WriteString(".L1:\n")
		for i := range n {
			b.WriteString("\tfrobnicate" + itoa(i) + "\t%eax, %ebx\n")
		}
		b.WriteString("\taddl\t%eax, %ebx\n\tjne\t.L1\n")
		f, err := source.New("u.s", []byte(b.String()))
		if err != nil {
			t.Fatal(err)
		}
		if _, err = Run(f, Options{Archs: []string{"skx"}, ISA: "x86-64"}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%d: got %v, want %s", n, err, want)
		}
	}
}
