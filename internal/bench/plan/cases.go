package plan

import (
	"regexp"
	"sync"

	"incore/internal/isa"
)

// A Case is a class of operand values that cores may treat specially: dividers terminate early, denormals
// take an assist. Forms are measured with ordinary values; cases are measured separately.
type Case struct {
	Note    string // the special property
	fill    uint64
	values  map[int]uint64
	restore map[string]string // statements of the state's restore → their replacements
	exact   bool              // denormals are kept
}

var (
	fpArithmetic = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^V?(ADD|SUB|MUL|DIV|SQRT|FN?M(ADD|SUB)(132|213|231))(P[SD]|S[SD])`)
	})
	shiftByCL     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(SHLD|SHRD|SHL|SHR|SAR|ROL|ROR|RCL|RCR)\d+rr?CL$`) })
	integerDivide = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^I?DIV(16|32|64)`) })
)

// x86Cases lists the special operand values to try for a form.
func x86Cases(name string) []Case {
	double := regexp.MustCompile(`^V?[A-Z0-9]*[PS]D`).MatchString(name)
	switch {
	case fpArithmetic().MatchString(name):
		denormal, irregular := uint64(0x007fffff007fffff), uint64(0x3fa3d70a3fa3d70a)
		if double {
			denormal, irregular = 0x000fffffffffffff, 0x3ff47ae147ae147b
		}
		return []Case{{Note: "zeros", fill: 0}, {Note: "a full significand (1.28)", fill: irregular}, {Note: "denormals that are kept", fill: denormal, exact: true}}
	case integerDivide().MatchString(name):
		set := func(r map[int]uint64, note, eax string) Case {
			return Case{Note: note, values: r, fill: r[13], restore: map[string]string{"movl $100, %eax": eax}}
		}
		high := "movl $2, %edx" // by 3: the quotient's first bit is set, which takes the 64-bit division another cycle on Zen 4
		if name[0] == 'I' {
			high = "movl $1, %edx" // the quotient must not overflow
		}
		one, small, big := map[int]uint64{13: 1, 15: 1}, map[int]uint64{13: 7, 15: 7}, map[int]uint64{13: 0x7001, 15: 0x7001}
		return []Case{set(one, "divided by 1", "movl $100, %eax"), set(small, "0 divided by 7", "movl $0, %eax"), set(big, "30,000 divided by 28,673", "movl $30000, %eax"),
			{Note: "the longest quotient", values: dividerValues, fill: 3,
				restore: map[string]string{"movl $100, %eax": "movl $0, %eax", "xorl %edx, %edx": high}}}
	case shiftByCL().MatchString(name):
		return []Case{{Note: "a count of 0", fill: onesSingle, values: map[int]uint64{1: 0x5000, 13: 0x7000, 15: 0x9000}}} // the flags keep their old values
	}
	return nil
}

// With returns a plan with special operand values.
func (p *Plan) With(t *Target, c *Case) (*Plan, error) {
	q := &Plan{Form: p.Form, From: p.From, To: p.To, Helpers: p.Helpers, Extra: p.Extra, Fill: c.fill, Values: p.Values, Exact: c.exact, Note: c.Note, VType: p.VType, Rough: p.Rough, Flags: p.Flags}
	if c.values != nil {
		q.Values = c.values
	}
	for i := range p.Insts {
		in := p.Insts[i]
		if !p.Own[i] && len(c.restore) > 0 {
			for from, to := range c.restore {
				old, err := t.parse(from, 0, 0, 0)
				if err != nil {
					return nil, err
				}
				if old.Form == in.Form && old.Ops[0] == in.Ops[0] && old.Ops[1] == in.Ops[1] {
					if in, err = t.parse(to, 0, 0, 0); err != nil {
						return nil, err
					}
				}
			}
		}
		if err := q.add(t, in, p.Own[i]); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// Cases lists the special operand values with which a form is also measured. It is empty for forms whose values act in
// the same unit as those of their plain register forms (masked and rounding forms, memory operands).
func (t *Target) Cases(f isa.FormID) []Case {
	forms := t.ISA.Forms
	if t.cases == nil || forms.MemOp(f) >= 0 || forms.Flags(f)&(isa.MaskMerge|isa.MaskZero|isa.EVEXrc) != 0 {
		return nil
	}
	return t.cases(forms.Name(f))
}

// Selector returns the MC operand of the immediate that may select the form's operation. It is -1 if there is none, if
// the form accesses memory, or if the value 0 makes the instruction another form.
func (t *Target) Selector(f isa.FormID) int {
	if t.selects == nil || t.ISA.Forms.MemOp(f) >= 0 {
		return -1
	}
	for _, o := range t.operands(f) {
		if t.selects(o.Class) {
			return o.MC
		}
	}
	return -1
}

// Conditions returns the MC operand of a form's condition, and the conditions that need several flags, so that cores may take more µops for them. It is -1 if there is none,
// or if the form accesses memory.
func (t *Target) Conditions(f isa.FormID) (op int, values []int64) {
	if len(t.manyFlags) == 0 || t.ISA.Forms.MemOp(f) >= 0 {
		return -1, nil
	}
	for _, o := range t.operands(f) {
		if o.Class.Type == conditionCode {
			return o.MC, t.manyFlags
		}
	}
	return -1, nil
}

// conditionCode is LLVM's type of operands that are conditions.
const conditionCode = "OPERAND_COND_CODE"

// WithImmediate returns the target with one value for all immediates.
func (t *Target) WithImmediate(value int64) *Target {
	c := *t
	c.immediates = func(*isa.OpClass) []int64 { return []int64{value} }
	return &c
}
