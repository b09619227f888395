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
	kinds   []portKind
	some    uint64          // lists that may not be empty
	fronts  [maxLists]int64 // list → number of its next ready µop, times maxLists, plus the list's number
	waiting int             // number of ready µops
	alone   uint64          // lists that share nothing with others, and whose µops need nothing but a port and its result bus
	groups  []uint64        // independent groups of the other lists
}

// portKind are the µops of a body with the same ports and units.
type portKind struct {
	portNeeds
	lists *[256]int8 // by what has been chosen at dispatch (instance.port)
	all   uint64     // these lists
	more  portSet    // what its µops use beside a port and its result bus
}

// portNeeds is what decides on the list of a µop.
type portNeeds struct {
	ports, units portSet
	group        int8
	bound        bool // it has a port before it issues
}

// portList holds the ready µops that wait for one of the same ports, linked in age order.
type portList struct {
	ports, units portSet // to issue, each µop needs a port of the first set and, without which it leaves no trace, a unit of the second
	uses         portSet // all that its µops use
	oldest       int32   // places in the ring plus 1; 0: none
	youngest     int32
	next         int32 // the oldest one that select has not examined in this cycle
}

// insert adds a µop at a place of the ring, which usually is among the youngest.
func (r *readyList) insert(place int32, x *instance) {
	l := &r.lists[x.list]
	younger, older := int32(0), l.youngest
	for older != 0 && r.ring[older-1].seq > x.seq {
		younger, older = older, r.ring[older-1].prev
	}
	x.prev, x.next = older, younger
	r.link(l, older, place+1)
	if younger == 0 {
		l.youngest = place + 1
	} else {
		r.ring[younger-1].prev = place + 1
	}
	r.some |= 1 << (uint8(x.list) % maxLists)
	r.waiting++
}

// link makes a µop the next younger one of another one, or the oldest one of a list.
func (r *readyList) link(l *portList, older, place int32) {
	if older == 0 {
		l.oldest = place
	} else {
		r.ring[older-1].next = place
	}
}

// take removes a µop.
func (r *readyList) take(l *portList, x *instance) {
	r.link(l, x.prev, x.next)
	if x.next == 0 {
		l.youngest = x.prev
	} else {
		r.ring[x.next-1].prev = x.prev
	}
	r.waiting--
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
			kind := r.kindOf(u.Op)
			kind.more |= besidePort(u.Op)
			u.Lists = kind.lists
		}
	}
	r.group()
}

// kindOf returns the kind of a µop.
func (r *readyList) kindOf(u *op) *portKind {
	needs := portNeeds{u.Ports, unitsOf(u), u.Group, u.Among != 0 || u.Group == 0 && r.core.PortChoice.AtRename}
	for k := range r.kinds {
		if r.kinds[k].portNeeds == needs {
			return &r.kinds[k]
		}
	}
	n := len(r.kinds)
	r.kinds = slices.Grow(r.kinds, 1)[:n+1]
	kind := &r.kinds[n]
	if *kind = (portKind{portNeeds: needs, lists: kind.lists}); kind.lists == nil {
		kind.lists = new([256]int8)
	}
	add := func(at int8, ports portSet) {
		list := r.add(ports, kind.units)
		kind.lists[uint8(at)] = list
		kind.all |= 1 << list
	}
	every := func(ports portSet) {
		add(0, ports)
		for at := range kind.lists {
			kind.lists[at] = kind.lists[0]
		}
	}
	switch {
	case u.Ports == 0:
		every(anyPort)
	case kind.bound:
		for s := u.Ports; s != 0; s &= s - 1 {
			add(int8(s.First()), s&-s)
		}
	case u.Group > 0 && r.core.Groups[u.Group-1].Policy == machine.SteerChance: // it has a partition
		for q, within := range r.core.Groups[u.Group-1].Within {
			if ports := u.Ports & within; ports != 0 {
				add(drawn-int8(q), ports)
			}
		}
	default:
		every(u.Ports)
	}
	return kind
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
	l := portList{ports: ports, units: units}
	if ports != anyPort {
		l.uses = ports
	}
	r.lists = append(r.lists, l)
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

// look starts to examine the ready µops of some lists. It returns the lists that are not empty.
func (r *readyList) look(lists uint64) uint64 {
	for s := r.some & lists; s != 0; s &= s - 1 {
		k := bits.TrailingZeros64(s)
		l := &r.lists[k]
		if l.next = l.oldest; l.next == 0 {
			r.some &^= 1 << k
			continue
		}
		r.fronts[k] = int64(r.ring[l.next-1].seq)*maxLists + int64(k)
	}
	return r.some & lists
}

// oldest returns that one of some lists whose next µop is the oldest.
func (r *readyList) oldest(among uint64) int {
	least := int64(math.MaxInt64)
	for s := among; s != 0; s &= s - 1 {
		least = min(least, r.fronts[bits.TrailingZeros64(s)%maxLists])
	}
	return int(uint64(least) % maxLists)
}

// following updates the next µop of a list. It returns the lists still to examine.
func (r *readyList) following(k int, left uint64) uint64 {
	next := r.lists[k].next
	if next == 0 {
		return left &^ (1 << (uint(k) % maxLists))
	}
	r.fronts[uint(k)%maxLists] = int64(r.ring[next-1].seq)*maxLists + int64(k)
	return left
}

// youngest returns the number of the youngest ready µop, -1 if there is none.
func (r *readyList) youngest() seqNo {
	last := seqNo(-1)
	for s := r.some; s != 0; s &= s - 1 {
		if y := r.lists[bits.TrailingZeros64(s)].youngest; y != 0 {
			last = max(last, r.ring[y-1].seq)
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
