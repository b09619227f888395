package advice

import (
	"strings"

	"incore/internal/isa"
)

// sinkStores moves stores to a fixed address that the loop itself never reads behind the loop: only the value of the last iteration counts. Compilers leave such
// stores where they cannot show that no pointer leads there, and where an array of accumulators stays in memory.
func sinkStores(s *search) {
	if s.r.Copy == nil || !s.k.Latch || s.branches(true) { // a branch out of the loop, or a function, would find the store missing
		return
	}
	d := s.draft()
	a := Advice{Kind: SinkStore, Assumes: []string{NoAlias}}
	free := map[*isa.RegFile][]int{}
	for i := len(s.k.Lines) - 1; i >= 0; i-- {
		text, ok := s.sunk(d, i, free)
		if !ok {
			continue
		}
		a.Insts = append([]int{i}, a.Insts...)
		a.Operands = append([]string{memoryOperand().FindString(s.k.Lines[i].Text)}, a.Operands...)
		d.behind = append([]Line{{From: i, Text: text, New: true}}, d.behind...)
	}
	if len(a.Insts) > 0 {
		s.try(d, a)
	}
}

// sunk takes the store i out of a draft and returns the statement that makes it behind the loop, of a copy of the stored register if that changes until then.
func (s *search) sunk(d *draft, i int, free map[*isa.RegFile][]int) (text string, ok bool) {
	from, ok := s.storedRegister(i)
	if !ok || !s.fixedStore(i) || len(s.out[i]) > 0 {
		return "", false
	}
	stored := *s.inst(i)
	at := i
	for d.lines[at].from != i {
		at++ // copies that were inserted before
	}
	if s.holds(from, i, len(s.k.Lines)) {
		d.lines = append(d.lines[:at], d.lines[at+1:]...)
		return d.text(&stored), true
	}
	f, class, _ := s.file(from)
	if f == nil {
		return "", false
	}
	if _, seen := free[f]; !seen {
		free[f] = s.free(f)
	}
	if len(free[f]) == 0 {
		return "", false
	}
	kept := s.member(class, free[f][0])
	for op := range int(stored.NOps) {
		if stored.Reg(op) == from {
			stored.Ops[op].Reg = kept
		}
	}
	if !d.insert(at, i, s.r.Copy(kept, from)) {
		return "", false
	}
	free[f] = free[f][1:]
	d.lines = append(d.lines[:at+1], d.lines[at+2:]...)
	return d.text(&stored), true
}

// fixedStore reports whether an instruction stores to one address in all iterations, and no other store of the loop may be to the same one.
func (s *search) fixedStore(i int) bool {
	ref := &s.g.Bound.Insts[i].Effects.Mem[0]
	if stride, ok := s.stride(ref); !ok || stride != 0 || ref.Seg != isa.NoReg {
		return false
	}
	for k := range s.k.Lines {
		for _, m := range s.g.Bound.Insts[k].Effects.Mem {
			if k != i && m.Store && m.Base == ref.Base && m.Index == ref.Index && !apartFrom(&m, ref) {
				return false
			}
		}
	}
	return !strings.Contains(s.k.Lines[i].Text, "%fs")
}

// apartFrom reports whether two accesses from the same registers are of different bytes.
func apartFrom(a, b *isa.MemRef) bool {
	if a.Bits == 0 || b.Bits == 0 || (a.Sym == nil) != (b.Sym == nil) || a.Sym != nil && a.Sym.Sym != b.Sym.Sym {
		return a.Sym != nil && b.Sym != nil && a.Sym.Sym != b.Sym.Sym
	}
	x, y := a.Disp, b.Disp
	if a.Sym != nil {
		x, y = x+a.Sym.Add, y+b.Sym.Add
	}
	return x+int64(a.Bits/8) <= y || y+int64(b.Bits/8) <= x
}
