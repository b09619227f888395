package sim

import (
	"math/bits"
)

// This file is the scheduler: its partitions, each with its own entries and ports, and the owners of the entries. The partition of a µop follows from
// its ports, or from a port chosen at rename (binding.go), or from steering to one of a group (steering.go).

// scheduler holds the µops that wait to issue.
type scheduler struct {
	*window
	entries []entries // of each partition
	leaving delayed   // entries of steered partitions that become free some cycles after issue
	binds   bool      // ports are chosen at rename
	binding binding
	groups  []*steered // groups of partitions with steering
	spare   []*steered // memory of earlier simulations
	marks   [marks]schedulerMark
}

// entries are those of a partition.
type entries struct{ all, taken int32 }

func (e *entries) free() bool { return e.taken < e.all }

// schedulerMark is the part of the scheduler's state that does not follow from the µops in flight and the steering policies.
type schedulerMark struct {
	leaving delayed
	turn    portSet
}

func (s *scheduler) reset(p *pipeline) {
	w := &p.window
	s.window, s.leaving, s.entries, s.binds = w, delayed{}, s.entries[:0], w.core.PortChoice.AtRename
	for i := range w.core.Schedulers {
		s.entries = append(s.entries, entries{all: int32(w.core.Schedulers[i].Entries)})
	}
	s.binding.reset(w)
	for len(s.spare) < len(w.core.Groups) {
		s.spare = append(s.spare, new(steered))
	}
	s.groups = s.spare[:len(w.core.Groups)]
	for k, g := range s.groups {
		g.reset(w, s, &w.core.Groups[k])
	}
}

// begin begins a cycle.
func (s *scheduler) begin() {
	if s.core.PortChoice.Alternate > 0 {
		s.binding.begin()
	}
}

// advance passes n cycles.
func (s *scheduler) advance(n cycle) {
	for ; len(s.groups) > 0 && n > 0; n-- {
		s.expire()
	}
}

// expire frees, at the start of a cycle's dispatch, the entries of µops that issued the required number of cycles ago.
func (s *scheduler) expire() {
	for now := s.leaving.pass(); now != 0; {
		k := bits.TrailingZeros64(now) / countBits
		s.entries[s.core.Steered[k]].taken -= int32(now >> (countBits * k) & countMask)
		now &^= countMask << (countBits * k)
	}
	for _, g := range s.groups {
		g.observe()
	}
}

// free frees the entry of a partition of a group, some cycles after its µop issues.
func (s *scheduler) free(g *group, partition int8) {
	s.leaving.add(g.Offset+int(partition), g.Hold)
}

// allocate gives a µop its entry, and its port if the port is chosen at rename.
func (s *scheduler) allocate(x *instance, u *uop, slot int) {
	switch {
	case u.Group > 0:
		s.groups[u.Group-1].enter(x, u, slot)
		return
	case u.Sched >= 0:
		s.entries[u.Sched].taken++
	}
	if s.binds && u.Ports != 0 {
		x.port = s.binding.bind(u)
	}
}

// leave frees the entry of a µop that issues to a port.
func (s *scheduler) leave(x *instance, u *uop, port int) {
	if u.Group > 0 {
		s.groups[u.Group-1].leave(x, u, port)
		return
	}
	if u.Sched >= 0 {
		s.entries[u.Sched].taken--
	}
	if s.binds && port >= 0 {
		s.binding.leave(uint(port))
	}
}

// steer gives partitions to µops in the queue of a steering policy.
func (p *pipeline) steer() {
	for _, g := range p.sched.groups {
		g.distribute(p)
	}
}

// mark stores the entries that become free, the turns of ports, and the state of steering.
func (s *scheduler) mark(k int) {
	s.marks[k] = schedulerMark{s.leaving, s.binding.turn}
	for _, g := range s.groups {
		g.mark(k)
	}
}

func (s *scheduler) recurs(k int) bool {
	m := &s.marks[k]
	if m.turn != s.binding.turn || len(s.groups) > 0 && !m.leaving.same(&s.leaving) {
		return false
	}
	for _, g := range s.groups {
		if !g.recurs(k) {
			return false
		}
	}
	return true
}
