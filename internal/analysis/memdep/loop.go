package memdep

import "incore/internal/isa"

// shorten starts again with a loop that ends after trip iterations, or at the latest after limit; 0 is not known.
func (m *machineState) shorten(trip, limit int) {
	m.whole = trip > 0 && (limit == 0 || trip <= limit)
	if m.iterations, m.last = limit, nil; m.whole {
		m.iterations = trip
	}
	clear(m.found)
}

// vectorLengths are the lengths in bytes, allowed by SVE, that the runs use if the length is not known: dependences that depend on the length appear
// in some runs only.
var vectorLengths = [...]uint64{32, 16, 64, 128, 256}

// length returns the size of a vector register in a run, in bytes.
func (m *machineState) length(run int) uint64 {
	if m.o.VectorBytes > 0 {
		return uint64(m.o.VectorBytes)
	}
	return vectorLengths[run%len(vectorLengths)]
}

// The conditions of Options.Equal: the value of all registers, apart from the offsets of isa.ISA.EqualStart, and the size of the page (Chen et al.,
// IISWC 2019: the profiler's init_value).
const (
	equalValue = 0x2324000
	pageBytes  = 4096
)

// begin executes the entry with the random values of run n.
func (m *machineState) begin(n int) {
	m.seed = mix(m.o.Seed<<8 + uint64(n))
	m.mem.reset(m.seed)
	m.mem.equal = m.o.Word
	if m.o.Equal {
		m.equal, m.mem.equal = equalValue, equalValue
		m.page = append(m.page[:0], make([]uint64, len(m.p.access))...)
		m.storedPage = append(m.storedPage[:0], make([]uint64, m.iterations*len(m.p.access)+1)...)
	}
	m.storedAt = zeroed(m.storedAt, m.iterations*len(m.p.access)+1)
	m.forget()
	m.vl = m.length(n)
	for i := range m.p.access {
		a := &m.p.access[i]
		m.size[i] = a.size
		if a.size == 0 && !a.unknown {
			m.size[i] = a.vector(int(m.vl))
		}
	}
	m.recording, m.unknowns, m.turns = false, 0, m.turns[:0]
	for i := 0; i < len(m.p.entry); i++ {
		if m.p.entry[i].maybe {
			i = m.join(i)
			continue
		}
		m.execute(&m.p.entry[i])
	}
	m.enter()
	m.assume()
	for _, a := range m.shifts {
		if a.loop == 0 {
			v, state := m.get(a.slot)
			m.set(a.slot, v+a.by, state)
		}
	}
	m.recording = true
	m.end, m.limit, m.passed, m.places = 0, 0, nil, nil
	if len(m.o.Alias) > 0 || m.o.Path {
		m.places = make([][]int64, len(m.p.access))
	}
}

// run executes the entry once and the body for all iterations.
func (m *machineState) run(n int) {
	m.begin(n)
	if m.o.May {
		m.last = append(m.last, make([]trace, len(m.p.access))...)
	}
	for k := range m.iterations {
		m.iter = int32(k)
		if m.o.Word != 0 {
			m.passed = append(m.passed, nil)
		}
		for i := range m.p.body {
			m.execute(&m.p.body[i])
		}
		if m.p.data != nil && m.limit == 0 && m.leaves() {
			m.limit = k
		}
		if m.o.May {
			m.remember()
		}
		if m.end == 0 && m.ends() {
			m.end = k + 1
		}
	}
	m.tally(n)
}

// forget makes all registers fresh. Flags are known only where the code sets them.
func (m *machineState) forget() {
	clear(m.state)
	for _, s := range m.p.sem.Flags {
		m.state[s] = invalid
	}
}

// join handles a group of instructions that may or may not have been executed; i is the first, and the result is the last. Their results become
// unknown, but for those of inductions. One execution finds the stores whose addresses are constant or computed by the group itself.
func (m *machineState) join(i int) int {
	end := i
	for end < len(m.p.entry) && m.p.entry[end].maybe {
		end++
	}
	moved := m.inductions(i, end)
	m.clobber(i, end)
	for k := i; k < end; k++ {
		x := &m.p.entry[k]
		for a := x.access; a < x.accessEnd; a++ {
			if m.addr[a], m.known[a] = m.address(&m.p.access[a], x); m.known[a] && m.p.access[a].store {
				m.unknownStore(a)
			}
		}
		for s := x.step; s < x.stepEnd; s++ {
			if m.p.steps[s].Op != isa.StepStore {
				m.step(x, &m.p.steps[s])
			}
		}
	}
	m.clobber(i, end)
	m.turn(moved)
	return end - 1
}

// clobber marks the results of instructions from to end-1 of the entry as unknown.
func (m *machineState) clobber(from, end int) {
	for k := from; k < end; k++ {
		for s := m.p.entry[k].step; s < m.p.entry[k].stepEnd; s++ {
			if p := &m.p.steps[s]; p.Op != isa.StepStore {
				m.set(p.Dst, 0, invalid)
			}
		}
	}
}

// leaves reports whether an access is no longer in its variable of the first iteration: if a pointer moves from one array into the next, the loop has
// ended before. An access that leaves at once says nothing: it belongs to code that reads whole words around its data.
func (m *machineState) leaves() bool {
	for i := m.p.first; i < len(m.p.access); i++ {
		switch in := &m.inside[i]; {
		case m.iter == 0:
			if *in = (bounds{}); m.known[i] {
				in.lo, in.hi = m.p.data(m.addr[i])
			}
		case in.hi == 0 || m.known[i] && in.lo <= m.addr[i] && m.addr[i] < in.hi:
		case m.iter == 1 || !m.known[i]:
			in.hi = 0
		default:
			return true
		}
	}
	return false
}

// ends reports whether the loop ends after this iteration.
func (m *machineState) ends() bool {
	if m.p.latch.step == m.p.latch.stepEnd {
		return false
	}
	for s := m.p.latch.step; s < m.p.latch.stepEnd; s++ {
		m.step(&m.p.latch, &m.p.steps[s])
	}
	v, state := m.get(isa.T1)
	return state != invalid && v == 0
}

// enter begins the loop with the values that its entry left.
func (m *machineState) enter() {
	for s := range m.state {
		if m.state[s] == data {
			m.state[s] = valid
		}
	}
}

// assume applies the known facts about registers at the loop's entry.
func (m *machineState) assume() {
	for _, a := range m.p.alias {
		v, state := uint64(0), exact
		if a.Base != isa.NoReg {
			v, state = m.get(isa.RegSlot(a.Base))
		}
		m.set(isa.RegSlot(a.Reg), v+uint64(a.Offset), state)
	}
}
