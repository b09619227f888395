package sim

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/uops"
	"incore/internal/machine"
)

// Timeline holds the lives of all µops of some iterations.
type Timeline struct {
	First  int  // iteration, from 0
	Count  int  // number of iterations
	Steady bool // from First on, iterations repeat
	Core   *Core
	Lives  []Life // by iteration and µop
}

// Life is one dynamic µop.
type Life struct {
	Event
	Number int    // of the µop within its instruction
	Kind   string // its purpose
	Waits  []Wait
}

// Phase is a phase in the life of a µop.
type Phase uint8

// The phases, in the order of a µop's life.
const (
	ForDispatch Phase = iota
	ForOperand
	ForPort
	ForRetirement
)

var phaseNames = [...]string{"dispatch", "operand", "port", "retirement"}

func (p Phase) String() string { return phaseNames[p] }

// Wait is an interval in which a µop waits.
type Wait struct {
	For    Phase
	Cycles int64
	Reason Reason
	// Inst and Iteration name the cause: the producer of its last operand, the µop on its port, the oldest unfinished instruction; -1 if there is
	// none.
	Inst, Iteration int
	Uop             int             // that µop of the iteration, -1
	Ports           machine.PortSet // ports that are busy
	Scheduler       int             // full partition, -1
	Limit           int             // dispatch limit that is reached, an index into Core.DispatchLimits, -1
}

var kindNames = [...]string{uops.KindExec: "execute", uops.KindLoad: "load", uops.KindStoreAddr: "store address", uops.KindStoreData: "store data",
	uops.KindSync: "stack pointer", uops.KindResult: "result", uops.KindValue: "loaded value"}

// Limits of a timeline.
const (
	maxLives      = 200_000   // largest number of µops
	maxTraced     = 4_000_000 // largest number of simulated cycles
	maxFirst      = 100_000
	firstTraceIts = 8 // additional iterations that the window may hold
)

// ErrTooLong is the error for a timeline of which not even one iteration can be followed.
var ErrTooLong = errors.New("the timeline is too long")

// Trace simulates a kernel and returns the lives of the µops of count iterations beginning with first; with first < 0, of some iterations in the
// steady state. There are fewer iterations if count of them have too many µops. It returns an error if the core cannot be simulated, or ErrTooLong.
func Trace(g *depgraph.Graph, opt Options, first, count int) (*Timeline, error) {
	core, err := uops.Available(g.Bound.Model)
	if err != nil {
		return nil, err
	}
	c, err := compile(g, core, &opt)
	if err != nil {
		return nil, err
	}
	defer c.free()
	body := c.Uops
	if len(body) == 0 {
		return nil, errors.New("nothing is executed")
	}
	t := &tracer{body: body, Timeline: Timeline{First: first, Count: count, Core: core}}
	opt.Exact = true
	if r, err := c.run(opt); err != nil {
		return nil, err
	} else if first < 0 {
		t.First, t.Steady = r.Steady, r.Exact || r.Pattern
	} else {
		t.Steady = (r.Exact || r.Pattern) && first >= r.Steady
	}
	around := core.ROB/max(1, uops.SlotsIn(body)) + firstTraceIts
	back := 0
	for i := range body {
		for _, d := range body[i].Deps {
			back = max(back, int(d.Delta))
		}
	}
	fit := maxLives/len(body) - 2*around - back
	switch {
	case count < 1:
		return nil, fmt.Errorf("a timeline of %d iterations", count)
	case t.First > maxFirst:
		return nil, fmt.Errorf("a timeline from iteration %d on; at most %d", t.First, maxFirst)
	case fit < 1:
		return nil, fmt.Errorf("%w: with the iterations in flight around it, an iteration of %d µops makes %d to be followed; at most %d", ErrTooLong, len(body), (2*around+back+1)*len(body), maxLives)
	}
	count = min(count, fit)
	t.Count = count
	t.from, t.to = max(0, t.First-around-back), t.First+count+around
	opt.Trace = t.add
	opt.MinIterations, opt.MaxCycles = t.to+1, maxTraced
	if _, err := c.run(opt); err != nil {
		return nil, err
	}
	if len(t.events) == 0 || t.events[len(t.events)-1].Iteration < t.First+count {
		return nil, fmt.Errorf("iteration %d is not reached in %d cycles", t.First+count, maxTraced)
	}
	t.explain()
	return &t.Timeline, nil
}

// tracer collects events and finds the reason of each µop's waits.
type tracer struct {
	Timeline
	body     []uop
	from, to int // iterations to keep
	events   []Event
	// onPort lists the events by port, in the order of issue; onUnit those that hold resources.
	onPort [uops.MaxPorts][]int32
	onUnit []int32
}

func (t *tracer) add(e Event) {
	if e.Iteration >= t.from && e.Iteration <= t.to {
		e.Ready = max(e.Ready, e.Dispatched) // operands that arrived earlier
		t.events = append(t.events, e)
	}
}

// event returns the event of a µop, nil if it was not kept.
func (t *tracer) event(uop, iteration int) *Event {
	i := (iteration-t.from)*len(t.body) + uop
	if iteration < t.from || i >= len(t.events) {
		return nil
	}
	return &t.events[i]
}

// explain makes the lives of the requested iterations.
func (t *tracer) explain() {
	for i := range t.events {
		e := &t.events[i]
		if e.Port >= 0 {
			t.onPort[e.Port] = append(t.onPort[e.Port], int32(i))
		}
		if len(t.body[e.Uop].Extra) > 0 {
			t.onUnit = append(t.onUnit, int32(i))
		}
	}
	byIssue := func(a, b int32) int { return cmp.Compare(t.events[a].Issued, t.events[b].Issued) }
	for p := range t.onPort {
		slices.SortFunc(t.onPort[p], byIssue)
	}
	slices.SortFunc(t.onUnit, byIssue)
	slowest := 0 // the older µop that is finished last
	for i := range t.events {
		e := &t.events[i]
		if e.Iteration >= t.First && e.Iteration < t.First+t.Count {
			l := Life{Event: *e, Kind: t.kind(e.Uop)}
			for k := e.Uop - 1; k >= 0 && t.body[k].Inst == t.body[e.Uop].Inst; k-- {
				l.Number++
			}
			t.dispatch(&l, i)
			t.operand(&l)
			t.port(&l, i)
			t.retirement(&l, i, slowest)
			t.Lives = append(t.Lives, l)
		}
		if e.Done >= t.events[slowest].Done {
			slowest = i
		}
	}
}

// kind returns the purpose of a µop. A µop without a port, after others of its instruction, stands for the arrival of a result.
func (t *tracer) kind(u int) string {
	x := &t.body[u]
	if x.Kind == uops.KindExec && x.Ports == 0 && u > 0 && t.body[u-1].Inst == x.Inst {
		return kindNames[uops.KindResult]
	}
	return kindNames[x.Kind]
}

func (l *Life) wait(w Wait) { l.Waits = append(l.Waits, w) }

// dispatch explains why a µop was dispatched later than the one before it.
func (t *tracer) dispatch(l *Life, i int) {
	if i == 0 || l.Held == none || l.Held == Width || l.Dispatched == t.events[i-1].Dispatched {
		return
	}
	w := Wait{For: ForDispatch, Cycles: l.Dispatched - t.events[i-1].Dispatched, Reason: l.Held, Inst: -1, Iteration: -1, Uop: -1, Scheduler: -1, Limit: -1}
	switch l.Held {
	case SchedulerFull:
		if u := &t.body[l.Uop]; u.Among == 0 {
			w.Scheduler = int(u.Sched)
		}
	case DispatchLimit:
		w.Limit = t.limit(i)
	case IssueQueueFull: // waits for the first instruction in it
		for k := i - 1; k >= 0 && t.events[k].Dispatched >= l.Dispatched-maxQueued; k-- {
			if e := &t.events[k]; t.body[e.Uop].Lead && e.Issued >= l.Dispatched-1 {
				w.Inst, w.Iteration, w.Uop = e.Inst, e.Iteration, e.Uop
			}
		}
	case Fenced: // waits for the youngest µop before it
		w.Inst, w.Iteration, w.Uop = t.events[i-1].Inst, t.events[i-1].Iteration, t.events[i-1].Uop
	case ROBFull: // waits for the oldest µop in it
		for k := i - 1; k >= 0 && t.events[k].Retired >= l.Dispatched-1; k-- {
			w.Inst, w.Iteration, w.Uop = t.events[k].Inst, t.events[k].Iteration, t.events[k].Uop
		}
	}
	l.wait(w)
}

// maxQueued is the number of cycles for which dispatch looks back for an instruction in the issue queue.
const maxQueued = 1000

// limit returns the dispatch limit that the µops dispatched in the cycle before event i's reached, -1 if there is none.
func (t *tracer) limit(i int) int {
	var counts [uops.MaxPorts]int
	loaded := t.body[t.events[i].Uop].LoadSlot
	for k := i - 1; k >= 0 && t.events[k].Dispatched >= t.events[i].Dispatched-1; k-- {
		if t.events[k].Dispatched < t.events[i].Dispatched {
			u := &t.body[t.events[k].Uop]
			loaded = loaded || u.LoadSlot
			for s := u.Limits & t.body[t.events[i].Uop].Limits; s != 0; s &= s - 1 {
				counts[bits.TrailingZeros64(s)]++
			}
		}
	}
	for k := range t.Core.DispatchLimits {
		l, n := &t.Core.DispatchLimits[k], counts[k]
		if n > 0 && (n >= l.Uops || loaded && l.Loads && n >= l.Uops-1) {
			return k
		}
	}
	return -1
}

// operand explains the wait of a dispatched µop until it was ready.
func (t *tracer) operand(l *Life) {
	u := &t.body[l.Uop]
	earliest := l.Dispatched
	if u.Ports != 0 || len(u.Extra) > 0 {
		earliest += int64(t.Core.IssueDelay)
	}
	if l.Ready <= earliest {
		return
	}
	w := Wait{For: ForOperand, Cycles: l.Ready - earliest, Reason: Operands, Inst: -1, Iteration: -1, Uop: -1, Scheduler: -1, Limit: -1}
	last := int64(math.MinInt64)
	for _, d := range u.Deps {
		if p := t.event(int(d.Uop), l.Iteration-int(d.Delta)); p != nil && p.Issued+int64(d.Lat) > last {
			last, w.Inst, w.Iteration, w.Uop = p.Issued+int64(d.Lat), p.Inst, p.Iteration, p.Uop
		}
	}
	for _, d := range u.After {
		if p := t.event(int(d.Uop), l.Iteration-int(d.Delta)); p != nil && p.Retired+int64(d.Lat) > last {
			last, w.Inst, w.Iteration, w.Uop, w.Reason = p.Retired+int64(d.Lat), p.Inst, p.Iteration, p.Uop, InOrder
		}
	}
	if in := max(earliest, last); u.Group > 0 && !t.Core.InPackets(u.Group) && l.Ready > in { // in the queue before the schedulers
		s := t.Core.Groups[u.Group-1].Partitions[t.Core.PartitionOf[l.Port]].Scheduler
		l.wait(Wait{For: ForDispatch, Cycles: l.Ready - in, Reason: SchedulerFull, Inst: -1, Iteration: -1, Uop: -1, Scheduler: s, Limit: -1})
		if w.Cycles = in - earliest; w.Cycles == 0 {
			return
		}
	}
	l.wait(w)
}

// port explains why a ready µop did not issue.
func (t *tracer) port(l *Life, i int) {
	if l.Issued <= l.Ready {
		return
	}
	u := &t.body[l.Uop]
	w := Wait{For: ForPort, Cycles: l.Issued - l.Ready, Reason: PortBusy, Inst: -1, Iteration: -1, Uop: -1, Scheduler: -1, Limit: -1}
	ports := u.Ports
	if (t.Core.PortChoice.AtRename || u.Among != 0) && l.Port >= 0 {
		ports = 1 << l.Port // it could use no other port
	}
	at, on := l.Issued-1, -1
	free := ports == 0
	for p := 0; p < len(t.onPort) && !free; p++ {
		if ports>>p&1 == 0 {
			continue
		}
		who := t.busy(t.onPort[p], at, func(k *uop) int64 { return int64(k.Occ+half(k.Half, 1)) + int64(min(k.Cuts, 1)) })
		free = who < 0
		on = max(on, who)
	}
	w.Ports = machine.PortSet(ports)
	if free {
		on = -1
		for _, h := range u.Extra {
			who := t.busy(t.onUnit, at, func(k *uop) int64 {
				for _, x := range k.Extra {
					if x.Units&h.Units != 0 {
						return int64(x.Cycles + half(x.Half, 1))
					}
				}
				return 0
			})
			if who >= 0 && who != i {
				on, w.Ports = who, machine.PortSet(h.Units)
			}
		}
	}
	if on < 0 { // a port was free
		switch {
		case t.Core.InOrder:
			w.Ports, w.Reason, on = 0, InOrder, t.before(i)
		case u.Kind == uops.KindLoad && u.Class >= 0:
			w.Ports, w.Reason = 0, OlderStores
		}
	}
	if on >= 0 {
		e := &t.events[on]
		w.Inst, w.Iteration, w.Uop = e.Inst, e.Iteration, e.Uop
	}
	l.wait(w)
}

// before returns the last µop before event i in program order that an in-order core issued before it, -1 if there is none.
func (t *tracer) before(i int) int {
	last := -1
	for k := i - 1; k >= max(0, i-2*len(t.body)); k-- {
		if e := &t.events[k]; e.Port >= 0 && e.Issued <= t.events[i].Issued && (last < 0 || e.Issued > t.events[last].Issued) {
			last = k
		}
	}
	return last
}

// unitsOfSet is the largest number of units of a kind (dividers) in a core: any of that many last holders may still hold one.
const unitsOfSet = 16

// busy returns the event that holds a port or unit in a cycle, -1 if there is none. The list is in order of issue.
func (t *tracer) busy(list []int32, cycle int64, hold func(*uop) int64) int {
	n, _ := slices.BinarySearchFunc(list, cycle, func(i int32, c int64) int {
		if t.events[i].Issued <= c {
			return -1
		}
		return 1
	})
	for k := n - 1; k >= max(0, n-unitsOfSet); k-- {
		e := &t.events[list[k]]
		if cycle < e.Issued+hold(&t.body[e.Uop]) {
			return int(list[k])
		}
	}
	return -1
}

// retirement explains why a finished µop did not retire: an older one was not finished, or the retirement width was used up.
func (t *tracer) retirement(l *Life, i, slowest int) {
	if l.Retired <= l.Done {
		return
	}
	w := Wait{For: ForRetirement, Cycles: l.Retired - l.Done, Reason: Width, Inst: -1, Iteration: -1, Uop: -1, Scheduler: -1, Limit: -1}
	if e := &t.events[slowest]; slowest < i && e.Done > l.Done {
		w.Reason, w.Inst, w.Iteration, w.Uop = InOrder, e.Inst, e.Iteration, e.Uop
	}
	l.wait(w)
}
