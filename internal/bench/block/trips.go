package block

import (
	"fmt"
	"slices"

	"incore/internal/isa"
)

// ending is a way to make a loop end after a chosen number of iterations by the initial value of one register. It is
// found by executing the loop's integer arithmetic: it names the register, and the value that it is compared with.
type ending struct {
	set  int      // the register to set, by hardware number
	from isa.Slot // set gets the value of this register at the end of the last iteration, unless from is -1
	goal uint64   // then set starts so that it reaches this value at the end
	back bool     // the second way
}

// trips is a loop whose end can be chosen.
type trips struct {
	set     *isa.ISA
	lines   []isa.Line
	fill    uint64
	stores  bool // the loop stores: loaded values are unknown
	numbers map[isa.Slot]int
	slots   map[int]isa.Slot
	written map[isa.Slot]bool
	carried []int // registers that the loop reads from the previous iteration (or from before the loop) and changes, by hardware number
	body    []lifted
	branch  []isa.IntStep // of the last line
	ends    bool          // the branch's condition is evaluated
}

// lifted is an instruction as its integer arithmetic.
type lifted struct {
	line    *isa.Line
	effects isa.Effects
	steps   []isa.IntStep
	known   bool // else all that it writes is unknown
}

// newTrips analyses a kernel that a branch to its first line closes.
func (a *Arch) newTrips(k *isa.Kernel) *trips {
	l := &trips{set: k.ISA, lines: k.Lines, fill: FillWord, numbers: map[isa.Slot]int{}, slots: map[int]isa.Slot{}, written: map[isa.Slot]bool{}}
	for n, r := range a.regs {
		if full, _, width := k.ISA.Semantics.Part(r); width != 0 {
			l.numbers[isa.RegSlot(full)], l.slots[n] = n, isa.RegSlot(full)
		}
	}
	var e isa.Effects
	whole, read := map[isa.Slot]bool{}, map[isa.Slot]bool{} // registers that the lines so far write in full; registers that they read before
	for i := range k.Lines {
		k.ISA.Effects(&k.Lines[i].Inst, &e)
		for _, r := range e.Reads {
			if full, _, width := k.ISA.Semantics.Part(r.Reg); width != 0 && !whole[isa.RegSlot(full)] {
				read[isa.RegSlot(full)] = true
			}
		}
		for _, w := range e.Writes {
			if full, _, width := k.ISA.Semantics.Part(w.Reg); width != 0 {
				slot := isa.RegSlot(full)
				l.written[slot] = true
				if width >= 32 { // the write clears the rest
					whole[slot] = true
				} else if !whole[slot] {
					read[slot] = true
				}
			}
		}
		l.stores = l.stores || slices.ContainsFunc(e.Mem, func(m isa.MemRef) bool { return m.Store })
	}
	for slot, n := range l.numbers {
		if l.written[slot] && read[slot] {
			l.carried = append(l.carried, n)
		}
	}
	slices.Sort(l.carried)
	last := len(l.lines) - 1
	l.body = make([]lifted, last)
	for i := range l.body {
		x := &l.body[i]
		x.line = &l.lines[i]
		l.set.Effects(&x.line.Inst, &x.effects)
		if x.steps, x.known = l.set.Semantics.Lift(&x.line.Inst, nil); !x.known {
			x.steps = nil
		}
	}
	l.branch, l.ends = l.set.Semantics.Branch(&l.lines[last].Inst, nil)
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

// run executes the loop from given registers until it ends, for at most the given number of iterations. ok is false if it does not end
// by then, or if the end is unknown.
func (l *trips) run(regs *[32]uint64, most int) (s integers, n int, ok bool) {
	size := int(isa.FirstReg) + l.set.Regs.Len()
	s = integers{make([]uint64, size), make([]bool, size)}
	for slot, i := range l.numbers {
		s.set(slot, regs[i], true)
	}
	for n = 1; n <= most; n++ {
		if l.iterate(&s); !l.ends {
			return s, n, false
		}
		l.apply(&s, l.branch, nil, nil)
		switch taken, known := s.get(isa.T1, 0); {
		case !known:
			return s, n, false
		case taken == 0:
			return s, n, true
		}
	}
	return s, most, false
}

// iterate executes the instructions of an iteration, apart from its branch.
func (l *trips) iterate(s *integers) {
	for i := range l.body {
		l.execute(s, &l.body[i])
	}
}

// execute executes one instruction.
func (l *trips) execute(s *integers, x *lifted) {
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
func (l *trips) apply(s *integers, steps []isa.IntStep, e *isa.Effects, line *isa.Line) {
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
func (l *trips) load(s *integers, e *isa.Effects, st *isa.IntStep) (uint64, bool) {
	if l.stores || e == nil || int(st.Imm) >= len(e.Mem) {
		return 0, false
	}
	m := &e.Mem[st.Imm]
	if m.Sym != nil || m.Seg != isa.NoReg || m.Gather || m.Extend != 0 {
		return 0, false
	}
	at := uint64(m.Disp) + uint64(st.N)
	for _, r := range []struct {
		reg   isa.Reg
		scale uint64
	}{{m.Base, 1}, {m.Index, uint64(m.Scale)}} {
		if r.reg == isa.NoReg {
			continue
		}
		v, ok := s.get(isa.RegSlot(r.reg), 0)
		if !ok {
			return 0, false
		}
		at += v * r.scale
	}
	off := at % 8 * 8
	v := l.fill>>off | l.fill<<(64-off)
	return v & (^uint64(0) >> (64 - st.Width)), true
}

// longestTrial is the number of iterations beyond the wanted ones after which the trial of an ending is given
// up.
const longestTrial = 4

// endings lists the ways to end the loop, first those that keep the most registers at their requested values: a
// register that the loop only reads is set to the final value of one that it changes; or a register that it changes is
// set so that it reaches zero, a constant of the loop, or the value of memory.
func (l *trips) endings() (out []ending) {
	var written, fixed []isa.Slot
	for i := range 32 {
		slot, ok := l.slots[i]
		switch {
		case !ok || l.stackPointer(slot):
		case l.written[slot]:
			written = append(written, slot)
		default:
			fixed = append(fixed, slot)
		}
	}
	for _, f := range fixed {
		for _, w := range written {
			out = append(out, ending{set: l.numbers[f], from: w})
		}
	}
	for _, goal := range l.goals() {
		for _, w := range written {
			out = append(out, ending{set: l.numbers[w], from: w, goal: goal, back: true})
		}
	}
	return out
}

func (l *trips) stackPointer(s isa.Slot) bool {
	return l.set.StackPointer != nil && l.set.StackPointer(isa.Reg(s-isa.FirstReg))
}

// goals lists the values that a changing register may be compared with.
func (l *trips) goals() []uint64 {
	out := []uint64{0, l.fill}
	for i := range l.lines[:len(l.lines)-1] {
		in := &l.lines[i].Inst
		for _, o := range in.Ops[:in.NOps] {
			if o.Kind == isa.OpImm && !slices.Contains(out, uint64(o.Imm)) {
				out = append(out, uint64(o.Imm))
			}
		}
	}
	return out
}

// after returns registers with which the loop ends after about n iterations in the given way, and the exact number.
func (l *trips) after(w ending, regs [32]uint64, n int) (out [32]uint64, exact int, ok bool) {
	at, known := l.reached(&regs, n, w.from)
	if !known {
		return regs, 0, false
	}
	out = regs
	out[w.set] = at
	if w.back {
		out[w.set] = regs[w.set] + w.goal - at
	}
	_, exact, ok = l.run(&out, n+longestTrial)
	return out, exact, ok && exact >= n-1
}

// reached returns the value of a register after n iterations, regardless of the loop's condition.
func (l *trips) reached(regs *[32]uint64, n int, r isa.Slot) (uint64, bool) {
	size := int(isa.FirstReg) + l.set.Regs.Len()
	s := integers{make([]uint64, size), make([]bool, size)}
	for slot, i := range l.numbers {
		s.set(slot, regs[i], true)
	}
	for range n {
		l.iterate(&s)
	}
	return s.get(r, 0)
}

// find returns the first ending that works for a few iterations and for twice as many.
func (l *trips) find(regs [32]uint64) (ending, error) {
	const few = 40
	if !l.ends {
		return ending{}, fmt.Errorf("the condition of its closing branch is not evaluated")
	}
	for _, w := range l.endings() {
		if _, n, ok := l.after(w, regs, few); ok {
			if _, m, ok := l.after(w, regs, 2*few); ok && m > n {
				return w, nil
			}
		}
	}
	return ending{}, fmt.Errorf("no initial value of a register was found that ends it after a chosen number of iterations")
}
