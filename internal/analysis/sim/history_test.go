package sim

import (
	"fmt"
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/frontend"
	"incore/internal/analysis/uops"
	"incore/internal/isa"
	"incore/internal/machine"
)

// History is what a simulation did in some cycles: the life of every µop that retired, and what each unit counted at the end of each cycle. Its methods hold the units
// to what they promise; they count anew from the lives, and return the first thing that is not so.
type History struct {
	core   *Core
	body   int    // µops of an iteration
	lives  []past // by number
	cycles []counted
}

// past is the life of a µop that has retired.
type past struct {
	*uop
	alloc, ready, issued, retired, left cycle
	gain                                cycle
	port                                int
	departed                            cycle // when its store has left the store queue
}

// counted is the state of counters at the end of a cycle.
type counted struct {
	slots, loads, stores int // taken of the reorder buffer, the load queue and the store queue
	branches             int // taken, in the reorder buffer
	taken                [isa.NumRegFiles]int32
	entries              []entries
	waits                []bool // entry of the memory-dependence predictor → its loads wait
}

// Record simulates a kernel for a number of cycles, one at a time. At the start all loads are predicted to depend on older stores.
func Record(g *depgraph.Graph, core *Core, opt Options, cycles int) *History {
	p, front := prepared(g, core, &opt)
	for k := range p.memory.predictor {
		p.memory.predictor[k].waits = true
	}
	h := &History{core: core, body: len(p.body)}
	p.trace = func(e Event) {
		x := &p.ring[p.head&p.mask]
		h.lives = append(h.lives, past{&p.body[x.uop], x.alloc, x.ready, x.issued, p.now, x.retired, x.gain, int(x.port), p.memory.leaving.last})
	}
	for range cycles {
		p.run(&front, p.now+1)
		c := counted{slots: p.rob.used, branches: p.rob.taken, loads: p.memory.loads, stores: p.memory.stores, taken: p.regs.taken, entries: slices.Clone(p.sched.entries)}
		for _, e := range p.memory.predictor {
			c.waits = append(c.waits, e.waits)
		}
		h.cycles = append(h.cycles, c)
	}
	for s := p.head; s < p.tail; s++ { // what has not retired counts as well
		x := &p.ring[s&p.mask]
		l := past{&p.body[x.uop], x.alloc, x.ready, x.issued, cycle(cycles), cycle(cycles), x.gain, int(x.port), cycle(cycles)}
		if l.issued == notYet {
			l.issued = cycle(cycles)
		}
		h.lives = append(h.lives, l)
	}
	departed := cycle(cycles)
	for i := len(h.lives) - 1; i >= 0; i-- { // an entry is that of the store's last µop
		if l := &h.lives[i]; l.Leaves {
			departed = l.departed
		} else {
			l.departed = departed
		}
	}
	return h
}

// prepared is a pipeline before its first cycle.
func prepared(g *depgraph.Graph, core *Core, opt *Options) (*pipeline, frontend.Feed) {
	core.FreePorts = opt.FreePorts
	body, classes := compiledFor(g, core, opt.compiled())
	p := new(pipeline)
	p.reset(core, body, classes)
	return p, frontend.New(&core.Core, g.Bound, slotsFor(g, body), opt.layout())
}

// Retired is how many µops have retired.
func (h *History) Retired() (n int) {
	for n < len(h.lives) && int(h.lives[n].retired) < len(h.cycles) {
		n++
	}
	return n
}

// most is the greatest number of slots of a µop, or of an instruction that goes as a whole.
func (h *History) most() int {
	n := 0
	for i := range h.lives {
		n = max(n, int(h.lives[i].Slots), int(h.lives[i].Whole))
	}
	return n
}

// inOrder reports where an event of µops comes earlier than that of an older one, or where more slots have had it between two µops than the cycles between them allow. An
// instruction wider than a cycle takes the next ones as well.
func (h *History) inOrder(what string, width int, when func(*past) cycle) error {
	end, excess := cycle(len(h.cycles)), max(0, h.most()-width)
	slots, at := 0, cycle(-1)
	for i := range h.lives {
		l := &h.lives[i]
		t := when(l)
		if t >= end {
			return nil
		}
		if t < at {
			return fmt.Errorf("µop %d is %s in cycle %d, one before it in cycle %d", i, what, t, at)
		}
		if slots = max(0, slots-width*int(t-max(0, at))); t > at {
			slots = min(slots, excess) // what a cycle left over is lost
		}
		if at, slots = t, slots+int(l.Slots); slots > width+excess {
			return fmt.Errorf("%d slots are %s by cycle %d, of %d a cycle", slots, what, t, width)
		}
	}
	return nil
}

// Rename holds rename and allocation to program order, to the width of dispatch, and to the dispatch limits.
func (h *History) Rename() error {
	if err := h.inOrder("dispatched", h.core.Width, func(l *past) cycle { return l.alloc }); err != nil {
		return err
	}
	for k := range h.core.DispatchLimits {
		n, at := 0, cycle(-1)
		for i := range h.lives {
			l := &h.lives[i]
			if l.Limits>>k&1 == 0 {
				continue
			}
			if l.alloc != at {
				n, at = 0, l.alloc
			}
			if n++; n > h.core.DispatchLimits[k].Uops {
				return fmt.Errorf("cycle %d dispatches %d µops of a limit of %d", at, n, h.core.DispatchLimits[k].Uops)
			}
		}
	}
	return nil
}

// count is, for each cycle, how much is taken at its end of what µops hold from some cycle to another.
func (h *History) count(held func(*past) (from, to cycle, n int)) []int {
	out := make([]int, len(h.cycles)+1)
	for i := range h.lives {
		if from, to, n := held(&h.lives[i]); n > 0 && from < to {
			out[min(int(from), len(h.cycles))] += n
			out[min(int(to), len(h.cycles))] -= n
		}
	}
	for t := range h.cycles {
		if t > 0 {
			out[t] += out[t-1]
		}
	}
	return out[:len(h.cycles)]
}

// conserved holds a counter to what the µops hold, and to a capacity (0: there is none).
func (h *History) conserved(what string, capacity int, counter func(*counted) int, held func(*past) (from, to cycle, n int)) error {
	for t, n := range h.count(held) {
		if got := counter(&h.cycles[t]); got != n {
			return fmt.Errorf("%s: %d are taken at the end of cycle %d, µops have %d", what, got, t, n)
		}
		if capacity > 0 && n > capacity {
			return fmt.Errorf("%s: %d of %d are taken at the end of cycle %d", what, n, capacity, t)
		}
	}
	return nil
}

// Scheduler holds partitions to their entries, ports to one µop at a time of those that may use them, and select to the age of µops.
func (h *History) Scheduler() error {
	for q := range h.core.Schedulers {
		err := h.conserved(h.core.Schedulers[q].Name, h.core.Schedulers[q].Entries, func(c *counted) int { return int(c.entries[q].taken) }, func(l *past) (from, to cycle, n int) {
			if l.Group == 0 && int(l.Sched) == q {
				n = 1
			}
			return l.alloc, l.issued, n
		})
		if err != nil && !slices.Contains(h.core.Steered, q) { // TestSteeredEntries counts those
			return err
		}
	}
	if err := h.ports(); err != nil {
		return err
	}
	return h.oldestFirst()
}

// ports holds µops to the ports that they may use, and ports to one of them at a time.
func (h *History) ports() error {
	busy := map[[2]int]int{} // cycle and port → µop, from 1
	for i := range h.lives {
		l := &h.lives[i]
		switch {
		case int(l.issued) >= len(h.cycles) || h.core.FreePorts:
			continue
		case l.port < 0 && l.Ports == 0:
			continue
		case l.port < 0 || !l.Ports.Has(l.port):
			return fmt.Errorf("µop %d issues by port %d; it may use %b", i, l.port, l.Ports)
		case l.issued < l.alloc+cycle(h.core.IssueDelay):
			return fmt.Errorf("µop %d is dispatched in cycle %d and issues in %d", i, l.alloc, l.issued)
		}
		for t := range int(l.Occ) + int(l.Cuts>>(i/h.body%uops.PatternCuts)&1) + int(half(l.Half, seqNo(i/h.body))) {
			at := [2]int{int(l.issued) + t, l.port}
			if busy[at] > 0 {
				return fmt.Errorf("µops %d and %d have port %d in cycle %d", busy[at]-1, i, l.port, at[0])
			}
			busy[at] = i + 1
		}
	}
	return nil
}

// drawn reports whether the ports of a µop are those of a partition that chance gave it.
func (h *History) drawn(l *past) bool {
	return l.Group > 0 && h.core.Groups[l.Group-1].Policy == machine.SteerChance
}

// oldestFirst holds select to this: of two µops that are ready, may use the same ports and need nothing else, the older one issues first.
func (h *History) oldestFirst() error {
	plain := func(l *past) bool {
		return l.Ports != 0 && len(l.Extra) == 0 && l.Back == 0 && l.Aside == 0 && l.Kind == uops.KindExec && !l.Lead && l.Behind == 0
	}
	for i := range h.lives {
		old := &h.lives[i]
		if !plain(old) || old.Among != 0 || h.drawn(old) || int(old.issued) >= len(h.cycles) { // when its operands come is not known before
			continue
		}
		for k := i + 1; k < len(h.lives) && h.lives[k].alloc < old.issued; k++ {
			young := &h.lives[k]
			same := young.Ports == old.Ports && young.Among == 0
			if h.core.PortChoice.AtRename {
				same = young.port == old.port
			}
			if plain(young) && same && old.ready <= young.issued && young.issued < old.issued {
				return fmt.Errorf("µop %d issues in cycle %d, the older µop %d of the same ports, ready in %d, in %d", k, young.issued, i, old.ready, old.issued)
			}
		}
	}
	return nil
}

// WakeUp holds µops to the latencies of what they depend on.
func (h *History) WakeUp() error {
	for i := range h.lives {
		l := &h.lives[i]
		if int(l.issued) >= len(h.cycles) {
			continue
		}
		for _, d := range l.Deps {
			if k := i - int(d.Dist); k >= 0 && h.lives[k].issued-h.lives[k].gain+d.Lat > l.issued {
				return fmt.Errorf("µop %d issues in cycle %d; µop %d, %d cycles before it, in %d", i, l.issued, k, d.Lat, h.lives[k].issued)
			}
		}
		for _, d := range l.After {
			if k := i - int(d.Dist); k >= 0 && h.lives[k].left+d.Lat > l.issued {
				return fmt.Errorf("µop %d issues in cycle %d; µop %d has left in %d", i, l.issued, k, h.lives[k].left)
			}
		}
	}
	return nil
}

// LoadStore holds the queues of loads and stores to their entries, stores to their turn, and loads that are predicted to depend on older stores to the addresses of these.
func (h *History) LoadStore() error {
	queue := func(kind uopKind, left func(l *past) cycle) func(l *past) (from, to cycle, n int) {
		return func(l *past) (from, to cycle, n int) {
			if l.Kind == kind {
				n = 1
			}
			return l.alloc, left(l), n
		}
	}
	loads := queue(uops.KindLoad, func(l *past) cycle { return l.retired })
	if err := h.conserved("loads", h.core.LoadQueue, func(c *counted) int { return c.loads }, loads); err != nil {
		return err
	}
	stores := queue(uops.KindStoreAddr, func(l *past) cycle { return l.departed })
	if err := h.conserved("stores", h.core.StoreQueue, func(c *counted) int { return c.stores }, stores); err != nil {
		return err
	}
	end, left := cycle(len(h.cycles)), cycle(0)
	for i := range h.lives {
		l := &h.lives[i]
		if l.Leaves && l.retired < end {
			if least := max(l.retired, left+l.Leaving(seqNo(i/h.body))); l.departed != least {
				return fmt.Errorf("store %d retires in cycle %d and leaves the store queue in %d, one before it in %d", i, l.retired, l.departed, left)
			}
			left = l.departed
		}
		t := int(l.issued)
		if l.Kind != uops.KindLoad || l.Class < 0 || t == 0 || t >= len(h.cycles) || !h.cycles[t-1].waits[l.Class] || !h.cycles[t].waits[l.Class] {
			continue
		}
		for k := max(0, i-1000); k < i; k++ {
			if s := &h.lives[k]; s.Kind == uops.KindStoreAddr && s.retired > l.issued && s.issued+addressDelay > l.issued {
				return fmt.Errorf("load %d waits for older stores and issues in cycle %d, the address of store %d in %d", i, t, k, s.issued)
			}
		}
	}
	return nil
}

// ReorderBuffer holds retirement to program order, to its width and to what is done, and the µops in flight to the buffer's entries.
func (h *History) ReorderBuffer() error {
	if err := h.inOrder("retired", h.core.RetireWidth, func(l *past) cycle { return l.retired }); err != nil {
		return err
	}
	for i := range h.lives {
		if l := &h.lives[i]; int(l.retired) < len(h.cycles) && l.issued+l.Done > l.retired {
			return fmt.Errorf("µop %d is done in cycle %d and retires in %d", i, l.issued+l.Done, l.retired)
		}
	}
	for k, room := range [...]int{h.core.IntegerRegisters, h.core.VectorRegisters, h.core.FlagRegisters} {
		if err := h.conserved("registers", room, func(c *counted) int { return int(c.taken[k]) }, func(l *past) (from, to cycle, n int) { return l.alloc, l.retired, int(l.Results[k]) }); err != nil {
			return err
		}
	}
	branches := func(l *past) (from, to cycle, n int) {
		return l.alloc, l.retired, int(l.Jumps)
	}
	if err := h.conserved("taken branches", h.core.TakenBranches, func(c *counted) int { return c.branches }, branches); err != nil {
		return err
	}
	return h.conserved("reorder buffer", max(h.core.ROB, h.most()), func(c *counted) int { return c.slots }, func(l *past) (from, to cycle, n int) { return l.alloc, l.retired, int(l.Slots) })
}

// Later reports the first µop that retires later than in another simulation of the same kernel.
func (h *History) Later(than *History) error {
	for i := range min(len(h.lives), len(than.lives)) {
		if a, b := h.lives[i].retired, than.lives[i].retired; a > b {
			return fmt.Errorf("µop %d retires in cycle %d, with less of it in %d", i, a, b)
		}
	}
	return nil
}

// Repeats simulates a kernel until its state comes again, and from there on as long as since the marked state, at least some cycles. The error is about the first µop that
// is dispatched, issues or retires otherwise than then; found is false if no state comes again.
func Repeats(g *depgraph.Graph, core *Core, opt Options, cycles int) (found bool, err error) {
	p, front := prepared(g, core, &opt)
	var lives []past
	p.trace = func(e Event) {
		x := &p.ring[p.head&p.mask]
		lives = append(lives, past{&p.body[x.uop], x.alloc, x.ready, x.issued, p.now, x.retired, x.gain, int(x.port), p.memory.leaving.last})
	}
	for n := 0; p.detect.found == nil; n = len(p.rob.retired) {
		if int(p.now) > cycles {
			return false, nil
		}
		if p.run(&front, p.now+1); len(p.rob.retired) > n {
			p.detect.steady(&front)
		}
	}
	then, now, from := p.detect.found.now, p.now, int(p.detect.foundAt())
	period, first := now-then, len(lives)
	for until := now + min(max(period, 40), unproven); p.now < until; {
		p.run(&front, until)
	}
	for i := first; i < len(lives); i++ {
		a, b := &lives[from+i-first], &lives[i]
		switch {
		case a.uop != b.uop || a.retired != b.retired-period:
			return true, fmt.Errorf("µop %d retires in cycle %d, %d after %d", i, b.retired, period, a.retired)
		case a.issued >= then && (a.issued != b.issued-period || a.port != b.port && !p.lots.alike(then).Has(b.port)):
			return true, fmt.Errorf("µop %d issues by port %d in cycle %d, before by port %d in cycle %d; the period is %d", i, b.port, b.issued, a.port, a.issued, period)
		case a.alloc >= then && a.alloc != b.alloc-period:
			return true, fmt.Errorf("µop %d is dispatched in cycle %d, %d after %d", i, b.alloc, period, a.alloc)
		}
	}
	return true, nil
}

// foundAt returns the oldest µop in flight at the mark whose state has recurred.
func (d *detector) foundAt() seqNo {
	if d.found == &d.marks[0] {
		return d.marked[0].head
	}
	return d.marked[1].head
}
