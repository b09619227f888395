package corpus

import (
	"strings"
	"testing"

	"incore/internal/analyze"
)

// TestCutOff: a corpus of loops with labels is one wherever the part that tells its kind ends, behind a label, too.
func TestCutOff(t *testing.T) {
	const row = "\".L: nop; dec %rax; jnz .L\",1.0\n"
	for cut := range 2 * len(row) {
		first := "\".L: " + strings.Repeat("nop; ", 200) + strings.Repeat(" ", cut) + "jnz .L\",1.0\n"
		text := "block,cycles\n" + first + strings.Repeat(row, 200)
		in, err := Open("-", strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		job, err := in.Job("", 1, &analyze.Options{ISA: "x86-64", Archs: []string{"zen4"}})
		switch {
		case err != nil:
			t.Fatalf("%d: %v", cut, err)
		case job.Format.Separator != ',' || job.Format.Hex:
			t.Errorf("%d: %+v", cut, job.Format)
		}
		in.Close()
	}
}
