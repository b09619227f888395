package advice

import (
	"incore/internal/isa"
	"incore/internal/machine"
)

// This file compares the flags that instructions of a changed loop read with those that they read in the loop as it is: an inserted addition between the additions
// of a carry chain, or a counter that a subtraction steps in place of a decrement, changes the result.

// flagSource is where a flag that an instruction reads comes from: the last instruction before it, in the same iteration or the one before, that writes it.
type flagSource struct {
	reader int // line
	unit   uint16
	writer int // line, -1: none in the loop
}

// flagSources lists the sources of all flags that the instructions of a loop read.
func (l *loop) flagSources(b *machine.Bound) (out []flagSource) {
	last := map[uint16]int{}
	each := func(a *isa.Access, do func(unit uint16)) {
		if a.Role == isa.RoleFlags && a.Reg != isa.NoReg {
			for u, units := 0, l.regs.Units(a.Reg); u < units.Len(); u++ {
				do(units.At(u))
			}
		}
	}
	for pass := range 2 { // the first one finds what the iteration before leaves
		for i := range b.Insts {
			e := &b.Insts[i].Effects
			for k := range e.Reads {
				if pass == 1 && !e.Reads[k].Merge {
					each(&e.Reads[k], func(unit uint16) {
						writer, ok := last[unit]
						if !ok {
							writer = -1
						}
						out = append(out, flagSource{i, unit, writer})
					})
				}
			}
			for k := range e.Writes {
				each(&e.Writes[k], func(unit uint16) { last[unit] = i })
			}
		}
	}
	return out
}

// keepsFlags reports whether every instruction of a draft that the loop has as well reads the flags of the same instruction as there. b is the bound draft.
func (s *search) keepsFlags(d *draft, b *machine.Bound) bool {
	type key struct {
		inst int
		unit uint16
	}
	wanted := map[key]int{}
	for _, f := range s.flagSources(s.g.Bound) {
		wanted[key{f.reader, f.unit}] = f.writer
	}
	if len(wanted) == 0 {
		return true
	}
	for _, f := range s.flagSources(b) {
		writer := -1
		if f.writer >= 0 {
			writer = d.lines[f.writer].from
		}
		if want, ok := wanted[key{d.lines[f.reader].from, f.unit}]; ok && (writer != want || f.writer >= 0 && writer < 0) {
			return false
		}
	}
	return true
}
