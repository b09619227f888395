package machine

import "testing"

// TestRewrites: the cycles of stores on Zen 3, as measured (movb to one block and stores to others in turn).
func TestRewrites(t *testing.T) {
	rule := StoreCommit{Merge: 32, Partial: 3, Within: 5}
	type store struct{ at, bytes int }
	rounds := 20
	play := func(stores []store, least bool) (cycles int) {
		r := NewRewrites(&rule)
		r.Least = least
		last := -1
		for round := range 2 * rounds {
			for _, s := range stores {
				block := s.at / rule.Merge
				waited := r.Add(uint64(block), Span(s.at%rule.Merge, s.bytes, rule.Merge), block == last)
				if round >= rounds && len(stores) > 1 {
					cycles += waited
					if block != last {
						cycles++
					}
				}
				last = block
			}
		}
		return cycles
	}
	for _, c := range []struct {
		stores []store
		want   int // cycles of a round
	}{
		{[]store{{0, 1}}, 0}, // all leave together
		{[]store{{0, 1}, {64, 8}}, 5},
		{[]store{{0, 1}, {64, 1}}, 5},
		{[]store{{0, 4}, {64, 8}}, 2},
		{[]store{{2, 4}, {64, 8}}, 5},
		{[]store{{4, 8}, {64, 8}}, 2},
		{[]store{{1, 8}, {64, 8}}, 5},
		{[]store{{0, 1}, {1, 1}, {64, 8}}, 5},
		{[]store{{0, 1}, {1, 1}, {2, 1}, {3, 1}, {64, 8}}, 2}, // the word is written whole
		{[]store{{0, 1}, {64, 8}, {128, 8}}, 6},
		{[]store{{0, 1}, {64, 1}, {128, 1}}, 6},
		{[]store{{0, 1}, {64, 8}, {128, 8}, {192, 8}}, 7},
		{[]store{{0, 1}, {64, 8}, {128, 8}, {192, 8}, {256, 8}}, 5},
		{[]store{{0, 1}, {64, 8}, {4, 1}, {72, 8}}, 7},
		{[]store{{0, 1}, {64, 8}, {16, 8}, {64, 8}, {128, 8}, {192, 8}, {256, 8}, {320, 8}}, 8}, // other words
		{[]store{{0, 1}, {64, 8}, {0, 8}, {64, 8}, {128, 8}, {192, 8}, {256, 8}, {320, 8}}, 8},  // the later one is whole
		{[]store{{0, 1}, {64, 8}, {0, 1}, {64, 8}, {128, 8}, {192, 8}, {256, 8}, {320, 8}}, 11},
		{[]store{{0, 1}, {64, 8}, {128, 8}, {192, 8}, {0, 1}, {64, 8}, {256, 8}, {320, 8}}, 14},
		{[]store{{0, 8}, {64, 8}, {128, 8}, {4, 1}, {192, 8}}, 8},
	} {
		cycles := play(c.stores, false)
		if cycles != c.want*rounds {
			t.Errorf("%v: %.2f cycles a round, want %d", c.stores, float64(cycles)/float64(rounds), c.want)
		}
		if least := play(c.stores, true); least > cycles {
			t.Errorf("%v: %d cycles at least, %d in fact", c.stores, least, cycles)
		}
	}
	if least := play([]store{{0, 1}, {64, 8}, {128, 8}, {192, 8}}, true); least != 5*rounds { // 7, unless something else delays them
		t.Errorf("four stores take at least %d cycles in %d rounds, want 5 each", least, rounds)
	}
}
