package sim

import (
	"math/bits"

	"incore/internal/machine"
)

// This file is the scheduler: its partitions, each with entries and ports of its own, and who holds which entries. A µop comes to a partition in
// one of four ways: its ports tell it; its port is chosen at rename (binding.go); it is steered there at dispatch together with the others of
// its cycle (steer_packet.go); or it is steered there from a queue in program order (steer_turns.go).

const (
	maxSteered = machine.MaxPortQueues + machine.MaxSlotQueues // partitions that µops are steered to; a word has a byte for each
	delays     = 16                                            // cycles ahead in which entries become free, a power of two above the longest hold and delay
)

// scheduler holds the µops that wait to issue.
type scheduler struct {
	*window
	taken   []int          // partition → entries that are taken
	leaving delayed        // entries of partitions that µops are steered to, which become free some cycles after issue
	binding binding        // ports that are chosen at rename
	packet  packetSteering // µops that are steered at dispatch
	turns   turnSteering   // µops that are steered behind a queue
}

// delayed counts events of steered partitions that take effect in one of the next cycles.
type delayed struct {
	counts [delays]uint64 // by cycle, modulo delays: a byte for each partition
	at     int            // the cycle that comes next
}

// add counts an event of a partition, some cycles on.
func (d *delayed) add(partition, after int) { d.counts[(d.at+after)%delays] += 1 << (8 * partition) }

// pass returns the events of the next cycle and goes on to it.
func (d *delayed) pass() uint64 {
	now := d.counts[d.at]
	d.counts[d.at] = 0
	d.at = (d.at + 1) % delays
	return now
}

// fromNow lists the events of the coming cycles.
func (d *delayed) fromNow() (out [delays]uint64) {
	for k := range out {
		out[k] = d.counts[(d.at+k)%delays]
	}
	return out
}

func (s *scheduler) reset(w *window) {
	taken := s.taken
	if n := len(w.core.Schedulers); cap(taken) < n {
		taken = make([]int, n)
	} else {
		taken = taken[:n]
		clear(taken)
	}
	s.window, s.taken, s.leaving = w, taken, delayed{}
	s.binding.reset(w)
	s.packet.reset(w, s)
	s.turns.reset(w, s)
}

// begin begins a cycle.
func (s *scheduler) begin() {
	if s.core.PortChoice.Alternate > 0 {
		s.binding.begin()
	}
}

// steers reports whether some µops are steered to partitions.
func (c *Core) steers() bool { return c.packets() || c.slotted != 0 }

// expire frees the entries whose µops issued so long ago that they are free again, when a cycle's dispatch begins.
func (s *scheduler) expire() {
	if !s.core.steers() {
		return
	}
	for now := s.leaving.pass(); now != 0; {
		k := bits.TrailingZeros64(now) / 8
		s.taken[s.core.steered[k]] -= int(now >> (8 * k) & 0xff)
		now &^= 0xff << (8 * k)
	}
	if s.core.packets() {
		s.packet.observe()
	}
}

// full says why a µop finds no entry, none if it does.
func (s *scheduler) full(u *uop) Reason {
	if u.entry != noEntry {
		if why := s.packet.full(s.tail); why != none {
			return why
		}
	}
	switch {
	case u.sched >= 0 && u.among == 0 && s.taken[u.sched] >= s.core.Schedulers[u.sched].Entries:
		return SchedulerFull
	case u.queued && s.turns.waiting() >= s.core.SlotQueues.Entries:
		return SchedulerFull
	}
	return none
}

// allocate gives a µop its entry, and its port if that is chosen now.
func (s *scheduler) allocate(x *instance, u *uop) {
	if u.steered() {
		s.packet.enter(x, u)
	} else if u.sched >= 0 {
		s.taken[u.sched]++
	}
	if s.core.PortChoice.AtRename && u.ports != 0 {
		x.port = s.binding.bind(u)
	}
}

// leave frees the entry of a µop that issues to a port.
func (s *scheduler) leave(x *instance, u *uop, port int) {
	switch {
	case u.steered():
		s.packet.leave(x, u)
	case u.queued:
		s.turns.leave(port)
	case u.sched >= 0:
		s.taken[u.sched]--
	}
	if s.core.PortChoice.AtRename && port >= 0 {
		s.binding.waiting[port]--
	}
}

// steer gives partitions to the µops that get them behind a queue.
func (p *pipeline) steer() {
	if p.core.slotted == 0 {
		return
	}
	t, older := &p.sched.turns, 0 // of those that leave the queue: how many came to it in earlier cycles
	for n := 0; n < p.core.Width && t.waiting() > 0; n++ {
		i := t.line[t.first] & p.mask
		x := &p.ring[i]
		if !t.steer(x, n) {
			break
		}
		if x.alloc < p.now {
			older = n + 1
		}
		if x.pending--; x.pending == 0 {
			p.release(int32(i))
		}
	}
	t.end(older > 0)
}

// schedulerOutline is the scheduler's state beside what the µops in flight tell, as how many entries are taken.
type schedulerOutline struct {
	leaving [delays]uint64
	turn    portSet
	packet  packetOutline
	turns   turnOutline
}

func (s *scheduler) outline() (o schedulerOutline) {
	o.turn = s.binding.turn
	if s.core.packets() {
		o.leaving, o.packet = s.leaving.fromNow(), s.packet.outline()
	}
	if s.core.slotted != 0 {
		o.leaving, o.turns = s.leaving.fromNow(), s.turns.outline()
	}
	return o
}
