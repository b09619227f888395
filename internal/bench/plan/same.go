package plan

import "incore/internal/isa"

// SameSources is an experiment on a form with one register for two sources.
type SameSources struct {
	Plan     *Plan
	Operands [2]int // the MC operands with the same register
	Zero     bool   // the result is then zero
}

// SameSources plans a form with one register for two sources, if the instruction set defines that the result then
// does not depend on the register; nil for other forms.
func (t *Target) SameSources(f isa.FormID) *SameSources {
	x, in, err := t.first(f)
	n := int(in.NOps)
	if err != nil || n < 2 || in.Reg(n-1) == isa.NoReg || in.Reg(n-2) == isa.NoReg || t.ISA.DepBreaking == nil {
		return nil
	}
	root := t.root[in.Reg(n-1)]
	if k := t.kindOf[in.Reg(n-1)]; len(t.spare[k]) > 0 {
		root = t.named(t.spare[k][0])
	}
	if in, err = x.build(choice{roots: map[int]isa.Reg{n - 1: root, n - 2: root, 0: root}}); err != nil || !t.ISA.DepBreaking(&in) {
		return nil
	}
	p, _ := t.newPlan(f)
	if p.add(t, in, true) != nil {
		return nil
	}
	return &SameSources{p, [2]int{n - 2, n - 1}, t.ISA.ZeroIdiom(&in)}
}

// Copies reports whether a form copies a register.
func (t *Target) Copies(f isa.FormID) bool {
	in, err := t.Instance(f)
	if err != nil {
		return false
	}
	_, _, ok := t.ISA.RegMove(&in)
	return ok
}

// CopyWithin plans a copy of a register to itself, nil if the target has no instruction for it.
func (t *Target) CopyWithin(f isa.FormID, r isa.Reg) *Plan {
	x, _, err := t.first(f)
	if err != nil {
		return nil
	}
	root := x.t.root[r]
	in, err := x.build(choice{roots: map[int]isa.Reg{0: root, 1: root}})
	p, _ := t.newPlan(f)
	if err != nil || p.add(x.t, in, true) != nil {
		return nil
	}
	return p
}
