package main

import (
	"reflect"
	"testing"
)

// TestUnder takes forms of a newer LLVM for those of incore's tables: renamed ones under their old names, those with other operands not at all. A class of the
// tables is named as a whole only where all its forms are in one class of the newer version.
func TestUnder(t *testing.T) {
	tables := &formSource{Flags: []string{"Pseudo"}, Forms: []form{
		{N: "ADD", MC: []int{3, 1}, SC: 7}, {N: "SUB", MC: []int{3, 1}, SC: 7}, {N: "MUL", MC: []int{3, 1}, SC: 8}, {N: "DIV", MC: []int{3, 1}, SC: 8},
		{N: "SDOT_ZZZ_S", MC: []int{4, 1}, SC: 9}, {N: "WFI", MC: []int{0, 0}, SC: 10},
	}}
	newer := &formSource{Flags: []string{"Pseudo"}, Forms: []form{
		{N: "ADD", MC: []int{3, 1}, SC: 1}, {N: "SUB", MC: []int{3, 1}, SC: 1}, {N: "MUL", MC: []int{3, 1}, SC: 1}, {N: "DIV", MC: []int{3, 1}, SC: 2},
		{N: "SDOT_ZZZ_BtoS", MC: []int{4, 1}, SC: 3}, {N: "WFI", MC: []int{2, 0}, SC: 4}, {N: "NEW", MC: []int{3, 1}, SC: 1},
	}}
	if left := newer.under(tables); !reflect.DeepEqual(left, []string{"WFI"}) {
		t.Errorf("left out %v, want WFI", left)
	}
	newer.index()
	for class, want := range map[int][]string{1: {"@ADD", "MUL"}, 2: {"DIV"}, 3: {"@SDOT_ZZZ_S"}} {
		if got := newer.selectors(newer.class[class]); !reflect.DeepEqual(got, want) {
			t.Errorf("class %d is named %v, want %v", class, got, want)
		}
	}
	if got := vectorClass([][3]int{{1, 0, 20}, {1, 32, 21}}, 5, 1, 64); got != 20 {
		t.Errorf("class under m2, e64 is %d, want that of m2, 20", got)
	}
}
