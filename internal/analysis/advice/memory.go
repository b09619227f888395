package advice

import (
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/isa"
)

// keepInRegister replaces the load of a value that the loop itself has stored by a register copy, if this dependence through memory is part of the slowest
// chain. A copy after the store saves the value in a free register, and another copy replaces the load.
func keepInRegister(s *search) {
	if s.r.Copy == nil || len(s.chains.Chains) == 0 {
		return
	}
	c := &s.chains.Chains[0]
	if c.Cycles < s.now.Cycles*0.8 {
		return
	}
	d := s.draft()
	a := Advice{Kind: KeepRegister, Assumes: []string{NoAlias}}
	free := map[*isa.RegFile][]int{}
	for i := range c.Steps {
		if c.Steps[i].Edge < 0 {
			continue
		}
		e := &s.g.Edges[c.Steps[i].Edge]
		if e.Kind == depgraph.Memory && e.Dist <= 1 && !e.Varying && s.keepStored(d, e, free) {
			from, _ := s.storedRegister(int(e.From))
			if name := s.registerName(from); !slices.Contains(a.Operands, name) {
				a.Operands = append(a.Operands, name)
			}
			a.Insts = append(a.Insts, int(e.From), int(e.To))
		}
	}
	if len(a.Insts) > 0 {
		s.try(d, a)
	}
}

// keepStored replaces a plain load of a value that a plain store has written.
func (s *search) keepStored(d *draft, e *depgraph.Edge, free map[*isa.RegFile][]int) bool {
	store, load := int(e.From), int(e.To)
	from, ok := s.storedRegister(store)
	to, loads := s.loadedRegister(load)
	if !ok || !loads || store == load {
		return false
	}
	f, class, _ := s.file(from)
	g, toClass, _ := s.file(to)
	if f == nil || f != g {
		return false
	}
	at := func(inst int) int { return slices.IndexFunc(d.lines, func(l draftLine) bool { return l.from == inst }) }
	if at(load) < 0 || at(store) < 0 {
		return false
	}
	replace := func(text string) bool {
		i := at(load)
		if to == from && text == s.r.Copy(to, from) {
			d.lines = slices.Delete(d.lines, i, i+1)
			return true
		}
		return d.insert(i, load, text) && func() bool { d.lines = slices.Delete(d.lines, i+1, i+2); return true }()
	}
	if e.Dist == 0 && s.holds(from, store, load) || e.Dist == 1 && s.holds(from, store, len(s.k.Lines)) && s.holds(from, -1, load) {
		return replace(s.r.Copy(to, from)) // the stored register still holds the value
	}
	if _, seen := free[f]; !seen {
		free[f] = s.free(f)
	}
	if len(free[f]) == 0 {
		return false
	}
	kept := free[f][0]
	free[f] = free[f][1:]
	return d.insert(at(store)+1, -1, s.r.Copy(s.member(class, kept), from)) && replace(s.r.Copy(to, s.member(toClass, kept)))
}

// storedRegister returns the register that a plain store writes to memory.
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

// loadedRegister returns the destination register of a plain load.
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
