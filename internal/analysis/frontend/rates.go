package frontend

import "incore/internal/machine"

// This file models a µop cache, or decoders, by rates: a number of slots per cycle, fewer in code of low density, and a
// least number of cycles between taken branches.

// rates sets the rates of code.
func (k *code) rates(b *machine.Bound, opt Layout) {
	k.gap = k.c.TakenBranch
	if k.loop {
		k.gap = max(k.gap, Lines(b, opt.Copies))
		k.past = k.c.UopCache.PastBranch && leaves(b, opt.Copies)
	}
	k.straight = float64(k.width)
	if curve := k.c.FetchDensity; len(curve) > 0 {
		one := density(curve, b, k.once)
		if !opt.Unrolled { // each iteration follows a taken branch
			one *= float64(max(1, k.c.Decoding.Clusters))
		}
		k.straight = min(k.straight, one)
	}
}

// buffer sets the code to the copies of the loop that the loop buffer holds, if the loop fits.
func (k *code) buffer() {
	for _, r := range k.c.LoopUnroll {
		if k.total <= r.Slots {
			k.total *= r.Factor
			k.width, k.straight, k.past = k.dispatch, float64(k.dispatch), false
			return
		}
	}
	if k.total <= k.size { // fits into the queue, one copy
		k.width, k.straight, k.past = k.dispatch, float64(k.dispatch), false
	}
}

// density returns the slots per cycle of straight code: a point of a curve over the bytes of code per slot.
func density(curve machine.DensityCurve, b *machine.Bound, slots int) float64 {
	bytes := 0
	for i := range b.Insts {
		size := int(b.Insts[i].Line.Inst.Size)
		if bytes += size; size == 0 {
			return curve[0].Slots // the value for the shortest instructions
		}
	}
	at := float64(bytes) / float64(max(1, slots))
	last := curve[0]
	for _, d := range curve {
		if at < d.Bytes {
			if d.Bytes == last.Bytes {
				return d.Slots
			}
			return last.Slots + (at-last.Bytes)/(d.Bytes-last.Bytes)*(d.Slots-last.Slots)
		}
		last = d
	}
	return last.Slots
}

// cached simulates a cycle of the µop cache. It delivers slots up to a taken branch; some cores continue after it in
// the same cycle, but not after a second one. Without a branch predictor in the model (FetchWidth is 0) branches cost
// nothing.
func (f *Feed) cached() {
	k, start := f.code, f.left == f.body // start: directly after a taken branch
	if f.since++; k.loop && start && f.since < f.taken {
		return
	}
	width := k.width
	if !k.loop || !start {
		part := f.part + k.straight
		width = int(part)
		f.part = part - float64(width)
	}
	room := min(width, k.size-f.have)
	if f.path == nil && (!k.loop || f.body == 0) { // no taken branch
		f.have += room
		return
	}
	if start && (room > 0 || f.body == 0) {
		f.since, f.taken = 0, k.gap
	}
	n := min(room, f.left)
	if f.have, f.left = f.have+n, f.left-n; f.left > 0 {
		return
	}
	if f.next(0); k.past || !k.loop {
		f.pass(room - n)
	}
}

// pass fetches slots after a taken branch in the same cycle. Where branches cost cycles, the next one is taken in the
// next cycle.
func (f *Feed) pass(room int) {
	for room > 0 && !f.mixed && !f.path.waits() {
		n := min(room, f.left)
		room, f.have, f.left = room-n, f.have+n, f.left-n
		if f.left > 0 || f.loop {
			return
		}
		f.next(0)
	}
}
