package isa

import "iter"

// Samples yields instructions of one form that an instruction set can print, with different registers and values where that may change the
// text: every value of sampleValues in its immediates, and the constant register (A64's xzr) in the place of each register. Whether the
// text means the same form is the caller's to check: many forms have aliases for some operands.
func Samples(set *ISA, f FormID) iter.Seq[Inst] {
	s := &sampler{set: set, form: f, ops: set.Forms.Operands(f)}
	for i, o := range s.ops {
		switch {
		case s.isValue(&o):
			s.values = append(s.values, i)
		case o.Class.Kind == "reg" && set.Forms.TiedDef(f, o.MC) < 0 && s.constant(&o) != NoReg:
			s.zeros = append(s.zeros, i)
		}
	}
	return func(yield func(Inst) bool) {
		s := *s
		for _, zero := range append([]int{-1}, s.zeros...) {
			if !s.all(zero, yield) {
				return
			}
		}
		if s.indexed = set.Forms.MemOp(f) >= 0; s.indexed {
			s.all(-1, yield)
		}
	}
}

// sampleValues are tried as immediates: condition codes and predicates of comparison are among them, shifts by most of a
// register's width, multiples of access sizes, and encoded masks of single bits.
var sampleValues = [...]int64{3, 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 31, 32, 48, 60, 61, 63, 64, 0x1000, -16}

// sampler makes instances of one form.
type sampler struct {
	set     *ISA
	form    FormID
	ops     []OpDecl
	values  []int // operands that are immediates
	zeros   []int // operands that may be the constant register
	indexed bool  // addresses have an index register
}

func (s *sampler) isValue(o *OpDecl) bool {
	return o.Class.Kind != "reg" && !s.isTarget(o) && !o.Class.IsAddress() && s.set.Forms.MemOp(s.form) != o.MC
}

func (s *sampler) isTarget(o *OpDecl) bool {
	return o.Class.Kind == "pcrel" || o.Class.Type == "OPERAND_PCREL"
}

// constant is the constant register of an operand's class, NoReg if it has none.
func (s *sampler) constant(o *OpDecl) Reg {
	members, _ := s.set.Regs.Class(o.Class.RegClass)
	for i := range members.Len() {
		if r := Reg(members.At(i)); s.set.Constant != nil && s.set.Constant(r) {
			return r
		}
	}
	return NoReg
}

// all yields the instances with the constant register in one place (-1: none), for all values; pairs of values where two immediates may make an alias together.
func (s *sampler) all(zero int, yield func(Inst) bool) bool {
	seconds := sampleValues[:1]
	if len(s.values) > 1 && zero < 0 {
		seconds = sampleValues[:]
	}
	firsts := sampleValues[:]
	if len(s.values) == 0 {
		firsts = firsts[:1]
	}
	for _, a := range firsts {
		if len(s.values) > 1 && !s.yield(zero, a, a, yield) {
			return false
		}
		for _, b := range seconds {
			if !s.yield(zero, a, b, yield) {
				return false
			}
		}
	}
	return true
}

func (s *sampler) yield(zero int, first, rest int64, yield func(Inst) bool) bool {
	in, ok := s.instance(zero, first, rest)
	return !ok || yield(in)
}

// instance makes one instruction; ok is false where a class has no register to name.
func (s *sampler) instance(zero int, first, rest int64) (in Inst, ok bool) {
	in.Form = s.form
	value := first
	for i, o := range s.ops {
		tied := s.set.Forms.TiedDef(s.form, o.MC)
		switch {
		case s.isTarget(&o):
			in.AddExpr(&Expr{Text: ".L1", Sym: ".L1"})
		case o.Class.IsAddress():
			if o.Class.VectorIndex() != 0 {
				return in, false
			}
			in.AddReg(s.set.Regs.Spelled("rbx"))
			in.AddImm(1)
			if s.indexed { // without a displacement: lea of three parts is slower
				in.AddReg(s.set.Regs.Spelled("rdi"))
				in.AddImm(0)
			} else {
				in.AddReg(NoReg)
				in.AddImm(16)
			}
			in.AddReg(NoReg)
		case o.Class.Kind != "reg":
			if c := o.Class.Shifted(); c != nil {
				o.Class = c
				in.AddReg(s.register(&o, i))
				in.AddImm(value)
				value = rest
				break
			}
			in.AddImm(value)
			value = rest
			for range o.Class.Sub - 1 {
				in.AddImm(0)
			}
		case tied >= 0:
			in.AddReg(in.Reg(tied))
		case i == zero:
			in.AddReg(s.constant(&o))
		default:
			r := s.register(&o, i)
			if r == NoReg {
				return in, false
			}
			in.AddReg(r)
		}
	}
	return in, true
}

// register is the register of a class for operand i: another one for each operand, where there are enough.
func (s *sampler) register(o *OpDecl, i int) Reg {
	members, _ := s.set.Regs.Class(o.Class.RegClass)
	for k := range members.Len() {
		r := Reg(members.At((i + 1 + k) % members.Len()))
		if (s.set.Constant == nil || !s.set.Constant(r)) && (s.set.StackPointer == nil || !s.set.StackPointer(r)) {
			return r
		}
	}
	return NoReg
}
