package uops

import (
	"math"
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/isa"
	"incore/internal/machine"
)

// lower makes the µops of a lowering's instructions.
func (l *lowering) lower(lay Layout) {
	g := l.g
	for i := range g.Edges {
		if e := &g.Edges[i]; e.Kind == depgraph.Memory {
			l.contexts[e.To].forwarded = true
		}
	}
	l.stack()
	l.merges()
	for i := range l.insts {
		if l.kept == nil {
			l.instruction(i)
		} else if !l.again(i) {
			l.keep(l.instruction(i))
		}
	}
	for i := range g.Edges {
		l.edge(&g.Edges[i])
	}
	l.forwardRenamed()
	l.drain()
	l.conflicts()
	l.banks(lay.Aligned)
	l.cuts(lay)
	l.loadTurns()
	l.leave(lay)
	l.loadSlots()
	l.addressTurns()
	l.takenBranches(lay)
	Connect(l.body)
}

const absent = Index(-1)

// context is the surrounding code of an instruction as far as it determines the instruction's µops.
type context struct {
	forwarded   bool    // a store forwards its data to the load
	syncs       bool    // a µop synchronizes the stack pointer first
	mergesFlags bool    // a µop merges separately renamed flags
	mergesHigh  isa.Reg // the register whose second byte a µop merges
}

// parts holds the µops of one instruction by purpose; absent where it has none.
type parts struct {
	index int32
	context
	in         *machine.Inst
	first, end Index // range of its µops
	own        int   // the first µop of the instruction itself, after those that rename inserts
	slots      int   // dispatch slots not assigned to any of its µops yet
	elsewhere  bool  // some execution µop waits outside the partitions with packet steering

	sync        Index // synchronizes the stack pointer for an instruction that reads it
	high, flags Index // merge separately renamed parts (merge.go)

	load    Index
	loadLat float64 // cycles from the load's address to its value
	value   Index   // the loaded value: the load's result, or forwarded data

	execFirst, exec Index   // the first and the last execution µop
	execLat         float64 // cycles from the execution µop's operands to the slowest register result
	starts          float64 // cycles from the first execution µop to the last one, which needs the first one's result; 0: it needs none
	result          Index   // the results, if operands are needed after the start of the execution µops
	resultLat       float64 // cycles from the execution µop's issue to it
	aside           PortSet // ports by whose bus its slowest result goes to the registers (machine.UopResult)

	sta, std      Index
	apart         bool      // the stored data wait separately for each operand
	template      *template // of executed code
	update        Index     // writes back an address register
	answered      Index     // the result of an instruction that only stores
	updateOutputs uint32    // outputs that come from update
}

type lowering struct {
	g        *depgraph.Graph
	core     *Core
	body     []Uop
	ops      opSlab
	deps     []Dep   // memory of the µops' dependences
	table    []int32 // memory of classes
	insts    []parts
	contexts []context  // instruction → its context
	numbers  []int32    // instruction → its number in the program, for executed code
	kept     *Templates // for executed code: data that the last lowering keeps; else nil
	once     bool       // Layout.Once
	noted    *noted     // records the waits of an edge when it is lowered for the first time; else nil

	moved   bool // of executed code: push or pop has moved the stack pointer before
	synced  bool // some instruction reads the stack pointer itself after push or pop
	renames []renaming
	stored  []stored
}

// instruction appends an instruction's µops.
func (l *lowering) instruction(i int) *parts {
	in, p := &l.g.Bound.Insts[i], &l.insts[i]
	*p = parts{index: int32(i), context: l.contexts[i], in: in, sync: absent, high: absent, flags: absent, load: absent, value: absent, exec: absent, execFirst: absent, sta: absent, std: absent,
		result: absent, update: absent, answered: absent, loadLat: in.Load}
	p.first, p.slots = Index(len(l.body)), p.in.WholeSlots()
	if p.syncs {
		p.sync = l.rename(p, l.core.StackSync)
	}
	l.merge(p)
	p.own = len(l.body)
	l.executed(p)
	held, limits := l.core.atDispatch(l.resources(p))
	if len(l.body) == p.own && len(held) > 0 { // resources only: one µop holds them
		p.exec = l.add(p, Op{Kind: KindExec, Occ: 1, Done: 1})
		p.execFirst = p.exec
	}
	l.share(p.own, p.in)
	l.attach(p, held)
	p.execLat = execLatency(p.in)
	l.writeBack(p)
	if p.exec != absent && p.execLat == 0 && p.in.Outputs() > 0 && p.std == absent {
		p.exec = l.add(p, Op{Kind: KindExec}) // a result at rename, although a port is taken
	}
	if len(l.body) == p.own && (p.slots > 0 || p.in.Outputs() > 0) {
		p.exec = l.add(p, Op{Kind: KindExec}) // eliminated move, zero idiom, nop: no port
		p.execFirst = p.exec
	}
	if len(l.body) > p.own {
		l.body[p.own].Limits |= limits
	}
	l.lateResult(p)
	l.pad(p)
	l.countSlots(p)
	l.update(p)
	l.answer(p)
	p.end = Index(len(l.body))
	if p.own < len(l.body) {
		l.body[p.own].Results = l.results(p.in)
	}
	l.together(p)
	l.sequenced(p)
	l.fence(p)
	if u := max(p.std, p.sta); u != absent {
		l.body[u].Leaves = true
		if c := &l.core.StoreCommit; c.InTurn || (c.Lines || c.Merge > 0) && !l.core.FreePorts { // as long as no address is known (leave)
			l.body[u].Leave[0] = math.MaxUint64
		}
	}
	p.apart = p.result != absent || p.load != absent && p.exec != absent && storedApart(p.in)
	l.finish(p)
	l.simple(p)
	return p
}

// add appends a µop of the instruction itself.
func (l *lowering) add(p *parts, u Op) Index {
	u.Sched, u.Class = l.core.schedulerOf(u.Ports), -1
	u.Limits = l.core.limitsOf(u.Ports)
	if u.Group, u.Among = l.core.SteeredTo(u.Ports); u.Group > 0 {
		u.Sched = -1
	}
	if l.core.InPackets(u.Group) && p.elsewhere {
		u.Group, u.Among = 0, 0 // a result that another unit writes
	}
	if p.slots > 0 && u.Kind != KindValue {
		u.Slots, p.slots = 1, p.slots-1
	}
	return l.append(p.index, u)
}

// rename appends a µop that rename inserts before the instruction.
func (l *lowering) rename(p *parts, set machine.PortSet) Index {
	ports := PortSet(set)
	group, among := l.core.SteeredTo(ports)
	return l.append(p.index, Op{Ports: ports, Sched: l.core.schedulerOf(ports), Group: group, Among: among, Occ: 1, Kind: KindSync, Slots: 1, Done: 1})
}

func (l *lowering) append(inst int32, u Op) Index {
	l.body = append(l.body, Uop{Op: l.ops.add(u), Inst: inst, Deps: l.room()})
	return Index(len(l.body) - 1)
}

// opSlab allocates operations at fixed addresses.
type opSlab []Op

func (s *opSlab) add(u Op) *Op {
	if len(*s) == cap(*s) {
		*s = make(opSlab, 0, max(16, 2*cap(*s)))
	}
	*s = append(*s, u)
	return &(*s)[len(*s)-1]
}

// executed appends the µops that the row lists.
func (l *lowering) executed(p *parts) {
	uops := p.in.Uops
	p.elsewhere = l.elsewhere(uops)
	loads := 0
	for k := range uops {
		if !uops[k].Resource && uops[k].Kind == machine.UopLoad {
			loads += uops[k].Times()
		}
	}
	if loads == 0 && p.in.Load > 0 { // the row has no µop for the load
		l.loads(p, l.append(p.index, Op{Sched: -1, Class: -1, Kind: KindLoad}), true)
	}
	for k := range producersFirst(uops) {
		u := &uops[k]
		if u.Kind == machine.UopStoreAddr || u.Kind == machine.UopStoreData {
			l.lateResult(p) // the stored data may be a result: µops wait for earlier ones
		}
		all := split(u)
		for _, c := range all {
			occ, half := l.busy(c, math.Round)
			at := l.add(p, Op{Ports: PortSet(u.Ports), Occ: occ, Half: half, Kind: KindExec, Done: 1})
			x := &l.body[at]
			switch u.Kind {
			case machine.UopLoad:
				loads--
				l.loads(p, at, loads == 0)
			case machine.UopStoreAddr:
				x.Kind, p.sta = KindStoreAddr, at
			case machine.UopStoreData:
				x.Kind, p.std = KindStoreData, at
			default:
				if p.starts = u.Start; p.execFirst == absent {
					p.execFirst, p.starts = at, 0
				}
				p.exec = at
			}
		}
	}
}

// loads makes a µop a load of an instruction. What it loads is there when the last of them has it, and may come from a store.
func (l *lowering) loads(p *parts, at Index, last bool) {
	l.body[at].Kind, p.load, p.value = KindLoad, at, at
	if p.forwarded && last {
		value := Op{Kind: KindValue, Load: 1}
		if l.core.Forwarding.Again > 0 {
			value.Again = l.body[at].Ports
		}
		p.value = l.add(p, value)
	}
}

// pad adds the slots of the instruction beyond one per µop.
func (l *lowering) pad(p *parts) {
	switch n := p.slots; {
	case len(l.body) == p.own:
	case n > padding: // µcode
		l.widen(p, n)
	default: // no µop executes them; they may be dispatched in different cycles
		for range n {
			l.append(p.index, Op{Sched: -1, Class: -1, Kind: KindExec, Slots: 1})
		}
	}
}

// widen adds slots to the first µop of an instruction, and what that has no room for to further ones, which nothing executes.
func (l *lowering) widen(p *parts, n int) {
	first := &l.body[p.own]
	room := min(n, 1+wide-int(first.Slots))
	first.Slots += int8(room)
	for n -= room; n > 0; n -= wide {
		l.append(p.index, Op{Sched: -1, Class: -1, Kind: KindExec, Slots: int8(min(n, wide))})
	}
}

// busy is the part of the cycles that a limit's slots take from which on the load ports or the dispatch width hide that loads take a slot more. (Zen 5,
// measured: loops of eliminated moves or operations, a 12th to two sevenths of which are vector loads, take 5.5 to 5.1 of the 6 slots, in almost any
// order. Without loads they take 6, and so they do with three tenths of loads or more, which is what the two load ports take, and with an integer
// operation beside four of them, which fills the width.)
const busy = .875

// loadSlots marks the loads that take a slot more of a limit.
func (l *lowering) loadSlots() {
	for k := range l.core.DispatchLimits {
		if limit := &l.core.DispatchLimits[k]; limit.Loads && !l.hidden(limit) {
			for i := range l.insts {
				if u := l.insts[i].load; u != absent && l.body[u].Limits>>k&1 != 0 {
					l.body[u].LoadSlot = true
				}
			}
		}
	}
}

// hidden reports whether load ports or dispatch width are about as busy as the slots of a limit.
func (l *lowering) hidden(limit *machine.DispatchLimit) bool {
	all, slots, loads, ports := 0.0, 0.0, 0.0, 1
	for i := range l.insts {
		p := &l.insts[i]
		all += p.in.Slots
		if !limit.CountsSlots(l.g.Bound, p.in) {
			continue
		}
		if slots += p.in.Slots; p.load != absent {
			loads++
			ports = l.body[p.load].Ports.Size()
		}
	}
	return max(all/float64(l.core.Width), loads/float64(ports)) >= busy*slots/float64(limit.Uops)
}

// countSlots counts the slots of an instruction towards the dispatch limits that count slots.
func (l *lowering) countSlots(p *parts) {
	for k := range l.core.DispatchLimits {
		if !l.core.DispatchLimits[k].CountsSlots(l.g.Bound, p.in) {
			continue
		}
		for u := p.own; u < len(l.body); u++ {
			if l.body[u].Slots > 0 {
				l.body[u].Limits |= 1 << k
			}
		}
	}
}

// together marks the µops of a split (un-laminated) instruction, and sets the number of slots that must be dispatched in the same cycle.
func (l *lowering) together(p *parts) {
	in, own := p.in, l.body[p.own:]
	if len(own) == 0 {
		return
	}
	if in.Decode > 0 && in.Decode < in.Slots {
		whole := int8(0)
		for u := range own {
			own[u].Split, own[u].Rest = u == 0, u > 0
			whole += own[u].Slots
		}
		if l.core.Unlamination.Whole && in.Decode < 1.5 {
			own[0].Whole = whole
		}
	}
	if l.core.PairsWhole && (in.Slots == 2 || in.Slots == float64(l.core.Width) && executesOnce(in)) {
		own[0].Whole = int8(in.Slots)
	}
}

// sequenced makes an instruction from the microcode sequencer begin a cycle of dispatch and end one, where the core
// dispatches it alone. One that needs the stack pointer brought up to date takes a cycle more.
func (l *lowering) sequenced(p *parts) {
	c, slots := l.core, p.in.WholeSlots()
	cycles := max(0, p.in.Alone)
	if p.in.Alone == 0 && c.Microcode.Alone && c.Microcode.Slots > 0 && slots > c.Decoding.Complex {
		cycles = (slots + c.Microcode.Slots - 1) / c.Microcode.Slots
	}
	if cycles == 0 || len(l.body) == p.own {
		return
	}
	if p.syncs && p.in.Flags&machine.ReadsStack != 0 {
		cycles++
	}
	l.body[p.own].Whole = int8(c.Width)
	l.widen(p, cycles*c.Width-slots)
}

// fence makes an instruction wait at dispatch until all older ones have retired, and all younger ones until it has.
func (l *lowering) fence(p *parts) {
	if p.in.Flags&machine.Fence == 0 || len(l.body) == p.own {
		return
	}
	last := &l.body[len(l.body)-1]
	l.body[p.own].Drained, last.Bars = true, true
	last.Done = max(last.Done, round(p.in.Latency))
}

// padding is the largest number of slots beyond an instruction's µops that are dispatched one by one.
const padding = 3

// wide is the largest number of slots of a µop, beyond its own.
const wide = 100

// elsewhere reports whether some execution µop waits outside the partitions with packet steering: the instruction's writes then use the ports of
// others.
func (l *lowering) elsewhere(uops []machine.Uop) bool {
	return l.core.packets() && slices.ContainsFunc(uops, func(u machine.Uop) bool {
		group, _ := l.core.SteeredTo(PortSet(u.Ports))
		return u.Kind == machine.UopExec && !u.Resource && u.Ports != 0 && !l.core.InPackets(group)
	})
}

// lateResult adds, once, a µop for an instruction's results if some operand is needed later than the others: the execution µops start without that
// operand, and the results wait for both.
func (l *lowering) lateResult(p *parts) {
	if p.exec == absent || p.result != absent {
		return
	}
	in, any := p.in, false
	for k := range in.Inputs() {
		any = any || late(in, k) > 0
	}
	if !any {
		return
	}
	p.resultLat = math.Inf(1)
	for o := range in.Outputs() {
		if c := outLatency(in, o); c > 0 {
			p.resultLat = min(p.resultLat, c)
		}
	}
	if math.IsInf(p.resultLat, 1) {
		return
	}
	p.result = l.append(p.index, Op{Sched: -1, Kind: KindResult})
	l.wait(p.result, p.exec, 0, round(p.resultLat-l.issueSpread(p)))
}

// issueSpread returns the least number of cycles between the issue of an instruction's first and last execution µop, which compete for the same
// ports, or of which the second needs a result of the first. The instruction's latency counts from the first one, so it contains them.
func (l *lowering) issueSpread(p *parts) float64 {
	return max(l.behind(p.execFirst, p.exec, KindExec), p.starts)
}

// behind is the same of the last of the µops of a kind from µop first on.
func (l *lowering) behind(first, at Index, kind UopKind) float64 {
	if first == absent || first >= at {
		return 0
	}
	last := &l.body[at]
	var free [MaxPorts]Cycle // when each port is free, if all µops use the ports where they can begin first
	soonest := func(ports PortSet) (port int) {
		port = ports.First()
		for s := ports; s != 0; s &= s - 1 {
			if p := s.First(); free[p] < free[port] {
				port = p
			}
		}
		return port
	}
	if last.Ports == 0 {
		return 0
	}
	for u := first; u < at; u++ {
		if x := &l.body[u]; x.Kind == kind && x.Ports != 0 && x.Ports&^last.Ports == 0 {
			free[soonest(x.Ports)] += x.Occ
		}
	}
	return float64(free[soonest(last.Ports)])
}

// loaded returns the cycles from the issue of an instruction's last load to its value.
func (l *lowering) loaded(p *parts) float64 { return p.loadLat - l.behind(p.first, p.load, KindLoad) }

// phases is the order in which the kinds of µops of an instruction wait for each other.
var phases = [...][]machine.UopKind{{machine.UopLoad}, {machine.UopExec, machine.UopBranch}, {machine.UopStoreAddr}, {machine.UopStoreData}}

// producersFirst yields the indices of the executed µops, producers before consumers; models list them in any order.
func producersFirst(uops []machine.Uop) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for _, kinds := range phases {
			for k := range uops {
				if !uops[k].Resource && slices.Contains(kinds, uops[k].Kind) && !yield(k) {
					return
				}
			}
		}
	}
}

// busy returns the whole cycles for which a port or unit is busy, and whether it is busy for one more in every other iteration: about half a cycle on the average. Of code
// that is dispatched once, they are rounded.
func (l *lowering) busy(cycles float64, round func(float64) float64) (whole Cycle, half bool) {
	least, part := math.Modf(max(1, cycles))
	if half = !l.once && part > notHalf && part < 1-notHalf; half {
		return Cycle(least), true
	}
	return Cycle(max(1, round(cycles))), false
}

// notHalf is the part of a cycle up to which a time is taken for a whole number, from below or above.
const notHalf = 0.25

// resources returns the resources that the instruction keeps busy, and notes the ports of its results.
func (l *lowering) resources(p *parts) (held []hold) {
	for k := range p.in.Uops {
		switch u := &p.in.Uops[k]; {
		case u.Kind == machine.UopResult:
			p.aside |= PortSet(u.Ports)
		case u.Resource && u.Cycles > 0 && u.Ports != 0:
			cycles, half := l.busy(u.Cycles, func(c float64) float64 { return math.Ceil(c - 0.5) })
			held = append(held, hold{Units: PortSet(u.Ports), Cycles: cycles, Half: half, Read: u.Kind == machine.UopRead})
		}
	}
	return held
}

// attach assigns an instruction's resources to its execution µop, else to its memory µop.
func (l *lowering) attach(p *parts, held []hold) {
	if len(held) == 0 {
		return
	}
	for _, u := range [...]Index{p.execFirst, p.load, p.sta, p.std} {
		if u != absent {
			l.body[u].Extra = held
			return
		}
	}
}

// split yields the cycles of each µop for which a row's µop stands.
func split(u *machine.Uop) []float64 {
	n := u.Times()
	if n == 1 {
		return []float64{u.Cycles}
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = 1
	}
	return out
}

// update adds the µop that updates address registers, if there are any.
func (l *lowering) update(p *parts) {
	for o := range p.in.Effects.Writes {
		if dependsOnlyOnAddress(p.in, o) {
			p.updateOutputs |= 1 << o
		}
	}
	if p.updateOutputs == 0 || p.load == absent && p.sta == absent {
		p.updateOutputs = 0
		return
	}
	p.update = l.append(p.index, Op{Sched: -1, Kind: KindExec})
}

// finish sets when the µops count as finished, and links them within the instruction.
func (l *lowering) finish(p *parts) {
	for u := p.first; u < p.end; u++ {
		x := &l.body[u]
		switch {
		case x.Kind == KindLoad:
			if x.Done = round(p.loadLat); l.core.WritebackConflicts && !l.core.FreePorts { // a vector register gets its value later than the bus has it
				x.Back = min(x.Done, Cycle(l.g.Bound.Model.Params.LoadLatency))
				x.Plain, x.Ways = x.Back, ToRegisters
			}
		case x.Kind == KindExec && (x.Ports != 0 || len(x.Extra) > 0):
			x.Done = max(1, round(p.execLat))
		}
		if x.Kind == KindExec && p.load != absent && u != p.update {
			l.waitValue(u, p)
		}
		if x.Kind == KindValue {
			l.wait(u, u-Index(x.Load), 0, round(l.loaded(p)))
		}
		if x.Kind == KindStoreAddr && p.std == absent && p.exec == absent && p.load != absent && storesLoaded(p.in) { // the whole store is one µop
			l.waitValue(u, p)
		}
		if x.Kind == KindStoreData {
			switch {
			case p.apart:
				l.storeApart(u, p)
			case p.exec != absent:
				l.wait(u, p.exec, 0, round(storeLatency(p.in, p.execLat)-l.issueSpread(p)))
			case p.load != absent:
				l.waitValue(u, p)
			}
		}
	}
	if spread := l.issueSpread(p); spread > 0 { // the latencies of results of the last execution µop count from the first one
		l.wait(p.exec, p.execFirst, 0, round(spread))
	}
	for u := p.first; u < p.end; u++ {
		x := &l.body[u]
		x.Idle = x.Ports == 0 && len(x.Extra) == 0
	}
	if l.core.InOrder {
		l.leading(p)
	}
}

// simple marks the µops whose dispatch depends only on slots, a partition entry and a queue entry.
func (l *lowering) simple(p *parts) {
	for u := p.first; u < p.end; u++ {
		x := &l.body[u]
		x.Whole = max(x.Whole, x.Slots)
		x.Simple = x.Whole == x.Slots && !x.Split && !x.Rest && !x.Alone && !x.Drained && !x.Bars && x.Limits == 0 && x.Group == 0 && !x.Lead && x.Results == files{}
	}
}
