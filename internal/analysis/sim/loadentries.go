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

// expire frees entries when a cycle's dispatch begins.
func (l *loadEntries) expire() {
	if l.room > 0 {
		l.taken -= int(l.leaving.pass())
	}
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
