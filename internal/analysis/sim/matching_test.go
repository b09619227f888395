package sim

import (
	"math/rand"
	"testing"
)

// TestClaims holds the sums in words to trying out all assignments.
func TestClaims(t *testing.T) {
	rng := rand.New(rand.NewSource(4))
	yes, all := 0, 0
	for range 3000 {
		sets := make([]partitionSet, rng.Intn(7))
		var c claims
		for i := range sets {
			sets[i] = partitionSet(1 + rng.Intn(allPartitions))
			c.add(sets[i])
		}
		extra := partitionSet(1 + rng.Intn(allPartitions))
		c.add(extra)
		c.remove(extra)
		if c.total() != len(sets) {
			t.Fatalf("%v: %d µops", sets, c.total())
		}
		for queues := range partitionSet(partitionSets) {
			most := matched(sets, queues)
			if got, want := c.fit(queues), most == len(sets); got != want {
				t.Errorf("µops of %v fit in %04b: %v, want %v", sets, queues, got, want)
			}
			if got, want := c.fill(queues), most == queues.Size(); got != want {
				t.Errorf("µops of %v fill %04b: %v, want %v", sets, queues, got, want)
			} else if want {
				yes++
			}
			all++
		}
	}
	if yes < all/10 || yes > all*9/10 {
		t.Errorf("%d of %d sets of queues are filled", yes, all)
	}
}

// matched is how many µops at most get queues, one each.
func matched(sets []partitionSet, queues partitionSet) int {
	if len(sets) == 0 || queues == 0 {
		return 0
	}
	most := matched(sets[1:], queues)
	for s := sets[0] & queues; s != 0; s &= s - 1 {
		most = max(most, 1+matched(sets[1:], queues&^(s&-s)))
	}
	return most
}
