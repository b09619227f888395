package frontend

import "math"

// AppendKey appends words that determine what a Feed delivers on its core from its present state on. Equal Feeds have
// equal words.
func (f *Feed) AppendKey(to []uint64) []uint64 {
	s := &f.State
	flags := uint64(0)
	for i, set := range [...]bool{s.fetches, s.stopped, f.loop, f.legacy, f.mixed, f.past} {
		if set {
			flags |= 1 << i
		}
	}
	to = append(to, flags, math.Float64bits(s.part), math.Float64bits(f.straight))
	for _, n := range [...]int{s.have, s.since, s.taken, s.body, s.left, s.group, s.pre, s.dec, s.queued, int(s.addr), s.stall,
		s.micro, s.switching, int(s.sent), f.dispatch, f.size, f.width, f.once, int(f.bytes), len(f.groups),
		len(f.insts)} {
		to = append(to, uint64(n))
	}
	for _, g := range f.groups {
		to = append(to, uint64(g.slots)<<32|uint64(g.entries)<<16|uint64(g.cycles))
	}
	for i := range f.insts {
		m := &f.insts[i]
		flags := uint64(0)
		for i, set := range [...]bool{m.first, m.micro, m.lcp, m.joined, m.pair, m.early, m.cached, m.branch, m.taken} {
			if set {
				flags |= 1 << i
			}
		}
		to = append(to, flags<<32|uint64(uint32(m.size)), uint64(m.opcode)<<32|uint64(uint32(m.slots)),
			uint64(m.decode)<<32|uint64(uint32(m.group)), uint64(m.at))
	}
	return to
}
