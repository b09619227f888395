package block

// This file chooses values of registers by which addresses advance, so that code does not walk through memory in steps of megabytes.

// far is the distance between an access's addresses in consecutive iterations from which on each is on a new page.
const far = pageBytes

// distant counts the accesses whose addresses in consecutive iterations are far apart, as far as these are known.
func (l *arithmetic) distant(regs [32]uint64) (n int) {
	const iterations = 4
	var last, steps []uint64 // of each access
	s := l.start(&regs)
	for i := range iterations {
		k := 0
		for j := range l.body {
			x := &l.body[j]
			for m := range x.effects.Mem {
				at, known := s.address(&x.effects.Mem[m])
				switch {
				case i == 0:
					last, steps = append(last, 0), append(steps, 0)
				case known && last[k] != 0:
					steps[k] = max(steps[k], min(at-last[k], last[k]-at))
				}
				if last[k] = 0; known {
					last[k] = at
				}
				k++
			}
			l.execute(&s, x)
		}
	}
	for _, step := range steps {
		if step >= far {
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
