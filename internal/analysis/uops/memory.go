package uops

import (
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/l1"
	"incore/internal/isa"
	"incore/internal/machine"
)

// This file turns memory costs other than ports into dependences between µops: store-to-load forwarding, memory renaming, failed forwarding, and
// operations that wait for the store queue. It also finds the loads that meet in a cache bank or in the predictor.

// memoryEdge makes a loaded value wait for the store that it comes from. The load issues when it has its address; the value is available when the
// load is done and the store's data have been forwarded.
func (l *lowering) memoryEdge(e *depgraph.Edge, pf, pt *parts) {
	u := pt.value
	if u == absent {
		u = pt.exec
	}
	if u == absent {
		return
	}
	if l.core.merges(l.g, e) {
		l.wait(u, max(pf.std, pf.sta, pf.exec), e.Dist, Cycle(l.core.Forwarding.Merged))
		if pf.sta != absent && pf.sta < pf.std { // merging needs the store's address, too; measured are only its cycles from the data
			l.wait(u, pf.sta, e.Dist, round(e.Latency+fromAddress(pf.in, int(e.Out))))
		}
		return
	}
	if s, after := max(pf.std, pf.sta, pf.exec), l.core.Blocked(l.g, e); after > 0 && s != absent { // without, the loaded value stands for the store
		l.blockedBy(u, s, e.Dist, Cycle(after))
		if !l.core.Forwarding.Halves {
			return
		}
		// The data of an atomic operation may be later than the cycles after its retirement: what forwarding takes is the least.
	}
	if e.Renamed && u == pt.value && u != pt.load {
		l.memoryRenamed(e, pf, u)
		return
	}
	lat := round(e.Latency)
	if pt.exec == absent { // the load's own operation on the value, such as sign extension
		lat += round(outOf(pt.in, int(e.In)))
	}
	own := lat
	if pf.exec == absent || pf.std == absent { // else the store-data µop waits for the difference
		lat += round(storeLatency(pf.in, 0))
	}
	switch {
	case pf.std != absent:
		l.wait(u, pf.std, e.Dist, lat)
	case pf.exec != absent:
		if pf.sta == absent { // one µop waits for address and data
			lat = max(lat, own+round(fromAddress(pf.in, int(e.Out))))
		}
		l.wait(u, pf.exec, e.Dist, lat)
	case pf.value != absent:
		if computes, ok := stores(pf.in, int(e.Out)); ok || pf.sta == absent { // an atomic operation of one access, or a load and a store
			switch {
			case pf.in.Load == 0: // a store whose row calls its µops loads
				computes = max(storeLatency(pf.in, 0), fromAddress(pf.in, int(e.Out)))
			case pf.value == pf.load:
				computes += l.loaded(pf)
			}
			l.wait(u, pf.value, e.Dist, round(e.Latency+computes))
		}
	}
	if pf.sta != absent {
		later := own + round(l.g.FromAddress(e)-e.Latency)
		l.wait(u, pf.sta, e.Dist, max(lat, own+round(fromAddress(pf.in, int(e.Out))), later))
	}
}

// fromAddress returns the cycles from the address of a store to its stored output out, apart from those of store-to-load forwarding; 0 if the output
// also depends on what the instruction loads, as then it comes later from that.
func fromAddress(in *machine.Inst, out int) (lat float64) {
	if _, ok := stores(in, out); ok {
		return 0
	}
	for k := range in.Effects.Reads {
		if c, ok := in.Pair(k, out); ok && in.Effects.Reads[k].Role == isa.RoleAddr {
			lat = max(lat, c)
		}
	}
	return lat
}

// stores returns the cycles from the loaded value of an instruction to its stored output out; ok is false if that does not depend on it.
func stores(in *machine.Inst, out int) (lat float64, ok bool) {
	for k := range in.Effects.Mem {
		if c, depends := in.Pair(len(in.Effects.Reads)+k, out); depends {
			lat, ok = max(lat, c), true
		}
	}
	return lat, ok
}

// storesLoaded reports whether what an instruction stores depends on what it loads.
func storesLoaded(in *machine.Inst) bool {
	for o := len(in.Effects.Writes); o < in.Outputs(); o++ {
		if _, ok := stores(in, o); ok {
			return true
		}
	}
	return false
}

// Blocked returns the cycles from the retirement of the store, or from its departure from the store queue, to the load's value if the store cannot
// forward its data; 0 if it can, or if the model does not say.
func (c *Core) Blocked(g *depgraph.Graph, e *depgraph.Edge) int {
	switch {
	case e.Kind != depgraph.Memory || c.Forwarding.Failed == 0 || c.merges(g, e):
		return 0
	case !e.Short && !e.Remapped && !e.Inside && !several(g, e), c.Forwarding.Halves && !e.Remapped && halved(g, e):
		return 0
	}
	after := c.Forwarding.Failed
	if c.Forwarding.FailedVectors > 0 && g.StoredAsVector(e) {
		after = c.Forwarding.FailedVectors
	}
	if c.Forwarding.FailedPart > 0 && partly(g, e) {
		after += c.Forwarding.FailedPart
	}
	return after
}

// partly reports whether the stores of which a load needs bytes wrote only a part of some word of four bytes. Bases count as aligned.
func partly(g *depgraph.Graph, e *depgraph.Edge) bool {
	edges, _ := g.Into(int(e.To))
	var bytes uint64
	for i := range edges {
		o := &edges[i]
		if o.Kind != depgraph.Memory || o.In != e.In {
			continue
		}
		store, load := endpoints(&g.Bound.Insts[o.From], &g.Bound.Insts[o.To], o)
		const before = 32 // bytes before the load's word that are looked at
		if at := load.Disp&3 - o.Offset + before; at >= 0 && at < 2*before {
			bytes |= machine.Span(int(at), int(store.Bits)*max(1, int(store.Elems))/8, 2*before)
		}
	}
	return machine.Partly(bytes)
}

// halved reports whether a load of at least 8 bytes gets each half of its data from a store that has just that half, or from its end on.
func halved(g *depgraph.Graph, e *depgraph.Edge) bool {
	if !several(g, e) {
		return false
	}
	edges, _ := g.Into(int(e.To))
	seen := [2]bool{}
	for i := range edges {
		o := &edges[i]
		if o.Kind != depgraph.Memory || o.In != e.In {
			continue
		}
		store, load := endpoints(&g.Bound.Insts[o.From], &g.Bound.Insts[o.To], o)
		bits := int64(load.Bits) * max(1, int64(load.Elems))
		switch half := int64(store.Bits) * max(1, int64(store.Elems)); {
		case bits < minHalved || 2*half != bits || !o.Placed && !o.Begins:
			return false
		case o.Begins:
			seen[0] = true
		case -16*o.Offset == bits:
			seen[1] = true
		default:
			return false
		}
	}
	return seen[0] && seen[1]
}

// minHalved is the size in bits of the smallest load that gets data of two stores.
const minHalved = 64

// merges reports whether a load that is wider than the store gets its data without waiting for the store's retirement.
func (c *Core) merges(g *depgraph.Graph, e *depgraph.Edge) bool {
	return e.Short && c.Forwarding.Merged > 0 && e.Begins && !several(g, e)
}

// several reports whether a load also needs bytes of another store.
func several(g *depgraph.Graph, e *depgraph.Edge) bool {
	edges, _ := g.Into(int(e.To))
	for i := range edges {
		if o := &edges[i]; o.Kind == depgraph.Memory && o.In == e.In && (o.From != e.From || o.Dist != e.Dist) {
			return true
		}
	}
	return false
}

// endpoints returns the memory operands of a memory edge: the store's and the load's.
func endpoints(from, to *machine.Inst, e *depgraph.Edge) (store, load *isa.MemRef) {
	return &from.Effects.Mem[int(e.Out)-len(from.Effects.Writes)], &to.Effects.Mem[int(e.In)-len(to.Effects.Reads)]
}

// memoryRenamed makes a loaded value equal to the stored register: memory renaming. The load executes only to check the prediction.
func (l *lowering) memoryRenamed(e *depgraph.Edge, pf *parts, value Index) {
	own := l.body[value].Deps[:0]
	for _, d := range l.body[value].Deps {
		if l.body[d.Uop].Kind != KindLoad {
			own = append(own, d)
		}
	}
	l.body[value].Deps = own
	later := max(round(e.Latency), 0)
	switch {
	case pf.std != absent:
		l.renames = append(l.renames, renaming{value, pf.std, e.Dist, later})
	case pf.exec != absent:
		l.wait(value, pf.exec, e.Dist, round(pf.execLat-l.issueSpread(pf)))
	case pf.value != absent: // what the same instruction has loaded
		lat := round(l.loaded(pf))
		if pf.value != pf.load {
			lat = 0
		}
		l.wait(value, pf.value, e.Dist, lat)
	case pf.sta != absent:
		l.renames = append(l.renames, renaming{value, pf.sta, e.Dist, later})
	}
}

// renaming is a value with the dependences of a store µop's data.
type renaming struct {
	value, store Index
	delta        int32
	later        Cycle // cycles from the register to the value
}

// stored returns the dependences of a one-µop store other than the address: its data.
type stored struct {
	store Index
	data  Dep
}

// forwardRenamed gives renamed values the dependences of the stored data, when all of these are known.
func (l *lowering) forwardRenamed() {
	for _, r := range l.renames {
		if l.body[r.store].Kind == KindStoreData {
			for _, d := range l.body[r.store].Deps {
				l.wait(r.value, d.Uop, d.Delta+r.delta, d.Lat+r.later)
			}
			continue
		}
		for _, s := range l.stored {
			if d := s.data; s.store == r.store {
				l.wait(r.value, d.Uop, d.Delta+r.delta, d.Lat+r.later)
			}
		}
	}
}

// blockedBy makes a loaded value wait until lat cycles after the retirement of a store that cannot forward its data, because the load reads the cache
// after the store has written it.
func (l *lowering) blockedBy(value, store Index, delta int32, lat Cycle) {
	l.body[value].After = append(l.body[value].After, Dep{Uop: store, Delta: delta, Lat: lat})
}

// drain makes the operations that wait for an empty store queue wait for the last store before them: all earlier stores have
// retired by then, and the operation's own store has left the queue when the operation is complete.
func (l *lowering) drain() {
	if l.core.StoreDrain == 0 {
		return
	}
	n := len(l.insts)
	for i := range n {
		if l.g.Bound.Insts[i].Flags&machine.Drains == 0 {
			continue
		}
		for back := 1; back < n; back++ {
			k := (i - back + n) % n
			if l.g.Bound.Insts[k].Flags&machine.Drains != 0 {
				break
			}
			if s := max(l.insts[k].std, l.insts[k].sta); s != absent {
				delta := int32(0)
				if k > i {
					delta = 1
				}
				for u := l.insts[i].first; u < l.insts[i].end; u++ {
					l.blockedBy(u, s, delta, Cycle(l.core.StoreDrain))
				}
				break
			}
		}
	}
}

// conflicts marks the loads that cannot execute in the same cycle because they conflict in a bank of the cache.
func (l *lowering) conflicts() {
	width := int64(l.core.Banks.Bytes)
	if width <= 0 || !l.core.Banks.Conflict || l.core.FreePorts {
		return
	}
	places := l1.Places(l.g.Bound, l.g.Equal)
	places = places[:min(len(places), 64)]
	for i := range places {
		u := l.insts[places[i].Inst].load
		if u == absent {
			continue
		}
		l.body[u].Place |= 1 << i
		for k := range places {
			if places[i].Conflict(&places[k], width) {
				l.body[u].Clash |= 1 << k
			}
		}
	}
}

// banks sets the cache banks that a load reads, for loads whose offset within a line is the same in every iteration.
// The banks of each group of loads are others; there are bits for the first groups.
func (l *lowering) banks(aligned bool) {
	width := int64(l.core.Banks.Bytes)
	if width <= 0 || l.core.Banks.Conflict || l.core.FreePorts || l.once {
		return
	}
	banks := l1.LineBytes / width
	for _, p := range l1.Lines(l.g.Bound, aligned) {
		if u := l.insts[p.Inst].load; u != absent {
			for at := p.Offset / width; at <= (p.Offset+p.Bytes-1)/width; at++ {
				l.body[u].Banks |= 1 << (int64(p.Group)*banks + at%banks)
			}
		}
	}
}

// cuts marks the accesses that cross a cache line, and the iterations in which they do. For traced code Region.Crosses has this information.
func (l *lowering) cuts(lay Layout) {
	if l.kept != nil || l.core.FreePorts || !l.core.LineCrossing {
		return
	}
	for _, c := range lay.cache(l.g).Cuts {
		p := &l.insts[c.Inst]
		if c.Load && p.load != absent {
			l.body[p.load].Cuts |= c.Iterations
		}
		if s := max(p.std, p.sta); c.Store && s != absent {
			if u, k := l.turn(p); u != absent {
				l.body[u].Extra[k].Cuts |= c.Iterations
			} else {
				l.body[s].Cuts |= c.Iterations
			}
		}
	}
}

// turn returns the µop of a store that takes one of the turns of all stores (Core.StoreTurns), and which of its
// resources that is: on Zen 5 the data of integers pass through any of six ports, and stores have two turns a cycle.
func (l *lowering) turn(p *parts) (Index, int) {
	for _, u := range [...]Index{p.execFirst, p.load, p.sta, p.std} {
		if u != absent {
			if k := l.body[u].turn(l.core); k >= 0 {
				return u, k
			}
		}
	}
	return absent, 0
}

// turn returns which resource of a µop is one of the turns of all stores, -1 if none is.
func (o *Op) turn(c *Core) int {
	if c.StoreTurns == 0 {
		return -1
	}
	return slices.IndexFunc(o.Extra, func(h hold) bool { return h.Units == PortSet(c.StoreTurns) })
}

// Cross lengthens the µops of executed code whose accesses reach into a second line of the cache, as cuts does in
// loops. crosses says which instructions' do.
func (k *Templates) Cross(body []Uop, b *machine.Bound, crosses []bool, c *Core) {
	again := false // some load takes one of the turns of loads twice
	for i := 0; i < len(body); {
		first, inst := i, body[i].Inst
		for i++; i < len(body) && body[i].Inst == inst; i++ {
		}
		if crosses[inst] {
			again = k.crossing(body[first:i], c, c.takesLoadTurn(&b.Insts[inst])) || again
		}
	}
	if !again {
		return
	}
	for i := range body {
		if u := &body[i]; u.Kind == KindLoad && c.takesLoadTurn(&b.Insts[u.Inst]) {
			k.Own(u).turnOfLoads(c, crosses[u.Inst], 0)
		}
	}
}

// crossing lengthens the µops of one instruction, but for the load of one that takes turns: it reports whether there
// is such a load.
func (k *Templates) crossing(insts []Uop, c *Core, turns bool) (again bool) {
	store := -1
	for i := range insts {
		u := &insts[i]
		switch {
		case u.turn(c) >= 0:
			o := k.Own(u)
			o.Extra = slices.Clone(o.Extra)
			o.Extra[o.turn(c)].Cycles++
			store = len(insts)
		case c.StoreTurns != 0 && slices.ContainsFunc(u.Extra, func(h hold) bool { return h.Units&^PortSet(c.StoreTurns) == 0 }): // takes all turns
			store = len(insts)
		}
		switch {
		case u.Kind == KindLoad && turns:
			again = true
		case u.Kind == KindLoad:
			k.Own(u).Occ++
		case u.Kind == KindStoreAddr || u.Kind == KindStoreData:
			store = max(store, i)
		}
	}
	if store >= 0 && store < len(insts) {
		k.Own(&insts[store]).Occ++
	}
	return again
}

// takesLoadTurn reports whether the loads of an instruction take one of the turns of loads (Core.LoadTurns).
func (c *Core) takesLoadTurn(in *machine.Inst) bool {
	if c.LoadTurns == 0 {
		return false
	}
	ports, _ := in.Ports(machine.UopLoad)
	return ports != 0 && ports&^c.AddressTurns == 0
}

// turnOfLoads makes a load take one of the turns of loads, in place of its port in the second cycle if it crosses
// lines: always, or in some iterations.
func (o *Op) turnOfLoads(c *Core, crosses bool, cuts uint64) {
	h := hold{Units: PortSet(c.LoadTurns), Cycles: o.Occ, Half: o.Half, Cuts: cuts}
	if crosses {
		h.Cycles++
	}
	o.Extra, o.Occ, o.Half, o.Cuts, o.Plainly = append(slices.Clone(o.Extra), h), 1, false, 0, false
}

// loadTurns gives the loads of a loop the turns of loads, if one of them crosses lines: otherwise their ports say the
// same.
func (l *lowering) loadTurns() {
	load := func(i int) Index {
		if u := l.insts[i].load; u != absent && l.core.takesLoadTurn(l.insts[i].in) {
			return u
		}
		return absent
	}
	if l.kept != nil || l.core.LoadTurns == 0 || l.core.FreePorts {
		return
	}
	crosses := false
	for i := range l.insts {
		u := load(i)
		crosses = crosses || u != absent && l.body[u].Cuts != 0
	}
	for i := range l.insts {
		if u := load(i); u != absent && crosses {
			l.body[u].turnOfLoads(l.core, false, l.body[u].Cuts)
		}
	}
}

// leave sets the cycles that stores take to leave the store queue. For traced code Region.Leave has this information.
func (l *lowering) leave(lay Layout) {
	c := &l.core.StoreCommit
	if l.kept != nil || l.core.FreePorts || !c.Lines && c.Merge <= 0 {
		return
	}
	for _, x := range lay.cache(l.g).Leave {
		if p := &l.insts[x.Inst]; max(p.std, p.sta) != absent {
			l.body[max(p.std, p.sta)].Leave = x.Cycles
		}
	}
}

// classes numbers the loads by their entry in the memory disambiguation predictor: the last bits of the load's
// address. The copies of unrolled code start at all multiples of the greatest power of two that divides the code's length, modulo the entries.
// iteration is the number of instructions of an iteration. classes returns the number of classes.
func (l *lowering) classes(unrolled bool, iteration int) int {
	entries := int(l.core.Disambiguation.Entries)
	if entries == 0 {
		return 0
	}
	step, total, known := entries, 0, true
	insts := l.g.Bound.Insts
	for i := range insts {
		size := int(insts[i].Line.Inst.Size)
		total, known = total+size, known && size > 0
	}
	if unrolled && known {
		for step = 1; step < entries && total%(2*step) == 0; step *= 2 {
		}
	}
	l.table = slices.Grow(l.table[:0], step)[:step]
	class := l.table
	clear(class)
	n, at := int32(0), 0
	for i := range insts {
		if i%iteration == 0 {
			at = 0
		}
		if u := l.insts[i].load; u != absent {
			k := at % step
			if !known {
				k = -1
			}
			switch {
			case k >= 0 && class[k] == 0:
				n++
				class[k] = n
				fallthrough
			case k >= 0:
				l.body[u].Class = class[k] - 1
			default:
				l.body[u].Class = n
				n++
			}
		}
		at += int(insts[i].Line.Inst.Size)
	}
	return int(n)
}

// addressTurns leaves each µop that computes an address those ports that it takes in its turn (machine.AddressTurns). In
// a loop the first pass finds the state before the first µop; in executed code no turn is known before the first load
// that has no choice.
func (l *lowering) addressTurns() {
	few := l.core.AddressTurns
	if few == 0 || l.core.FreePorts {
		return
	}
	passes := 1
	if !l.once {
		passes = 2
	}
	turns := machine.AddressTurns{Few: few}
	for pass := 1; pass <= passes; pass++ {
		for i := range l.body {
			u := &l.body[i]
			if !u.Address() || !l.insts[u.Inst].in.TakesTurns() {
				continue
			}
			if p := PortSet(turns.Take(machine.PortSet(u.Ports))); pass == passes && p != u.Ports {
				l.own(Index(i)).Ports = p
			}
		}
	}
}
