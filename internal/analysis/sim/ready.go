package sim

import (
	"math"
	"math/bits"

	"incore/internal/analysis/uops"
)

// This file holds the ready µops that wait for ports, in one list for each set of usable ports: if all ports of a set are busy, none of its µops is
// examined.

// maxLists is the largest number of lists: a word has a bit for each. Further sets of ports share the last list.
const maxLists = 64

// readyList holds the ready µops, a list for each set of ports.
type readyList struct {
	*window
	timeless
	derived
	lists   []portList
	some    uint64               // lists that may not be empty
	fronts  [maxLists]int64      // list → number of its next ready µop, times maxLists, plus the list's number
	waiting int                  // number of ready µops
	ofPort  [uops.MaxPorts]int32 // port → list of the µops bound to the port
	alone   uint64               // lists whose ports no other list shares
	groups  []uint64             // independent groups of the other lists
}

// portList holds the ready µops that wait for one set of ports, by number in age order.
type portList struct {
	ports portSet // 0: several sets of ports, or resources only
	seqs  []seqNo
	head  int // the first one in seqs
	next  int // the first one that select has not examined in this cycle
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

// reset makes a list for each set of ports of the body's µops.
func (r *readyList) reset(p *pipeline) {
	w := &p.window
	lists, groups := r.lists, r.groups
	*r = readyList{window: w, lists: lists[:0], groups: groups[:0]}
	old := lists[:cap(lists)]
	add := func(ports portSet) int32 {
		for k := range r.lists {
			if r.lists[k].ports == ports {
				return int32(k)
			}
		}
		if len(r.lists) == maxLists {
			r.lists[maxLists-1].ports = 0
			return maxLists - 1
		}
		l := portList{ports: ports}
		if k := len(r.lists); k < len(old) {
			l.seqs = old[k].seqs[:0]
		}
		r.lists = append(r.lists, l)
		return int32(len(r.lists) - 1)
	}
	if w.core.PortChoice.AtRename {
		for p := range w.core.Ports {
			r.ofPort[p] = add(1 << p)
		}
	}
	for i := range w.body {
		u := &w.body[i]
		switch {
		case u.Idle:
		case u.Among != 0:
			for s := u.Ports; s != 0; s &= s - 1 {
				r.ofPort[s.First()] = add(s & -s)
			}
		case u.Ports == 0 || u.Group > 0 || !w.core.PortChoice.AtRename:
			u.List = add(u.Ports)
		}
	}
	r.group()
}

// insert adds a µop to those that are ready.
func (r *readyList) insert(x *instance, u *uop) {
	k := u.List
	if x.port >= 0 {
		k = r.ofPort[x.port]
	}
	r.lists[k].insert(x.seq)
	r.some |= 1 << k
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

// group sorts the lists into independent groups: no µop of one group may use a port of another, and nothing else is shared. (The order of groups
// matters only in a cycle in which a load learns to wait for older stores, or no longer to: it decides which loads still issue.)
func (r *readyList) group() {
	all := uint64(1)<<len(r.lists) - 1
	if !r.apart() {
		r.groups = append(r.groups, all)
		return
	}
	for all != 0 {
		group := all & -all
		for ports, more := r.lists[bits.TrailingZeros64(group)].ports, true; more; {
			more = false
			for s := all &^ group; s != 0; s &= s - 1 {
				if k := bits.TrailingZeros64(s); r.lists[k].ports&ports != 0 {
					group, ports, more = group|s&-s, ports|r.lists[k].ports, true
				}
			}
		}
		if group&(group-1) == 0 {
			r.alone |= group
		} else {
			r.groups = append(r.groups, group)
		}
		all &^= group
	}
}

// apart reports whether µops for different ports share nothing.
func (r *readyList) apart() bool {
	c := r.core
	if c.SpeculativeWakeup || c.Chance || c.FreePorts || c.InOrder {
		return false
	}
	for i := range r.body {
		if u := &r.body[i]; len(u.Extra) > 0 || u.Clash != 0 || u.Banks != 0 || u.Aside != 0 {
			return false
		}
	}
	for k := range r.lists {
		if r.lists[k].ports == 0 {
			return false
		}
	}
	return true
}
