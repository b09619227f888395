package sim

import "slices"

// This file is the commit of stores (machine.StoreCommit): retired stores leave the store queue for the first-level data cache in program order. How
// many cycles each takes after the one before it follows from their addresses (uops.Op.Leave).

// departures holds the stores that have retired and not left the store queue.
type departures struct {
	last   cycle       // when the last one leaves
	partly int         // entries of a store of which not all µops have retired
	list   []departure // in order
	gone   int         // the first ones of these, which have left
}

// departure is the time at which a number of entries become free.
type departure struct {
	at      cycle
	entries int
}

func (d *departures) reset() { *d = departures{list: d.list[:0]} }

// add adds a store that has retired. It returns when it leaves, and the entries that are free at once.
func (d *departures) add(now, takes cycle) (left cycle, free int) {
	d.last = max(now, d.last+takes)
	entries := d.partly
	if d.partly = 0; d.last == now {
		return now, entries
	}
	if len(d.list) == cap(d.list) && d.gone > 0 {
		d.list, d.gone = append(d.list[:0], d.list[d.gone:]...), 0
	}
	d.list = append(d.list, departure{d.last, entries})
	return d.last, 0
}

// pass returns the number of entries that have become free since the last time.
func (d *departures) pass(now cycle) (entries int) {
	for ; d.gone < len(d.list) && d.list[d.gone].at <= now; d.gone++ {
		entries += d.list[d.gone].entries
	}
	return entries
}

// event returns when the next entry becomes free, never if none does.
func (d *departures) event() cycle {
	if d.gone < len(d.list) {
		return d.list[d.gone].at
	}
	return never
}

// copy makes it the same as another one.
func (d *departures) copy(from *departures) {
	*d = departures{from.last, from.partly, append(d.list[:0], from.list[from.gone:]...), 0}
}

// same reports whether stores leave now as they did at another time then.
func (d *departures) same(e *departures, now, then cycle) bool {
	return d.partly == e.partly && alike(e.last, d.last-(now-then), then-1) &&
		slices.EqualFunc(d.list[d.gone:], e.list[e.gone:], func(a, b departure) bool { return a.at-now == b.at-then && a.entries == b.entries })
}
