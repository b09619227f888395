package plan

import (
	"fmt"
	"slices"

	"incore/internal/isa"
)

// instance makes instructions of one form: registers and values are filled in from its operand classes.
type instance struct {
	t    *Target
	form isa.FormID
	ops  []isa.OpDecl // one for each MC operand; an address of several MC operands is one (x86)
	// values are the immediates; spans are the numbers of registers that operands cover; both by index in
	// ops.
	values []int64
	spans  []int
	vtype  isa.VType
	longer int // additional helpers of chains, beyond those that return a result
	address
}

// planError is the reason why a form has no plan.
type planError string

func (e planError) Error() string { return string(e) }

// newInstance checks that every operand of a form is of a class that instances can fill.
func newInstance(t *Target, f isa.FormID) (*instance, error) {
	x := &instance{t: t, form: f, ops: t.operands(f), address: noAddress}
	for _, o := range x.ops {
		switch o.Class.Kind {
		case "imm", "mem":
		case "reg":
			if k := x.kind(o.Class); k == Other && x.only(o.Class) == isa.NoReg && !t.absent[o.Class.Name] {
				return nil, planError("operands of class " + o.Class.Name)
			}
		default:
			return nil, planError("operands of kind " + o.Class.Kind)
		}
	}
	x.values, x.spans = make([]int64, len(x.ops)), make([]int, len(x.ops))
	for i, o := range x.ops {
		x.spans[i] = 1
		if o.Class.Kind == "imm" {
			x.values[i] = t.immediates(o.Class)[0]
		}
	}
	if t.index == "" {
		return x, nil
	}
	return x, x.settle()
}

// operands lists a form's operands; it splits those of several MC operands, except addresses.
func (t *Target) operands(f isa.FormID) (out []isa.OpDecl) {
	for _, o := range t.ISA.Forms.Operands(f) {
		if o.Class.Kind != "imm" || o.Class.Sub <= 1 || o.Class.IsAddress() {
			out = append(out, o)
			continue
		}
		first := o.Class
		if c := o.Class.Shifted(); c != nil { // a register and its shift
			first = c
		}
		out = append(out, isa.OpDecl{Name: o.Name, Class: first, MC: o.MC})
		for i := 1; i < o.Class.Sub; i++ {
			part := *o.Class
			part.Name, part.Sub = part.Name+" part", 1
			out = append(out, isa.OpDecl{Name: o.Name, Class: &part, MC: o.MC + i})
		}
	}
	return out
}

// kind returns the register file of a class.
func (x *instance) kind(c *isa.OpClass) Kind {
	members, _ := x.t.ISA.Regs.Class(c.RegClass)
	if members.Len() == 0 {
		return Other
	}
	if k := x.t.kindOf[members.At(members.Len()-1)]; k != Other {
		return k
	}
	return x.t.kindOf[members.At(0)]
}

// only returns the single register of a class, NoReg if the class has more.
func (x *instance) only(c *isa.OpClass) isa.Reg {
	if members, _ := x.t.ISA.Regs.Class(c.RegClass); members.Len() == 1 {
		return isa.Reg(members.At(0))
	}
	return isa.NoReg
}

// member returns the register of a class that is part of a root, NoReg if there is none.
func (x *instance) member(c *isa.OpClass, root isa.Reg) isa.Reg {
	members, _ := x.t.ISA.Regs.Class(c.RegClass)
	for i := 0; i < members.Len(); i++ {
		r := isa.Reg(members.At(i))
		if x.t.root[r] == root && !x.t.avoid[x.t.ISA.Regs.Name(r)] {
			return r
		}
	}
	return isa.NoReg
}

// choice fixes the roots of some MC operands; the others take the first free ones from offset rot on.
type choice struct {
	roots map[int]isa.Reg // MC operand → root
	rot   int             // rotation of the written registers
	disp  int64           // displacement of the memory operand
}

// build makes one instruction.
func (x *instance) build(c choice) (in isa.Inst, err error) {
	t := x.t
	in.Form, in.VType = x.form, x.vtype
	defs := t.ISA.Forms.NumDefs(x.form)
	reads := 0
	for i, o := range x.ops {
		kind := o.Class.Kind
		if o.Class.IsAddress() { // also for instructions that only compute an address
			kind = "mem"
		}
		switch kind {
		case "imm":
			in.AddImm(x.values[i])
		case "mem":
			if err := x.memory(&in, &o, c); err != nil {
				return in, err
			}
		default:
			if tied := t.ISA.Forms.TiedDef(x.form, o.MC); tied >= 0 {
				in.AddReg(in.Reg(tied))
				continue
			}
			r, err := x.register(i, c, defs, &reads)
			if err != nil {
				return in, err
			}
			in.AddReg(r)
		}
	}
	x.displace(&in, c.disp)
	return in, nil
}

// register chooses a register for operand i: for results one of the spare ones, round-robin, for sources a constant one; reads counts
// the latter.
func (x *instance) register(i int, c choice, defs int, reads *int) (isa.Reg, error) {
	t, o := x.t, &x.ops[i]
	if t.absent[o.Class.Name] {
		return isa.NoReg, nil
	}
	if r := x.only(o.Class); r != isa.NoReg {
		return r, nil
	}
	root, fixed := c.roots[o.MC]
	k := x.kind(o.Class)
	switch {
	case fixed:
	case o.MC == x.base:
		root = t.named(t.base)
	case o.MC < defs:
		n := rounded(x.spans[i])
		root = t.named(t.spare[k][(c.rot*n+o.MC*5)%len(t.spare[k])/n*n])
	case o.MC == x.index:
		root = t.named(t.index)
	default:
		root = t.named(t.constant[k][*reads%len(t.constant[k])])
		*reads++
	}
	if r := x.member(o.Class, root); r != isa.NoReg {
		return r, nil
	}
	if !fixed { // a class of few registers
		if o.MC >= defs {
			for _, n := range t.constant[k] {
				if r := x.member(o.Class, t.named(n)); r != isa.NoReg {
					return r, nil
				}
			}
		}
		var few []isa.Reg
		for _, n := range t.spare[k] {
			if r := x.member(o.Class, t.named(n)); r != isa.NoReg {
				few = append(few, r)
			}
		}
		if len(few) > 0 {
			return few[c.rot*rounded(x.spans[i])%len(few)], nil
		}
	}
	return isa.NoReg, planError(fmt.Sprintf("no register of class %s for operand %d", o.Class.Name, o.MC))
}

// rounded returns the next power of two: groups of registers are aligned to it.
func rounded(n int) int {
	p := 1
	for p < n {
		p *= 2
	}
	return p
}

// memory appends a memory operand: base and displacement, and an index only if it is a vector register.
func (x *instance) memory(in *isa.Inst, o *isa.OpDecl, c choice) error {
	base, chosen := c.roots[o.MC]
	if !chosen {
		base = x.t.named(x.t.base)
	}
	if o.Class.Kind != "mem" { // only computed: an address that equals a register may be handled as a copy
		c.disp += 3
	}
	if !o.Class.IsAddress() {
		return planError("operands of class " + o.Class.Name)
	}
	index := isa.NoReg
	if v := o.Class.VectorIndex(); v != 0 {
		index = x.t.named(string(v) + "mm14")
		if index == isa.NoReg {
			index = x.t.named(map[byte]string{'x': "XMM14", 'y': "YMM14", 'z': "ZMM14"}[v])
		}
	}
	in.AddReg(base)
	in.AddImm(1)
	in.AddReg(index)
	in.AddImm(c.disp)
	in.AddReg(isa.NoReg)
	return nil
}

// encode checks that an instruction belongs to its form: its machine code decodes to the same form.
func (t *Target) encode(in *isa.Inst) ([]byte, error) {
	code, err := t.ISA.Encode(nil, in, 0)
	if err != nil {
		return nil, err
	}
	var back isa.Inst
	n, err := t.ISA.Decode(code, 0, &back)
	if err != nil || n != len(code) {
		return nil, planError("its machine code does not decode")
	}
	if f := back.Form; f != in.Form && (t.ISA.Canonical == nil || t.ISA.Canonical(f) != in.Form) {
		return nil, planError("is written as " + t.ISA.Forms.Name(f))
	}
	if t.ISA.Canonical != nil && t.ISA.Canonical(in.Form) != in.Form {
		return nil, planError("is another encoding of " + t.ISA.Forms.Name(t.ISA.Canonical(in.Form)))
	}
	return code, nil
}

// address holds the positions of an address's parts if they are separate MC operands; -1 for missing parts.
type address struct {
	base, index int
	disp        int   // MC operand of the displacement
	unit        int64 // unit of the displacement in bytes
	bytes       int64 // size of the access, 0 if it depends on more than the form
}

var noAddress = address{base: -1, index: -1, disp: -1}

// settle finds immediate values that make an instruction of the form, and the roles of its operands: it compares the
// effects of instances that differ in one operand.
func (x *instance) settle() error {
	x.vtype = x.t.setup(x.t.ISA.Forms.Name(x.form)).vtype
	if err := x.choose(); err != nil {
		return err
	}
	in, err := x.build(choice{})
	if err != nil {
		return err
	}
	var e isa.Effects
	x.t.ISA.Effects(&in, &e)
	for _, list := range [][]isa.Access{e.Reads, e.Writes} {
		for i := range x.ops {
			x.spans[i] = max(x.spans[i], x.covered(list, int8(x.ops[i].MC)))
		}
	}
	if len(e.Mem) > 0 {
		if x.address.bytes = int64(e.Mem[0].Bits) * int64(e.Mem[0].Elems) / 8; e.Mem[0].Elems == 0 {
			x.address.bytes = scalableBytes
		}
	}
	for _, r := range e.Reads {
		if r.Role == isa.RoleAddr && r.Op >= 0 {
			x.addressRegister(&in, int(r.Op))
		}
	}
	for i, o := range x.ops {
		if o.Class.Kind == "imm" && len(e.Mem) > 0 {
			x.addressNumber(i)
		}
	}
	return x.choose() // roles may have changed registers
}

// scalableBytes is the assumed size of accesses whose size depends on the vector length: the longest of SVE.
const scalableBytes = 256

// covered counts the roots of the registers that an operand covers.
func (x *instance) covered(list []isa.Access, op int8) int {
	var roots []isa.Reg
	add := func(r isa.Reg) {
		if q := x.t.root[r]; q != isa.NoReg && !slices.Contains(roots, q) {
			roots = append(roots, q)
		}
	}
	for _, a := range list {
		if a.Op == op {
			add(a.Reg)
			subs := x.t.ISA.Regs.Subs(a.Reg)
			for i := range subs.Len() {
				add(isa.Reg(subs.At(i)))
			}
		}
	}
	return len(roots)
}

// addressRegister finds out whether an operand that is part of an address is its base.
func (x *instance) addressRegister(in *isa.Inst, op int) {
	if x.t.kindOf[in.Reg(op)] != GPR {
		return
	}
	other := *in
	other.Ops[op].Reg = x.t.named(x.t.base)
	var e isa.Effects
	x.t.ISA.Effects(&other, &e)
	if x.base < 0 && (len(e.Mem) == 0 || e.Mem[0].Base == other.Ops[op].Reg) {
		if x.base = op; x.t.ISA.Forms.TiedDef(x.form, op) >= 0 { // the base is written back
			x.base = x.t.ISA.Forms.TiedDef(x.form, op)
		}
	} else {
		x.index = op
	}
}

// addressNumber finds out whether an immediate is a displacement. If it changes the base register, it is set to 0, so
// that addresses do not move.
func (x *instance) addressNumber(i int) {
	was := x.values[i]
	seen := map[int64]isa.MemRef{}
	var e isa.Effects
	for _, v := range append([]int64{0, was}, anyValues...) {
		x.values[i] = v
		if in, err := x.build(choice{}); err == nil {
			if _, err := x.t.encode(&in); err == nil {
				x.t.ISA.Effects(&in, &e)
				seen[v] = e.Mem[0]
			}
		}
	}
	x.values[i] = was
	for v, m := range seen {
		switch d := v - was; {
		case d == 0:
		case m.Update != seen[was].Update:
			if _, ok := seen[0]; ok {
				x.values[i] = 0
			}
		case m.Disp != seen[was].Disp:
			x.disp, x.unit = x.ops[i].MC, (m.Disp-seen[was].Disp)/d
		case m.Sym != seen[was].Sym: // the immediate counts vectors
			if _, ok := seen[0]; ok {
				x.values[i] = 0
			}
		}
	}
	if _, ok := seen[0]; ok && x.disp == x.ops[i].MC {
		x.values[i] = 0
	}
}

// displace sets the displacement, if it can be encoded.
func (x *instance) displace(in *isa.Inst, disp int64) {
	if x.disp < 0 || disp == 0 {
		return
	}
	was := in.Ops[x.disp].Imm
	for _, wrap := range []int64{1 << 20, 4096, 256, 64} {
		in.Ops[x.disp].Imm = was + disp%wrap/x.unit
		if _, err := x.t.ISA.Encode(nil, in, 0); err == nil {
			return
		}
	}
	in.Ops[x.disp].Imm = was
}

// anyValues are candidate immediates for forms that the preferred value does not fit: multiples, shifts, encoded
// masks.
var anyValues = []int64{3, 2, 4, 6, 5, 7, 8, 1, 0, 12, 16, 24, 32, 48, 64, 90, 128, 180, 270, 0x1000, 0x1041, 9, 10, 11, 13, 14, 15, 17, 20, 31, 33, 63, 96, 112, -8, -16, -32, -64}

// mostTries bounds the search for a combination of immediates.
const mostTries = 3000

// choose finds immediates with which an instruction of the form can be encoded: preferably the class's first
// values, otherwise any.
func (x *instance) choose() error {
	var at []int
	var lists [][]int64
	for i, o := range x.ops {
		if o.Class.Kind == "imm" {
			at = append(at, i)
			lists = append(lists, append(slices.Clone(x.t.immediates(o.Class)), anyValues...))
		}
	}
	first := slices.Clone(x.values)
	err := x.fits()
	tries := 0
	// vary one operand, then two, then three: usually only one is special
	var vary func(k, deviations int) bool
	vary = func(k, deviations int) bool {
		if deviations == 0 {
			tries++
			return x.fits() == nil
		}
		for ; k < len(at); k++ {
			for _, v := range lists[k] {
				if x.values[at[k]] = v; tries < mostTries && vary(k+1, deviations-1) {
					return true
				}
			}
			x.values[at[k]] = first[at[k]]
		}
		return false
	}
	for n := 1; err != nil && n <= len(at); n++ {
		if vary(0, n) {
			return nil
		}
	}
	return err
}

// fits returns an error if the current immediates do not make an instruction of the form.
func (x *instance) fits() error {
	in, err := x.build(choice{})
	if err == nil {
		_, err = x.t.encode(&in)
	}
	return err
}
