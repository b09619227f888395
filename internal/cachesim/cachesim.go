// Package cachesim is a model of the data caches of a core: set-associative levels that replace the line that was used least recently, and that allocate
// lines on writes as on reads. It knows no prefetch: a line is where the program's own accesses have brought it.
package cachesim

import (
	"fmt"
	"math/bits"
)

// Level is a cache.
type Level struct {
	Name  string `json:"name"`
	Size  int    `json:"size"` // bytes
	Ways  int    `json:"ways"`
	Line  int    `json:"line"`             // bytes
	Spill bool   `json:"victim,omitempty"` // holds what the level before it evicts, and nothing else (a victim cache)
}

// Line sizes and ways where they are not known.
const (
	DefaultLine = 64
	DefaultWays = 8
)

// MaxLevels is how many caches a hierarchy may have.
const MaxLevels = 4

// Hierarchy is the state of caches, the nearest first.
type Hierarchy struct {
	Levels  []Level
	shift   uint
	caches  []cache
	Filled  [MaxLevels + 1]uint64 // lines that each level, and main memory as the last, gave to the ones before it
	Written [MaxLevels + 1]uint64 // changed lines that each level was given by the one before it
}

// cache is one level. A way holds a line's number times two, plus one if it was changed; empty ways hold none.
type cache struct {
	ways []uint64 // set by set, the last used first
	n    int      // ways of a set
	sets uint64
	mask uint64 // sets − 1 if that is a power of two, else 0
}

const none = ^uint64(0)

// Served is what each level, and main memory behind them, gave to accesses.
type Served struct {
	Bytes [MaxLevels + 1]uint64 // that the accesses load or store
	Lines [MaxLevels + 1]uint64 // whole lines that were brought from the level for them; of the first level: accesses
}

// New makes empty caches. Levels without ways or line size get usual ones; all lines are of one size.
func New(levels []Level) (*Hierarchy, error) {
	if len(levels) == 0 || len(levels) > MaxLevels {
		return nil, fmt.Errorf("%d levels of cache: 1 to %d are needed", len(levels), MaxLevels)
	}
	h := &Hierarchy{Levels: append([]Level(nil), levels...)}
	for i := range h.Levels {
		l := &h.Levels[i]
		if l.Line == 0 {
			l.Line = DefaultLine
		}
		if l.Ways == 0 {
			l.Ways = DefaultWays
		}
		switch {
		case l.Line != h.Levels[0].Line:
			return nil, fmt.Errorf("lines of %s have %d bytes, those of %s %d: one size is needed", l.Name, l.Line, h.Levels[0].Name, h.Levels[0].Line)
		case l.Line < 8 || l.Line&(l.Line-1) != 0:
			return nil, fmt.Errorf("lines of %s have %d bytes: a power of two from 8 on is needed", l.Name, l.Line)
		case l.Ways < 1 || l.Size < l.Line*l.Ways:
			return nil, fmt.Errorf("cache %s of %d bytes is too small for %d ways", l.Name, l.Size, l.Ways)
		case l.Spill && i == 0:
			return nil, fmt.Errorf("the first cache, %s, cannot be a victim cache", l.Name)
		}
		sets := l.Size / l.Line / l.Ways
		c := cache{ways: make([]uint64, sets*l.Ways), n: l.Ways, sets: uint64(sets)}
		if sets&(sets-1) == 0 {
			c.mask = uint64(sets - 1)
		}
		for k := range c.ways {
			c.ways[k] = none
		}
		h.caches = append(h.caches, c)
	}
	h.shift = uint(bits.TrailingZeros(uint(h.Levels[0].Line)))
	return h, nil
}

// Access makes an access and adds, to the level that served them, its bytes and lines: at len(Levels) those from main memory.
func (h *Hierarchy) Access(addr, bytes uint64, store bool, served *Served) {
	first, last := addr>>h.shift, (addr+bytes-1)>>h.shift
	for line := first; line <= last; line++ {
		lo, hi := max(addr, line<<h.shift), min(addr+bytes, (line+1)<<h.shift)
		at := h.Line(line, store)
		served.Bytes[at] += hi - lo
		served.Lines[at]++
	}
}

// LineOf is the number of the line that holds an address.
func (h *Hierarchy) LineOf(addr uint64) uint64 { return addr >> h.shift }

// Line accesses a line, by number. It returns which level had it; len(Levels) is main memory.
func (h *Hierarchy) Line(line uint64, store bool) int {
	c := &h.caches[0]
	set := c.set(line)
	if set[0]>>1 == line {
		if store {
			set[0] |= 1
		}
		return 0
	}
	return h.search(line, store)
}

// Recent reports whether an access lies in a line that is the last used of its set in the first level, and makes it if so: the commonest case, without a
// search. Where it reports false, nothing was done.
func (h *Hierarchy) Recent(addr, bytes uint64, store bool) bool {
	line := addr >> h.shift
	c := &h.caches[0]
	w := &c.ways[(line&c.mask)*uint64(c.n)]
	if *w>>1 != line || addr&(1<<h.shift-1)+bytes > 1<<h.shift {
		return false
	}
	if store {
		*w |= 1
	}
	return true
}

// Hit makes an access to a line that the first level has, and reports whether it does; else, and where it reaches a second line, nothing is done.
func (h *Hierarchy) Hit(addr, bytes uint64, store bool) bool {
	c := &h.caches[0]
	line := addr >> h.shift
	if (addr+bytes-1)>>h.shift != line {
		return false
	}
	set := c.set(line)
	i := find(set, line)
	if i < 0 {
		return false
	}
	front(set, i)
	if store {
		set[0] |= 1
	}
	return true
}

// search looks for a line that is not the last used of its set.
func (h *Hierarchy) search(line uint64, store bool) int {
	if i := find(h.caches[0].set(line), line); i >= 0 {
		set := h.caches[0].set(line)
		front(set, i)
		if store {
			set[0] |= 1
		}
		return 0
	}
	return h.Miss(line, store)
}

// Miss accesses a line that the first level does not have (see Hit). It returns which level had it, as Line.
func (h *Hierarchy) Miss(line uint64, store bool) int {
	at, dirty := 1, uint64(0)
	for ; at < len(h.caches); at++ {
		c := &h.caches[at]
		set := c.set(line)
		i := find(set, line)
		if i < 0 {
			continue
		}
		if h.Levels[at].Spill { // it moves up
			dirty = set[i] & 1
			copy(set[i:], set[i+1:])
			set[len(set)-1] = none
			break
		}
		front(set, i)
		break
	}
	h.Filled[at]++
	for i := at - 1; i > 0; i-- {
		if h.Levels[i].Spill {
			continue
		}
		h.put(i, line<<1|dirty)
		dirty = 0
	}
	w := line<<1 | dirty
	if store {
		w |= 1
	}
	h.insert(0, h.caches[0].set(line), w)
	return at
}

// front makes entry i of a set the last used. Sets are short, so that a loop is faster than a call.
func front(set []uint64, i int) {
	w := set[i]
	for ; i > 0; i-- {
		set[i] = set[i-1]
	}
	set[0] = w
}

func find(set []uint64, line uint64) int {
	for i, w := range set {
		if w>>1 == line {
			return i
		}
	}
	return -1
}

// put places a line into a cache as the last used. What that evicts goes to the next if that holds what is evicted, or if it was changed.
func (h *Hierarchy) put(level int, w uint64) {
	set := h.caches[level].set(w >> 1)
	if i := find(set, w>>1); i >= 0 { // there already: a changed line comes back
		set[i] |= w & 1
		front(set, i)
		return
	}
	h.insert(level, set, w)
}

// insert places a line into a set that does not have it.
func (h *Hierarchy) insert(level int, set []uint64, w uint64) {
	old := w
	for i, x := range set {
		set[i], old = old, x
	}
	if old == none {
		return
	}
	next := level + 1
	if old&1 != 0 {
		h.Written[next]++
	}
	if next < len(h.caches) && (old&1 != 0 || h.Levels[next].Spill) {
		h.put(next, old)
	}
}

func (c *cache) set(line uint64) []uint64 {
	s := line & c.mask
	if c.mask == 0 {
		s = line % c.sets
	}
	at := int(s) * c.n
	return c.ways[at : at+c.n : at+c.n]
}
