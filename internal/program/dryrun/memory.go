package dryrun

// word is eight bytes of memory.
type word struct {
	data  uint64
	known uint8  // mask of known bytes
	from  origin // of the whole word
}

// memory holds the values stored at known addresses. Everything else is unknown.
type memory struct {
	words map[uint64]word
	far   int     // upper bound of the number of words written outside the stack
	log   []write // stores since the log was last cut
}

// write is a store with the old contents.
type write struct {
	addr  uint64
	n     int
	value uint64
	from  origin
	known bool
	old   [2]word
	is    [2]bool // old is known
}

func mask(n int) uint64 { return ^uint64(0) >> (64 - 8*uint(n)) }

// load reads up to eight bytes.
func (m *memory) load(addr uint64, n int) (v uint64, from origin, ok bool) {
	for i := 0; i < n; {
		key, at := (addr+uint64(i))>>3, int(addr+uint64(i))&7
		count := min(8-at, n-i)
		w, there := m.words[key]
		need := uint8(1<<count-1) << at
		if !there || w.known&need != need || w.from != 0 && n != 8 {
			return 0, 0, false
		}
		from = w.from
		v |= w.data >> (8 * at) & mask(count) << (8 * i)
		i += count
	}
	return v, from, true
}

// store writes up to eight bytes.
func (m *memory) store(addr uint64, n int, v uint64, from origin, known bool) {
	r := write{addr: addr, n: n, value: v, from: from, known: known}
	if from != 0 && (n != 8 || addr&7 != 0) { // parts of an unknown are unknown
		known, from = false, 0
	}
	for i, k := 0, 0; i < n; k++ {
		key, at := (addr+uint64(i))>>3, int(addr+uint64(i))&7
		count := min(8-at, n-i)
		w, there := m.words[key]
		r.old[k], r.is[k] = w, there
		bytes := uint8(1<<count-1) << at
		if w.from != 0 && bytes != 0xff {
			w.known = 0
		}
		w.from = from
		w.data = w.data&^(mask(count)<<(8*at)) | v>>(8*i)&mask(count)<<(8*at)
		if w.known |= bytes; !known {
			w.known &^= bytes
		}
		if !there && !near(key) {
			m.far++
		}
		m.words[key] = w
		i += count
	}
	m.log = append(m.log, r)
}

// undo reverts the stores after a position in the log.
func (m *memory) undo(to int) {
	for i := len(m.log) - 1; i >= to; i-- {
		r := &m.log[i]
		for k := range r.old {
			key := r.addr>>3 + uint64(k)
			if k == 1 && r.addr>>3 == (r.addr+uint64(r.n)-1)>>3 {
				break
			}
			if r.is[k] {
				m.words[key] = r.old[k]
			} else {
				delete(m.words, key)
			}
		}
	}
	m.log = m.log[:to]
}

// near reports whether a word is on the stack, which only the present code writes.
func near(key uint64) bool { return key<<3 > stack-1<<28 && key<<3 < stack+1<<20 }

// forgetFar forgets everything except the stack, after a store to an unknown address.
func (m *memory) forgetFar() {
	if m.far == 0 {
		return
	}
	for k := range m.words {
		if !near(k) {
			delete(m.words, k)
		}
	}
	m.far = 0
}

// forget makes a range of memory unknown.
func (m *memory) forget(lo, hi uint64) {
	if len(m.words) == 0 {
		return
	}
	if hi-lo > uint64(8*len(m.words)) {
		for k := range m.words {
			if k >= lo>>3 && k <= (hi-1)>>3 {
				m.store(k<<3, 8, 0, 0, false)
			}
		}
		return
	}
	for k := lo >> 3; k <= (hi-1)>>3; k++ {
		if w, ok := m.words[k]; ok && w.known != 0 {
			m.store(k<<3, 8, 0, 0, false)
		}
	}
}
