package uops

import (
	"math"
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/isa"
	"incore/internal/machine"
)

// This file turns edges between instructions into dependences between µops.

// storeApart makes the store-data µop of an instruction with operands that are needed, or stored, at different times wait for each operand
// separately, with the model's latency: for the loaded value here, for registers when their producers are known (edge).
func (l *lowering) storeApart(u Index, p *parts) {
	in, least := p.in, math.Inf(1)
	for k := range in.Inputs() {
		c, ok := toStore(in, k)
		if !ok || k < len(in.Effects.Reads) && in.Effects.Reads[k].Role == isa.RoleAddr {
			continue
		}
		least = min(least, c)
		if k >= len(in.Effects.Reads) && p.load != absent {
			lat := c
			if p.value == p.load {
				lat += l.loaded(p)
			}
			l.wait(u, p.value, 0, round(lat))
		}
	}
	if math.IsInf(least, 1) {
		least = p.execLat
	}
	l.wait(u, p.exec, 0, round(least-l.issueSpread(p)))
}

// wait makes µop u wait for µop on of the iteration delta before.
func (l *lowering) wait(u, on Index, delta int32, lat Cycle) {
	if l.noted != nil {
		l.noted.note(u, on, lat)
	}
	l.body[u].Deps = append(l.body[u].Deps, Dep{Uop: on, Delta: delta, Lat: lat})
}

// waitValue makes µop u wait for its instruction's loaded value.
func (l *lowering) waitValue(u Index, p *parts) {
	lat := round(l.loaded(p))
	if p.value != p.load {
		lat = 0
	}
	l.wait(u, p.value, 0, lat)
}

// copied follows an edge that begins at eliminated moves back to the producer of the value, if the core forwards it early through moves.
func (l *lowering) copied(e *depgraph.Edge) *depgraph.Edge {
	for e.Latency < 0 && l.g.Bound.Insts[e.From].Flags&machine.MoveElim != 0 {
		into, _ := l.g.Into(int(e.From))
		if len(into) != 1 {
			break
		}
		made := into[0]
		e = &depgraph.Edge{From: made.From, Out: made.Out, To: e.To, In: e.In, Kind: e.Kind, Dist: made.Dist + e.Dist, Reg: e.Reg, Latency: made.Latency + e.Latency}
	}
	return e
}

// exchanged follows an edge that begins at exchanges of registers without an operation back to the producer of the value.
func (l *lowering) exchanged(e *depgraph.Edge) *depgraph.Edge {
	for range l.g.Bound.Insts {
		in := &l.g.Bound.Insts[e.From]
		if in.Flags&machine.Exchange == 0 || in.Latency > 0 || e.Kind == depgraph.Memory {
			break
		}
		into, _ := l.g.Into(int(e.From))
		k := slices.IndexFunc(into, func(made depgraph.Edge) bool {
			_, ok := in.Pair(int(made.In), int(e.Out))
			return ok && made.Kind != depgraph.Memory
		})
		if k < 0 {
			break
		}
		made := &into[k]
		e = &depgraph.Edge{From: made.From, Out: made.Out, To: e.To, In: e.In, Kind: e.Kind, Dist: made.Dist + e.Dist, Reg: e.Reg, Latency: made.Latency + e.Latency}
	}
	return e
}

// edge lowers one edge of the dependence graph.
func (l *lowering) edge(e *depgraph.Edge) {
	e = l.exchanged(l.copied(e))
	if l.kept == nil || !l.linked(e) {
		l.wire(e)
	}
}

// wire adds the dependences between the µops of an edge's instructions.
func (l *lowering) wire(e *depgraph.Edge) {
	pf, pt := &l.insts[e.From], &l.insts[e.To]
	from, to := pf.in, pt.in
	if pf.first == pf.end || pt.first == pt.end || e.Kind != depgraph.Memory && unused(to, int(e.In)) || e.Kind == depgraph.Memory && updatesAlone(to, int(e.In)) {
		return
	}
	if e.Kind == depgraph.Memory {
		l.memoryEdge(e, pf, pt)
		return
	}
	out := int(e.Out)
	producer, lat := l.producer(pf, out)
	if producer == absent {
		return
	}
	if pt.sync != absent && l.stackPointer(e.Reg) {
		if l.explicit(to, int(e.In)) {
			l.wait(pt.sync, producer, e.Dist, round(lat))
			producer, lat, e = pt.sync, 1, &depgraph.Edge{To: e.To, In: e.In, Kind: e.Kind}
		}
	}
	if on, dist := l.syncedBetween(e); on != absent {
		producer, lat, e = on, 1, &depgraph.Edge{To: e.To, In: e.In, Kind: e.Kind, Dist: dist}
	}
	if m := l.merger(e, pt); m != absent {
		l.wait(m, producer, e.Dist, round(lat))
		producer, lat, e = m, 1, &depgraph.Edge{To: e.To, In: e.In, Kind: e.Kind}
	}
	lat += e.Latency // less if the core forwards early between these two
	if e.Kind == depgraph.Address && e.Latency < 0 && pt.load != absent && l.body[pt.load].Back > 0 && loads(from, out) {
		l.own(pt.load).Back = round(pt.loadLat + e.Latency)
	}
	switch {
	case e.Kind == depgraph.Address:
		for u := pt.first; u < pt.end; u++ { // every access of the instruction needs the address
			if k := l.body[u].Kind; k == KindLoad || k == KindStoreAddr || u == pt.update {
				l.wait(u, producer, e.Dist, round(lat))
			}
		}
		if pt.load == absent && pt.sta == absent { // lea and prefetches have no memory µop
			l.waitExec(pt, producer, e.Dist, round(lat))
		}
	case pt.exec != absent:
		if c, ok := toStore(to, int(e.In)); ok && pt.apart && pt.std != absent {
			l.wait(pt.std, producer, e.Dist, round(lat+c))
		}
		if d := late(to, int(e.In)); d > 0 && pt.result != absent {
			l.wait(pt.result, producer, e.Dist, round(lat+pt.resultLat-d))
			return
		}
		if out, ok := swapped(pt, int(e.In)); ok {
			l.wait(pt.exec-Index(1-out), producer, e.Dist, round(lat))
			return
		}
		l.waitExec(pt, producer, e.Dist, round(lat))
	case pt.std != absent:
		l.wait(pt.std, producer, e.Dist, round(lat))
	case pt.load != absent:
		l.wait(pt.load, producer, e.Dist, round(lat))
		if _, ok := toStore(to, int(e.In)); ok && pt.sta != absent {
			l.wait(pt.sta, producer, e.Dist, round(lat))
		}
	case pt.sta != absent: // the whole store is one µop
		l.wait(pt.sta, producer, e.Dist, round(lat))
		l.stored = append(l.stored, stored{pt.sta, Dep{Uop: producer, Delta: e.Dist, Lat: round(lat)}})
	}
}

// swaps reports whether an exchange of two registers has a µop for each: the last two.
func swaps(p *parts) bool {
	return p.in.Flags&machine.Exchange != 0 && p.exec > p.execFirst && p.in.Outputs() == 2
}

// swapped returns the result of an exchange that is made of an input.
func swapped(p *parts, input int) (out int, ok bool) {
	if swaps(p) {
		for out := range 2 {
			if _, ok := p.in.Pair(input, out); ok {
				return out, true
			}
		}
	}
	return 0, false
}

// producer returns the µop that produces an output, and the cycles from its issue to the output.
func (l *lowering) producer(p *parts, out int) (u Index, lat float64) {
	in := p.in
	switch {
	case out < 32 && p.updateOutputs>>out&1 != 0:
		return p.update, slowest(in, out)
	case p.answered != absent:
		return p.answered, 0
	case p.result != absent:
		return p.result, outLatency(in, out) - p.resultLat
	case p.exec != absent:
		lat, spread := outLatency(in, out), l.issueSpread(p)
		if spread > 0 && lat <= spread && lat < p.execLat { // the last execution µop produces a slower output, such as a shift's flags
			return p.execFirst, lat
		}
		if swaps(p) {
			return p.exec - Index(1-out), lat
		}
		return p.exec, lat - spread
	case p.load != absent:
		if lat = max(slowest(in, out), p.loadLat); p.value == p.load {
			lat -= p.loadLat - l.loaded(p)
		} else {
			lat -= p.loadLat
		}
		return p.value, lat
	case p.std != absent && !addresses(in, out):
		return p.std, max(1, slowest(in, out))
	}
	return p.sta, max(1, slowest(in, out))
}

// addresses reports whether an output is an address register that the instruction updates, such as the stack pointer of push.
func addresses(in *machine.Inst, out int) bool {
	w := &in.Effects.Writes[out]
	return w.Role == isa.RoleUpdate || w.Op < 0 && slices.ContainsFunc(in.Effects.Reads, func(r isa.Access) bool { return r.Role == isa.RoleAddr && r.Reg == w.Reg })
}

// answer adds a µop for the result of an instruction without an operation, if the result also depends on the stored data: the success of the store
// (stxr), or the old value (cas). It waits for the address or the loaded value, and for the data, with the model's latency for each.
func (l *lowering) answer(p *parts) {
	access := max(p.load, p.sta)
	if p.exec != absent || p.std == absent || access == absent {
		return
	}
	toAccess, toData, any := 0.0, 0.0, false
	for o := range p.in.Effects.Writes {
		if p.updateOutputs>>o&1 != 0 || addresses(p.in, o) {
			continue
		}
		for k := range p.in.Inputs() {
			if c, ok := p.in.Pair(k, o); ok && (k >= len(p.in.Effects.Reads) || p.in.Effects.Reads[k].Role == isa.RoleAddr) {
				toAccess = max(toAccess, c)
			} else if ok {
				toData, any = max(toData, c), true
			}
		}
	}
	if !any {
		return
	}
	p.answered = l.append(p.index, Op{Sched: -1, Kind: KindResult})
	l.wait(p.answered, access, 0, round(toAccess))
	if p.value != absent && p.value != p.load {
		l.wait(p.answered, p.value, 0, round(max(0, toAccess-p.loadLat)))
	}
	l.wait(p.answered, p.std, 0, round(toData))
}

// slowest returns the largest latency from any input to an output, in cycles.
func slowest(in *machine.Inst, out int) (lat float64) {
	for k := range in.Inputs() {
		if c, ok := in.Pair(k, out); ok {
			lat = max(lat, c)
		}
	}
	return lat
}

// waitExec makes the execution µops of an instruction wait for a µop. One that waits for an earlier one of them needs nothing else.
func (l *lowering) waitExec(p *parts, on Index, delta int32, lat Cycle) {
	for u := p.execFirst; u <= p.exec; u++ {
		if l.body[u].Kind == KindExec && (p.starts == 0 || u < p.exec) {
			l.wait(u, on, delta, lat)
		}
	}
}

// Connect computes the number of µops between dependent µops, and registers consumers at the µops whose retirement they wait for.
func Connect(body []Uop) {
	n := len(body)
	for i := range body {
		u := Index(i)
		x := &body[u]
		x.Plainly, x.Tells = x.needsOnlyPort(), x.Lead || x.Again != 0 || x.Kind == KindStoreAddr
		for k := range x.Deps {
			d := &x.Deps[k]
			d.Dist = SeqNo(int(d.Delta)*n + i - int(d.Uop))
		}
		for k := range x.After {
			d := &x.After[k]
			d.Dist = SeqNo(int(d.Delta)*n + i - int(d.Uop))
			p := &body[d.Uop]
			p.Frees = append(p.Frees, Dep{Uop: u, Delta: d.Delta, Dist: d.Dist, Lat: d.Lat})
			p.Ends = true
		}
		x.Ends = x.Ends || x.Jumps > 0 || x.Address() || x.Leaves || x.Results != files{}
	}
}

// needsOnlyPort reports whether a free port is all that a µop needs to issue.
func (u *Op) needsOnlyPort() bool {
	return u.Ports != 0 && u.Back == 0 && u.Aside == 0 && len(u.Extra) == 0 && u.Place|u.Clash|u.Banks == 0 && !u.Lead && u.Behind == 0
}
