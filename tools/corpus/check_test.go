package main

import (
	"strings"
	"testing"
)

// TestTally checks counting and resynchronisation on two short sequences.
func TestTally(t *testing.T) {
	ours := func(s string) (l []formLine) {
		for i, f := range strings.Fields(s) {
			l = append(l, formLine{i + 1, f, strings.ToLower(f) + "\tx"})
		}
		return l
	}
	for _, c := range []struct {
		ours, theirs          string
		refused               []int
		insts, resolved, same int
	}{
		{"A B C", "A B C", nil, 3, 3, 3},
		{"A B C D E", "A X C D E", nil, 5, 5, 4},
		{"A B B2 C D", "A X C D", nil, 5, 5, 3},
		{"A B C D", "A X X2 C D", nil, 4, 4, 3},
		{"A ? C D", "A C D", []int{2}, 3, 3, 3},
		{"A ? C D", "A B C D", nil, 4, 3, 3},
		{"A LOCK_PREFIX B", "A B", nil, 2, 2, 2},
		{"A B", "A", nil, 2, 2, 1},
	} {
		tl := tally{diffs: map[string][]string{}}
		refused := map[int]bool{}
		for _, n := range c.refused {
			refused[n] = true
		}
		tl.add("f", ours(c.ours), strings.Fields(c.theirs), refused)
		if tl.insts != c.insts || tl.resolved != c.resolved || tl.same != c.same {
			t.Errorf("%q against %q: %d instructions, %d resolved, %d same; want %d, %d, %d", c.ours, c.theirs,
				tl.insts, tl.resolved, tl.same, c.insts, c.resolved, c.same)
		}
	}
}

func TestInstructions(t *testing.T) {
	text := "f:\n\t.cfi_startproc\n\tmovl\t%eax, %ebx\n# comment\n\tret\n  add x0, x0, 1\n\t# note\n.L2:\n\t{vex} vaddps\n"
	if n := instructions([]byte(text)); n != 4 {
		t.Errorf("%d instructions, want 4", n)
	}
}
