package bench

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"sync"

	"incore/internal/isa"
)

// An operandCase is a kind of operand values that cores may treat specially: dividers end early,
// denormals take an assist. Forms are measured with usual values; these are measured apart.
type operandCase struct {
	note    string
	fill    uint64
	values  map[int]uint64
	restore map[string]string // statements of the state's restore → what stands in their place
	exact   bool              // denormals are kept
}

// CaseResult is what a form costs with special operands.
type CaseResult struct {
	Note           string
	RThru, Latency float64 // cycles; the slowest pair's latency; NaN if not known
}

var (
	fpArithmetic = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^V?(ADD|SUB|MUL|DIV|SQRT|FN?M(ADD|SUB)(132|213|231))(P[SD]|S[SD])`)
	})
	shiftByCL     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(SHLD|SHRD|SHL|SHR|SAR|ROL|ROR|RCL|RCR)\d+rr?CL$`) })
	integerDivide = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^I?DIV(16|32|64)`) })
)

// x86Cases are the special operands that are tried for a form.
func x86Cases(name string) []operandCase {
	double := regexp.MustCompile(`^V?[A-Z0-9]*[PS]D`).MatchString(name)
	switch {
	case fpArithmetic().MatchString(name):
		denormal, irregular := uint64(0x007fffff007fffff), uint64(0x3fa3d70a3fa3d70a)
		if double {
			denormal, irregular = 0x000fffffffffffff, 0x3ff47ae147ae147b
		}
		return []operandCase{{note: "zeros", fill: 0}, {note: "a full significand (1.28)", fill: irregular}, {note: "denormals that are kept", fill: denormal, exact: true}}
	case integerDivide().MatchString(name):
		set := func(r map[int]uint64, note, eax string) operandCase {
			return operandCase{note: note, values: r, fill: r[13], restore: map[string]string{"movl $100, %eax": eax}}
		}
		high := "movl $2, %edx" // by 3: the quotient's first bit is set, which takes the 64-bit division another cycle on Zen 4
		if name[0] == 'I' {
			high = "movl $1, %edx" // no more fits
		}
		one, small, big := map[int]uint64{13: 1, 15: 1}, map[int]uint64{13: 7, 15: 7}, map[int]uint64{13: 0x7001, 15: 0x7001}
		return []operandCase{set(one, "divided by 1", "movl $100, %eax"), set(small, "0 divided by 7", "movl $0, %eax"), set(big, "30,000 divided by 28,673", "movl $30000, %eax"),
			{note: "the longest quotient", values: dividerValues, fill: 3,
				restore: map[string]string{"movl $100, %eax": "movl $0, %eax", "xorl %edx, %edx": high}}}
	case shiftByCL().MatchString(name):
		return []operandCase{{note: "a count of 0", fill: onesSingle, values: map[int]uint64{1: 0x5000, 13: 0x7000, 15: 0x9000}}} // the flags of before are kept
	}
	return nil
}

// with is a plan with special operands.
func (p *Plan) with(t *Target, c *operandCase) (*Plan, error) {
	q := &Plan{Form: p.Form, From: p.From, To: p.To, Helpers: p.Helpers, Extra: p.Extra, Fill: c.fill, Values: p.Values, Exact: c.exact, Note: c.note, VType: p.VType, Rough: p.Rough, Flags: p.Flags}
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

// caseChange is by how much a figure must differ to be worth a line.
const caseChange = 0.05

// cases measures a form with the special operands that the target names for it, and keeps what differs.
func (b *Bench) cases(ctx context.Context, r *FormResult, through *Plan, chains []*Plan) error {
	forms := b.Target.ISA.Forms
	if b.Target.cases == nil || forms.MemOp(r.Form) >= 0 || forms.Flags(r.Form)&(isa.MaskMerge|isa.MaskZero|isa.EVEXrc) != 0 {
		return nil // the values act in the same unit as with plain registers
	}
	usual := 0.0
	for _, q := range r.Pairs {
		if q.Self < q.Cycles {
			q.Cycles = q.Self // chains of the form alone are what is measured again
		}
		usual = max(usual, q.Cycles)
	}
	list := b.Target.cases(b.Target.ISA.Forms.Name(r.Form))
	for i := range list {
		c := CaseResult{Note: list[i].note, RThru: math.NaN(), Latency: math.NaN()}
		if p, err := through.with(b.Target, &list[i]); err == nil {
			if v, _, err := b.run(ctx, p); err == nil {
				c.RThru = v / p.N
			}
		}
		for _, p := range chains {
			if p, err := p.with(b.Target, &list[i]); err == nil {
				if v, _, err := b.run(ctx, p); err == nil {
					if own := b.own(p, v); math.IsNaN(c.Latency) || own > c.Latency {
						c.Latency = own
					}
				}
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if differs(c.RThru, r.RThru) || differs(c.Latency, usual) {
			r.Cases = append(r.Cases, c)
		}
	}
	return nil
}

// selector is the MC operand of a form's immediate that may select what it does, -1 if it has none, accesses memory, or
// the value 0 there makes it another form.
func (t *Target) selector(f isa.FormID) int {
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

// An ImmediateResult is what a form costs with another immediate.
type ImmediateResult struct {
	Op     int // MC operand of the immediate
	Value  int64
	Result *FormResult
}

// immediates measures a form again with other values of the immediate that may select what it does (lanes, counts), and
// keeps those that differ from what is known of it.
func (b *Bench) immediates(ctx context.Context, r *FormResult) error {
	op := b.Target.selector(r.Form)
	if op < 0 || math.IsNaN(r.RThru) {
		return nil
	}
	for _, v := range []int64{0, 1, 2} { // lanes, of which the low bits choose
		z, err := b.immediate(ctx, r, v)
		if err != nil {
			return err
		}
		if z != nil && !slices.ContainsFunc(r.Immediates, func(o ImmediateResult) bool {
			return b.latency(o.Result) == b.latency(z) && !differs(o.Result.RThru, z.RThru)
		}) {
			r.Immediates = append(r.Immediates, ImmediateResult{op, v, z})
		}
	}
	return nil
}

// immediate measures a form with an immediate; nil if that changes nothing.
func (b *Bench) immediate(ctx context.Context, r *FormResult, value int64) (*FormResult, error) {
	t := *b.Target
	t.immediates = func(*isa.OpClass) []int64 { return []int64{value} }
	p, err := t.Throughput(r.Form, 1)
	if err != nil || len(p.Insts) > int(p.N) {
		return nil, nil
	}
	plans, err := t.Latencies(r.Form)
	if err != nil {
		return nil, nil
	}
	p.Rough, p.Once = r.RThru*p.N, true
	v, _, err := b.run(ctx, p)
	if err != nil {
		return nil, ctx.Err()
	}
	if p.Once = false; differs(v/p.N, r.RThru) { // how a body lies may be why
		if v, _, err = b.run(ctx, p); err != nil {
			return nil, ctx.Err()
		}
	}
	if !differs(v/p.N, r.RThru) {
		if len(plans) == 0 || len(r.Pairs) == 0 {
			return nil, nil
		}
		if v, _, err := b.run(ctx, plans[0]); err != nil || !differs(v, r.Pairs[0].Total) {
			return nil, ctx.Err()
		}
	}
	z := newResult(r.Form)
	z.RThru = v / p.N
	z.RThruLow = z.RThru
	if z.Pairs, err = b.pairs(ctx, &t, plans, z.RThru); err != nil {
		return nil, err
	}
	if b.latency(z) == b.latency(r) && math.Abs(z.RThru-r.RThru) < otherUnits*math.Max(z.RThru, r.RThru) {
		return nil, nil
	}
	return z, nil
}

// otherUnits is by how much throughputs of equal latencies must differ to be those of different units: an uneven
// assignment of units adds up to a tenth.
const otherUnits = 0.15

func differs(a, b float64) bool { return math.Abs(a-b) > caseChange*math.Max(a, b) }

func (c *CaseResult) String() string {
	s := ""
	if !math.IsNaN(c.RThru) {
		s = fmt.Sprintf("reciprocal throughput %s", trim(c.RThru, 3))
	}
	if !math.IsNaN(c.Latency) {
		if s != "" {
			s += ", "
		}
		s += fmt.Sprintf("latency %s", trim(c.Latency, 1))
	}
	return s
}
