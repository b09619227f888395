package sim

import (
	"math"
	"math/bits"
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/isa"
	"incore/internal/machine"
)

// lower turns a bound kernel and its dependence graph into the µops of one
// iteration, linked by who waits for whom.
//
// An instruction's inputs go to the µop that needs them: address registers and forwarded memory to
// the load (or store-address) µop, everything else to the execution µops, or to the
// store-data µop where there is none. Results come from the last execution µop,
// else from the load. A result that depends on address registers alone (a written-back
// base) comes from a µop of its own that needs no port: the port it uses is
// among the instruction's µops, but it does not wait for the memory access.
func lower(g *depgraph.Graph, core *Core, opt *Options) (body []uop, classes int32) {
	l := &lowering{g: g, core: core, insts: make([]parts, len(g.Bound.Insts))}
	for i := range g.Edges {
		if e := &g.Edges[i]; e.Kind == depgraph.Memory {
			l.insts[e.To].forwarded = true
		}
	}
	l.stack()
	l.merges()
	for i := range g.Bound.Insts {
		l.instruction(i)
	}
	for i := range g.Edges {
		l.edge(&g.Edges[i])
	}
	l.forwardRenamed()
	l.drain()
	l.conflicts()
	l.banks(opt.Aligned)
	l.link()
	if core.InOrder {
		l.lead()
	}
	return l.body, l.classes(opt.Unrolled, len(l.insts)/max(1, opt.Times))
}

const absent = int32(-1)

// parts are the µops of one instruction, by what they do; absent where it has none.
type parts struct {
	first, end    int32 // range of its µops
	load          int32
	sync          int32 // brings the stack pointer up to date, for an instruction that reads it
	syncs         bool
	high, flags   int32   // merge what is renamed apart (merge.go)
	mergesHigh    isa.Reg // the register
	mergesFlags   bool
	value         int32 // the loaded value: the load's result, or what a store passes on
	forwarded     bool  // a store of the kernel passes its data on to this load
	exec          int32 // the last execution µop
	execFirst     int32
	sta, std      int32
	apart         bool    // the stored data wait for each operand apart
	result        int32   // the results, where operands are needed later than the execution µops start; else absent
	resultLat     float64 // from the execution µop's issue to it
	update        int32   // writes back an address register
	aside         uint64  // ports whose way to registers its slowest result takes (machine.UopResult)
	execLat       float64 // cycles from the execution µop's operands to the slowest register result
	loadLat       float64 // cycles from the load's address to its value
	updateOutputs uint32  // outputs that come from update
}

type lowering struct {
	g     *depgraph.Graph
	core  *Core
	body  []uop
	insts []parts

	synced  bool // some instruction needs the stack pointer itself after push or pop
	renames []renaming
	stored  []stored
}

// instruction appends an instruction's µops.
func (l *lowering) instruction(i int) {
	in := &l.g.Bound.Insts[i]
	p := &l.insts[i]
	*p = parts{forwarded: p.forwarded, syncs: p.syncs, mergesHigh: p.mergesHigh, mergesFlags: p.mergesFlags, sync: absent, high: absent, flags: absent, first: int32(len(l.body)), load: absent, value: absent, exec: absent, execFirst: absent, sta: absent, std: absent, result: absent, update: absent, loadLat: in.Load}
	slots := int(math.Ceil(in.Slots - 0.01))
	uops := in.Uops
	elsewhere := l.elsewhere(uops)
	var extra []hold
	for k := range in.Uops {
		switch u := &in.Uops[k]; {
		case u.Kind == machine.UopResult:
			p.aside |= uint64(u.Ports)
		case u.Resource && u.Cycles > 0 && u.Ports != 0:
			extra = append(extra, hold{uint64(u.Ports), int32(math.Ceil(u.Cycles))})
		}
	}
	add := func(u uop) int32 {
		u.inst, u.sched, u.class, u.load = int32(i), l.core.schedulerOf(u.ports), -1, p.load
		u.limits = l.core.limitsOf(u.ports)
		if u.among = l.core.queuesOf(machine.PortSet(u.ports)); u.among != 0 && elsewhere {
			u.among, u.sched = 0, -1 // a result that another unit writes
		}
		if u.queued = l.core.inSlotQueues(u.ports); u.queued {
			u.sched = -1
		}
		if slots > 0 && u.kind != kindValue {
			u.slots, slots = 1, slots-1
		}
		l.body = append(l.body, u)
		return int32(len(l.body) - 1)
	}
	if p.syncs {
		p.sync = int32(len(l.body))
		ports := uint64(l.core.StackSync)
		l.body = append(l.body, uop{inst: int32(i), ports: ports, sched: l.core.schedulerOf(ports), among: l.core.queuesOf(l.core.StackSync), occ: 1, kind: kindSync, slots: 1, done: 1})
	}
	l.merge(i, p)
	own := len(l.body) // where the instruction's own µops begin
	for k := range executed(uops) {
		u := &uops[k]
		if (u.Kind == machine.UopStoreAddr || u.Kind == machine.UopStoreData) && p.exec != absent && p.result == absent {
			l.late(i, p, in) // what is stored may be a result: µops wait for earlier ones
		}
		for _, c := range split(u) {
			at := add(uop{ports: uint64(u.Ports), occ: int32(max(1, math.Ceil(c))), kind: kindExec, done: 1})
			x := &l.body[at]
			switch u.Kind {
			case machine.UopLoad:
				x.kind, p.load, p.value = kindLoad, at, at
				if p.forwarded {
					p.value = add(uop{kind: kindValue})
				}
			case machine.UopStoreAddr:
				x.kind, p.sta = kindStoreAddr, at
			case machine.UopStoreData:
				x.kind, p.std = kindStoreData, at
			default:
				if p.execFirst == absent {
					p.execFirst = at
				}
				p.exec = at
			}
		}
	}
	if len(l.body) == own && len(extra) > 0 { // resources alone: one µop that holds them
		p.exec = add(uop{kind: kindExec, occ: 1, done: 1})
		p.execFirst = p.exec
	}
	l.share(own)
	l.attach(p, extra)
	p.execLat = execLatency(in)
	l.writeBack(p, in)
	if p.exec != absent && p.execLat == 0 && in.Outputs() > 0 && p.std == absent {
		p.exec = add(uop{kind: kindExec}) // a result at rename, although a port is taken
	}
	if len(l.body) == own && (slots > 0 || in.Outputs() > 0) {
		p.exec = add(uop{kind: kindExec}) // eliminated move, zero idiom, nop: no port
		p.execFirst = p.exec
	}
	if p.exec != absent && p.result == absent {
		l.late(i, p, in)
	}
	if n := len(l.body); slots > padding && n > own {
		l.body[own].slots += int8(min(slots, wide)) // more slots than µops (µcode)
		for slots -= wide; slots > 0; slots -= wide {
			l.body = append(l.body, uop{inst: int32(i), sched: -1, class: -1, kind: kindExec, slots: int8(min(slots, wide))})
		}
	} else if n > own {
		for range slots { // that no µop executes; they need not be dispatched together
			l.body = append(l.body, uop{inst: int32(i), sched: -1, class: -1, kind: kindExec, slots: 1})
		}
	}
	l.updates(i, p, in)
	p.end = int32(len(l.body))
	if in.Decode > 0 && in.Decode < in.Slots && len(l.body) > own {
		whole := int8(0)
		for u := own; u < len(l.body); u++ {
			x := &l.body[u]
			x.split, x.rest = u == own, u > own
			whole += x.slots
		}
		if l.core.UnlaminateWhole && in.Decode < 1.5 {
			l.body[own].whole = whole
		}
	}
	if l.core.PairsWhole && (in.Slots == 2 || in.Slots == float64(l.core.Width) && executesOnce(in)) && len(l.body) > own {
		l.body[own].whole = int8(in.Slots)
	}
	if u := max(p.std, p.sta); u != absent {
		l.body[u].leaves = true
	}
	p.apart = p.result != absent || p.load != absent && p.exec != absent && storedApart(in)
	l.finish(p, in)
}

// padding is how many slots more than µops an instruction has at most that are dispatched one by one.
const padding = 3

// wide is how many slots a µop has at most.
const wide = 100

// elsewhere reports whether some execution µop waits in none of the queues that µops get at dispatch (Core.PortQueues): the ports of others are
// taken by what it writes.
func (l *lowering) elsewhere(uops []machine.Uop) bool {
	return len(l.core.PortQueues) > 0 && slices.ContainsFunc(uops, func(u machine.Uop) bool {
		return u.Kind == machine.UopExec && !u.Resource && u.Ports != 0 && l.core.queuesOf(u.Ports) == 0
	})
}

// late adds the µop of an instruction's results if some operand is needed later than the others: the
// execution µops start without it, the results wait for both.
func (l *lowering) late(i int, p *parts, in *machine.Inst) {
	any := false
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
	p.result = int32(len(l.body))
	l.body = append(l.body, uop{inst: int32(i), sched: -1, kind: kindResult})
	l.wait(p.result, p.exec, 0, round(p.resultLat-l.lag(p)))
}

// lag is how many cycles an instruction's last execution µop issues behind its first at least, as others of the instruction take the ports that it
// may go to: its latency, which counts from the first, contains them.
func (l *lowering) lag(p *parts) float64 { return l.behind(p.execFirst, p.exec, kindExec) }

// behind is the same of the last of the µops of a kind from µop first on.
func (l *lowering) behind(first, at int32, kind uopKind) float64 {
	if first == absent || first >= at {
		return 0
	}
	last := &l.body[at]
	var free [64]int32 // when each port is, if all of them go where they can begin first
	soonest := func(ports uint64) (port int) {
		port = bits.TrailingZeros64(ports)
		for s := ports; s != 0; s &= s - 1 {
			if p := bits.TrailingZeros64(s); free[p] < free[port] {
				port = p
			}
		}
		return port
	}
	if last.ports == 0 {
		return 0
	}
	for u := first; u < at; u++ {
		if x := &l.body[u]; x.kind == kind && x.ports != 0 && x.ports&^last.ports == 0 {
			free[soonest(x.ports)] += x.occ
		}
	}
	return float64(free[soonest(last.ports)])
}

// loaded is the number of cycles from the issue of an instruction's last load to its value.
func (l *lowering) loaded(p *parts) float64 { return p.loadLat - l.behind(p.first, p.load, kindLoad) }

// phases is the order in which an instruction's µops wait for each other.
var phases = [...][]machine.UopKind{{machine.UopLoad}, {machine.UopExec, machine.UopBranch}, {machine.UopStoreAddr}, {machine.UopStoreData}}

// executed yields the indices of the µops that are executed, producers before consumers: models list them in any order.
func executed(uops []machine.Uop) func(yield func(int) bool) {
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

// attach gives an instruction's resources to the µop that holds them: the execution µop, else the memory one.
func (l *lowering) attach(p *parts, extra []hold) {
	if len(extra) == 0 {
		return
	}
	for _, u := range [...]int32{p.execFirst, p.load, p.sta, p.std} {
		if u != absent {
			l.body[u].extra = extra
			return
		}
	}
}

// split yields the cycles of each µop that a row's µop stands for.
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

// updates adds the µop that writes back address registers, if the instruction does so.
func (l *lowering) updates(i int, p *parts, in *machine.Inst) {
	for o := range in.Effects.Writes {
		if dependsOnlyOnAddress(in, o) {
			p.updateOutputs |= 1 << o
		}
	}
	if p.updateOutputs == 0 || p.load == absent && p.sta == absent {
		p.updateOutputs = 0
		return
	}
	p.update = int32(len(l.body))
	l.body = append(l.body, uop{inst: int32(i), sched: -1, kind: kindExec})
}

// dependsOnlyOnAddress reports whether a register output depends on address registers but on no other operand.
func dependsOnlyOnAddress(in *machine.Inst, o int) bool {
	any := false
	for k := range in.Inputs() {
		if _, ok := in.Pair(k, o); !ok {
			continue
		}
		if k >= len(in.Effects.Reads) || in.Effects.Reads[k].Role != isa.RoleAddr {
			return false
		}
		any = true
	}
	if !any {
		return false
	}
	// a plain load's result depends on its address alone, too: an update is an output that some load output is slower than
	return in.Effects.Writes[o].Role == isa.RoleUpdate || in.Effects.Writes[o].Op < 0 && len(in.Effects.Mem) > 0 && !loads(in, o)
}

// loads reports whether output o depends on loaded data.
func loads(in *machine.Inst, o int) bool {
	for k := range in.Effects.Mem {
		if _, ok := in.Pair(len(in.Effects.Reads)+k, o); ok {
			return true
		}
	}
	return false
}

// execLatency is the number of cycles from the execution µop's operands to its slowest register result.
func execLatency(in *machine.Inst) float64 {
	lat := 0.0
	for k := range in.Inputs() {
		addr := k < len(in.Effects.Reads) && in.Effects.Reads[k].Role == isa.RoleAddr
		for o := range in.Effects.Writes {
			if c, ok := in.Pair(k, o); ok {
				if addr && in.Load > 0 {
					c -= in.Load
				}
				lat = max(lat, c)
			}
		}
	}
	if in.Inputs() == 0 || lat == 0 {
		lat = max(lat, in.Latency-in.Load)
	}
	return lat
}

// storeLatency is the number of cycles from the execution µop's operands to the stored value, which is exec where the model
// does not know it apart.
func storeLatency(in *machine.Inst, exec float64) float64 {
	lat, any := 0.0, false
	for k := range in.Inputs() {
		addr := k < len(in.Effects.Reads) && in.Effects.Reads[k].Role == isa.RoleAddr
		for o := len(in.Effects.Writes); o < in.Outputs(); o++ {
			if c, ok := in.Pair(k, o); ok && !addr {
				lat, any = max(lat, c), true
			}
		}
	}
	if !any {
		return exec
	}
	return lat
}

// finish sets when the µops count as finished and links them within the instruction.
func (l *lowering) finish(p *parts, in *machine.Inst) {
	for u := p.first; u < p.end; u++ {
		x := &l.body[u]
		switch {
		case x.kind == kindLoad:
			if x.done = round(p.loadLat); l.core.WritebackConflicts && !l.core.FreePorts { // a vector register gets its value later than the bus has it
				x.back = min(x.done, int32(l.g.Bound.Model.Params.LoadLatency))
				x.plain = x.back
			}
		case x.kind == kindExec && (x.ports != 0 || len(x.extra) > 0):
			x.done = max(1, round(p.execLat))
		}
		if x.kind == kindExec && p.load != absent && u != p.update {
			l.waitValue(u, p)
		}
		if x.kind == kindValue {
			l.wait(u, p.load, 0, round(l.loaded(p)))
		}
		if x.kind == kindStoreData {
			switch {
			case p.apart:
				l.storeApart(u, p, in)
			case p.exec != absent:
				l.wait(u, p.exec, 0, round(storeLatency(in, p.execLat)-l.lag(p)))
			case p.load != absent:
				l.waitValue(u, p)
			}
		}
	}
	if p.end > p.first {
		l.body[p.end-1].last = true
	}
}

// executesOnce reports whether one µop of an instruction executes, so that more slots are no sign of microcode.
func executesOnce(in *machine.Inst) bool {
	n := 0
	for i := range in.Uops {
		if u := &in.Uops[i]; !u.Resource && u.Kind == machine.UopExec {
			n++
		}
	}
	return n == 1
}

// storedApart reports whether what an instruction stores depends on some operands later than on others.
func storedApart(in *machine.Inst) bool {
	least, most := math.Inf(1), math.Inf(-1)
	for k := range in.Inputs() {
		if c, ok := toStore(in, k); ok && (k >= len(in.Effects.Reads) || in.Effects.Reads[k].Role != isa.RoleAddr) {
			least, most = min(least, c), max(most, c)
		}
	}
	return least < most
}

func round(c float64) int32 { return int32(math.Max(0, math.Round(c))) }
