package memdep

import (
	"slices"
	"sync"

	"incore/internal/analysis/depgraph"
	"incore/internal/isa"
)

// The states of a register, best first. A result has the state of its worst operand.
const (
	fresh   uint8 = iota // not read or written yet
	exact                // the code itself determines its value
	counted              // the code and the number of iterations of loops around it determine it: order unknown
	valid                // depends on the registers at the start: equal to no unrelated value, order unknown
	data                 // likewise, and depends on memory at the start: comparisons are unknown
	invalid              // ⊥ of the paper
)

// machineState executes a program.
type machineState struct {
	p          *program
	o          *Options
	iterations int  // to execute
	farthest   int  // largest distance that matters
	end        int  // iterations after which this run left the loop, 0: it did not
	limit      int  // iterations after which an access of this run would have left its variable, 0: none
	whole      bool // the loop has exactly these iterations
	value      []uint64
	state      []uint8
	mem        shadow
	found      [][]record // dependences by access
	last       []trace    // by access and run
	addr       []uint64   // address in the present execution, by access
	known      []bool
	size       []int
	stride     []uint64
	inside     []bounds // the variable that the access is in, by access, if known
	vl         uint64
	seed       uint64
	equal      uint64                  // value of all registers at the start (Options.Equal)
	page       []uint64                // page of the address, by access, if one physical page serves all addresses (Options.Equal)
	storedPage []uint64                // likewise, by dynamic number
	storedAt   []uint64                // address of a store, by dynamic number
	places     [][]int64               // address by access of the body and iteration, while it is known (Options.Alias)
	passed     [][]depgraph.MemoryEdge // dependences by iteration, if memory is known (Options.Word)
	unknowns   uint64                  // number of unknown values of the entry
	moved      isa.Slot                // a register that starts farAway from its normal value
	shifts     []shift                 // changes of registers behind the entry, so that loops end as they did (Options.Path)
	turns      [][]induction           // by loop around the path, the outermost first
	agreeing   []int32                 // iterations that go as the path does (Options.Path)
	shown      []shown                 // what they show
	iter       int32
	recording  bool
}

// bounds are the bounds of a variable.
type bounds struct{ lo, hi uint64 }

// trace holds the addresses of an access in the last two iterations of a run.
type trace struct {
	before, last uint64
	here, ok     bool // last is known, both are
}

func newMachine(p *program, o *Options, farthest int) *machineState {
	n := len(p.access)
	m := machines.Get().(*machineState)
	*m = machineState{p: p, o: o, iterations: farthest + minEvidence, farthest: farthest, value: zeroed(m.value, p.slots), state: zeroed(m.state, p.slots),
		found: zeroed(m.found, n), addr: zeroed(m.addr, n), known: zeroed(m.known, n), size: zeroed(m.size, n), stride: zeroed(m.stride, n), inside: zeroed(m.inside, n), storedAt: m.storedAt}
	return m
}

// machines keeps the memory of machines for the next.
var machines = sync.Pool{New: func() any { return new(machineState) }}

// free gives the memory of a machine and of its program back.
func (m *machineState) free() {
	m.mem.free()
	programs.Put(m.p)
	m.p, m.o = nil, nil
	machines.Put(m)
}

// zeroed is a slice of n zeros, in the memory of s where that suffices.
func zeroed[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// get returns a register's value and state; registers never written hold random values.
func (m *machineState) get(s isa.Slot) (v uint64, state uint8) {
	if m.state[s] != fresh {
		return m.value[s], m.state[s]
	}
	m.value[s], m.state[s] = mix(m.seed+uint64(s)<<32), valid
	switch {
	case !m.o.Equal:
	case s < isa.FirstReg || slices.Contains(m.p.sem.Flags, s):
	default:
		m.value[s], m.state[s] = m.equal+uint64(m.p.start(isa.Reg(s-isa.FirstReg))), exact
	}
	if s == m.moved {
		m.value[s] += farAway
	}
	return m.value[s], m.state[s]
}

func (m *machineState) set(s isa.Slot, v uint64, state uint8) {
	if state == invalid && !m.recording && !slices.Contains(m.p.sem.Flags, s) { // before the loop any unknown value can stand for it
		v, state = m.unknown(), data
	}
	m.value[s], m.state[s] = v, state
}

// unknown returns a new random value.
func (m *machineState) unknown() uint64 {
	m.unknowns++
	return mix(m.seed ^ m.unknowns<<32 ^ 0xe41e5)
}

// execute runs one instruction: first addresses, then the dependences of loads, then the computation, then stores.
func (m *machineState) execute(x *inst) {
	for i := x.access; i < x.accessEnd; i++ {
		a := &m.p.access[i]
		m.addr[i], m.known[i] = m.address(a, x)
		if m.o.Equal && a.seg == isa.NoReg && a.sym == nil && !a.pc {
			m.page[i], m.addr[i] = m.addr[i]/pageBytes, m.addr[i]%pageBytes
		}
		if a.element != 0 {
			v, state := m.operand(a.stride, &isa.IntStep{}) // x0 can be a stride
			m.stride[i], m.known[i] = v, m.known[i] && state != invalid
		}
	}
	if m.recording {
		for i := x.access; i < x.accessEnd; i++ {
			if m.places != nil && m.located(&m.p.access[i], x) {
				m.places[i] = append(m.places[i], int64(m.addr[i]))
			}
			if m.p.access[i].load && m.known[i] {
				m.loaded(i)
			}
		}
	}
	for i := x.access; m.p.memory && i < x.accessEnd; i++ {
		if a := &m.p.access[i]; a.store && !a.stored && m.known[i] {
			m.unknownStore(i)
		}
	}
	for i := x.step; i < x.stepEnd; i++ {
		m.step(x, &m.p.steps[i])
	}
	if m.recording {
		for i := x.access; i < x.accessEnd; i++ {
			if m.p.access[i].store && m.known[i] {
				m.storedTo(i)
			}
		}
	}
}

// address computes the address of an access.
func (m *machineState) address(a *access, x *inst) (uint64, bool) {
	if a.unknown {
		return 0, false
	}
	at := uint64(a.disp)
	if a.sym != nil {
		at = m.symbol(a.sym, a.disp, a.part)
	}
	if a.pc {
		at += m.pc(x)
	}
	if a.base != isa.Imm {
		v, state := m.get(a.base)
		if state == invalid {
			return 0, false
		}
		at += v
	}
	if a.index != isa.Imm {
		v, state := m.get(a.index)
		if state == invalid {
			return 0, false
		}
		switch a.extend {
		case 's':
			v = uint64(int64(int32(v)))
		case 'u':
			v = uint64(uint32(v))
		}
		at += v * a.scale
	}
	if a.narrow {
		at = uint64(uint32(at))
	}
	if a.seg != isa.NoReg {
		at += mix(m.seed ^ uint64(a.seg)<<40)
	}
	return at, true
}

// pc returns the address of the next instruction; in assembly text without addresses, a unique number.
func (m *machineState) pc(x *inst) uint64 {
	if x.known {
		return x.addr
	}
	return mix(m.seed ^ uint64(x.step)<<20 ^ 0xadd)
}

// symbol returns the part of a symbol's address plus add that an expression selects. Symbol addresses are random multiples of a page, so that parts
// of sums are sums of parts.
func (m *machineState) symbol(e *isa.Expr, add int64, part isa.SymbolPart) uint64 {
	if part >= isa.SymbolVL {
		return uint64(e.Add * int64(m.vl) >> (part - isa.SymbolVL))
	}
	h := m.seed
	for i := range len(e.Sym) {
		h = (h ^ uint64(e.Sym[i])) * 0x100000001b3 // FNV-1a (Fowler, Noll and Vo)
	}
	if part == isa.SymbolSlot {
		return mix(h^0x510) &^ 7
	}
	at := mix(h)&^0xfff + uint64(add)
	low := int64(at<<52) >> 52
	switch part {
	case isa.SymbolLow:
		return at & 0xfff
	case isa.SymbolPage:
		return at &^ 0xfff
	case isa.SymbolLowAdd:
		return uint64(low)
	case isa.SymbolHighAdd:
		return at - uint64(low)
	case isa.SymbolNone:
		return 0
	}
	return at
}

// step executes one step. Different unknown values are assumed to differ, but their order is unknown.
func (m *machineState) step(x *inst, s *isa.IntStep) {
	switch s.Op {
	case isa.StepInvalid:
		m.set(s.Dst, 0, invalid)
	case isa.StepVL:
		m.set(s.Dst, uint64(int64(m.vl)*s.Imm>>s.N), valid)
	case isa.StepPC:
		state := valid
		if x.known {
			state = exact
		}
		m.set(s.Dst, m.pc(x)+uint64(s.Imm), state)
	case isa.StepSymbol:
		part := isa.SymbolWhole
		if m.p.sem.Symbol != nil {
			part = m.p.sem.Symbol(s.Sym)
		}
		m.set(s.Dst, m.symbol(s.Sym, s.Imm, part), valid)
	case isa.StepLoad:
		i := x.access + int32(s.Imm)
		if i >= x.accessEnd || !m.known[i] {
			m.set(s.Dst, 0, invalid)
			return
		}
		v, state := m.mem.read(m.addr[i]+uint64(s.N), int(s.Width/8))
		if state == data && m.mem.equal != 0 {
			state = exact // the contents of memory are known
		}
		m.set(s.Dst, v, state)
	case isa.StepStore:
		i := x.access + int32(s.Imm)
		if i < x.accessEnd && m.known[i] {
			v, state := m.get(s.A)
			m.mem.write(m.addr[i]+uint64(s.N), int(s.Width/8), v, state)
		}
	case isa.StepMoveIfZero, isa.StepMoveIfNot:
		m.move(s)
	default:
		a, stateA := m.operand(s.A, s)
		b, stateB := m.operand(s.B, s)
		state := max(stateA, stateB)
		isZero := s.Op == isa.StepLessU && (stateA == exact && a == 0 || stateB == exact && b == 1) // needs no order
		if ordering(s.Op) && state != exact && (!isZero || state > valid) {
			state = invalid
		}
		if state == invalid {
			m.set(s.Dst, 0, invalid)
			return
		}
		m.value[s.Dst], m.state[s.Dst] = s.Apply(a, b), state
	}
}

func (m *machineState) operand(o isa.Slot, s *isa.IntStep) (v uint64, state uint8) {
	if o == isa.Imm {
		return uint64(s.Imm), exact
	}
	return m.get(o)
}

// move executes a conditional move. Different unknown values are assumed to differ, as addresses do, but their order is unknown.
func (m *machineState) move(s *isa.IntStep) {
	b, state := m.operand(s.B, s)
	most := valid
	if s.N == isa.Exactly {
		most = exact
	}
	if cond := m.state[s.A]; cond == fresh || cond > most {
		if old, was := m.get(s.Dst); was == invalid || state == invalid || old != b {
			m.set(s.Dst, 0, invalid)
		}
		return
	}
	if (m.value[s.A] == 0) == (s.Op == isa.StepMoveIfZero) {
		m.set(s.Dst, b, state)
	}
}

// unknownStore marks the bytes of a store of unknown data as unknown.
func (m *machineState) unknownStore(i int32) {
	m.eachWord(i, true, func(w *word, at, n int) {
		bytes := uint8(1<<n-1) << at
		w.known |= bytes
		w.exact &^= bytes
		if w.valid &^= bytes; !m.recording {
			w.valid |= bytes
			w.data = w.data&^expand(bytes) | m.unknown()&expand(bytes)
		}
	})
}

// number returns the dynamic number of an access; 0 stands for none.
func (m *machineState) number(i int32) int32 { return m.iter*int32(len(m.p.access)) + i + 1 }

// eachWord calls do for the words that access i touches: at is the first byte in the word, n how many. Words that there are not yet
// come into being if add is set, and are left out if not.
func (m *machineState) eachWord(i int32, add bool, do func(w *word, at, n int)) {
	element := m.p.access[i].element
	if element == 0 {
		m.words(m.addr[i], m.size[i], add, do)
		return
	}
	for k := range m.size[i] / element {
		m.words(m.addr[i]+uint64(k)*m.stride[i], element, add, do)
	}
}

func (m *machineState) words(a uint64, left int, add bool, do func(w *word, at, n int)) {
	for left > 0 {
		at := int(a & 7)
		n := min(8-at, left)
		if add {
			do(m.mem.at(a>>3), at, n)
		} else if w := m.mem.find(a >> 3); w != nil {
			do(w, at, n)
		}
		a, left = a+uint64(n), left-n
	}
}

// loaded records that a load depends on the last stores to its bytes.
func (m *machineState) loaded(i int32) {
	var from sources
	num := m.number(i)
	m.eachWord(i, m.o.WAR, func(w *word, at, n int) {
		from.add(w.store[at : at+n])
		if m.o.WAR {
			if w.load == nil {
				w.load = new([8]int32)
			}
			fill(w.load[at:at+n], num)
		}
	})
	if m.o.Equal {
		for j := range from.n {
			from.remapped[j] = m.storedPage[from.num[j]] != m.page[i]
		}
	}
	m.record(i, &from, RAW)
	if m.o.Word != 0 {
		m.note(i, &from)
	}
}

// storedTo records the data that a store overwrites, and the store as the writer of its bytes.
func (m *machineState) storedTo(i int32) {
	num := m.number(i)
	m.storedAt[num] = m.addr[i]
	if m.o.Equal {
		m.storedPage[num] = m.page[i]
	}
	if !m.o.WAR && !m.o.WAW {
		m.eachWord(i, true, func(w *word, at, n int) { fill(w.store[at:at+n], num) })
		return
	}
	var loads, stores sources
	m.eachWord(i, true, func(w *word, at, n int) {
		if w.load != nil {
			loads.add(w.load[at : at+n])
			clear(w.load[at : at+n])
		}
		if m.o.WAW {
			stores.add(w.store[at : at+n])
		}
		fill(w.store[at:at+n], num)
	})
	if m.o.WAR {
		m.record(i, &loads, WAR)
	}
	if m.o.WAW {
		m.record(i, &stores, WAW)
	}
}

// sources counts the bytes that come from each of a few accesses. Further accesses are not counted: no core forwards from that many.
type sources struct {
	num   [16]int32
	bytes [16]int32
	n     int
	// remapped: the store used another page with the same physical memory.
	remapped [16]bool
}

// add counts bytes with these dynamic numbers.
func (s *sources) add(bytes []int32) {
	for len(bytes) > 0 {
		num, n := bytes[0], 1
		for n < len(bytes) && bytes[n] == num {
			n++
		}
		if num != 0 {
			s.count(num, int32(n))
		}
		bytes = bytes[n:]
	}
}

func (s *sources) count(num, bytes int32) {
	for k := s.n - 1; k >= 0; k-- {
		if s.num[k] == num {
			s.bytes[k] += bytes
			return
		}
	}
	if s.n < len(s.num) {
		s.num[s.n], s.bytes[s.n] = num, bytes
		s.n++
	}
}

func fill(bytes []int32, num int32) {
	for i := range bytes {
		bytes[i] = num
	}
}

// record counts dependences of access i.
func (m *machineState) record(i int32, s *sources, k Kind) {
	n := int32(len(m.p.access))
	for j := range s.n {
		from, iter := (s.num[j]-1)%n, (s.num[j]-1)/n
		if k == WAR && from == i && iter == m.iter {
			continue // an instruction's own load and store
		}
		seen := record{from: from, dist: m.iter - iter, bytes: s.bytes[j], kind: k, remapped: s.remapped[j]}
		if k == RAW && m.p.access[i].element == 0 && m.p.access[from].element == 0 {
			seen.placed, seen.offset = true, int64(m.addr[i]-m.storedAt[s.num[j]])
		}
		m.count(i, seen)
	}
}

// maxRecords is the largest number of dependences kept for one access. Accesses that meet by chance, because their addresses depend on few bits of
// data, have a record for every distance.
const maxRecords = 1024

// count counts a dependence of an access.
func (m *machineState) count(to int32, seen record) {
	l := m.found[to]
	for j := range l {
		if r := &l[j]; r.from == seen.from && r.dist == seen.dist && r.kind == seen.kind {
			r.count++
			r.bytes = min(r.bytes, seen.bytes)
			r.remapped = r.remapped || seen.remapped
			r.placed = r.placed && seen.placed && r.offset == seen.offset
			return
		}
	}
	if len(l) < maxRecords && int(seen.dist) <= m.farthest {
		seen.count, seen.least = 1, 1<<30
		m.found[to] = append(l, seen)
	}
}

// shows reports whether a dependence was found in enough of the iterations in which it was possible. If these are few, it must be the whole loop, to
// exclude chance.
func (m *machineState) shows(r *record, of int32) bool {
	return r.count*100 >= of*threshold && (of >= minEvidence || m.whole)
}

// tally ends a run and judges its dependences.
func (m *machineState) tally(run int) {
	for to := range m.found {
		l := m.found[to]
		for j := range l {
			r := &l[j]
			if of := int32(m.iterations) - r.dist; int(r.runs) == run && m.shows(r, of) {
				r.runs++
			}
			if r.count < r.least {
				r.least, r.of = r.count, int32(m.iterations)-r.dist
			}
			r.count = 0
		}
	}
}

// remember stores the addresses of the accesses of the last two iterations.
func (m *machineState) remember() {
	t := m.last[len(m.last)-len(m.p.access):]
	for i := range t {
		if m.iter == 0 {
			t[i] = trace{last: m.addr[i], here: m.known[i]}
		}
		t[i] = trace{before: t[i].last, last: m.addr[i], here: m.known[i], ok: t[i].here && m.known[i]}
	}
}
