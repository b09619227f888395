package dryrun

import (
	"math/bits"
	"slices"

	"incore/internal/isa"
)

// rounds is the state of a loop during its iterations.
type rounds struct {
	n     uint64 // executions of its header since it was entered
	told  uint64 // expected executions of its header, if its condition is not known; 0: not asked yet
	asked bool

	fails  int    // failed attempts to skip iterations
	next   uint64 // n at the next attempt
	before state  // state at the header one iteration ago
	prior  state  // state at the header two iterations ago
	conds  []cond // of the branches of this iteration
	old    []cond // … of the one before
	path   []int
	was    []int  // the path of the iteration before
	log    [2]int // where the stores of the iteration before begin in the log of stores, and those of this one
}

// reset starts again when the loop is entered.
func (r *rounds) reset() {
	r.n, r.told, r.asked, r.fails, r.next = 0, 0, false, 0, 0
	r.before.full, r.prior.full = false, false
	r.conds, r.old, r.path, r.was = r.conds[:0], r.old[:0], r.path[:0], r.was[:0]
	r.log = [2]int{}
}

// state is a copy of the registers that instructions write (machine.used).
type state struct {
	value []uint64
	known []bool
	from  []origin
	vl    uint64
	full  bool // the state is present
}

// cond is the value that a branch tests.
type cond struct {
	block int
	value uint64
	known bool
}

func (s *state) copy(m *machine) {
	s.value, s.known, s.from = s.value[:0], s.known[:0], s.from[:0]
	for _, slot := range m.used {
		s.value, s.known = append(s.value, m.value[slot]), append(s.known, m.known[slot])
		s.from = append(s.from, m.from[slot])
	}
	s.vl, s.full = m.vl, true
}

// condition records a branch's condition for the enclosing loops.
func (w *walk) condition(b int) {
	if i := w.inner[b]; i >= 0 {
		w.rounds[i].conds = append(w.rounds[i].conds, cond{b, w.cond, w.condKnown})
	}
}

// arrive is called at the start of each block: it counts the iterations of loops, and skips iterations of an innermost loop that do the same work.
func (w *walk) arrive(b int) {
	i := w.inner[b]
	for k := i; k >= 0; k = w.loops[k].Parent { // entered from outside the loop
		if w.loops[k].Header == b && !w.in(k, w.last) {
			w.rounds[k].reset()
		}
	}
	if i < 0 {
		return
	}
	r := &w.rounds[i]
	if w.loops[i].Header != b {
		if w.loops[i].Innermost {
			r.path = append(r.path, b)
		}
		return
	}
	r.n++
	if w.loops[i].Innermost {
		w.pass(i, r)
	}
}

// few is the number of iterations computed before any are skipped, and left to be computed at the end.
const few = 4

// pass tries to skip iterations, at the header of an innermost loop.
func (w *walk) pass(i int, r *rounds) {
	m := w.machine
	if r.n == 1 {
		m.mem.log = m.mem.log[:0]
	}
	if r.before.full && r.prior.full && r.n >= max(few, r.next) && slices.Equal(r.path, r.was) && !w.callsIn(r.path) {
		if skipped := w.skip(r); skipped > 0 {
			r.n += skipped
			r.next, r.fails = r.n+few, 0
			r.before.full, r.prior.full = false, false
		} else {
			r.fails++
			r.next = r.n + uint64(few)<<min(r.fails, 20)
		}
	}
	r.prior, r.before = r.before, r.prior
	if r.before.full = false; r.n+2 >= r.next {
		r.before.copy(m)
	}
	r.old, r.conds = r.conds, r.old[:0]
	r.was, r.path = r.path, append(r.was[:0], w.loops[i].Header)
	m.mem.log = append(m.mem.log[:0], m.mem.log[r.log[1]:]...)
	r.log = [2]int{0, len(m.mem.log)}
}

// callsIn reports whether blocks call.
func (w *walk) callsIn(path []int) bool {
	return slices.ContainsFunc(path, func(b int) bool {
		lines := w.code.block(b)
		return slices.ContainsFunc(lines, func(l isa.Line) bool { return w.insts[l.Addr].flow.Kind == isa.FlowCall })
	})
}

// change is a register that an iteration changes by a constant.
type change struct {
	slot isa.Slot
	at   int // in machine.used
	by   uint64
}

// skip skips as many iterations as surely repeat the last two, and returns their number.
func (w *walk) skip(r *rounds) uint64 {
	m := w.machine
	changes, ok := w.changes(r)
	if !ok {
		return 0
	}
	stores, ok := w.storeChanges(r)
	if !ok {
		return 0
	}
	most := w.most(r, changes)
	for i := range stores {
		if s := &stores[i]; s.by != 0 && s.known {
			most = min(most, crossing(s.value, s.by))
		}
	}
	if most < 2*few {
		return 0
	}
	now := state{}
	now.copy(m)
	good, bad := uint64(0), most+1
	for try := min(uint64(2*few), most); good+1 < bad; { // first doubling, then bisection
		if w.trial(r, &now, changes, stores, try) {
			good = try
		} else {
			bad = try
		}
		if try = min(2*good, most); bad <= most || try == good {
			try = good + (bad-good)/2
		}
		if try < 2*few || try == good {
			break
		}
	}
	w.restore(&now)
	if good < 2*few {
		return 0
	}
	n := good - few
	w.leap(&now, changes, stores, n)
	w.forgetMoved(stores, n)
	w.count(r, n)
	return n
}

// changes returns the registers that each of the last two iterations changed by the same constant. ok is false if an iteration changed a register in
// another way.
func (w *walk) changes(r *rounds) (out []change, ok bool) {
	m := w.machine
	if m.vl != r.before.vl || len(r.prior.value) != len(m.used) || len(r.before.value) != len(m.used) {
		return nil, false
	}
	for i, s := range m.used {
		if m.known[s] != r.before.known[i] || m.from[s] != r.before.from[i] {
			return nil, false
		}
		if !m.known[s] {
			continue
		}
		by := m.value[s] - r.before.value[i]
		if !r.prior.known[i] || r.before.value[i]-r.prior.value[i] != by {
			return nil, false
		}
		if by != 0 {
			out = append(out, change{s, i, by})
		}
	}
	return out, true
}

// storeChange is a store of an iteration: its next address and its value.
type storeChange struct {
	addr, move uint64
	n          int
	value, by  uint64
	from       origin
	known      bool
}

// storeChanges compares the stores to known addresses of the last two iterations.
func (w *walk) storeChanges(r *rounds) (out []storeChange, ok bool) {
	log := w.mem.log
	now, old := log[r.log[1]:], log[r.log[0]:r.log[1]]
	if len(now) != len(old) {
		return nil, false
	}
	for i := range now {
		a, b := &now[i], &old[i]
		if a.n != b.n || a.known != b.known || a.from != b.from {
			return nil, false
		}
		c := storeChange{addr: a.addr, move: a.addr - b.addr, n: a.n, value: a.value, from: a.from, known: a.known}
		if a.known {
			c.by = a.value - b.value
		}
		if c.move != 0 && c.known { // values at a moving address are forgotten
			c.known = false
		}
		out = append(out, c)
	}
	return out, true
}

// crossing returns the number of changes after which a value reaches zero or wraps, as a 64-bit or 32-bit number.
func crossing(v, by uint64) uint64 {
	if int64(by) < 0 {
		return v / -by
	}
	if v >= 1<<31 && v < 1<<32 {
		return (1<<32 - v) / by
	}
	return -v / by
}

// most returns the largest number of iterations that may be skipped: in none of them a register, or a difference that a branch tests, reaches zero.
func (w *walk) most(r *rounds, changes []change) uint64 {
	most := uint64(1) << 62
	for _, c := range changes {
		if slices.Contains(w.sem.Flags, c.slot) || c.slot == isa.RegSlot(w.sem.PC) {
			continue
		}
		if v := w.value[c.slot]; v != 0 {
			most = min(most, crossing(v, c.by))
		}
	}
	for i := range r.conds {
		if i >= len(r.old) || !r.conds[i].known || !r.old[i].known {
			continue
		}
		v, by := r.conds[i].value, r.conds[i].value-r.old[i].value
		if by != 0 && v != 0 {
			most = min(most, crossing(v, by))
		}
	}
	if r.asked && r.told > 0 {
		most = min(most, r.told-min(r.told, r.n))
	} else if r.told > 0 {
		most = 0
	}
	return most
}

// leap sets the registers to their values after a number of iterations.
func (w *walk) leap(now *state, changes []change, stores []storeChange, n uint64) {
	w.restore(now)
	for _, c := range changes {
		w.value[c.slot] += n * c.by
	}
	for i := range stores {
		if s := &stores[i]; s.move == 0 {
			w.mem.store(s.addr, s.n, s.value+n*s.by, s.from, s.known)
		}
	}
}

// forgetMoved forgets the memory contents at stores with moving addresses.
func (w *walk) forgetMoved(stores []storeChange, n uint64) {
	for i := range stores {
		s := &stores[i]
		if s.move == 0 {
			continue
		}
		lo, hi := s.addr, s.addr+n*s.move
		if int64(s.move) < 0 {
			lo, hi = hi, lo
		}
		if hi-lo < 1<<40 {
			w.mem.forget(lo, hi+uint64(s.n))
		}
	}
}

func (w *walk) restore(s *state) {
	for i, v := range s.value {
		w.value[w.used[i]], w.known[w.used[i]], w.from[w.used[i]] = v, s.known[i], s.from[i]
	}
	w.vl = s.vl
}

// trial reports whether the iteration after a number of skipped ones repeats the last one: the same path and the same changes of registers.
func (w *walk) trial(r *rounds, now *state, changes []change, stores []storeChange, n uint64) bool {
	m := w.machine
	mark, spent, vtype := len(m.mem.log), m.spent, m.vtype
	counts := w.counts(r.path)
	w.leap(now, changes, stores, n-1)
	defer func() {
		m.mem.undo(mark)
		w.recount(r.path, counts)
		m.spent, m.vtype, m.vl = spent+uint64(len(r.path)), vtype, now.vl
	}()
	conds, told := r.conds, r.told
	defer func() { r.conds, r.told = conds, told }()
	r.conds = nil
	b := r.path[0]
	for i := range r.path {
		if b != r.path[i] {
			return false
		}
		b = w.blockOf(b)
	}
	if b != r.path[0] || m.stopped || m.vl != now.vl {
		return false
	}
	at := 0
	for i, slot := range m.used[:len(now.value)] {
		want := now.value[i]
		if at < len(changes) && changes[at].at == i {
			want += n * changes[at].by
			at++
		}
		if m.known[slot] != now.known[i] || m.from[slot] != now.from[i] || m.known[slot] && m.value[slot] != want {
			return false
		}
	}
	return len(m.used) == len(now.value)
}

// blockOf computes a block of a trial.
func (w *walk) blockOf(b int) int {
	last := w.last
	n := w.block(b)
	w.last = last
	return n
}

// counts returns the counts of the instructions of some blocks.
func (w *walk) counts(path []int) (out [][2]uint64) {
	for _, b := range path {
		for i := range w.code.block(b) {
			x := w.insts[w.code.block(b)[i].Addr]
			out = append(out, [2]uint64{x.site.Count, x.site.Active})
		}
	}
	return out
}

func (w *walk) recount(path []int, counts [][2]uint64) {
	k := 0
	for _, b := range path {
		for i := range w.code.block(b) {
			x := w.insts[w.code.block(b)[i].Addr]
			x.site.Count, x.site.Active = counts[k][0], counts[k][1]
			k++
		}
	}
}

// count adds n executions of the path of a loop.
func (w *walk) count(r *rounds, n uint64) {
	for _, b := range r.path {
		for i := range w.code.block(b) {
			x := w.insts[w.code.block(b)[i].Addr]
			x.site.Count += n
			if x.site.Full > 0 {
				active := w.active(x)
				if hi, lo := bits.Mul64(n, active); hi == 0 {
					x.site.Active += lo
				}
			}
		}
	}
}
