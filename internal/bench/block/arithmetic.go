package block

import (
	"slices"

	"incore/internal/isa"
)

// This file executes the integer arithmetic of code on known initial values of registers, without running the code: to choose these values so that a loop ends
// (trips.go), and so that addresses advance in small steps (steps.go).

// arithmetic is code as its integer arithmetic.
type arithmetic struct {
	set     *isa.ISA
	fill    uint64
	stores  bool // the code stores: loaded values are unknown
	numbers map[isa.Slot]int
	slots   map[int]isa.Slot
	written map[isa.Slot]bool
	body    []lifted
}

// lifted is an instruction as its integer arithmetic.
type lifted struct {
	line    *isa.Line
	effects isa.Effects
	steps   []isa.IntStep
	known   bool // else all that it writes is unknown
}

// arithmetic lifts the lines of code.
func (a *Arch) arithmetic(set *isa.ISA, lines []isa.Line) arithmetic {
	l := arithmetic{set: set, fill: FillWord, numbers: map[isa.Slot]int{}, slots: map[int]isa.Slot{}, written: map[isa.Slot]bool{}, body: make([]lifted, len(lines))}
	for n, r := range a.regs {
		if full, _, width := set.Semantics.Part(r); width != 0 {
			l.numbers[isa.RegSlot(full)], l.slots[n] = n, isa.RegSlot(full)
		}
	}
	for i := range lines {
		x := &l.body[i]
		x.line = &lines[i]
		set.Effects(&x.line.Inst, &x.effects)
		if x.steps, x.known = set.Semantics.Lift(&x.line.Inst, nil); !x.known {
			x.steps = nil
		}
		for _, w := range x.effects.Writes {
			if full, _, width := set.Semantics.Part(w.Reg); width != 0 {
				l.written[isa.RegSlot(full)] = true
			}
		}
		l.stores = l.stores || slices.ContainsFunc(x.effects.Mem, func(m isa.MemRef) bool { return m.Store })
	}
	return l
}

// integers holds the known values of registers during the execution.
type integers struct {
	value []uint64
	known []bool
}

func (s *integers) get(slot isa.Slot, imm int64) (uint64, bool) {
	if slot == isa.Imm {
		return uint64(imm), true
	}
	return s.value[slot], s.known[slot]
}

func (s *integers) set(slot isa.Slot, v uint64, known bool) { s.value[slot], s.known[slot] = v, known }

// start returns the state in which registers have the given values, and nothing else is known.
func (l *arithmetic) start(regs *[32]uint64) integers {
	size := int(isa.FirstReg) + l.set.Regs.Len()
	s := integers{make([]uint64, size), make([]bool, size)}
	for slot, i := range l.numbers {
		s.set(slot, regs[i], true)
	}
	return s
}

// iterate executes the instructions once.
func (l *arithmetic) iterate(s *integers) {
	for i := range l.body {
		l.execute(s, &l.body[i])
	}
}

// execute executes one instruction.
func (l *arithmetic) execute(s *integers, x *lifted) {
	if pc := l.set.Semantics.PC; pc != isa.NoReg {
		s.set(isa.RegSlot(pc), x.line.Addr+uint64(x.line.Inst.Size), true)
	}
	l.apply(s, x.steps, &x.effects, x.line)
	if x.known {
		return
	}
	for _, w := range x.effects.Writes {
		r := w.Reg
		if full, _, width := l.set.Semantics.Part(r); width != 0 {
			r = full
		}
		s.set(isa.RegSlot(r), 0, false)
	}
}

// apply executes the integer steps of an instruction.
func (l *arithmetic) apply(s *integers, steps []isa.IntStep, e *isa.Effects, line *isa.Line) {
	for i := range steps {
		st := &steps[i]
		switch {
		case st.Op <= isa.StepOrBytes:
			a, ok := s.get(st.A, st.Imm)
			b, both := s.get(st.B, st.Imm)
			if ok && both {
				s.set(st.Dst, st.Apply(a, b), true)
			} else {
				s.set(st.Dst, 0, false)
			}
		case st.Op == isa.StepStore:
		case st.Op == isa.StepPC:
			s.set(st.Dst, line.Addr+uint64(line.Inst.Size)+uint64(st.Imm), true)
		case st.Op == isa.StepLoad:
			v, ok := l.load(s, e, st)
			s.set(st.Dst, v, ok)
		case st.Op == isa.StepMoveIfZero, st.Op == isa.StepMoveIfNot:
			cond, ok := s.get(st.A, 0)
			if v, known := s.get(st.B, st.Imm); !ok {
				s.set(st.Dst, 0, false)
			} else if (cond == 0) == (st.Op == isa.StepMoveIfZero) {
				s.set(st.Dst, v, known)
			}
		default:
			s.set(st.Dst, 0, false)
		}
	}
}

// load returns the value of memory to which the loop does not store: the same word everywhere.
func (l *arithmetic) load(s *integers, e *isa.Effects, st *isa.IntStep) (uint64, bool) {
	if l.stores || e == nil || int(st.Imm) >= len(e.Mem) {
		return 0, false
	}
	at, ok := s.address(&e.Mem[st.Imm])
	if !ok {
		return 0, false
	}
	off := (at + uint64(st.N)) % 8 * 8
	v := l.fill>>off | l.fill<<(64-off)
	return v & (^uint64(0) >> (64 - st.Width)), true
}

// address returns the address of an access.
func (s *integers) address(m *isa.MemRef) (at uint64, known bool) {
	if m.Sym != nil || m.Seg != isa.NoReg || m.Gather || m.Extend != 0 {
		return 0, false
	}
	at = uint64(m.Disp)
	for _, r := range []struct {
		reg   isa.Reg
		scale uint64
	}{{m.Base, 1}, {m.Index, uint64(m.Scale)}} {
		if r.reg == isa.NoReg {
			continue
		}
		v, known := s.get(isa.RegSlot(r.reg), 0)
		if !known {
			return 0, false
		}
		at += v * r.scale
	}
	return at, true
}
