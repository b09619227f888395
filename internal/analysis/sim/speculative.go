package sim

// This file is speculative wake-up (Core.SpeculativeWakeup): a µop that waits for a port wakes its consumers as if it had got one. They ask for ports in
// vain, and take them from others. (Brown, Stark and Patt, Select-Free Instruction Scheduling Logic, MICRO 2001)

// vainRequest is a µop that asks for a port although its operand is not there yet.
type vainRequest struct {
	seq   seqNo
	ports portSet
	again bool // for the second time
}

// vainRequests are those of this cycle and of the next, in order of age.
type vainRequests struct {
	*window
	list []vainRequest // of this cycle, that have not been served yet
	next []vainRequest // of the next: those that found no port and ask once more
}

func (v *vainRequests) reset(w *window) {
	*v = vainRequests{window: w, list: v.list[:0], next: v.next[:0]}
}

// clear drops the requests of a cycle without ready µops.
func (v *vainRequests) clear() { v.list = v.list[:0] }

// before serves the requests that are older than a µop. It returns the ports that are left.
func (v *vainRequests) before(seq seqNo, free portSet) portSet {
	for len(v.list) > 0 && v.list[0].seq < seq {
		free = v.serve(free)
	}
	return free
}

// end serves the requests older than the youngest ready µop, which take their turn before what waits for busy ports, and goes on to the next cycle.
func (v *vainRequests) end(youngest seqNo, free portSet) {
	for free != 0 && len(v.list) > 0 && v.list[0].seq < youngest {
		free = v.serve(free)
	}
	v.list = append(v.list[:0], v.next...)
	v.next = v.next[:0]
}

// serve gives the oldest request a port, which does nothing in this cycle; without one it may ask again.
func (v *vainRequests) serve(free portSet) portSet {
	r := v.list[0]
	if p := r.ports & free; p != 0 {
		free &^= 1 << v.core.needsLeast(p)
	} else if !r.again {
		v.next = ask(v.next, vainRequest{r.seq, r.ports, true})
	}
	v.list = append(v.list[:0], v.list[1:]...)
	return free
}

// wake notes the consumers of a µop that had to wait for a port: they count on its result one cycle after it first asked
// for the port, so they ask for one in the cycle in which it issues, in vain, or if none is left in the next.
func (v *vainRequests) wake(x *instance, u *uop) {
	for k := range u.succs {
		s := &u.succs[k]
		y, c := v.at(x.seq+s.dist), &v.body[s.uop]
		switch {
		case y == nil || y.pending > 0:
		case c.kind == kindResult:
			v.wakeBehind(y, c)
		case s.lat == 1 && y.ready == v.now+1 && y.alloc != v.now && (k == 0 || u.succs[k-1] != *s):
			v.list = ask(v.list, vainRequest{y.seq, c.ports, false})
		}
	}
}

// wakeBehind does so for the consumers of a result that several µops make, the last of which issues late in this cycle. Those to which the result comes
// two cycles later ask for a port in the next one.
func (v *vainRequests) wakeBehind(result *instance, r *uop) {
	for k := range r.succs {
		s := &r.succs[k]
		y := v.at(result.seq + s.dist)
		if y != nil && y.pending == 1 && y.ready <= v.now+2 && result.ready+s.lat == v.now+2 && y.alloc != v.now {
			v.next = ask(v.next, vainRequest{y.seq, v.body[s.uop].ports, false})
		}
	}
}

// ask adds a request to those of a cycle.
func ask(list []vainRequest, r vainRequest) []vainRequest {
	list = append(list, r)
	for j := len(list) - 1; j > 0 && list[j-1].seq > r.seq; j-- {
		list[j], list[j-1] = list[j-1], list[j]
	}
	return list
}
