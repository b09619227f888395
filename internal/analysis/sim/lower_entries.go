package sim

import (
	"slices"

	"incore/internal/isa"
	"incore/internal/machine"
)

// This file determines which µops of an instruction share a partition entry, on cores with packet steering (machine.SteerPackets), and when results
// are written back.

// share lets µops of an instruction from number own on share one entry: a load or a store address, the operation of the same slot, and the stored
// data. If a store has two slots, the stored data have an entry of their own, which counts as an operation's. (Zen 4 measured: docs/simulator.md)
func (l *lowering) share(own int, in *machine.Inst) {
	lead, last := -1, -1
	if l.storesConstant(own, in) {
		return
	}
	for k := own; k < len(l.body); k++ {
		u := &l.body[k]
		switch {
		case u.address():
			if !l.core.inPackets(u.group) {
				return
			}
			if lead < 0 {
				lead = k
			}
			continue
		case lead < 0:
			continue
		case u.kind == kindStoreData && l.body[lead].kind == kindStoreAddr && u.slots > 0 && l.body[lead].slots > 0: // two slots have two entries
			u.group, u.holds = l.body[lead].group, l.body[lead].among
			continue
		case u.kind == kindStoreData:
		case u.group != l.body[lead].group || u.among&l.body[lead].among == 0 || last >= 0 || u.slots > 0 && !l.stores(k):
			continue
		default:
			u.among &= l.body[lead].among
			l.body[lead].among, l.body[lead].works = u.among, true
		}
		if last >= 0 {
			l.body[last].stays = true
		}
		u.group, u.follows, last = l.body[lead].group, seqNo(k-lead), k
		l.body[lead].stays = true
	}
	if last >= 0 && l.body[last].kind == kindStoreData && l.body[lead].kind == kindLoad {
		l.storesBack(lead)
	}
}

// storesBack gives a read-modify-write of memory a second entry, which its load frees when it issues: the entry of the store's address. The second
// slot belongs to the store.
func (l *lowering) storesBack(load int) {
	u := op{sched: -1, class: -1, kind: kindResult, group: l.body[load].group, moves: true}
	_, u.holds = l.core.steeredTo(l.body[load].ports)
	for k := load + 1; k < len(l.body); k++ {
		if l.body[k].follows != 0 && l.body[k].slots == 1 {
			l.body[k].slots, u.slots = 0, 1
		}
	}
	l.wait(l.append(l.body[load].inst, u), uopIndex(load), 0, 0)
}

// storesConstant assigns the entries of a store of a constant, which an operation sends to the store: it shares the entry of the address, or has its
// own one if the store has two slots.
func (l *lowering) storesConstant(own int, in *machine.Inst) bool {
	if len(l.body) != own+3 || l.body[own].kind != kindExec || !l.core.inPackets(l.body[own].group) || l.body[own+1].kind != kindStoreAddr || l.body[own+1].group != l.body[own].group {
		return false
	}
	for k := range in.Effects.Reads {
		if in.Effects.Reads[k].Role != isa.RoleAddr {
			return false
		}
	}
	exec, sta, std := &l.body[own], &l.body[own+1], &l.body[own+2]
	exec.among, exec.stays, std.group, std.follows = exec.among&sta.among, true, exec.group, 2
	if sta.slots == 0 {
		exec.moves, sta.follows, sta.stays = true, 1, true
	}
	return true
}

// stores reports whether stored data follow µop k.
func (l *lowering) stores(k int) bool {
	return slices.ContainsFunc(l.body[k+1:], func(u uop) bool { return u.kind == kindStoreData })
}

// writeBack sets when the operation of an instruction writes its results back, on cores with conflicts of results (Core.ResultBus): the slowest
// result through another port, if the row says so (machine.UopResult), and the fastest one through its own port. Results of vector units use a port
// for integers only if the row says so.
func (l *lowering) writeBack(p *parts) {
	if p.exec == absent || l.core.FreePorts {
		return
	}
	by, lat := l.written(p.in)
	u := &l.body[p.exec]
	if p.aside != 0 {
		u.aside, u.later, u.asideWays = p.aside&portSet(l.core.ResultBus.Ports), round(p.execLat-l.issueSpread(p)), by
		if by&toRegisters != 0 { // flags are written with the other result
			u.asideWays = toRegisters
		}
	}
	if q := l.g.Bound.Kernel.ISA.VectorBits; p.exec != p.execFirst || q != nil && q(&p.in.Line.Inst) > 0 {
		return
	}
	if u.ports&portSet(l.core.ResultBus.Ports) != 0 && u.occ == 1 && p.execLat >= 1 && lat < busCycles {
		u.back, u.ways = round(lat), by
		u.plain = u.back
	}
}

// written says by which ways the results of an instruction go, and after how many cycles they do, the quickest to registers first: flags come along, although others may
// wait longer for them, those of comparisons after a cycle.
func (l *lowering) written(in *machine.Inst) (by ways, lat float64) {
	for o, w := range in.Effects.Writes {
		c := outLatency(in, o)
		switch {
		case c <= 0:
			continue
		case w.Role == isa.RoleFlags && l.core.FlagsApart:
			by |= toFlags
			continue
		case w.Role != isa.RoleFlags && (lat == 0 || c < lat):
			lat = c
		}
		by |= toRegisters
	}
	return by, max(lat, 1)
}
