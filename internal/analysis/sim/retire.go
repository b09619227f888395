package sim

// This file is retirement: finished µops leave the reorder buffer in program order, and stores leave the store queue.

// reorderBuffer holds all µops in flight, from allocation to retirement.
type reorderBuffer struct {
	*window
	used    int        // occupied slots
	taken   int        // taken branches in it
	debt    int        // remaining slots of an instruction wider than the retirement width
	retired []cycle    // cycle in which each finished iteration retired
	ahead   []seqNo    // µops in flight at these times
	behind  []cycle    // cycles that the stores of these iterations still take to leave the store queue
	owed    [marks]int // debt at the marks
}

func (r *reorderBuffer) mark(k int)        { r.owed[k] = r.debt }
func (r *reorderBuffer) recurs(k int) bool { return r.owed[k] == r.debt }

func (r *reorderBuffer) reset(p *pipeline) {
	*r = reorderBuffer{window: &p.window, retired: r.retired[:0], ahead: r.ahead[:0], behind: r.behind[:0]}
}

// full reports whether there is no room for a µop.
func (r *reorderBuffer) full(u *op) bool {
	return r.used+int(u.Slots) > r.core.ROB && r.used > 0 || r.window.full()
}

// take gives a µop its entry.
func (r *reorderBuffer) take(u *uop) {
	r.used += int(u.Slots)
	r.taken += int(u.Jumps)
}

// advance does nothing: no slots are owed in skipped cycles.
func (r *reorderBuffer) advance(cycle) {}

// event returns the cycle in which the oldest µop can retire, if it has issued.
func (r *reorderBuffer) event() cycle {
	if r.head < r.tail {
		if x := &r.ring[r.head&r.mask]; x.issued != notYet {
			return x.issued + r.of(x).Done
		}
	}
	return never
}

// retire removes finished µops in program order, up to the retirement width in slots.
func (p *pipeline) retire() {
	r := &p.rob
	width := p.core.RetireWidth - r.debt
	for p.head < p.tail {
		x := &p.ring[p.head&p.mask]
		u := p.of(x)
		if x.issued == notYet || x.issued+u.Done > p.now || int(u.Slots) > width && width < p.core.RetireWidth {
			break
		}
		width -= int(u.Slots)
		r.used -= int(u.Slots)
		x.retired = p.now
		if u.Ends {
			p.end(x, u)
		}
		if p.trace != nil {
			p.trace(p.event(x, u))
		}
		p.head++
		if seqNo(x.uop) == p.n-1 {
			r.retired = append(r.retired, p.now)
			r.ahead = append(r.ahead, p.tail-p.head)
			r.behind = append(r.behind, max(0, p.memory.leaving.last-p.now))
		}
	}
	r.debt = max(0, -width) // an instruction wider than the core also takes the following cycles
}

// end frees what a µop that retires takes beside the reorder buffer.
func (p *pipeline) end(x *instance, u *uop) {
	p.rob.taken -= int(u.Jumps)
	p.regs.free(u.Op)
	x.retired = p.memory.commit(x, u)
	for k := range u.Frees {
		p.freed(&u.Frees[k], x.retired)
	}
}

// freed informs a µop, which waits for the retirement of the µop at the head, of the cycle of that retirement.
func (p *pipeline) freed(d *dep, left cycle) {
	s := p.head + d.Dist
	y := &p.ring[s&p.mask]
	if y.seq != s || s >= p.tail {
		return
	}
	y.ready = max(y.ready, left+d.Lat)
	if y.pending--; y.pending == 0 {
		p.release(int32(s&p.mask), y, p.of(y))
	}
}

// event reports the life of a µop that retires in this cycle.
func (p *pipeline) event(x *instance, u *uop) Event {
	left := int64(0)
	if u.Leaves {
		left = int64(p.memory.leaving.last)
	}
	return Event{Left: left, Iteration: int(x.seq / p.n), Uop: int(x.uop), Inst: int(u.Inst), Dispatched: int64(x.alloc), Ready: int64(x.ready), Issued: int64(x.issued),
		Done: int64(x.issued + u.Done), Retired: int64(p.now), Port: int(x.port), Held: x.held}
}
