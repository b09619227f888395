package trace

import (
	"math/rand/v2"
	"testing"
)

// TestStores holds the table of stores to a map of bytes.
func TestStores(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var s stores
	last := map[uint64]uint32{}
	for n := range 30000 {
		addr, bytes := 0x7000+uint64(r.IntN(3000)), uint64(1)<<r.IntN(7)
		if r.IntN(2) == 0 {
			s.put(store{visit: int64(n), addr: addr, bytes: bytes})
			for b := addr; b < addr+bytes; b++ {
				last[b] = s.n
			}
			continue
		}
		newest, missing, other := uint32(0), false, false
		for b := addr; b < addr+bytes; b++ {
			x := last[b]
			if s.old(x) {
				missing = true
				continue
			}
			if newest != 0 && x != newest {
				other = true
			}
			newest = max(newest, x)
		}
		from, short, several := s.get(addr, bytes)
		if (from == nil) != (newest == 0) || from != nil && (from != &s.list[newest%storesKept] || short != (missing || other) || several != other) {
			t.Fatalf("load %d of %d bytes at %#x: %+v short %v several %v, want store %d missing %v other %v", n, bytes, addr, from, short, several, newest, missing, other)
		}
	}
}
