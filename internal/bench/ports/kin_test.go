package ports

import (
	"slices"
	"testing"
)

// TestKin: ports that serve other forms in the model lose their names, others keep them.
func TestKin(t *testing.T) {
	add, shift := Set(0b1111), Set(0b0011)
	ours := []Map{{0b111111}, {0b111111}, {0b000111}, {0b111111}} // three additions and a shift on a machine of six integer ports
	theirs := []Map{{add}, {add}, {shift}, {add}}                 // of a model of four, whose other two load
	if got, want := kin(ours, theirs, []int{0, 1, 2, 3, 4, 5}), []int{0, 1, 2, 3, -1, -1}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := kin(ours, theirs, []int{0, 1, -1, 3, 2, -1}); !slices.Equal(got, []int{0, 1, -1, 3, 2, -1}) {
		t.Errorf("%v", got)
	}
}
