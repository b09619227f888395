package sim

import (
	"math"
	"math/bits"
	"slices"

	"incore/internal/analysis/uops"
	"incore/internal/machine"
)

// This file holds the ready µops that wait for ports, in one list for each set of usable ports and units: if all
// ports of a set are busy, none of its µops is examined.

// maxLists is the largest number of lists: a word has a bit for each. Further sets share the last list.
const maxLists = 64

// anyPort is the set of a list whose µops need no port, or not all the same ones.
const anyPort = ^portSet(0)

// dataCache stands for the banks of the data cache in a set of ports and resources (portList.uses).
const dataCache = portSet(1) << (uops.MaxPorts - 1)

// readyList holds the ready µops, a list for each set of ports and units.
type readyList struct {
	*window
	timeless
	derived
	lists   []portList
	kinds   []portKind      // by op.List
	some    uint64          // lists that may not be empty
	fronts  [maxLists]int64 // list → number of its next ready µop, times maxLists, plus the list's number
	waiting int             // number of ready µops
	alone   uint64          // lists that share nothing with others, and whose µops need nothing but a port and its result bus
	groups  []uint64        // independent groups of the other lists
}

// portKind are the µops of a body with the same ports and units.
type portKind struct {
	portNeeds
	lists [uops.MaxPorts]int8 // by the µop's port, or its partition; the first one for µops that have neither before they issue
	all   uint64              // these lists
	more  portSet             // what its µops use beside a port and its result bus
}

// portNeeds is what decides on the list of a µop.
type portNeeds struct {
	ports, units portSet
	group        int8
	bound        bool // it has a port before it issues
}

// portList holds the ready µops that wait for one of the same ports, by number in age order.
type portList struct {
	ports, units portSet // to issue, each µop needs a port of the first set and, without which it leaves no trace, a unit of the second
	uses         portSet // all that its µops use
	seqs         []seqNo
	head         int // the first one in seqs
	next         int // the first one that select has not examined in this cycle
}

// insert adds a µop, which usually is among the youngest.
func (l *portList) insert(seq seqNo) {
	if l.head > 0 && len(l.seqs) == cap(l.seqs) {
		l.seqs, l.head = l.seqs[:copy(l.seqs, l.seqs[l.head:])], 0
	}
	l.seqs = append(l.seqs, seq)
	k := len(l.seqs) - 1
	for ; k > l.head && l.seqs[k-1] > seq; k-- {
		l.seqs[k] = l.seqs[k-1]
	}
	l.seqs[k] = seq
}

// take removes the µop examined last.
func (l *portList) take() {
	at := l.next - 1
	if at == l.head {
		if l.head++; l.head == len(l.seqs) {
			l.seqs, l.head, l.next = l.seqs[:0], 0, 0
		}
		return
	}
	l.seqs = append(l.seqs[:at], l.seqs[at+1:]...)
	l.next = at
}

// reset makes the lists for the body's µops.
func (r *readyList) reset(p *pipeline) {
	*r = readyList{window: &p.window, lists: r.lists[:0], kinds: r.kinds[:0], groups: r.groups[:0]}
	if r.core.PortChoice.AtRename { // in the order of ports
		for p := range r.core.Ports {
			r.add(1<<p, anyPort)
		}
	}
	for i := range r.body {
		if u := &r.body[i]; !u.Idle {
			u.List = r.kindOf(u.Op)
			r.kinds[u.List].more |= besidePort(u.Op)
		}
	}
	r.group()
}

// kindOf returns the kind of a µop.
func (r *readyList) kindOf(u *op) int32 {
	needs := portNeeds{u.Ports, unitsOf(u), u.Group, u.Among != 0 || u.Group == 0 && r.core.PortChoice.AtRename}
	for k := range r.kinds {
		if r.kinds[k].portNeeds == needs {
			return int32(k)
		}
	}
	kind := portKind{portNeeds: needs}
	add := func(at int, ports portSet) {
		kind.lists[at] = r.add(ports, kind.units)
		kind.all |= 1 << kind.lists[at]
	}
	switch {
	case u.Ports == 0:
		add(0, anyPort)
	case kind.bound:
		for s := u.Ports; s != 0; s &= s - 1 {
			add(s.First(), s&-s)
		}
	case u.Group > 0 && r.core.Groups[u.Group-1].Policy == machine.SteerChance: // it has a partition
		for q, within := range r.core.Groups[u.Group-1].Within {
			if ports := u.Ports & within; ports != 0 {
				add(q, ports)
			}
		}
	default:
		add(0, u.Ports)
	}
	r.kinds = append(r.kinds, kind)
	return int32(len(r.kinds) - 1)
}

// unitsOf returns the units of a resource that a µop needs to issue, if the lack of them has no further effect: it
// waits for no result bus and no bank.
func unitsOf(u *op) portSet {
	if len(u.Extra) == 0 || u.Extra[0].Read || u.Back > 0 || u.Aside != 0 || u.Banks != 0 {
		return anyPort
	}
	return u.Extra[0].Units
}

// add returns the list for some ports and units.
func (r *readyList) add(ports, units portSet) int8 {
	for k := range r.lists {
		if l := &r.lists[k]; l.ports == ports && l.units == units {
			return int8(k)
		}
	}
	n := len(r.lists)
	if n == maxLists {
		l := &r.lists[maxLists-1]
		l.ports, l.units, l.uses = anyPort, anyPort, anyPort
		return maxLists - 1
	}
	r.lists = slices.Grow(r.lists, 1)[:n+1]
	l := portList{ports: ports, units: units, seqs: r.lists[n].seqs[:0]}
	if ports != anyPort {
		l.uses = ports
	}
	r.lists[n] = l
	return int8(n)
}

// besidePort is what a µop uses beside a port and its result bus.
func besidePort(u *op) portSet {
	uses := u.Aside
	for i := range u.Extra {
		uses |= u.Extra[i].Units
	}
	if u.Place|u.Banks|u.Clash != 0 {
		uses |= dataCache
	}
	return uses
}

// listOf returns the list of a µop whose operands are known.
func (r *readyList) listOf(x *instance, u *uop) int8 {
	at := max(0, x.port)
	if x.port <= drawn {
		at = drawn - x.port
	}
	return r.kinds[u.List].lists[at]
}

// insert adds a µop to those that are ready.
func (r *readyList) insert(x *instance) {
	r.lists[x.list].insert(x.seq)
	r.some |= 1 << x.list
	r.waiting++
}

// look starts to examine the ready µops of some lists. It returns the lists that are not empty.
func (r *readyList) look(lists uint64) uint64 {
	for s := r.some & lists; s != 0; s &= s - 1 {
		k := bits.TrailingZeros64(s)
		l := &r.lists[k]
		if l.next = l.head; l.head == len(l.seqs) {
			r.some &^= 1 << k
			continue
		}
		r.fronts[k] = int64(l.seqs[l.head])*maxLists + int64(k)
	}
	return r.some & lists
}

// oldest returns that one of some lists whose next µop is the oldest.
func (r *readyList) oldest(among uint64) int {
	least := int64(math.MaxInt64)
	for s := among; s != 0; s &= s - 1 {
		least = min(least, r.fronts[bits.TrailingZeros64(s)])
	}
	return int(least % maxLists)
}

// following updates the next µop of a list. It returns the lists still to examine.
func (r *readyList) following(k int, left uint64) uint64 {
	l := &r.lists[k]
	if l.next == len(l.seqs) {
		return left &^ (1 << k)
	}
	r.fronts[k] = int64(l.seqs[l.next])*maxLists + int64(k)
	return left
}

// youngest returns the number of the youngest ready µop, -1 if there is none.
func (r *readyList) youngest() seqNo {
	last := seqNo(-1)
	for k := range r.lists {
		if l := &r.lists[k]; l.head < len(l.seqs) {
			last = max(last, l.seqs[len(l.seqs)-1])
		}
	}
	return last
}

// group sorts the lists into independent groups: no µop of one group may use what one of another does. (The order of
// groups matters only in a cycle in which a load learns to wait for older stores, or no longer to: it decides which
// loads still issue.)
func (r *readyList) group() {
	all := uint64(1)<<len(r.lists) - 1
	if c := r.core; c.SpeculativeWakeup || c.Chance || c.FreePorts || c.InOrder { // whose µops share more
		r.groups = append(r.groups, all)
		return
	}
	for k := range r.kinds {
		for s := r.kinds[k].all; s != 0; s &= s - 1 {
			r.lists[bits.TrailingZeros64(s)].uses |= r.kinds[k].more
		}
	}
	for all != 0 {
		first := &r.lists[bits.TrailingZeros64(all)]
		group, uses := all&-all, first.uses
		for more := true; more; {
			more = false
			for s := all &^ group; s != 0; s &= s - 1 {
				if l := &r.lists[bits.TrailingZeros64(s)]; l.uses&uses != 0 {
					group, uses, more = group|s&-s, uses|l.uses, true
				}
			}
		}
		if uses == first.ports && uses != anyPort && group&(group-1) == 0 {
			r.alone |= group
		} else {
			r.groups = append(r.groups, group)
		}
		all &^= group
	}
}
