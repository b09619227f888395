package sim

import (
	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/frontend"
	"incore/internal/analysis/uops"
	"incore/internal/isa"
	"slices"
)

// This file is the oracle of the simulator: the same core, slow and obvious. Each cycle looks at every µop that was ever dispatched; what is taken, busy or ready is
// counted anew from their histories. It has no timing wheel, no lists by ports, no counters and no snapshots. It does not steer µops.

// stage is a part of a cycle. What issues in one can wake others in the next.
type stage int

const (
	retiring stage = iota
	waking
	selecting
	dispatching
)

// life is one dynamic µop.
type life struct {
	*uop
	seq                    int
	alloc, issued, retired int // cycles, -1 before
	in                     stage
	left                   int // when those that wait for its retirement know of it
	departed               int // of a store's last µop: when the store has left the store queue; -1 before
	port                   int
	back                   int // cycle in which its result takes the bus of its port, and
	asidePort, asideBack   int // a second one
	held                   Reason
	gain                   int // cycles by which its result comes earlier
	entered                bool
}

type reference struct {
	core  *Core
	body  []uop
	succs [][]dep // µop of the body → its consumers
	all   []*life
	now   int
	stage stage
	next  int // in the body
	early bool

	loaded               bool // a load of this cycle took a slot more
	busy                 [64]int
	turns                int // µops that units in turn have taken
	retireDebt, owed     int
	held                 Reason
	drained              int
	turn                 portSet
	wanted               [uops.EachWay]portSet
	passed               [64]int
	predictor            []predictorEntry
	requests, askedAgain []vainRequest
	events               []Event
}

// Reference simulates a kernel for a number of cycles, and returns what retired.
func Reference(g *depgraph.Graph, core *Core, opt Options, cycles int) []Event {
	body, classes := compiledFor(g, core, opt.compiled())
	r := &reference{core: core, body: body, succs: consumers(body), predictor: make([]predictorEntry, classes)}
	for i := range body {
		r.early = r.early || body[i].Early
	}
	front := frontend.New(&core.Core, g.Bound, slotsFor(g, body), frontend.Layout{Unrolled: opt.Unrolled, Copies: opt.Copies})
	for range cycles {
		front.Fill()
		before := r.waitingByPort()
		r.retire()
		r.wake()
		if r.now >= int(core.Stalled) {
			r.selectUops()
		}
		front.Take(r.dispatch(front.Have(), before))
		r.now++
	}
	return r.events
}

// Events simulates a kernel for a number of cycles by the pipeline, and returns what retired.
func Events(g *depgraph.Graph, core *Core, opt Options, cycles int) (events []Event) {
	body, classes := compiledFor(g, core, opt.compiled())
	p := new(pipeline)
	p.reset(core, body, classes)
	p.trace = func(e Event) { events = append(events, e) }
	front := frontend.New(&core.Core, g.Bound, slotsFor(g, body), frontend.Layout{Unrolled: opt.Unrolled, Copies: opt.Copies})
	for int(p.now) < cycles {
		p.run(&front, cycle(cycles))
	}
	return events
}

// inFlight yields the µops that have been dispatched and not retired, the oldest first.
func (r *reference) inFlight(yield func(*life) bool) {
	for _, x := range r.all {
		if x.retired < 0 && !yield(x) {
			return
		}
	}
}

func (r *reference) producer(x *life, d *dep) *life {
	if s := x.seq - int(d.Dist); s >= 0 {
		return r.all[s]
	}
	return nil
}

// ready is when a µop can issue as far as its operands go; ok is false as long as that is not known. here: something that it waited for came in this stage of this cycle.
func (r *reference) ready(x *life) (at int, here, ok bool) {
	if !x.Idle {
		at = x.alloc + r.core.IssueDelay
	}
	wait := func(came, lat int, in stage) {
		at = max(at, came+lat)
		if !x.Idle && in != waking && came >= x.alloc && !(r.early && in == selecting && came > x.alloc) { // the µops of that cycle have been chosen, or their ports are
			at = max(at, came+1)
		}
		here = here || came == r.now && in == r.stage
	}
	for k := range x.Deps {
		switch p := r.producer(x, &x.Deps[k]); {
		case p == nil:
		case p.issued < 0:
			return 0, false, false
		default:
			wait(p.issued, int(x.Deps[k].Lat)-p.gain, p.in)
		}
	}
	for k := range x.After {
		switch p := r.producer(x, &x.After[k]); {
		case p == nil:
		case p.retired < 0:
			return 0, false, false
		case p.retired < x.alloc:
			at = max(at, p.left+int(x.After[k].Lat))
		default:
			at = max(at, p.left+int(x.After[k].Lat))
			if !x.Idle {
				at = max(at, p.retired+1)
			}
			here = here || p.retired == r.now && r.stage == retiring
		}
	}
	return at, here, true
}

// fireIdle issues the µops that need no port and whose operands are there, until none is left.
func (r *reference) fireIdle() {
	for again := true; again; {
		again = false
		r.inFlight(func(x *life) bool {
			if x.Idle && x.issued < 0 {
				if at, here, ok := r.ready(x); ok && at <= r.now && (here || r.stage == waking || r.stage == dispatching && x.alloc == r.now) {
					r.execute(x, -1)
					again = true
				}
			}
			return true
		})
	}
}

func (r *reference) retire() {
	r.stage = retiring
	width := r.core.RetireWidth - r.retireDebt
	r.retireDebt = max(0, -width)
	for _, x := range r.all {
		if x.retired >= 0 {
			continue
		}
		if x.issued < 0 || x.issued+int(x.Done) > r.now || int(x.Slots) > width && width < r.core.RetireWidth {
			break
		}
		width -= int(x.Slots)
		r.retireDebt = max(0, -width)
		x.retired, x.left = r.now, r.now
		if x.Leaves {
			n := x.seq / len(r.body) % uops.PatternCuts
			r.drained = max(r.now, r.drained+int(x.Leave[0]>>n&1)+2*int(x.Leave[1]>>n&1)+4*int(x.Leave[2]>>n&1))
			if x.departed = r.drained; r.core.StoreCommit.InTurn {
				x.left = r.drained
			}
		}
		r.fireIdle()
		at, _, _ := r.ready(x)
		left := int64(0)
		if x.Leaves {
			left = int64(x.departed)
		}
		r.events = append(r.events, Event{Left: left, Iteration: x.seq / len(r.body), Uop: x.seq % len(r.body), Inst: int(x.Inst), Dispatched: int64(x.alloc), Ready: int64(at), Issued: int64(x.issued),
			Done: int64(x.issued + int(x.Done)), Retired: int64(r.now), Port: x.port, Held: x.held})
	}
}

func (r *reference) wake() {
	r.stage = waking
	r.fireIdle()
}

// arrival is when the operands of a µop are there.
func (r *reference) arrival(x *life) (at int) {
	for k := range x.Deps {
		if p := r.producer(x, &x.Deps[k]); p != nil {
			at = max(at, p.issued-p.gain+int(x.Deps[k].Lat))
		}
	}
	for k := range x.After {
		if p := r.producer(x, &x.After[k]); p != nil {
			at = max(at, p.left+int(x.After[k].Lat))
		}
	}
	return at
}

// execute issues a µop.
func (r *reference) execute(x *life, port int) {
	if r.predicted(x) && r.core.Disambiguation.Trust > 0 {
		if e := &r.predictor[x.Class]; int(e.vain)+1 >= r.core.Disambiguation.Trust {
			*e = predictorEntry{}
		} else {
			e.vain++
		}
	}
	if x.Early && r.arrival(x) < r.now {
		x.gain = 1
	}
	x.issued, x.port, x.in = r.now, port, r.stage
	if x.Kind != uops.KindStoreAddr {
		return
	}
	for _, y := range r.all { // loads that have read too early
		if y.issued >= 0 || y.Kind != uops.KindValue {
			continue
		}
		for k := range y.Deps {
			if r.producer(y, &y.Deps[k]) == x {
				r.learn(r.all[y.seq-int(y.Load)])
			}
		}
	}
}

func (r *reference) learn(load *life) {
	if load.Class < 0 {
		return
	}
	e := &r.predictor[load.Class]
	at, _, ok := r.ready(load)
	switch {
	case load.issued >= 0 && load.issued < r.now && !e.waits:
		*e = predictorEntry{waits: true}
	case load.issued < 0 && ok && at < r.now:
		e.vain = 0
	}
}

func (r *reference) predicted(x *life) bool {
	return x.Kind == uops.KindLoad && x.Class >= 0 && r.predictor[x.Class].waits
}

// mustWait reports whether the address of an older store is not known.
func (r *reference) mustWait(load *life) (wait bool) {
	for x := range r.inFlight {
		if x.seq < load.seq && x.Kind == uops.KindStoreAddr && (x.issued < 0 || x.issued+addressDelay > r.now) {
			return true
		}
	}
	return false
}

// busTaken is the set of ports one of whose buses, of some ways, is taken in a cycle.
func (r *reference) busTaken(at int, by ways) (taken portSet) {
	for _, x := range r.all {
		if x.issued < 0 || at < r.now {
			continue
		}
		if x.back == at && x.port >= 0 && x.Ways&by != 0 {
			taken |= 1 << x.port
		}
		if x.asideBack == at && x.AsideWays&by != 0 {
			taken |= 1 << x.asidePort
		}
	}
	return taken & r.core.Buses
}

// asides are the ports one of which can write back the second result of a µop.
func (r *reference) asides(x *life) portSet {
	left := x.Aside &^ r.busTaken(r.now+int(x.Later), x.AsideWays)
	for k := range uops.EachWay {
		if x.AsideWays>>k&1 != 0 {
			left &^= r.wanted[k]
		}
	}
	return left
}

// bypassed reports whether an execution unit's result comes to a µop, ready since readyAt, in this cycle.
func (r *reference) bypassed(x *life, readyAt int) bool {
	for i := range x.Deps {
		if from := r.producer(x, &x.Deps[i]); readyAt == r.now && from != nil && from.Kind == uops.KindExec && from.issued+int(x.Deps[i].Lat) == r.now {
			return true
		}
	}
	return false
}

func (r *reference) leastNeeded(ports portSet) int {
	best := -1
	for p := range 64 {
		if ports.Has(p) && (best < 0 || r.core.Demand[p] < r.core.Demand[best]) {
			best = p
		}
	}
	return best
}

func (r *reference) selectUops() {
	r.stage = selecting
	free := portSet(0)
	for p := range r.core.Ports {
		if r.busy[p] <= r.now {
			free |= 1 << p
		}
	}
	room := r.core.Width
	for more := true; more; {
		free, more = r.selectReady(free, &room)
		more = more && r.early // what waits for them may have become ready
	}
	r.enter(len(r.all), &room)
	r.requests, r.askedAgain = r.askedAgain, nil
}

// enter lets the µops before a number enter the queue of their unit, as far as program order, slots, its entries and the results of other units let them.
func (r *reference) enter(before int, room *int) {
	queued := 0
	for x := range r.inFlight {
		if x.entered && x.issued < 0 {
			queued++
		}
	}
	for x := range r.inFlight {
		switch {
		case x.seq >= before:
			return
		case !x.Lead || x.issued >= 0 || x.entered:
			continue
		case !x.Queued || queued >= r.core.UnitQueue.Entries || x.alloc+r.core.IssueDelay > r.now:
			return
		}
		for i := range x.Deps {
			if d := &x.Deps[i]; !r.body[d.Uop].Queued {
				if y := r.producer(x, d); y != nil && (y.issued < 0 || y.issued-y.gain+int(d.Lat) > r.now) {
					return
				}
			}
		}
		if !r.takes(x, room) {
			return
		}
		x.entered = true
		queued++
	}
}

// selectReady issues µops that are ready. any: at least one issued.
func (r *reference) selectReady(free portSet, room *int) (left portSet, any bool) {
	var ready []*life
	readyAt := map[*life]int{}
	for x := range r.inFlight {
		if at, _, ok := r.ready(x); x.issued < 0 && !x.Idle && ok && at <= r.now {
			ready, readyAt[x] = append(ready, x), at
		}
	}
	if len(ready) == 0 {
		r.requests = nil
		return free, false
	}
	if r.core.SpeculativeWakeup {
		r.believe(readyAt)
	}
	met := portSet(0)
	var reads cacheReads
	free = r.nextUnit(free)
	for _, x := range ready {
		own := x.Ports
		if x.port >= 0 {
			own = 1 << x.port
		}
		if free == 0 || own&free == 0 && own != 0 {
			continue
		}
		for len(r.requests) > 0 && int(r.requests[0].seq) < x.seq {
			free = r.serve(free)
		}
		open, late := own&free, readyAt[x] < r.now
		back := x.uop.Back
		if r.now-readyAt[x] >= patience {
			back = x.Plain
		}
		if x.uop.Back > 0 {
			meets := r.busTaken(r.now+int(back), x.Ways) & open
			if open &^= meets; open == 0 && meets&portSet(r.core.ResultBus.Ports) != 0 {
				met |= meets
				for k := range uops.EachWay {
					if x.Ways>>k&1 != 0 {
						r.wanted[k] |= meets
					}
				}
				for p := range 64 {
					if meets.Has(p) && r.passed[p] >= r.core.ResultBus.Passes {
						free &^= 1 << p
					}
				}
			}
		}
		if x.Aside != 0 && r.asides(x) == 0 {
			open = 0
		}
		if open != 0 && x.Banks&reads.twice != 0 {
			free &^= 1 << open.First()
			continue
		}
		units, ok := portSet(0), true
		for _, h := range x.Extra {
			if h.Read && r.bypassed(x, readyAt[x]) {
				continue
			}
			ok = ok && h.Units&free != 0
			units |= 1 << (h.Units & free).First()
		}
		if open == 0 && x.Ports != 0 || x.Clash&reads.places != 0 || !ok || r.predicted(x) && r.mustWait(x) || !r.inTurn(x, room) {
			continue
		}
		any = true
		reads.add(x.uop)
		for _, h := range x.Extra {
			if !h.Read || !r.bypassed(x, readyAt[x]) {
				unit := (h.Units & free).First()
				r.busy[unit] = r.now + int(h.Cycles) + r.half(h.Half, x)
				if portSet(r.core.UnitTurns).Has(unit) {
					r.turns++
				}
			}
		}
		free = r.nextUnit(free &^ units)
		port := -1
		x.back, x.asideBack = -1, -1
		if open != 0 {
			port = r.leastNeeded(open)
			free &^= 1 << port
			r.busy[port] = r.now + int(x.Occ) + int(x.Cuts>>(x.seq/len(r.body)%uops.PatternCuts)&1) + r.half(x.Half, x)
			if x.uop.Back > 0 {
				x.back = r.now + int(back)
			}
			if r.core.ResultBus.Ports != 0 {
				if x.Aside != 0 {
					x.asidePort, x.asideBack = r.asides(x).First(), r.now+int(x.Later)
				}
				if r.passed[port]++; !met.Has(port) {
					r.passed[port] = 0
				}
				for k := range uops.EachWay {
					r.wanted[k] &^= 1 << port
				}
			}
		}
		r.execute(x, port)
		r.fireIdle()
		if late && r.core.SpeculativeWakeup && x.Ports&r.core.Turned == 0 {
			r.wakeInVain(x)
		}
	}
	for free != 0 && len(r.requests) > 0 && int(r.requests[0].seq) < ready[len(ready)-1].seq && r.stillReady(ready) > int(r.requests[0].seq) {
		free = r.serve(free)
	}
	return free, any
}

// stillReady is the youngest µop that has not issued, -1 without any.
func (r *reference) stillReady(ready []*life) (seq int) {
	seq = -1
	for _, x := range ready {
		if x.issued < 0 {
			seq = x.seq
		}
	}
	return seq
}

// inTurn reports whether program order lets a µop issue, on cores that issue in it.
func (r *reference) inTurn(x *life, room *int) bool {
	if x.Behind != 0 && r.all[x.seq-int(x.Behind)].issued < 0 {
		return false
	}
	if !x.Lead {
		return true
	}
	if r.enter(x.seq, room); x.Queued {
		r.enter(x.seq+1, room)
	}
	for y := range r.inFlight {
		if y.seq < x.seq && y.Lead && y.issued < 0 && (!y.entered || x.Queued) {
			return false
		}
	}
	return x.entered || !x.Queued && r.takes(x, room)
}

// takes reports whether an instruction finds free slots in this cycle, which it takes.
func (r *reference) takes(x *life, room *int) bool {
	slots := max(1, int(x.Slots))
	if (slots > *room || x.Opens) && *room < r.core.Width {
		return false
	}
	if *room -= slots; x.Closes {
		*room = 0
	}
	return true
}

// serve gives the oldest request in vain a port.
func (r *reference) serve(free portSet) portSet {
	q := r.requests[0]
	r.requests = r.requests[1:]
	if p := q.ports & free; p != 0 {
		return free &^ (1 << r.leastNeeded(p))
	}
	if !q.last {
		r.askedAgain = sorted(append(r.askedAgain, vainRequest{q.seq, q.ports, true}))
	}
	return free
}

func sorted(list []vainRequest) []vainRequest {
	for i := range list {
		for k := i; k > 0 && list[k-1].seq > list[k].seq; k-- {
			list[k], list[k-1] = list[k-1], list[k]
		}
	}
	return list
}

// unissued is how many producers of a µop have not issued, each as often as the µop waits for it.
func (r *reference) unissued(x *life) (n int) {
	for k := range x.Deps {
		if p := r.producer(x, &x.Deps[k]); p != nil && p.issued < 0 {
			n++
		}
	}
	for k := range x.After {
		if p := r.producer(x, &x.After[k]); p != nil && p.retired < 0 {
			n++
		}
	}
	return n
}

// known is when the operands of a µop that have issued arrive.
func (r *reference) known(x *life) (at int) {
	if r.unissued(x) == 0 {
		at, _, _ = r.ready(x)
		return at
	}
	for k := range x.Deps {
		if p := r.producer(x, &x.Deps[k]); p != nil && p.issued >= 0 {
			at = max(at, p.issued-p.gain+int(x.Deps[k].Lat))
		}
	}
	return at
}

// consumer is the µop that a dependence leads to, nil if it has not been dispatched.
func (r *reference) consumer(x *life, d *dep) *life {
	if s := x.seq + int(d.Dist); s < len(r.all) {
		return r.all[s]
	}
	return nil
}

func (r *reference) succsOf(x *life) []dep { return r.succs[x.seq%len(r.body)] }

// consumers are the dependences on each µop of a body.
func consumers(body []uop) [][]dep {
	out := make([][]dep, len(body))
	for i := range body {
		for _, d := range body[i].Deps {
			out[d.Uop] = append(out[d.Uop], dep{Uop: uopIndex(i), Delta: d.Delta, Dist: d.Dist, Lat: d.Lat})
		}
	}
	return out
}

// believe adds requests of the µops whose missing producers all wait for ports since an earlier cycle at least, and would pass their results on after one.
func (r *reference) believe(readyAt map[*life]int) {
	for y := range r.inFlight {
		if y.issued >= 0 || y.Kind == uops.KindResult || y.Idle || r.known(y) > r.now || y.alloc+r.core.IssueDelay > r.now {
			continue
		}
		all, some := true, false
		for k := range y.Deps {
			if p := r.producer(y, &y.Deps[k]); p != nil && p.issued < 0 {
				at, ready := readyAt[p]
				some, all = true, all && ready && at < r.now && y.Deps[k].Lat == 1 && p.Ports&r.core.Turned == 0
			}
		}
		for k := range y.After {
			if p := r.producer(y, &y.After[k]); p != nil && p.retired < 0 {
				all = false
			}
		}
		if some && all && !slices.ContainsFunc(r.requests, func(q vainRequest) bool { return q.seq == seqNo(y.seq) }) {
			r.requests = sorted(append(r.requests, vainRequest{seqNo(y.seq), y.Ports, true}))
		}
	}
}

func (r *reference) wakeInVain(x *life) {
	for k, s := range r.succsOf(x) {
		y := r.consumer(x, &s)
		switch {
		case y == nil || r.unissued(y) > 0:
		case y.Kind == uops.KindResult:
			for _, d := range r.succsOf(y) {
				z := r.consumer(y, &d)
				if z != nil && r.unissued(z) == 1 && r.known(z) <= r.now+2 && r.known(y)+int(d.Lat) == r.now+2 && z.alloc != r.now {
					r.askedAgain = sorted(append(r.askedAgain, vainRequest{seqNo(z.seq), z.Ports, false}))
				}
			}
		case s.Lat == 1 && r.known(y) == r.now+1 && y.alloc != r.now && (k == 0 || r.succsOf(x)[k-1] != s):
			r.requests = slices.DeleteFunc(r.requests, func(q vainRequest) bool { return q.seq == seqNo(y.seq) })
			r.requests = sorted(append(r.requests, vainRequest{seqNo(y.seq), y.Ports, false}))
		}
	}
}

// waitingByPort is how many µops wait for the port that each was bound to.
func (r *reference) waitingByPort() (n [64]int) {
	for x := range r.inFlight {
		if x.issued < 0 && x.port >= 0 {
			n[x.port]++
		}
	}
	return n
}

func (r *reference) dispatch(offered int, before [64]int) (taken int) {
	r.stage = dispatching
	c := r.core
	width := min(offered, c.Width)
	if r.owed > 0 {
		paid := min(r.owed, c.Width)
		if r.owed -= paid; paid >= width {
			r.held = Width
			return 0
		}
		width -= paid
	}
	var limited [64]int
	r.loaded = false
	made, split, bound := 0, 0, 0
	for {
		u := &r.body[r.next]
		why := r.blocked(u, width-taken, &limited)
		if why == none && (u.Alone && taken > 0 || u.Split && c.Unlamination.Insts > 0 && (split >= c.Unlamination.Insts || made >= c.Unlamination.Within)) {
			why = Width
		}
		if why != none {
			if r.held = why; why == FrontEnd && width == c.Width {
				r.held = Width
			}
			r.owed = max(0, taken-c.Width)
			return taken
		}
		taken += int(u.Slots)
		if u.Split {
			split++
		}
		if !u.Rest {
			made += max(int(u.Slots), map[bool]int{true: 1}[u.Split])
		}
		for k := range c.DispatchLimits {
			if u.Limits>>k&1 != 0 {
				limited[k] += r.needs(u, k)
			}
		}
		r.loaded = r.loaded || u.LoadSlot
		x := &life{uop: u, seq: len(r.all), alloc: r.now, issued: -1, retired: -1, port: -1, held: r.held, back: -1, asideBack: -1, departed: -1}
		r.held = none
		if c.PortChoice.AtRename && u.Ports != 0 {
			x.port = r.bind(u, &before, &bound)
		}
		r.all = append(r.all, x)
		r.next = (r.next + 1) % len(r.body)
		r.fireIdle()
		if u.Alone {
			r.held = Width
			return taken
		}
	}
}

// nextUnit leaves of units that take operations in turn only the next one among free ports, if it is not busy.
func (r *reference) nextUnit(free portSet) portSet {
	var units []int
	for p := range 64 {
		if portSet(r.core.UnitTurns).Has(p) {
			units = append(units, p)
		}
	}
	if len(units) == 0 {
		return free
	}
	free &^= portSet(r.core.UnitTurns)
	if p := units[r.turns%len(units)]; r.busy[p] <= r.now {
		free |= 1 << p
	}
	return free
}

// needs returns what a µop takes of a dispatch limit.
func (r *reference) needs(u *uop, limit int) int {
	if r.core.DispatchLimits[limit].Loads && u.LoadSlot && !r.loaded {
		return 2
	}
	return 1
}

// half is 1 in every other iteration.
func (r *reference) half(half bool, x *life) int {
	if half {
		return x.seq / len(r.body) % 2
	}
	return 0
}

// stores counts the entries of the store queue that are taken.
func (r *reference) stores() (n int) {
	left := false // of the store whose µops come next, backwards
	for i := len(r.all) - 1; i >= 0; i-- {
		x := r.all[i]
		if x.Leaves {
			if left = x.departed >= 0 && x.departed <= r.now; left {
				break
			}
		}
		if x.Kind == uops.KindStoreAddr {
			n++
		}
	}
	return n
}

func (r *reference) blocked(u *uop, room int, limited *[64]int) Reason {
	c := r.core
	need, rob, taken, sched, lead, loads, stores := int(max(u.Slots, u.Whole)), 0, 0, 0, 0, 0, 0
	var results [isa.NumRegFiles]int
	if u.Kind == uops.KindStoreAddr {
		stores = r.stores()
	}
	for x := range r.inFlight {
		rob += int(x.Slots)
		taken += int(x.Jumps)
		for k, n := range x.Results {
			results[k] += int(n)
		}
		if x.Kind == uops.KindLoad {
			loads++
		}
		if x.issued < 0 && x.Sched >= 0 && x.Sched == u.Sched {
			sched++
		}
		if x.issued < 0 && x.Lead && !x.entered {
			lead++
		}
	}
	switch {
	case need > room && !(need > c.Width && room == c.Width), u.Slots == 0 && room < 0:
		return FrontEnd
	case rob > 0 && rob+int(u.Slots) > c.ROB:
		if c.InOrder {
			return InOrder
		}
		return ROBFull
	case u.Jumps > 0 && taken > 0 && taken+int(u.Jumps) > c.TakenBranches:
		return BranchesFull
	}
	for k := range c.DispatchLimits {
		if u.Limits>>k&1 != 0 && limited[k]+r.needs(u, k) > c.DispatchLimits[k].Uops {
			return DispatchLimit
		}
	}
	for k, room := range [...]int{c.IntegerRegisters, c.VectorRegisters, c.FlagRegisters} {
		if n := int(u.Results[k]); n > 0 && room > 0 && results[k]+n > room {
			return RegistersFull
		}
	}
	switch {
	case u.Lead && c.IssueQueue > 0 && lead >= c.IssueQueue:
		return IssueQueueFull
	case u.Sched >= 0 && sched >= c.Schedulers[u.Sched].Entries:
		return SchedulerFull
	case u.Kind == uops.KindLoad && c.LoadQueue > 0 && loads >= c.LoadQueue:
		return LoadQueueFull
	case u.Kind == uops.KindStoreAddr && c.StoreQueue > 0 && stores >= c.StoreQueue:
		return StoreQueueFull
	}
	return none
}

// bind chooses a port at rename.
func (r *reference) bind(u *uop, before *[64]int, bound *int) int {
	ports := u.Ports
	if u.Kind == uops.KindLoad && ports.Size() == 2 { // the one that was not taken last
		low := ports & -ports
		if r.turn&ports == low {
			r.turn = r.turn&^ports | ports&^low
		} else {
			r.turn = r.turn&^ports | low
		}
		ports &= r.turn
	}
	count := *before
	if r.core.PortChoice.Alternate == 0 {
		count = r.waitingByPort()
	}
	best, second := -1, -1
	for p := 63; p >= 0; p-- {
		switch {
		case !ports.Has(p):
		case best < 0 || count[p] < count[best]:
			best, second = p, best
		case second < 0 || count[p] < count[second]:
			second = p
		}
	}
	if r.core.PortChoice.Alternate > 0 {
		if *bound++; *bound%2 == 0 && second >= 0 && count[second]-count[best] < r.core.PortChoice.Alternate {
			return second
		}
	}
	return best
}
