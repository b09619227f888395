package suite

import (
	"incore/internal/bench/host"
)

// lineBytes is the size of a cache line, waysL1 the associativity of today's L1 data caches.
const (
	lineBytes = 64
	waysL1    = 8
)

// mostMisses is the share of accesses that may miss the L1 data cache (CesASMe, section 2.4).
const mostMisses = 0.15

// cache is a set-associative cache with LRU replacement.
type cache struct {
	sets [][]int64 // lines of each set, the most recently used first
}

func newCache(bytes, ways int) *cache {
	return &cache{sets: make([][]int64, max(1, bytes/ways/lineBytes))}
}

// access reports whether a line is in the cache, and loads it.
func (c *cache) access(line int64) bool {
	n := int64(len(c.sets))
	set := c.sets[line%n]
	at := len(set)
	for i, l := range set {
		if l == line {
			at = i
			break
		}
	}
	hit := at < len(set)
	switch {
	case hit:
	case len(set) < waysL1:
		set = append(set, line)
	default:
		at--
	}
	copy(set[1:at+1], set[:at])
	set[0] = line
	c.sets[line%n] = set
	return hit
}

// misses returns the number of accesses of a run, and the share that misses the L1 data cache after an earlier run has warmed it.
func misses(r *run) (accesses uint64, share float64) {
	t := r.trace
	c := newCache(host.DataCache(), waysL1)
	missed := uint64(0)
	pass := func() {
		accesses, missed = 0, 0
		t.Walk(func(block int, addresses []int64) {
			list := t.Image.Blocks[block].Accesses
			for i, a := range addresses {
				bytes := int64(1)
				if i < len(list) {
					bytes = int64(max(1, list[i].Bytes))
				}
				accesses++
				hit := true
				for l := a / lineBytes; l <= (a+bytes-1)/lineBytes; l++ {
					hit = c.access(l) && hit
				}
				if !hit {
					missed++
				}
			}
		})
	}
	if r.benchmark.Program == nil {
		pass() // warms the cache
	}
	pass()
	if accesses == 0 {
		return 0, 0
	}
	return accesses, float64(missed) / float64(accesses)
}
