// Package cachesim models the data caches of a core: set-associative levels that replace the least recently used line and allocate lines on writes as
// on reads. It has no prefetcher: only the program's own accesses move lines.
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
	Spill bool   `json:"victim,omitempty"` // holds only lines that the level before it evicts (a victim cache)
}

// Default line size and ways.
const (
	DefaultLine = 64
	DefaultWays = 8
)

// MaxLevels is the largest number of caches in a hierarchy.
const MaxLevels = 4

// Hierarchy is the state of the caches, nearest first.
type Hierarchy struct {
	Levels   []Level
	shift    uint
	caches   []cache
	replaced []uint8               // by set of the first level: 0 if it is followed, else (Replace) 1 and how many changed lines it had when that ended and has still
	known    lines                 // lines accessed so far
	Filled   [MaxLevels + 1]uint64 // lines that each level, and main memory as the last, supplied to the levels before it
	Written  [MaxLevels + 1]uint64 // changed lines that each level received from the level before it
}

// Served counts the accesses by the level, or main memory, that supplied their data.
type Served struct {
	Bytes [MaxLevels + 1]uint64 // bytes of the accesses
	Lines [MaxLevels + 1]uint64 // whole lines brought from the level; for the first level: accesses
}

// New makes empty caches. Levels without ways or line size get usual ones; all lines are of one size.
func New(levels []Level) (*Hierarchy, error) {
	if len(levels) == 0 || len(levels) > MaxLevels {
		return nil, fmt.Errorf("%d levels of cache: 1 to %d are needed", len(levels), MaxLevels)
	}
	h := &Hierarchy{Levels: append([]Level(nil), levels...)}
	held := 0 // lines
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
		if l.Ways > mostWays {
			return nil, fmt.Errorf("cache %s has %d ways: at most %d are modelled", l.Name, l.Ways, mostWays)
		}
		if held += l.Size / l.Line; held > mostLines {
			return nil, fmt.Errorf("caches of %d lines and more: at most %d are modelled", held, mostLines)
		}
		h.caches = append(h.caches, newCache(l.Size/l.Line/l.Ways, l.Ways))
	}
	h.known = newLines(held)
	h.replaced = make([]uint8, h.caches[0].sets)
	h.shift = uint(bits.TrailingZeros(uint(h.Levels[0].Line)))
	return h, nil
}

// Access makes an access and adds its bytes and lines to the level that supplied them; index len(Levels) is main memory.
func (h *Hierarchy) Access(addr, bytes uint64, store bool, served *Served) {
	first, last := addr>>h.shift, (addr+bytes-1)>>h.shift
	for line := first; line <= last; line++ {
		lo, hi := max(addr, line<<h.shift), min(addr+bytes, (line+1)<<h.shift)
		at := h.Line(line, store)
		served.Bytes[at] += hi - lo
		served.Lines[at]++
	}
}

// LineOf returns the number of the line of an address.
func (h *Hierarchy) LineOf(addr uint64) uint64 { return addr >> h.shift }

// LineBytes returns the size of a line in bytes.
func (h *Hierarchy) LineBytes() uint64 { return 1 << h.shift }

// Line accesses a line, by number. It returns the level that had it; len(Levels) is main memory.
func (h *Hierarchy) Line(line uint64, store bool) int {
	id := h.known.id(line)
	if way := h.known.where[id][0]; way != 0 {
		c := &h.caches[0]
		if at := c.use(c.set(line), int(way)-1); store {
			c.tags[at] |= 1
		}
		return 0
	}
	return h.miss(line, id, store)
}

// Recent reports whether an access lies in the last used line of its set in the first level, the most common case, and then performs it. If it
// returns false, nothing has changed.
func (h *Hierarchy) Recent(addr, bytes uint64, store bool) bool {
	line := addr >> h.shift
	if addr&(1<<h.shift-1)+bytes > 1<<h.shift {
		return false
	}
	c := &h.caches[0]
	set := c.set(line)
	way := int(h.known.where[h.known.id(line)][0]) - 1
	if way < 0 || !c.isLast(set, way) {
		return false
	}
	if store {
		c.tags[set*c.ways+way] |= 1
	}
	return true
}

// Used is a line of the first level.
type Used struct {
	Line    uint64
	Changed bool
}

// Use sets the contents of a set of the first level, as another model tracks them: the last used lines, latest first. The set contains all of them,
// or Replace has been called for those that it does not contain; then these are all of its lines.
func (h *Hierarchy) Use(lines []Used) {
	if len(lines) == 0 {
		return
	}
	c := &h.caches[0]
	if set := c.set(lines[0].Line); len(lines) == c.ways && h.replaced[set] > 0 {
		h.replaced[set] = 0
		h.refill(set, lines)
		return
	}
	for i := range lines {
		l := &lines[len(lines)-1-i]
		h.Line(l.Line, l.Changed)
	}
}

// refill sets the lines of a set of the first level, last used first.
func (h *Hierarchy) refill(set int, lines []Used) {
	c := &h.caches[0]
	tags := c.tags[set*c.ways : (set+1)*c.ways]
	for i := range lines {
		if h.leave(tags, h.known.id(lines[i].Line)) {
			lines[i].Changed = true
		}
	}
	for way, t := range tags {
		if t != none {
			h.known.where[t>>1][0] = 0
			tags[way] = none
		}
	}
	for way, l := range lines {
		id := h.known.id(l.Line)
		h.known.where[id][0], tags[way] = uint8(way+1), id<<1
		if l.Changed {
			tags[way] |= 1
		}
	}
	c.orders[set] = inTurn
}

// leave removes a line from the ways of a set, if present, and reports whether it was changed.
func (h *Hierarchy) leave(tags []uint32, id uint32) bool {
	way := h.known.where[id][0]
	if way == 0 {
		return false
	}
	h.known.where[id][0] = 0
	t := &tags[way-1]
	changed := *t&1 != 0
	*t = none
	return changed
}

// Replace accesses a line that the first level does not have, and replaces another line of a full set, which another model tracks: this hierarchy
// does not track the set until Use gives all its lines. changed says whether the replaced line was changed since the hierarchy last tracked the set.
// Replace returns the level that had the line. The second level must not be a victim cache, and sets of the first must have at most 16 ways.
func (h *Hierarchy) Replace(line, old uint64, changed bool) int {
	c := &h.caches[0]
	set := c.set(line)
	tags, left := c.tags[set*c.ways:(set+1)*c.ways], &h.replaced[set]
	if *left == 0 {
		*left = 1
		for _, t := range tags {
			if t != none {
				*left += uint8(t & 1)
			}
		}
	}
	if *left > 1 && h.leave(tags, h.known.id(old)) {
		*left--
		changed = true
	}
	at, _ := h.fetch(line, h.known.id(line))
	if changed {
		h.Written[1]++
		if len(h.caches) > 1 {
			h.put(1, h.known.id(old), 1)
		}
	}
	return at
}

// miss accesses a line that the first level does not have. It returns the level that had it, as Line does.
func (h *Hierarchy) miss(line uint64, id uint32, store bool) int {
	at, dirty := h.fetch(line, id)
	if store {
		dirty = 1
	}
	h.insert(0, line, id, dirty)
	return at
}

// fetch finds a line in the levels after the first, and places it in the levels in between. It returns the level that had it, and whether the line is
// changed when it reaches the first level.
func (h *Hierarchy) fetch(line uint64, id uint32) (at int, dirty uint32) {
	at = 1
	for ; at < len(h.caches); at++ {
		way := h.known.where[id][at&(MaxLevels-1)]
		if way == 0 {
			continue
		}
		c := &h.caches[at]
		if h.Levels[at].Spill { // it moves up
			h.known.where[id][at&(MaxLevels-1)] = 0
			dirty = c.remove(c.set(line), int(way)-1) & 1
		} else {
			c.use(c.set(line), int(way)-1)
		}
		break
	}
	h.Filled[at]++
	for i := at - 1; i > 0; i-- {
		if !h.Levels[i].Spill {
			h.insert(i, line, id, dirty)
			dirty = 0
		}
	}
	return at, dirty
}

// insert places a line in a cache that does not have it, as the last used one. The line that it evicts goes to the next level if that is a victim
// cache, or if the line was changed.
func (h *Hierarchy) insert(level int, line uint64, id, dirty uint32) {
	c := &h.caches[level]
	way, old := c.replace(c.set(line), id<<1|dirty)
	h.known.where[id][level&(MaxLevels-1)] = uint8(way + 1)
	if old == none {
		return
	}
	h.known.where[old>>1][level&(MaxLevels-1)] = 0
	next := level + 1
	if old&1 != 0 {
		h.Written[next]++
	} else if next >= len(h.caches) || !h.Levels[next].Spill {
		return
	}
	if next < len(h.caches) {
		h.put(next, old>>1, old&1)
	}
}

// put places a line that the level before evicts.
func (h *Hierarchy) put(level int, id, dirty uint32) {
	line := h.known.pages[id/pageLines]*pageLines + uint64(id%pageLines)
	way := h.known.where[id][level&(MaxLevels-1)]
	if way == 0 {
		h.insert(level, line, id, dirty)
		return
	}
	c := &h.caches[level] // present already: a changed line returns
	c.tags[c.use(c.set(line), int(way)-1)] |= dirty
}
