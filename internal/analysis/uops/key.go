package uops

import "math"

// This file tells programs apart. Blocks of a corpus differ in registers and constants more often than in what they
// become on a core.

// AppendKey appends words that determine how a program runs on its core, apart from its front end. Equal programs have
// equal words.
func (p *Program) AppendKey(to []uint64) []uint64 {
	to = append(to, uint64(len(p.Uops)), uint64(p.Classes), word(p.Core.FreePorts))
	for _, d := range p.Core.Demand[:p.Core.Ports] {
		to = append(to, math.Float64bits(d))
	}
	for i := range p.Uops {
		to = p.Uops[i].appendKey(to)
	}
	return to
}

// appendKey does so for a µop.
func (u *Uop) appendKey(to []uint64) []uint64 {
	return appendDeps(appendDeps(append(u.Op.appendKey(to), uint64(u.Jumps)), u.Deps), u.After)
}

// appendDeps does so for dependences.
func appendDeps(to []uint64, deps []Dep) []uint64 {
	to = append(to, uint64(len(deps)))
	for i := range deps {
		to = append(to, uint64(uint32(deps[i].Dist))<<32|uint64(uint32(deps[i].Lat)))
	}
	return to
}

// appendKey does so for the properties of a µop that compilation sets.
func (u *Op) appendKey(to []uint64) []uint64 {
	flags := uint64(0)
	for i, set := range [...]bool{u.Idle, u.Split, u.Rest, u.Alone, u.LoadSlot, u.Simple, u.Plainly, u.Tells, u.Stays,
		u.Works, u.Moves, u.Lead, u.Opens, u.Closes, u.Early, u.Queued, u.Leaves, u.Half, u.Drained, u.Bars} {
		flags |= word(set) << i
	}
	small := func(a, b, c, d uint8) int32 { return int32(a) | int32(b)<<8 | int32(c)<<16 | int32(d)<<24 }
	pair := func(a, b int32) uint64 { return uint64(uint32(a))<<32 | uint64(uint32(b)) }
	to = append(to, flags, uint64(u.Ports), u.Limits, uint64(u.Aside), u.Place, u.Cuts, u.Banks, u.Clash, uint64(u.Again), u.Leave[0], u.Leave[1], u.Leave[2],
		pair(int32(u.Occ), int32(u.Done)), pair(int32(u.Follows), int32(u.Behind)), pair(u.Class, int32(u.Load)),
		pair(int32(u.Back), int32(u.Plain)),
		pair(small(uint8(u.Kind), uint8(u.Slots), uint8(u.Whole), uint8(u.Sched)),
			small(uint8(u.Group), uint8(u.Among), uint8(u.Holds), uint8(len(u.Extra)))),
		pair(int32(u.Later), int32(u.Ways)<<8|int32(u.AsideWays)))
	for _, n := range u.Results {
		to = append(to, uint64(n))
	}
	for i := range u.Extra {
		h := &u.Extra[i]
		to = append(to, uint64(h.Units), uint64(uint32(h.Cycles))<<2|word(h.Half)<<1|word(h.Read), h.Cuts)
	}
	return to
}

// word is 1 for true.
func word(set bool) uint64 {
	if set {
		return 1
	}
	return 0
}
