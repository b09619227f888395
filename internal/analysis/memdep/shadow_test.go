package memdep

import (
	"runtime"
	"testing"
)

// TestShadowSize: shadow memory of code that touches many words, as microcode of many stores does, takes about twice the size of these words, and these stay in place.
func TestShadowSize(t *testing.T) {
	const touched = 100_000
	var s shadow
	s.reset(1)
	first := s.at(7)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for k := range uint64(touched) {
		s.write(8*k, 8, k, exact)
	}
	runtime.ReadMemStats(&after)
	if per := (after.TotalAlloc - before.TotalAlloc) / touched; per > 160 {
		t.Errorf("%d bytes for each word", per)
	}
	for k := range uint64(touched) {
		if v, state := s.read(8*k, 8); v != k || state != exact {
			t.Fatalf("word %d reads %d, %d", k, v, state)
		}
	}
	if s.at(7) != first || s.find(touched) != nil {
		t.Error("a word has moved, or one is there that nothing has touched")
	}
	s.free()
}
