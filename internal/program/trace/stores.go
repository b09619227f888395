package trace

// This file finds the store that a load reads from, byte by byte. Only recent stores matter: older ones have left the core when the load is dispatched. Each
// granule of eight bytes with a recent store has an entry in a table with the number of the last store to each byte.

const (
	granuleBits = 3
	granule     = 1 << granuleBits
	tableBits   = 14
	probes      = 16      // positions at which an entry may be
	storesKept  = 1 << 12 // number of stores whose address is kept; more than there are among nearby instructions
)

// store is a store that was executed.
type store struct {
	visit  int64
	inst   int64 // number of the instruction
	addr   uint64
	bytes  uint64
	access int16
}

type entry struct {
	tag  uint64 // granule's number + 1, 0: empty
	last [granule]uint32
}

// stores holds the recent stores.
type stores struct {
	table [1 << tableBits]entry
	list  [storesKept]store
	n     uint32 // number of stores so far; the first is number 1
}

// old reports whether a store is so old that its address is no longer kept.
func (s *stores) old(number uint32) bool { return number == 0 || s.n-number >= storesKept-1 }

// slot returns the position at which the search for a granule's entry starts.
func slot(tag uint64) uint64 { return tag * 0x9e3779b97f4a7c15 >> (64 - tableBits) }

// find returns a granule's entry, nil if there is none.
func (s *stores) find(tag uint64) *entry {
	at := slot(tag)
	for k := range uint64(probes) {
		e := &s.table[(at+k)&(1<<tableBits-1)]
		if e.tag == tag {
			return e
		}
		if e.tag == 0 {
			return nil
		}
	}
	return nil
}

// make returns a granule's entry; if there is none, it makes one, in the place of an old entry if necessary.
func (s *stores) make(tag uint64) *entry {
	at := slot(tag)
	var free *entry
	for k := range uint64(probes) {
		e := &s.table[(at+k)&(1<<tableBits-1)]
		if e.tag == tag {
			return e
		}
		if free == nil && (e.tag == 0 || s.stale(e)) {
			free = e
		}
		if e.tag == 0 {
			break
		}
	}
	if free == nil {
		free = &s.table[at] // the table is full: one entry is dropped
	}
	*free = entry{tag: tag}
	return free
}

// stale reports whether all stores to a granule are old.
func (s *stores) stale(e *entry) bool {
	for _, n := range e.last {
		if !s.old(n) {
			return false
		}
	}
	return true
}

// wide is the longest access in bytes that is followed byte by byte; of longer ones (repeated string instructions) only the beginning is.
const wide = 256

// put records a store.
func (s *stores) put(x store) {
	s.n++
	s.list[s.n%storesKept] = x
	end := x.addr + min(x.bytes, wide)
	for at := x.addr; at < end; {
		e := s.make(at>>granuleBits + 1)
		for stop := min(end, (at|(granule-1))+1); at < stop; at++ {
			e.last[at&(granule-1)] = s.n
		}
	}
}

// get returns the youngest store that a load reads from, nil if there is no recent one; short reports whether the load also needs other bytes, several
// whether another store wrote some of them.
func (s *stores) get(addr, bytes uint64) (from *store, short, several bool) {
	newest, other, missing := uint32(0), false, false
	end := addr + min(bytes, wide)
	for at := addr; at < end; {
		stop := min(end, (at|(granule-1))+1)
		e := s.find(at>>granuleBits + 1)
		if e == nil {
			missing, at = true, stop
			continue
		}
		for ; at < stop; at++ {
			n := e.last[at&(granule-1)]
			switch {
			case s.old(n):
				missing = true
			case newest == 0:
				newest = n
			case n != newest:
				other = true
				if n-newest < 1<<31 {
					newest = n
				}
			}
		}
	}
	if newest == 0 {
		return nil, false, false
	}
	return &s.list[newest%storesKept], missing || other, other
}
