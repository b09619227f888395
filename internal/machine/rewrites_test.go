package machine

import "testing"

// TestRewrites: the cycles of stores on Zen 3, as measured (movb to one block and stores to others in turn).
func TestRewrites(t *testing.T) {
	rule := StoreCommit{Merge: 32, Partial: 3, Within: 5}
	type store struct{ at, bytes int }
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
		r := NewRewrites(&rule)
		last, rounds, cycles := -1, 20, 0
		for round := range 2 * rounds {
			for _, s := range c.stores {
				block := s.at / rule.Merge
				together := block == last
				waited := r.Add(uint64(block), Span(s.at%rule.Merge, s.bytes, rule.Merge), together)
				if last = block; round >= rounds && len(c.stores) > 1 {
					cycles += waited
					if !together {
						cycles++
					}
				}
			}
		}
		if cycles != c.want*rounds {
			t.Errorf("%v: %.2f cycles a round, want %d", c.stores, float64(cycles)/float64(rounds), c.want)
		}
	}
}
