package plan

import (
	"regexp"

	"incore/internal/isa"
)

// SelectBranches lists the forms that change the flow of control and can be measured, like Select.
func (t *Target) SelectBranches(match *regexp.Regexp, exts map[string]bool) []isa.FormID {
	if t.jumps == nil {
		return nil
	}
	return t.choose(match, exts, func(f isa.FormID) bool { _, err := t.OnBranch(f); return err == nil })
}

// SelectStack lists the forms that work on a stack of registers and can be measured, like Select.
func (t *Target) SelectStack(match *regexp.Regexp, exts map[string]bool) []isa.FormID {
	if t.stack == nil {
		return nil
	}
	return t.choose(match, exts, func(f isa.FormID) bool { _, err := t.OnStack(f); return err == nil })
}

// choose lists the forms with matching names and extensions for which can is true.
func (t *Target) choose(match *regexp.Regexp, exts map[string]bool, can func(isa.FormID) bool) (out []isa.FormID) {
	for f := isa.FormID(1); int(f) < t.ISA.Forms.Len(); f++ {
		if match != nil && !match.MatchString(t.ISA.Forms.Name(f)) || len(exts) > 0 && !t.in(f, exts) {
			continue
		}
		if can(f) {
			out = append(out, f)
		}
	}
	return out
}

// Select lists the forms that a plan can be made for and whose name matches, in the tables' order.
func (t *Target) Select(match *regexp.Regexp, exts map[string]bool) []isa.FormID {
	var out []isa.FormID
	for f := isa.FormID(1); int(f) < t.ISA.Forms.Len(); f++ {
		name := t.ISA.Forms.Name(f)
		const not = isa.Branch | isa.Call | isa.Return | isa.IndirectBranch | isa.Trap | isa.Pseudo
		if match != nil && !match.MatchString(name) || t.excluded(name) || t.ISA.Forms.Flags(f)&not != 0 || len(exts) > 0 && !t.in(f, exts) {
			continue
		}
		if _, _, err := t.first(f); err != nil {
			continue
		}
		out = append(out, f)
	}
	return out
}

// extension returns the family of a form, by encoding and registers: base, mmx, sse, avx, avx512, mask.
func (t *Target) extension(f isa.FormID) string {
	x := &instance{t: t, form: f}
	widest := GPR
	for _, o := range t.ISA.Forms.Operands(f) {
		if o.Class.Kind == "reg" {
			switch k := x.kind(o.Class); k {
			case Vec, MMX:
				widest = k
			case Mask:
				if widest == GPR {
					widest = Mask
				}
			}
		}
	}
	switch t.ISA.Forms.Encoding(f) {
	case 'E':
		return "avx512"
	case 'V':
		if widest == Mask {
			return "mask"
		}
		if widest == GPR {
			return "bmi"
		}
		return "avx"
	}
	return t.families[widest]
}
