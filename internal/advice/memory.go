package advice

import (
	"incore/internal/analysis/depgraph"
	"incore/internal/isa"
)

// keepInRegister replaces a load of what the loop itself has stored by the register that was stored, where the way through memory is a part of the slowest
// chain: the stored value is copied to a free register behind the store, and from that to where it was loaded.
func keepInRegister(s *search) {
	if s.r.Copy == nil || len(s.chains.Chains) == 0 {
		return
	}
	c := &s.chains.Chains[0]
	if c.Cycles < s.now.Cycles*0.8 {
		return
	}
	for i := range c.Steps {
		if c.Steps[i].Edge < 0 {
			continue
		}
		if e := &s.g.Edges[c.Steps[i].Edge]; e.Kind == depgraph.Memory && e.Dist <= 1 && !e.Varying {
			s.keepStored(e)
			return
		}
	}
}

// keepStored tries it with a plain store and a plain load of one size.
func (s *search) keepStored(e *depgraph.Edge) {
	store, load := int(e.From), int(e.To)
	from, ok := s.storedRegister(store)
	to, loads := s.loadedRegister(load)
	if !ok || !loads || store == load {
		return
	}
	f, _, _ := s.file(from)
	g, class, _ := s.file(to)
	if f == nil || f != g {
		return
	}
	free := s.free(f)
	if len(free) == 0 {
		return
	}
	_, class, _ = s.file(from)
	kept := s.member(class, free[0])
	d := s.draft()
	first, second := load, store
	a := Advice{Kind: KeepRegister, Operands: []string{s.registerName(from)}, Insts: []int{store, load}, Assumes: []string{NoAlias}}
	_, toClass, _ := s.file(to)
	read := s.r.Copy(to, s.member(toClass, free[0]))
	save := s.r.Copy(kept, from)
	put := func(at int, text string, replace bool) bool {
		if replace {
			d.lines = append(d.lines[:at], d.lines[at+1:]...)
		} else {
			at++
		}
		return d.insert(at, load, text)
	}
	if first > second {
		ok = put(first, read, true) && put(second, save, false)
	} else {
		ok = put(second, save, false) && put(first, read, true)
	}
	if ok {
		s.try(d, a)
	}
}

// storedRegister is the register that a plain store writes to memory.
func (s *search) storedRegister(i int) (isa.Reg, bool) {
	e := &s.g.Bound.Insts[i].Effects
	if len(e.Mem) != 1 || !e.Mem[0].Store || e.Mem[0].Load || len(e.Writes) > 0 || e.Mem[0].Elems != 1 {
		return isa.NoReg, false
	}
	for _, a := range e.Reads {
		if a.Role == isa.RoleData && a.Op >= 0 {
			return a.Reg, true
		}
	}
	return isa.NoReg, false
}

// loadedRegister is the register that a plain load fills.
func (s *search) loadedRegister(i int) (isa.Reg, bool) {
	in := &s.g.Bound.Insts[i]
	e := &in.Effects
	if len(e.Mem) != 1 || !e.Mem[0].Load || e.Mem[0].Store || e.Mem[0].Elems != 1 || len(e.Writes) != 1 || e.Mem[0].Update != 0 || in.Executes() {
		return isa.NoReg, false
	}
	for _, a := range e.Reads {
		if a.Role == isa.RoleData && a.Op >= 0 {
			return isa.NoReg, false
		}
	}
	return e.Writes[0].Reg, true
}
