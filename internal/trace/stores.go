package trace

// This file finds which store a load reads from, byte by byte. Only stores of the last instructions matter: what was stored long ago has left the core when the
// load is dispatched. Each granule of eight bytes that was stored to of late has an entry in a table with the number of the last store to each byte.

const (
	granuleBits = 3
	granule     = 1 << granuleBits
	tableBits   = 14
	probes      = 16      // places at which an entry may be
	storesKept  = 1 << 12 // of which it is known where they are; more than there are among nearby instructions
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

// stores are the stores of late.
type stores struct {
	table [1 << tableBits]entry
	list  [storesKept]store
	n     uint32 // stores so far; the first is number 1
}

// old reports whether a store's number is so old that it is not known any more where it was.
func (s *stores) old(number uint32) bool { return number == 0 || s.n-number >= storesKept-1 }

// slot is where a granule's entry begins to be looked for.
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

// make returns a granule's entry, new if need be in the place of one that is old.
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
		free = &s.table[at] // more stores than there is room for: one is forgotten
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

// wide is the longest range of memory that is followed byte by byte; of longer ones, which instructions that repeat access, only the beginning is.
const wide = 256

// put notes a store.
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

// get finds the youngest store that a load reads from, nil if it is none of late; whether the load needs other bytes, too; and whether some of these are
// another store's.
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
