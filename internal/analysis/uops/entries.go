package uops

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
		case u.Address():
			if !l.core.InPackets(u.Group) {
				return
			}
			if lead < 0 {
				lead = k
			}
			continue
		case lead < 0:
			continue
		case u.Kind == KindStoreData && l.body[lead].Kind == KindStoreAddr && u.Slots > 0 && l.body[lead].Slots > 0: // two slots have two entries
			u.Group, u.Holds = l.body[lead].Group, l.body[lead].Among
			continue
		case u.Kind == KindStoreData:
		case u.Group != l.body[lead].Group || u.Among&l.body[lead].Among == 0 || last >= 0 || u.Slots > 0 && !l.stores(k):
			continue
		default:
			u.Among &= l.body[lead].Among
			l.body[lead].Among, l.body[lead].Works = u.Among, true
		}
		if last >= 0 {
			l.body[last].Stays = true
		}
		u.Group, u.Follows, last = l.body[lead].Group, SeqNo(k-lead), k
		l.body[lead].Stays = true
	}
	if last >= 0 && l.body[last].Kind == KindStoreData && l.body[lead].Kind == KindLoad {
		l.storesBack(lead)
	}
}

// storesBack gives a read-modify-write of memory a second entry, which its load frees when it issues: the entry of the store's address. The second
// slot belongs to the store.
func (l *lowering) storesBack(load int) {
	u := Op{Sched: -1, Class: -1, Kind: KindResult, Group: l.body[load].Group, Moves: true}
	_, u.Holds = l.core.SteeredTo(l.body[load].Ports)
	for k := load + 1; k < len(l.body); k++ {
		if l.body[k].Follows != 0 && l.body[k].Slots == 1 {
			l.body[k].Slots, u.Slots = 0, u.Slots+1
		}
	}
	l.wait(l.append(l.body[load].Inst, u), Index(load), 0, 0)
}

// storesConstant assigns the entries of a store of a constant, which an operation sends to the store: it shares the entry of the address, or has its
// own one if the store has two slots.
func (l *lowering) storesConstant(own int, in *machine.Inst) bool {
	if len(l.body) != own+3 || l.body[own].Kind != KindExec || !l.core.InPackets(l.body[own].Group) || l.body[own+1].Kind != KindStoreAddr || l.body[own+1].Group != l.body[own].Group {
		return false
	}
	for k := range in.Effects.Reads {
		if in.Effects.Reads[k].Role != isa.RoleAddr {
			return false
		}
	}
	exec, sta, std := &l.body[own], &l.body[own+1], &l.body[own+2]
	exec.Among, exec.Stays, std.Group, std.Follows = exec.Among&sta.Among, true, exec.Group, 2
	if sta.Slots == 0 {
		exec.Moves, sta.Follows, sta.Stays = true, 1, true
	}
	return true
}

// stores reports whether stored data follow µop k.
func (l *lowering) stores(k int) bool {
	return slices.ContainsFunc(l.body[k+1:], func(u Uop) bool { return u.Kind == KindStoreData })
}

// writeBack sets when the operation of an instruction writes its results back, on cores with conflicts of results (Core.ResultBus): the slowest
// result through another port, if the row says so (machine.UopResult), and the fastest one through its own port. Of an operation of two µops with results in
// two registers each µop writes one back, both after the time of the faster one: multiplications to twice the width on Zen 5 do not hinder each other, but
// additions beside them.
func (l *lowering) writeBack(p *parts) {
	if p.exec == absent || l.core.FreePorts {
		return
	}
	by, lat := written(p.in, l.core.FlagsApart)
	u := &l.body[p.exec]
	if p.aside != 0 {
		u.Aside, u.Later, u.AsideWays = p.aside&PortSet(l.core.ResultBus.Ports), round(p.execLat-l.issueSpread(p)), by.aside()
	}
	if onVectors(l.g.Bound.Kernel.ISA, p.in) {
		return
	}
	switch {
	case p.exec == p.execFirst:
		l.writesBack(p.exec, lat, by, p.execLat)
	case p.exec == p.execFirst+1 && p.aside == 0 && l.writesTwo(p.in): // each µop writes one of the registers
		l.writesBack(p.execFirst, lat, ToRegisters, p.execLat)
		l.writesBack(p.exec, lat, by, p.execLat)
	}
}

// writesBack sets when a µop writes a result back to the registers by its own port.
func (l *lowering) writesBack(at Index, lat float64, by Ways, last float64) {
	if u := &l.body[at]; u.Ports&PortSet(l.core.ResultBus.Ports) != 0 && u.Occ == 1 && last >= 1 && lat < BusCycles {
		u.Back, u.Ways = round(lat), by
		u.Plain = u.Back
	}
}

// writesTwo reports whether an instruction has results in two registers.
func (l *lowering) writesTwo(in *machine.Inst) bool {
	n := 0
	for _, w := range in.Effects.Writes {
		if w.Role != isa.RoleFlags {
			n++
		}
	}
	return n == 2
}

// written returns the result buses that an instruction uses, and the shortest latency to a register. Flags share that bus, although others may
// wait longer for them: those of comparisons come after a cycle.
func written(in *machine.Inst, flagsApart bool) (by Ways, lat float64) {
	for o, w := range in.Effects.Writes {
		c := outLatency(in, o)
		switch {
		case c <= 0:
			continue
		case w.Role == isa.RoleFlags && flagsApart:
			by |= ToFlags
			continue
		case w.Role != isa.RoleFlags && (lat == 0 || c < lat):
			lat = c
		}
		by |= ToRegisters
	}
	return by, max(lat, 1)
}
