package eval

import (
	"strings"
	"testing"

	"incore/internal/isa/catalog"
)

// FuzzRead reads corpora with measured cycles: each row is a block with a positive figure or an error.
func FuzzRead(f *testing.F) {
	f.Add("hex\tcycles\n4801c8\t1.00\n")
	f.Add("cycles\tasm\nNaN\taddq %rax, %rbx\n-1\tnop\n1e400\tnop\n")
	f.Add("cycles\n\n\n")
	f.Add("hex\tcycles\tcycles\n90\t1\n")
	a := catalog.ISA("x86-64")
	f.Fuzz(func(t *testing.T, text string) {
		blocks, bad, err := read(strings.NewReader(text), nil, a)
		if err != nil {
			return
		}
		if n := strings.Count(text, "\n") + 1; len(blocks)+len(bad) > n {
			t.Fatalf("%d blocks and %d errors in %d lines", len(blocks), len(bad), n)
		}
		for i := range blocks {
			if c := blocks[i].Cycles; !(c > 0 && c < 1e300) {
				t.Fatalf("block %d takes %v cycles", i, c)
			}
		}
	})
}
