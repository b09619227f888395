package block

// This file chooses values of registers by which addresses advance, so that code does not walk through memory in steps of megabytes.

// far is the distance between an access's addresses in consecutive iterations from which on each is on a new page.
const far = pageBytes

// trail is where an access goes: its address in the iteration before, if that is known, and the largest distance between two such addresses.
type trail struct {
	last, step uint64
	known      bool
}

// distant counts the accesses whose addresses in consecutive iterations are far apart, as far as these are known.
func (l *arithmetic) distant(regs [32]uint64) (n int) {
	const iterations = 4
	var accesses []trail
	s := l.start(&regs)
	for i := range iterations {
		k := 0
		for j := range l.body {
			x := &l.body[j]
			if i == 0 {
				accesses = append(accesses, make([]trail, len(x.effects.Mem))...)
			}
			for m := range x.effects.Mem {
				a := &accesses[k]
				k++
				at, known := s.address(&x.effects.Mem[m])
				if known && a.known {
					a.step = max(a.step, min(at-a.last, a.last-at))
				}
				a.last, a.known = at, known
			}
			l.execute(&s, x)
		}
	}
	for i := range accesses {
		if accesses[i].step >= far {
			n++
		}
	}
	return n
}

// near changes the values of candidates, registers by number, so that as few accesses as possible are distant: to a stride where that does, else to 1, as of
// a factor, by which addresses stay. Registers that make no difference keep their values.
func (l *arithmetic) near(regs [32]uint64, candidates []int, stride uint64) [32]uint64 {
	if len(candidates) == 0 || l.distant(regs) == 0 {
		return regs
	}
	chosen := regs
	for _, n := range candidates {
		chosen[n] = 1
	}
	least := l.distant(chosen)
	for _, n := range candidates {
		for _, v := range [...]uint64{regs[n], stride} {
			with := chosen
			if with[n] = v; l.distant(with) <= least {
				chosen = with
				break
			}
		}
	}
	return chosen
}
