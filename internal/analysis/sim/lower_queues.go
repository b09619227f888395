package sim

import "incore/internal/isa"

// This file says which µops of an instruction have an entry of a queue together, on cores that give each µop one of several (Core.PortQueues), and when results
// are written back.

// share lets the µops of an instruction from number own on have one entry: a load or a store address, the operation of the same slot, and the stored data,
// which have an entry of their own in the same queue if they have a slot of their own.
func (l *lowering) share(own int) {
	lead, last := -1, -1
	for k := own; k < len(l.body); k++ {
		u := &l.body[k]
		switch {
		case u.address():
			if u.among == 0 {
				return
			}
			if lead < 0 {
				lead = k
			}
			continue
		case lead < 0:
			continue
		case u.kind == kindStoreData && u.slots > 0 && l.body[lead].kind == kindStoreAddr && l.body[lead].slots > 0: // two slots have two entries
			u.follows, u.beside = int32(k-lead), true
			continue
		case u.kind == kindStoreData:
			if l.body[lead].works && l.body[lead].kind == kindLoad && u.slots == 0 { // the second slot of what is modified in memory is the store's
				for j := lead + 1; j < k; j++ {
					if l.body[j].follows != 0 && l.body[j].slots == 1 {
						l.body[j].slots, u.slots = 0, 1
					}
				}
			}
		case u.among == 0 || u.among&l.body[lead].among == 0 || last >= 0 || u.slots > 0 && !l.stores(k):
			continue
		default:
			u.among &= l.body[lead].among
			l.body[lead].among, l.body[lead].works = u.among, true
		}
		if last >= 0 {
			l.body[last].stays = true
		}
		u.follows, last = int32(k-lead), k
		l.body[lead].stays = true
	}
}

// stores reports whether stored data follow µop k and no store address does: the instruction stores to what it loads.
func (l *lowering) stores(k int) bool {
	for k++; k < len(l.body); k++ {
		switch l.body[k].kind {
		case kindStoreAddr:
			return false
		case kindStoreData:
			return true
		}
	}
	return false
}

// writeBack says when the operation of an instruction writes its results back, if these may meet with others' (Core.ResultPorts): the
// slowest by another port, if the row says so (machine.UopResult), and then the quickest by its own. Vectors have a way of their own;
// flags come along, although others may wait longer for them, those of comparisons after a cycle.
func (l *lowering) writeBack(p *parts) {
	if p.exec == absent || p.exec != p.execFirst || l.core.FreePorts {
		return
	}
	if q := l.g.Bound.Kernel.ISA.VectorBits; q != nil && q(&p.in.Line.Inst) > 0 {
		return
	}
	u, lat := &l.body[p.exec], 0.0
	for o, w := range p.in.Effects.Writes {
		if c := outLatency(p.in, o); w.Role != isa.RoleFlags && c > 0 && (lat == 0 || c < lat) {
			lat = c
		}
	}
	if p.aside != 0 {
		u.aside, u.later = p.aside&uint64(l.core.ResultPorts), round(p.execLat)
	}
	if lat = max(lat, 1); u.ports&uint64(l.core.ResultPorts) != 0 && u.occ == 1 && p.execLat >= 1 && lat < 64 {
		u.back = round(lat)
		u.plain = u.back
	}
}
