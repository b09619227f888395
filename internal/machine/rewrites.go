package machine

import "math/bits"

// Rewrites follows stores out of the store queue on a core that reads the rest of a word of four bytes before it writes a part of it
// (StoreCommit.Partial): if a store that left within the last cycles wrote to that word, the later one waits. Stores that leave together count as one, and
// each takes a cycle, as if no store waited for anything else.
type Rewrites struct {
	rule *StoreCommit
	now  int     // cycles so far
	last wrote   // by the stores that leave now
	old  []wrote // by those that left within the last cycles
	some bool    // there are stores that leave now

	// Least counts the fewest cycles that a store can wait, for lower bounds: those by which it would have to leave later so that the earlier one is long enough
	// ago. Where other limits delay it by as many, it does not wait.
	Least bool
}

// wrote is what stores that left together wrote.
type wrote struct {
	block uint64
	bytes uint64 // bit i: byte i of the block
	at    int
}

// NewRewrites returns the state before the first store.
func NewRewrites(rule *StoreCommit) Rewrites { return Rewrites{rule: rule} }

// Add adds a store of some bytes of an aligned block of memory; bit i of bytes is byte i of the block. together says that it leaves with the one before it.
// Add returns how many cycles that one waited, if it is the last of those that leave together.
func (r *Rewrites) Add(block, bytes uint64, together bool) (waited int) {
	if r.rule.Partial == 0 {
		return 0
	}
	if !together && r.some {
		waited = r.leave()
	}
	if !together || !r.some {
		r.last, r.some = wrote{block: block}, true
	}
	r.last.bytes |= bytes
	return waited
}

// leave makes the stores that leave now those of the past, and returns how many cycles they have waited.
func (r *Rewrites) leave() (waits int) {
	r.now++
	parts := partial(r.last.bytes)
	for i := range r.old {
		o := &r.old[i]
		if o.block == r.last.block && r.now-o.at < r.rule.Within && words(o.bytes)&parts != 0 {
			waits = r.rule.Partial
			if r.Least {
				waits = min(waits, r.rule.Within-(r.now-o.at))
			}
		}
	}
	r.now += waits
	r.last.at = r.now
	first := 0
	for first < len(r.old) && r.now-r.old[first].at >= r.rule.Within {
		first++
	}
	r.old = append(append(r.old[:0], r.old[first:]...), r.last)
	return waits
}

const wordBits = 0x1111111111111111 // the first byte of each word

// words has all bytes of the words of which some are in bytes.
func words(bytes uint64) uint64 {
	some := (bytes | bytes>>1 | bytes>>2 | bytes>>3) & wordBits
	return some * 15
}

// partial has all bytes of the words of which some are in bytes, but not all.
func partial(bytes uint64) uint64 {
	all := bytes & (bytes >> 1) & (bytes >> 2) & (bytes >> 3) & wordBits
	return words(bytes) &^ (all * 15)
}

// Partly reports whether bytes, of which bit i is byte i of a block, are only a part of some aligned word of four of them.
func Partly(bytes uint64) bool { return partial(bytes) != 0 }

// Span has the bytes of an aligned block of memory that an access to some bytes from an offset in it covers; those behind its end do not count.
func Span(offset, bytes, block int) uint64 {
	n := min(bytes, block-offset)
	if n >= bits.UintSize {
		return ^uint64(0)
	}
	return (1<<n - 1) << offset
}
