package sim

import "incore/internal/machine"

// This file limits the scheduler entries that loads take, over all partitions (machine.LoadEntries).

// loadEntries is the state of that limit.
type loadEntries struct {
	room, hold int // room 0: no limit
	taken      int
	leaving    delayed // entries that become free some cycles after issue
}

func (l *loadEntries) reset(c *machine.LoadEntries) { *l = loadEntries{room: c.Entries, hold: c.Hold} }

// advance frees the entries that become free in the next n cycles.
func (l *loadEntries) advance(n cycle) {
	for ; l.room > 0 && n > 0; n-- {
		l.taken -= int(l.leaving.pass())
	}
}

// event returns after how many cycles entries become free.
func (l *loadEntries) event() cycle {
	if l.room == 0 {
		return never
	}
	return l.leaving.event()
}

// full reports whether a load finds no entry.
func (l *loadEntries) full() bool { return l.room > 0 && l.taken >= l.room }

// enter gives a load its entry, leave frees it once the load has issued.
func (l *loadEntries) enter() {
	if l.room > 0 {
		l.taken++
	}
}

func (l *loadEntries) leave() {
	if l.room > 0 {
		l.leaving.add(0, l.hold)
	}
}
