package sim

import (
	"math/bits"

	"incore/internal/analysis/frontend"
	"incore/internal/analysis/uops"
)

// This file finds the steady state. If the machine reaches an earlier state again, everything in between repeats
// forever, so the cycles per iteration are exact. States are compared in cycles in which an iteration retired. A
// state contains everything on which the future depends: each unit provides its own part; times are relative to the
// present cycle, and all times too old to matter are equal. The front end need not be in the same state if dispatch
// never waited for it: it is enough that it continues in the same way. What µops drew by chance need not be the same
// if it made no difference (lots.go).

// marks is the number of earlier states with which the present one is compared.
const marks = 2

// detector compares the state of the machine with earlier ones.
type detector struct {
	*pipeline
	marks [marks]mark
	back  seqNo // µops before the oldest in flight that affect the future
	cuts  seqNo // iterations after which patterns of accesses (op.Cuts, op.Leave) and half cycles repeat; 0: all are the same in each
	turns seqNo // iterations after which the lots of steering by chance repeat; 0: none are drawn
	found *mark // the mark whose state has recurred
}

// mark is a state that later ones are compared with.
type mark struct {
	counts  // retired is 0 where there is no mark
	outline outline
	turn    seqNo      // phase of the lots
	uops    []instance // µops in flight, and before them those on which future µops may still depend
	front   frontend.State
}

// counts holds counts up to some cycle.
type counts struct {
	now     cycle
	retired int // iterations
	begun   int // iterations dispatched at least partly
	use     [uops.MaxPorts]int64
	stalls  [numReasons]int64
}

func (p *pipeline) counts() counts {
	return counts{now: p.now, retired: len(p.rob.retired), begun: int((p.tail + p.n - 1) / p.n), use: p.exec.use, stalls: p.rename.stalls}
}

// outline is a part of the state that differs between most states.
type outline struct {
	inFlight seqNo
	next     uopIndex // together with inFlight, it gives the µop that retires next
	ready    int
	phase    seqNo // phase of the iterations in these patterns (detector.cuts)
}

func (p *pipeline) outline() outline {
	o := outline{inFlight: p.tail - p.head, next: p.rename.next, ready: p.ready.waiting}
	if p.detect.cuts > 0 {
		o.phase = p.detect.iterations() % p.detect.cuts
	}
	return o
}

// turn returns the phase of the lots.
func (d *detector) turn() seqNo {
	if d.turns == 0 {
		return 0
	}
	return d.iterations() % d.turns
}

// iterations returns the number of iterations that have retired.
func (d *detector) iterations() seqNo { return seqNo(len(d.rob.retired)) }

// reset computes how much of the past affects the future: the µops before the oldest in flight, and for each µop a number of cycles.
func (d *detector) reset(p *pipeline) {
	d.pipeline, d.found, d.cuts, d.turns = p, nil, 0, 0
	d.lots.reset(p.core, p.body)
	for k := range d.marks {
		d.marks[k].retired = 0
	}
	for i := range p.body {
		u := &p.body[i]
		u.Settle, u.Freed, u.Reach, u.FreeReach = u.Done, 0, 0, 0
		for _, pattern := range [...]uint64{u.Cuts, u.Leave[0], u.Leave[1], u.Leave[2]} {
			if n := repeats(pattern); n > 1 {
				d.cuts = max(d.cuts, n)
			}
		}
		for _, h := range u.Extra {
			if n := repeats(h.Cuts); n > 1 {
				d.cuts = max(d.cuts, n)
			}
		}
		if u.Halves() {
			d.cuts = max(d.cuts, 2)
		}
		if u.Lots.Size() > 1 {
			d.turns = chanceTurns
		}
		if u.Kind == uops.KindStoreAddr {
			u.Settle = max(u.Settle, addressDelay)
		}
	}
	delta := int32(0)
	for i := range p.body {
		late, until := cycle(0), seqNo(0)
		if p.body[i].Again != 0 { // it compares the times of its operands when it executes (late)
			late, until = cycle(p.core.Forwarding.Again), seqNo(len(p.ring))
		}
		for _, e := range p.body[i].Deps {
			u := &p.body[e.Uop]
			u.Settle, u.Reach, delta = max(u.Settle, e.Lat+late), max(u.Reach, e.Dist+until), max(delta, e.Delta)
		}
		for _, e := range p.body[i].After {
			u := &p.body[e.Uop]
			u.Freed, u.FreeReach, delta = max(u.Freed, e.Lat), max(u.FreeReach, e.Dist), max(delta, e.Delta)
		}
	}
	d.back = p.n * seqNo(delta+1)
}

// repeats is the number of iterations after which a pattern repeats, a power of two.
func repeats(cuts uint64) seqNo {
	if cuts == 0 {
		return 1
	}
	n := uops.PatternCuts
	for n > 1 && bits.RotateLeft64(cuts, n/2) == cuts {
		n /= 2
	}
	return seqNo(n)
}

// steady reports whether the machine is in its steady state, so that everything since a mark repeats. It moves the marks from time to time. One mark
// stays for as long as it took to reach it, so that long periods are found; the other one for a quarter of that, so that a long initial phase is not
// simulated twice.
func (d *detector) steady(f *frontend.Feed) bool {
	n, o := len(d.rob.retired), d.outline()
	for k := range d.marks {
		m := &d.marks[k]
		if d.recurs(f, k, &o) && d.supply.sustained(f, m.now, &m.front) {
			d.found = m
			return true
		}
		if n-m.retired > max(leastPeriod, m.retired>>(2*k)) && d.head >= d.back {
			d.remember(f, k, &o)
		}
	}
	return false
}

// leastPeriod is the least number of iterations for which a mark stays.
const leastPeriod = 4

// remember marks the present state.
func (d *detector) remember(f *frontend.Feed, k int, o *outline) {
	m := &d.marks[k]
	m.counts, m.outline, m.turn, m.front = d.counts(), *o, d.turn(), f.Snapshot()
	d.marked[k] = moment{d.now, d.head}
	for _, u := range d.units() {
		u.mark(k)
	}
	from, to := (d.head-d.back)&d.mask, d.tail&d.mask
	if m.uops = m.uops[:0]; from < to {
		m.uops = append(m.uops, d.ring[from:to]...)
	} else {
		m.uops = append(append(m.uops, d.ring[from:]...), d.ring[:to]...)
	}
}

// recurs reports whether the machine is in the marked state.
func (d *detector) recurs(f *frontend.Feed, k int, o *outline) bool {
	m := &d.marks[k]
	if m.retired == 0 || m.outline != *o || m.turn != d.turn() && d.lots.alike(m.now) == 0 || d.supply.starved > m.now && !f.In(&m.front) {
		return false
	}
	seq := d.head - d.back
	for i := len(m.uops) - 1; i >= 0; i-- { // the latest µops differ first
		if !d.same(&m.uops[i], &d.ring[(seq+seqNo(i))&d.mask], seq+seqNo(i), m.now) {
			return false
		}
	}
	for _, u := range d.units() {
		if !u.recurs(k) {
			return false
		}
	}
	return d.core.Forwarding.Again == 0 || d.lateAgain(m)
}

// lateAgain reports whether the same loaded values that wait are late as in a mark: their operands may both have come long ago.
func (d *detector) lateAgain(m *mark) bool {
	for i := range m.uops {
		a := &m.uops[i]
		u := d.of(a)
		if u.Again == 0 || a.issued != notYet {
			continue
		}
		if d.memory.late(u, m.uops, seqNo(i)) != d.memory.late(u, d.ring, (d.head-d.back+seqNo(i))&d.mask) {
			return false
		}
	}
	return true
}

// same reports whether µop number seq and a µop marked in cycle then have the same effect on the future. For issued µops this compares the arrival
// times of their results, for retired ones only as far as µops dispatched later need them.
func (d *detector) same(a, b *instance, seq seqNo, then cycle) bool {
	if b.seq != seq || a.uop != b.uop {
		return false
	}
	u, ago := d.of(b), d.now-then
	switch {
	case seq < d.head:
		return (seq+u.Reach < d.tail || alike(a.issued-a.gain, b.issued-b.gain-ago, then-u.Settle)) && (seq+u.FreeReach < d.tail || alike(a.retired, b.retired-ago, then-u.Freed))
	case a.issued != notYet && b.issued != notYet:
		return alike(a.issued, b.issued-ago, then-u.Settle) && a.gain == b.gain && (a.port == b.port || !u.Stays)
	}
	port := a.port == b.port || a.port <= drawn && b.port <= drawn && d.lots.alike(then) != 0
	waits := cycle(1)
	if u.Back != u.Plain {
		waits = patience
	}
	return a.issued == b.issued && a.entered == b.entered && port && a.pending == b.pending && alike(a.ready, b.ready-ago, then-waits) &&
		(!u.Early || a.pending > 0 || alike(a.came, b.came-ago, then-1)) && (a.pending == 0 || alike(a.alloc, b.alloc-ago, then-cycle(d.core.IssueDelay)))
}

// alike reports whether two times are equal, or both too old to matter.
func alike(a, b, early cycle) bool { return a == b || a <= early && b <= early }
