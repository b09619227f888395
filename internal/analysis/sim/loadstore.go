package sim

// This file is the load/store unit: the queues of loads and stores, how stores leave, and the predictor of loads that depend on older stores. What is
// forwarded from a store to a load is a dependence between µops like any other (lower_memory.go).

// loadStore is the state of the load/store unit.
type loadStore struct {
	*window
	loads, stores int              // entries of the load queue and of the store queue that are taken
	entries       loadEntries      // of the scheduler
	drained       cycle            // when the last store that has retired leaves the store queue (StoreCommit.InTurn)
	known         seqNo            // no store address before this µop is unknown (mustWait)
	predictor     []predictorEntry // by class of loads
	learnt        bool             // some entry has changed
}

// predictorEntry is an entry of the memory-dependence predictor.
type predictorEntry struct {
	waits bool  // its loads wait for the addresses of all older stores
	vain  int32 // how many in a row did so in vain
}

// addressDelay is how many cycles after a store's address µop has issued a load may issue that waited for it: as long as a µop of one
// cycle takes, and the look-up of the store's address.
const addressDelay = 2

func (m *loadStore) reset(w *window, classes int) {
	predictor := m.predictor[:0]
	for range classes {
		predictor = append(predictor, predictorEntry{})
	}
	*m = loadStore{window: w, predictor: predictor}
	m.entries.reset(&w.core.LoadEntries)
}

// full says which queue has no entry for an address µop, none if it finds one.
func (m *loadStore) full(u *op) Reason {
	switch {
	case u.kind == kindStoreAddr:
		if m.stores >= m.core.StoreQueue && m.core.StoreQueue > 0 {
			return StoreQueueFull
		}
	case m.loads >= m.core.LoadQueue && m.core.LoadQueue > 0:
		return LoadQueueFull
	case m.entries.full():
		return SchedulerFull
	}
	return none
}

// allocate gives an address µop its entry.
func (m *loadStore) allocate(u *op) {
	if u.kind == kindStoreAddr {
		m.stores++
		return
	}
	m.loads++
	m.entries.enter()
}

// issued notes that a load has issued, which may have waited for older stores.
func (m *loadStore) issued(u *uop) {
	m.entries.leave()
	if m.predicted(u) {
		m.trust(u)
	}
}

// commit frees the entry of a µop that retires, which is an address µop or a store's last one. It returns when it is gone: a store may stay in the store queue until those before it have left.
func (m *loadStore) commit(u *op) cycle {
	switch u.kind {
	case kindLoad:
		m.loads--
	case kindStoreAddr:
		m.stores--
	}
	if u.leaves && m.core.StoreCommit.InTurn {
		m.drained = max(m.now, m.drained+1)
		return m.drained
	}
	return m.now
}

// learn is called when a store's address becomes known, for each loaded value y that comes from the store. If the
// load has issued, it read something old: the core starts again from it, and predicts from now on that this load, and all
// that share its entry, depend on older stores. If it would have issued but for such a prediction, that was right.
func (m *loadStore) learn(y *instance) {
	v := &m.body[y.uop]
	if v.kind != kindValue {
		return
	}
	l := m.at(y.seq - v.load)
	if l == nil {
		return
	}
	switch c := m.body[l.uop].class; {
	case c < 0:
	case l.issued != notYet && l.issued < m.now && !m.predictor[c].waits:
		m.predictor[c], m.learnt = predictorEntry{waits: true}, true
	case l.issued == notYet && l.pending == 0 && l.ready < m.now:
		m.predictor[c].vain = 0
	}
}

// trust counts a load that has waited for older stores. What learn finds out before the load issues it has already noted.
func (m *loadStore) trust(u *uop) {
	if e := &m.predictor[u.class]; m.core.Disambiguation.Trust > 0 {
		if e.vain++; int(e.vain) >= m.core.Disambiguation.Trust {
			*e = predictorEntry{}
		}
	}
}

// predicted reports whether a µop is a load that is predicted to depend on older stores.
func (m *loadStore) predicted(u *uop) bool {
	return u.kind == kindLoad && u.class >= 0 && m.predictor[u.class].waits
}

// mustWait reports whether a load that is predicted so has to wait for the address of a store.
func (m *loadStore) mustWait(load seqNo) bool {
	for m.known = max(m.known, m.head); m.known < load; m.known++ {
		x := &m.ring[m.known&m.mask]
		if m.body[x.uop].kind != kindStoreAddr {
			continue
		}
		if x.issued == notYet || x.issued+addressDelay > m.now {
			return true
		}
	}
	return false
}
