package sim

import (
	"fmt"
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/frontend"
	"incore/internal/analysis/uops"
	"incore/internal/machine"
)

// This file simulates executed code: instructions in the order of execution, with the memory dependences, mispredicted branches and late loads of the
// execution. It simulates a loop body that is dispatched once, with a front end that follows the executed taken branches.

// Region is a part of an execution.
type Region struct {
	Graph    *depgraph.Graph // its instructions and their dependences (depgraph.Runs)
	Numbers  []int32         // instruction → its number in the program, from 0; executions of the same instruction have the same number
	Start    int             // the first instruction that is simulated; those before it have retired
	From, To int             // the measured instructions; earlier ones fill the core, later ones keep it busy
	Wrong    []bool          // instruction → it is a mispredicted branch; nil: none is
	Late     []int32         // instruction → extra cycles of its loads beyond the first-level cache; nil: none
	Crosses  []bool          // instruction → it accesses bytes of two cache lines; nil: none does
	Leave    []int8          // instruction → cycles that its stores take to leave the store queue after those before, more than the one that a store alone takes; nil: 0
	Group    []int32         // instruction → group that its cycles count for, from 0
	Groups   int

	// Drains: the simulation ends when nothing is in flight as fetch continues after a mispredicted branch, at the
	// latest at the last instruction. Rest is what is left of the core from such a simulation of the code before.
	Drains bool
	Rest   Rest
}

// Cause is the cause to which a cycle is attributed.
type Cause uint8

// The causes: dispatch took all possible slots; or the front end; or else the oldest instruction, which stalled everything.
const (
	ByWidth Cause = iota
	ByFrontEnd
	ByBranches
	ByPorts
	ByExecution
	ByLoads
	ByForwarding
	ByOrder
	NumCauses
)

var causeNames = [NumCauses]string{"dispatch width", "front end", "mispredicted branches", "ports", "execution latency", "loads", "store forwarding", "order"}

func (c Cause) String() string { return causeNames[c] }

// Account holds the cycles of a region, by group and cause.
type Account struct {
	Cycles float64
	Groups [][NumCauses]int32
	Full   [numReasons]int32 // of the cycles in which the oldest instruction stalled everything: the full buffer

	// With Region.Drains:
	Open  bool  // something is in flight when fetch continues after the last instruction, a mispredicted branch
	Ended int   // the first instruction that was not simulated
	Idle  int32 // the last cycles, in which nothing was in flight: they count for what follows
	Rest  Rest
}

// Free lists the limits to remove in the simulation of an execution.
type Free struct {
	Ports      bool // every µop finds a port
	FrontEnd   bool // slots are always available
	Width      bool // unlimited dispatch and retirement width
	Buffers    bool // reorder buffer, schedulers, load and store queues are four times as large
	Branches   bool // all branches are predicted
	Memory     bool // loads do not wait for stores
	Loads      bool // all loads are as fast as from the first-level cache
	LoadsAtOne bool // loads take one cycle
}

// Streamer simulates regions on one core, one after another. It reuses their common data.
type Streamer struct {
	// Done, if not nil, ends a simulation with ErrStopped when it is closed.
	Done <-chan struct{}

	core    *Core
	model   *machine.Model
	free    Free
	penalty cycle
	runs    map[runKey]*frontend.Run
	p       pipeline
	late    map[uopIndex]cycle // loads → extra cycles
	code    uops.Templates
	way     way
}

// way is the memory of what fetch takes of a region.
type way struct {
	slots    []int32 // instruction → its slots
	runs     []*frontend.Run
	stops    []bool  // run → it ends with a mispredicted branch
	sizes    []int   // run → its slots
	branches []seqNo // the µops of these branches
}

// runKey identifies runs of instructions; the same code may take more slots if rename inserts other µops.
type runKey struct {
	addr         uint64
	insts, slots int32
}

// Penalty returns the misprediction penalty of a core in cycles, from the execution of a mispredicted branch to the dispatch of the correct path, and its source: the
// model's figure, otherwise a typical length of the pipeline up to the execution of branches.
func Penalty(m *machine.Model) (cycles int, source string) {
	if m.Params.Mispredict > 0 {
		return m.Params.Mispredict, "the machine model"
	}
	return 14, "assumed, as the model says none"
}

// NewStreamer prepares a core. penalty is the number of cycles from the execution of a mispredicted branch to the dispatch of the correct path.
func NewStreamer(m *machine.Model, penalty int, free Free) (*Streamer, error) {
	core, err := uops.Available(m)
	if err != nil {
		return nil, err
	}
	core.Banks = machine.Banks{} // of addresses as loops have them
	s := &Streamer{core: core, model: m, free: free, penalty: cycle(penalty), runs: map[runKey]*frontend.Run{}, code: uops.NewTemplates()}
	s.release()
	return s, nil
}

// plenty is a width without effect; a word of dispatch slots is narrower.
const plenty = 32

// roomy is the factor by which free buffers grow: a larger one would make windows of µops longer and simulations slower.
const roomy = 4

// release removes the limits in Free.
func (s *Streamer) release() {
	c := s.core
	c.FreePorts = s.free.Ports
	if s.free.Width {
		c.Width, c.RetireWidth, c.DispatchLimits = plenty, plenty, nil
	}
	if s.free.Buffers {
		c.ROB, c.LoadQueue, c.StoreQueue, c.TakenBranches = roomy*c.ROB, roomy*c.LoadQueue, roomy*c.StoreQueue, roomy*c.TakenBranches
		c.IntegerRegisters, c.VectorRegisters, c.FlagRegisters = roomy*c.IntegerRegisters, roomy*c.VectorRegisters, roomy*c.FlagRegisters
		c.LoadEntries.Entries *= roomy
		c.Schedulers, c.Groups = slices.Clone(c.Schedulers), slices.Clone(c.Groups) // the model shares them with other simulations
		for i := range c.Schedulers {
			c.Schedulers[i].Entries *= roomy
		}
		for i := range c.Groups {
			c.Groups[i].Queue *= roomy
		}
	}
}

// stalled is the number of cycles without retirement after which a simulation ends.
const stalled = 100000

// Run simulates a region.
func (s *Streamer) Run(r *Region) (*Account, error) {
	b := r.Graph.Bound
	body := s.code.Compile(r.Graph, s.core, r.Numbers, r.Rest.stack)
	if len(body) == 0 || r.From >= r.To && !r.Drains {
		return &Account{Groups: make([][NumCauses]int32, r.Groups)}, nil
	}
	s.adjust(body, r)
	p := &s.p
	p.resetRun(s.core, body, s.code.Classes())
	p.begin(firstOf(body, r.Start), &r.Rest)
	f, branches := s.fetch(r, body)
	first, end := firstOf(body, r.From), firstOf(body, r.To)
	a := &Account{Groups: make([][NumCauses]int32, max(1, r.Groups))}
	for last := cycle(0); p.head < end || r.Drains && r.To == len(b.Insts) && f.Stopped(); {
		if p.now%stopEvery == 0 && closed(s.Done) {
			return nil, ErrStopped
		}
		if f.Stopped() && len(branches) > 0 {
			if x := p.at(branches[0]); x != nil && x.issued != notYet && p.now >= x.issued+s.penalty {
				branches = branches[1:]
				if r.Drains && (p.head == p.tail || p.tail == p.n) {
					a.Open = p.head < p.tail
					break
				}
				f.Resume()
			}
		}
		f.Fill()
		before := p.head
		f.Take(p.step(f.Have()))
		if r.Drains && p.head == p.tail && f.Stopped() && f.Have() == 0 {
			a.Idle++
		} else if before >= first {
			s.count(a, r, f)
		}
		if p.head != before {
			last = p.now
		} else if p.now-last > stalled {
			i := body[p.head%p.n].Inst
			return nil, fmt.Errorf("%s: the simulated core makes no progress at instruction %d of %d, %s", b.Model.Name, i, len(b.Insts), b.Kernel.ISA.Forms.Name(b.Insts[i].Line.Inst.Form))
		}
	}
	if r.Drains {
		a.Ended = len(b.Insts)
		if p.head < p.n {
			a.Ended = int(body[p.head].Inst)
		}
		a.Rest = p.rest(s.core.StackSync != 0 && s.code.Moves(r.Numbers[:a.Ended], r.Rest.stack))
	}
	return a, nil
}

// firstOf returns the first µop of an instruction, or of a later one; the number of µops if there is none.
func firstOf(body []uop, inst int) seqNo {
	lo, hi := 0, len(body)
	for lo < hi {
		if m := (lo + hi) / 2; int(body[m].Inst) < inst {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return seqNo(lo)
}

// adjust slows down accesses that cross lines, loads from beyond the first-level cache, and stores that do not leave the store queue alone.
func (s *Streamer) adjust(body []uop, r *Region) {
	if r.Crosses != nil && s.core.LineCrossing {
		s.code.Cross(body, r.Graph.Bound, r.Crosses, s.core)
	}
	for u := range body {
		x := &body[u]
		if x.Leaves && x.Leave[0] != 0 && r.Leave != nil && r.Leave[x.Inst] != 0 {
			s.code.Own(x)
			x.SetLeaving(1 + int(r.Leave[x.Inst]))
		}
		if x.Kind != uops.KindLoad {
			continue
		}
		more := cycle(0)
		if r.Late != nil && !s.free.Loads && !s.free.LoadsAtOne {
			more = cycle(r.Late[x.Inst])
		}
		if s.free.LoadsAtOne {
			more = 1 - x.Done
		}
		if more == 0 {
			continue
		}
		s.code.Own(x)
		x.Done = max(1, x.Done+more)
		if s.late == nil {
			s.late = map[uopIndex]cycle{}
		}
		s.late[uopIndex(u)] = more
	}
	s.delay(body)
}

// delay makes the consumers of late loads wait longer.
func (s *Streamer) delay(body []uop) {
	if len(s.late) == 0 {
		return
	}
	for u := range body {
		for k := range body[u].Deps {
			d := &body[u].Deps[k]
			d.Lat = max(0, d.Lat+s.late[d.Uop])
		}
	}
	clear(s.late)
}

// fetcher is a source of slots.
type fetcher interface {
	Fill()
	Have() int
	Take(n int)
	Stopped() bool
	Resume()
}

// fetch divides the instructions into runs. It returns the front end, and the µops of the branches at which it stops.
func (s *Streamer) fetch(r *Region, body []uop) (fetcher, []seqNo) {
	b, w := r.Graph.Bound, &s.way
	n := len(b.Insts)
	w.slots = slices.Grow(w.slots[:0], n)[:n]
	w.runs, w.stops, w.sizes, w.branches = w.runs[:0], w.stops[:0], w.sizes[:0], w.branches[:0]
	slots := w.slots
	uops.SlotsOf(slots, body)
	for lo := r.Start; lo < n; {
		hi, sum := lo+1, slots[lo]
		for ; hi < n && !s.mispredicted(r, hi-1) && adjacent(b, hi); hi++ {
			sum += slots[hi]
		}
		stop := s.mispredicted(r, hi-1)
		if stop {
			if u := branchUop(body, hi-1); u >= 0 {
				w.branches = append(w.branches, u)
			} else {
				stop = false
			}
		}
		w.stops, w.sizes = append(w.stops, stop), append(w.sizes, int(sum))
		if !s.free.FrontEnd {
			key := runKey{b.Insts[lo].Line.Addr, int32(hi - lo), sum}
			run := s.runs[key]
			if run == nil {
				run = frontend.NewRun(&s.core.Core, b.Model, b.Kernel.ISA, b.Insts[lo:hi], slices.Clone(slots[lo:hi]))
				s.runs[key] = run
			}
			w.runs = append(w.runs, run)
		}
		lo = hi
	}
	if s.free.FrontEnd {
		return &plentiful{sizes: w.sizes, stops: w.stops}, w.branches
	}
	return frontend.Along(w.runs, w.stops), w.branches
}

func (s *Streamer) mispredicted(r *Region, inst int) bool {
	return r.Wrong != nil && r.Wrong[inst] && !s.free.Branches
}

// adjacent reports whether an instruction lies directly after the one executed before it.
func adjacent(b *machine.Bound, i int) bool {
	before := b.Insts[i-1].Line
	return before.Addr+uint64(before.Inst.Size) == b.Insts[i].Line.Addr
}

// branchUop returns the µop that executes a branch, or the instruction fused with it; -1 if there is none.
func branchUop(body []uop, inst int) seqNo {
	for u := int(firstOf(body, inst+1)) - 1; u >= 0 && int(body[u].Inst) >= inst-1; u-- {
		if !body[u].Idle {
			return seqNo(u)
		}
	}
	return -1
}

// count attributes a cycle to its cause.
func (s *Streamer) count(a *Account, r *Region, f fetcher) {
	p := &s.p
	a.Cycles++
	cause, held := ByWidth, p.rename.held
	switch {
	case held == Width || held == none:
	case held == FrontEnd && f.Stopped() && f.Have() == 0:
		cause = ByBranches
	case held == FrontEnd:
		cause = ByFrontEnd
	default:
		cause = p.oldest()
		a.Full[held]++
	}
	g := int32(0)
	if r.Group != nil {
		g = r.Group[p.body[min(p.head, p.n-1)].Inst]
	}
	a.Groups[g][cause]++
}

// oldest returns the reason why the oldest µop waits.
func (p *pipeline) oldest() Cause {
	if p.head >= p.tail {
		return ByFrontEnd
	}
	x := &p.ring[p.head&p.mask]
	u := p.of(x)
	switch {
	case u.Kind == uops.KindValue:
		return ByForwarding
	case x.issued != notYet && u.Kind == uops.KindLoad:
		return ByLoads
	case x.issued != notYet, x.pending > 0, x.ready > p.now:
		return ByExecution
	case u.Lead && p.core.InOrder:
		return ByOrder
	}
	return ByPorts
}

// plentiful is a front end that always has slots, up to a mispredicted branch.
type plentiful struct {
	sizes   []int
	stops   []bool
	at      int
	have    int
	stopped bool
}

func (p *plentiful) Fill() {
	for p.have < plenty && p.at < len(p.sizes) && !p.stopped {
		p.have += p.sizes[p.at]
		p.stopped = p.stops[p.at]
		p.at++
	}
}
func (p *plentiful) Have() int     { return p.have }
func (p *plentiful) Take(n int)    { p.have -= n }
func (p *plentiful) Stopped() bool { return p.stopped }
func (p *plentiful) Resume()       { p.stopped = false }
