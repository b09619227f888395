package sim

// This file is what the order of memory accesses costs: loads that a store blocks, and loads that wait for the addresses of
// older stores because the core has learnt that they may depend on one.

// blockedBy makes a loaded value wait until a store has retired and lat cycles more: the store's data can't be passed
// on, so that the load reads the cache once the store has written it.
func (l *lowering) blockedBy(value, store, delta, lat int32) {
	l.body[value].after = append(l.body[value].after, dep{uop: store, delta: delta, lat: lat})
}

// unblock tells the µops that wait for u, which retires in this cycle.
func (e *engine) unblock(u *uop) {
	iter := e.ring[e.head&e.mask].iter
	for k := range u.frees {
		s := &u.frees[k]
		seq := (iter+int64(s.delta))*e.n + int64(s.uop)
		i := int32(seq & e.mask)
		y := &e.ring[i]
		if y.seq != seq || seq >= e.tail {
			continue
		}
		y.ready = max(y.ready, e.cycle+int64(s.lat))
		if y.pending--; y.pending == 0 {
			e.release(i)
		}
	}
}

// learn is called when a store's address becomes known, for each loaded value y that comes from the store. If the
// load has issued, it read something old: the core starts again from it, and predicts from now on that this load, and all
// that its predictor can't tell from it, depend on older stores.
func (e *engine) learn(y *instance) {
	v := &e.body[y.uop]
	if v.kind != kindValue {
		return
	}
	if c := e.body[v.load].class; c >= 0 {
		if l := e.at(v.load, y.iter); l != nil && l.issued != notYet {
			e.ordered[c] = true
		}
	}
}

// addressDelay is how many cycles after a store's address µop has issued a load may issue that waited for it: as long as a µop of one
// cycle takes, and the look-up of the store's address.
const addressDelay = 2

// mustWait reports whether a load has to wait for the address of an older store.
func (e *engine) mustWait(u *uop, seq int64) bool {
	if u.class < 0 || !e.ordered[u.class] {
		return false
	}
	for e.stores = max(e.stores, e.head); e.stores < seq; e.stores++ {
		x := &e.ring[e.stores&e.mask]
		if e.body[x.uop].kind != kindStoreAddr {
			continue
		}
		if x.issued == notYet || x.issued+addressDelay > e.cycle {
			return true
		}
	}
	return false
}

// classes numbers the loads by the entry of the predictor of dependences on older stores that each has: the last bits of its
// address. Copies of unrolled code go through all multiples of the greatest power of two that divides its length. It
// returns how many there are.
func (l *lowering) classes(unrolled bool) int32 {
	entries := l.core.Disambiguation
	if entries == 0 {
		return 0
	}
	step, total, known := entries, 0, true
	insts := l.g.Bound.Insts
	for i := range insts {
		size := int(insts[i].Line.Inst.Size)
		total, known = total+size, known && size > 0
	}
	if unrolled && known {
		for step = 1; step < entries && total%(2*step) == 0; step *= 2 {
		}
	}
	class := make([]int32, step)
	n, at := int32(0), 0
	for i := range insts {
		if u := l.insts[i].load; u != absent {
			k := at % step
			if !known {
				k = -1
			}
			switch {
			case k >= 0 && class[k] == 0:
				n++
				class[k] = n
				fallthrough
			case k >= 0:
				l.body[u].class = class[k] - 1
			default:
				l.body[u].class = n
				n++
			}
		}
		at += int(insts[i].Line.Inst.Size)
	}
	return n
}
