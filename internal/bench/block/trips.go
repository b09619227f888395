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
	arithmetic // of all lines but the last
	lines      []isa.Line
	carried    []int         // registers that the loop reads from the previous iteration (or from before the loop) and changes, by hardware number
	branch     []isa.IntStep // of the last line
	ends       bool          // the branch's condition is evaluated
}

// newTrips analyses a kernel that a branch to its first line closes.
func (a *Arch) newTrips(k *isa.Kernel) *trips {
	last := len(k.Lines) - 1
	l := &trips{arithmetic: a.arithmetic(k.ISA, k.Lines[:last]), lines: k.Lines}
	whole, read := map[isa.Slot]bool{}, map[isa.Slot]bool{} // registers that the lines so far write in full; registers that they read before
	var e isa.Effects
	for i := range k.Lines {
		k.ISA.Effects(&k.Lines[i].Inst, &e)
		for _, r := range e.Reads {
			if full, _, width := k.ISA.Semantics.Part(r.Reg); width != 0 && !whole[isa.RegSlot(full)] {
				read[isa.RegSlot(full)] = true
			}
		}
		for _, w := range e.Writes {
			full, _, width := k.ISA.Semantics.Part(w.Reg)
			slot := isa.RegSlot(full)
			switch {
			case width == 0:
				continue
			case width >= 32: // the write clears the rest
				whole[slot] = true
			case !whole[slot]:
				read[slot] = true
			}
			l.written[slot] = true // by the branch, too
		}
	}
	for slot, n := range l.numbers {
		if l.written[slot] && read[slot] {
			l.carried = append(l.carried, n)
		}
	}
	slices.Sort(l.carried)
	l.branch, l.ends = l.set.Semantics.Branch(&l.lines[last].Inst, nil)
	return l
}

// run executes the loop from given registers until it ends, for at most the given number of iterations. ok is false if it does not end
// by then, or if the end is unknown.
func (l *trips) run(regs *[32]uint64, most int) (s integers, n int, ok bool) {
	s = l.start(regs)
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
	s := l.start(regs)
	for range n {
		l.iterate(&s)
		l.apply(&s, l.branch, nil, nil) // it may count (x86's loop)
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
