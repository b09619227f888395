package sim

import (
	"slices"

	"incore/internal/analysis/uops"
)

// This file is the load/store unit: the load queue and the store queue, and the predictor of loads that depend on older stores. How stores leave is in departures.go.
// Store-to-load forwarding is an ordinary dependence between µops (memory.go in package uops).

// loadStore is the state of the load/store unit.
type loadStore struct {
	*window
	loads, stores int              // taken entries of the load queue and of the store queue
	entries       loadEntries      // of the scheduler
	leaving       departures       // stores that have retired
	known         seqNo            // all store addresses before this µop are known (mustWait)
	predictor     []predictorEntry // by class of loads
	learnt        bool             // some entry has changed
	then          [marks]memoryState
}

// memoryState is a state of the load/store unit.
type memoryState struct {
	predictor []predictorEntry
	entries   delayed
	leaving   departures
	now       cycle
}

// predictorEntry is an entry of the memory-dependence predictor.
type predictorEntry struct {
	waits bool  // its loads wait for the addresses of all older stores
	vain  int32 // number of unnecessary waits in a row
}

// addressDelay is the number of cycles from the issue of a store's address µop to the earliest issue of a load that waits for it: the latency of a
// one-cycle µop, and the check against the store's address.
const addressDelay = 2

func (m *loadStore) reset(p *pipeline) {
	predictor := m.predictor[:0]
	for range p.classes {
		predictor = append(predictor, predictorEntry{})
	}
	m.leaving.reset()
	*m = loadStore{window: &p.window, predictor: predictor, leaving: m.leaving, then: m.then}
	m.entries.reset(&p.core.LoadEntries)
}

func (m *loadStore) mark(k int) {
	s := &m.then[k]
	s.predictor, s.entries, s.now = append(s.predictor[:0], m.predictor...), m.entries.leaving, m.now
	s.leaving.copy(&m.leaving)
}

func (m *loadStore) recurs(k int) bool {
	s := &m.then[k]
	return slices.Equal(s.predictor, m.predictor) && m.entries.leaving.same(&s.entries) && m.leaving.same(&s.leaving, m.now, s.now)
}

// advance passes n cycles.
func (m *loadStore) advance(n cycle) {
	m.entries.advance(n)
	m.stores -= m.leaving.pass(m.now)
}

// event returns the next cycle in which entries become free.
func (m *loadStore) event() cycle {
	next := m.leaving.event()
	if after := m.entries.event(); after < never {
		next = min(next, m.now+after)
	}
	return next
}

// full returns the queue that has no entry for an address µop, none if there is one.
func (m *loadStore) full(u *op) Reason {
	switch {
	case u.Kind == uops.KindStoreAddr:
		taken := m.stores
		if m.leaving.partly >= m.core.StoreQueue { // an instruction that stores more often than the queue has entries would wait for itself
			taken -= m.leaving.partly
		}
		if taken >= m.core.StoreQueue && m.core.StoreQueue > 0 {
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
	if u.Kind == uops.KindStoreAddr {
		m.stores++
		return
	}
	m.loads++
	m.entries.enter()
}

// issued records the issue of a load, which may have waited for older stores.
func (m *loadStore) issued(u *uop) {
	m.entries.leave()
	if m.predicted(u) {
		m.trust(u)
	}
}

// commit frees the entry of a load that retires. A store's entry becomes free when the store leaves the store queue. commit returns the time from which
// µops that wait for the retirement count.
func (m *loadStore) commit(x *instance, u *uop) cycle {
	switch u.Kind {
	case uops.KindLoad:
		m.loads--
	case uops.KindStoreAddr:
		m.leaving.partly++
	}
	if !u.Leaves {
		return m.now
	}
	takes := cycle(0)
	if u.Leave != [...]uint64{0, 0, 0} {
		takes = u.Leaving(x.seq / m.n)
	}
	left, free := m.leaving.add(m.now, takes)
	m.stores -= free
	if m.core.StoreCommit.InTurn {
		return left
	}
	return m.now
}

// resolved is called when a store's address becomes known.
func (m *loadStore) resolved(store *instance) {
	for _, c := range m.of(store).Uses {
		if y := m.dispatched(c, store); y != nil && m.of(y).Kind == uops.KindValue {
			m.learn(y, m.of(y))
		}
	}
}

// late reports whether a loaded value, µop number at of a ring, comes later than from the cache because the stored data did; false as long as that is
// not known.
func (m *loadStore) late(u *uop, ring []instance, at seqNo) bool {
	cache, data := never, cycle(0)
	for i := range u.Deps {
		d := &u.Deps[i]
		k := at - d.Dist
		if k < 0 {
			k += seqNo(len(ring))
		}
		if k < 0 || ring[k].seq != ring[at].seq-d.Dist { // it has left the ring
			continue
		}
		switch y := &ring[k]; {
		case m.of(y).Kind == uops.KindStoreAddr:
		case y.issued == notYet:
			return false
		case d.Dist == u.Load:
			cache = y.issued + d.Lat
		default:
			data = max(data, y.issued+d.Lat)
		}
	}
	return cache < never && data+cycle(m.core.Forwarding.Again) > cache+1
}

// learn learns from a loaded value y that comes from a store whose address becomes known. If the load has already
// issued, it has read old data: the core restarts at the load, and from now on predicts that this load, and all loads
// with the same entry, depend on older stores. If only such a prediction has delayed the load, the prediction was
// right.
func (m *loadStore) learn(y *instance, v *uop) {
	l := m.at(y.seq - v.Load)
	if l == nil {
		return
	}
	switch c := m.of(l).Class; {
	case c < 0:
	case l.issued != notYet && l.issued < m.now && !m.predictor[c].waits:
		m.predictor[c], m.learnt = predictorEntry{waits: true}, true
	case l.issued == notYet && l.pending == 0 && l.ready < m.now:
		m.predictor[c].vain = 0
	}
}

// trust counts a load that has waited for older stores without need. learn has already reset the count if it finds a dependence before the load
// issues.
func (m *loadStore) trust(u *uop) {
	if e := &m.predictor[u.Class]; m.core.Disambiguation.Trust > 0 {
		if e.vain++; int(e.vain) >= m.core.Disambiguation.Trust {
			*e = predictorEntry{}
		}
	}
}

// predicted reports whether a µop is a load with a predicted dependence on older stores.
func (m *loadStore) predicted(u *uop) bool {
	return u.Kind == uops.KindLoad && u.Class >= 0 && m.predictor[u.Class].waits
}

// waits reports whether a µop is such a load and has to wait for the address of a store.
func (m *loadStore) waits(x *instance, u *uop) bool { return m.predicted(u) && m.mustWait(x.seq) }

// mustWait reports whether such a load has to wait for the address of a store.
func (m *loadStore) mustWait(load seqNo) bool {
	for m.known = max(m.known, m.head); m.known < load; m.known++ {
		x := &m.ring[m.known&m.mask]
		if m.of(x).Kind != uops.KindStoreAddr {
			continue
		}
		if x.issued == notYet || x.issued+addressDelay > m.now {
			return true
		}
	}
	return false
}
