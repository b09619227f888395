package sim

import (
	"slices"

	"incore/internal/analysis/uops"
)

// This file is speculative wake-up (Core.SpeculativeWakeup): a µop that waits for a port wakes its consumers as if it had issued. In each cycle until then, the
// consumers request ports in vain and take them from others. (Brown, Stark and Patt, Select-Free Instruction
// Scheduling Logic, MICRO 2001) µops of partitions that take turns (Zen 5's vectors) wake their consumers when they
// issue.

// vainRequest is a request for a port by a µop whose operand has not arrived yet.
type vainRequest struct {
	seq   seqNo
	ports portSet
	last  bool // it is not repeated if no port is free
}

// vainRequests holds the requests of this cycle and of the next one, in order of age.
type vainRequests struct {
	*window
	list     []vainRequest // requests of this cycle
	served   int           // the first ones of these, which have been served
	next     []vainRequest // requests of the next cycle: those that found no port and are repeated once
	fresh    []seqNo       // µops that became ready in this cycle
	believed []seqNo       // µops of which every producer that has not issued is late, so that they believe to be ready, in order of age
	then     [marks][]vainRequest
}

func (v *vainRequests) reset(p *pipeline) {
	*v = vainRequests{window: &p.window, list: v.list[:0], next: v.next[:0], fresh: v.fresh[:0], believed: v.believed[:0], then: v.then}
}

func (v *vainRequests) mark(k int) { v.then[k] = append(v.then[k][:0], v.list...) }

func (v *vainRequests) recurs(k int) bool {
	on := v.head - v.marked[k].head
	return slices.EqualFunc(v.then[k], v.list, func(a, b vainRequest) bool { return a.seq == b.seq-on && a.last == b.last })
}

// advance drops the requests, as no µop is ready.
func (v *vainRequests) advance(cycle) {
	v.list, v.served, v.fresh, v.believed = v.list[:0], 0, v.fresh[:0], v.believed[:0]
}

// before serves the requests that are older than a µop. It returns the ports that stay free.
func (v *vainRequests) before(seq seqNo, free portSet) portSet {
	for v.served < len(v.list) && v.list[v.served].seq < seq {
		free = v.serve(free)
	}
	return free
}

// end serves the requests older than the youngest ready µop, which come before µops that wait for busy ports, and advances to the next cycle.
func (v *vainRequests) end(youngest seqNo, free portSet) {
	v.before(youngest, free)
	v.list, v.next, v.served = v.next, v.list[:0], 0
	if youngest >= 0 {
		v.miss()
	}
	v.fresh = v.fresh[:0]
	v.request()
}

// miss marks the µops that became ready in this cycle and found no port as late.
func (v *vainRequests) miss() {
	for _, seq := range v.fresh {
		x := &v.ring[seq&v.mask]
		if x.seq != seq || x.issued != notYet || v.of(x).Ports&v.core.Turned != 0 {
			continue
		}
		x.late = true
		for _, c := range v.of(x).Uses {
			if y := v.dispatched(c, x); y != nil && c.Lat == 1 {
				y.lates++
				v.believe(y)
			}
		}
	}
}

// issued is called when a late µop issues: its consumers no longer wait for a late one.
func (v *vainRequests) issued(x *instance) {
	for _, c := range v.of(x).Uses {
		if y := v.dispatched(c, x); y != nil && c.Lat == 1 {
			y.lates--
		}
	}
}

// believe notes a µop all of whose missing producers are late.
func (v *vainRequests) believe(y *instance) {
	if y.lates == y.pending && v.of(y).Kind != uops.KindResult {
		j := len(v.believed)
		for v.believed = append(v.believed, y.seq); j > 0 && v.believed[j-1] > y.seq; j-- {
			v.believed[j] = v.believed[j-1]
		}
		v.believed[j] = y.seq
	}
}

// request makes the requests of the next cycle by µops that believe to be ready.
func (v *vainRequests) request() {
	left := v.believed[:0]
	for _, seq := range v.believed {
		y := &v.ring[seq&v.mask]
		if y.seq != seq || y.pending == 0 || y.lates != y.pending {
			continue
		}
		left = append(left, seq)
		if y.ready <= v.now+1 && y.alloc+cycle(v.core.IssueDelay) <= v.now+1 {
			r := vainRequest{seq, y.ports, true}
			if n := len(v.list); n == 0 || v.list[n-1].seq < seq {
				v.list = append(v.list, r)
			} else {
				v.list = ask(v.list, r)
			}
		}
	}
	v.believed = left
}

// serve gives the oldest request a port, which then does nothing in this cycle; without a port the request may be repeated.
func (v *vainRequests) serve(free portSet) portSet {
	r := &v.list[v.served]
	v.served++
	if p := r.ports & free; p != 0 {
		free &^= uops.Port(v.core.NeedsLeast(p))
	} else if !r.last {
		v.next = ask(v.next, vainRequest{r.seq, r.ports, true})
	}
	return free
}

// wake adds requests of the consumers of a µop that had to wait for a port. The consumers expect its result one cycle after its first request. So
// they request ports in vain in the cycle in which it issues, or, if no port is free, in the next one. For a consumer that needs the result twice,
// one request counts.
func (v *vainRequests) wake(x *instance) {
	var before use
	for _, c := range v.of(x).Uses {
		y := v.dispatched(c, x)
		if y == nil {
			continue
		}
		u := v.of(y)
		switch {
		case y.pending > 0:
		case u.Kind == uops.KindResult:
			v.wakeBehind(y)
		case c.Lat == 1 && y.ready == v.now+1 && c != before:
			v.list = ask(v.list, vainRequest{y.seq, y.ports, false})
		}
		before = c
	}
}

// wakeBehind does the same for the consumers of a result of several µops, the last of which issues late in this cycle. Consumers that get the result
// two cycles later request ports in the next cycle.
func (v *vainRequests) wakeBehind(result *instance) {
	for _, c := range v.of(result).Uses {
		y := v.dispatched(c, result)
		if y != nil && y.pending == 1 && y.ready <= v.now+2 && result.ready+c.Lat == v.now+2 {
			v.next = ask(v.next, vainRequest{y.seq, y.ports, false})
		}
	}
}

// ask adds a request to those of a cycle. Of two by one µop, one counts, which is repeated if either is.
func ask(list []vainRequest, r vainRequest) []vainRequest {
	j := len(list)
	for j > 0 && list[j-1].seq > r.seq {
		j--
	}
	if j > 0 && list[j-1].seq == r.seq {
		list[j-1].last = list[j-1].last && r.last
		return list
	}
	list = append(list, r)
	if j < len(list)-1 {
		copy(list[j+1:], list[j:])
		list[j] = r
	}
	return list
}
