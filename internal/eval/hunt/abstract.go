// Package hunt finds kinds of code on which two predictors disagree; one of them may be the machine itself. It follows AnICA (Ritter, Hack:
// "AnICA: Analyzing Inconsistencies in Microarchitectural Code Analyzers", OOPSLA 2022): it shrinks random blocks on which the predictors disagree, and then
// generalizes them as long as the predictors disagree on most blocks of the more general kind.
//
// abstract.go has blocks and sets of blocks, judge.go the predictors, hunt.go the search, text.go the output.
package hunt

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"incore/internal/bench/plan"
	"incore/internal/isa"
)

// Width is the generality of an abstract instruction.
type Width int

// From one form to all forms of the pool.
const (
	OneForm  Width = iota // this form only
	Mnemonic              // forms with the same mnemonic and the same use of memory
	Alike                 // forms with the same register file, vector size, encoding and use of memory
	Kindred               // as Alike, with any use of memory
	Any
	widths
)

var widthNames = [widths]string{"form", "mnemonic", "alike", "kindred", "any"}

func (w Width) String() string { return widthNames[w] }

// Insn is an abstract instruction: a form and its generality.
type Insn struct {
	Form  isa.FormID
	Width Width
}

// Block is the set of all blocks whose instructions match its abstract instructions. Sharing and Memory record which operands must be the same register, and which
// addresses must be equal.
type Block struct {
	Insns   []Insn
	Sharing bool
	Memory  bool
	regs    [][]isa.Reg // explicit registers of the first example, in order
	disps   []int64     // displacements of the first example's addresses
}

// Pool holds the forms that blocks are made of, and their properties.
type Pool struct {
	target *plan.Target
	forms  []isa.FormID
	traits map[isa.FormID]traits
	base   isa.Reg // the base register of all addresses; no block writes it
}

type traits struct {
	mnemonic string
	file     plan.Kind
	bits     int
	encoding byte // as isa.Forms.Encoding tells them apart: of vectors, instructions of two kinds may not go together well
	memory   byte // 'n' none, 'l' load, 's' store, 'm' both
	model    isa.Inst
}

// NewPool selects the forms that can be combined at random on a machine.
func NewPool(t *plan.Target, forms []isa.FormID) *Pool {
	p := &Pool{target: t, traits: map[isa.FormID]traits{}}
	for _, f := range forms {
		in, err := t.Instance(f)
		if err != nil || t.Lacks(f) != "" {
			continue
		}
		mnemonic, _ := t.ISA.Forms.AsmParts(f, 0)
		x := traits{mnemonic: mnemonic, memory: 'n', model: in}
		for i := range int(in.NOps) {
			if r := in.Reg(i); r != isa.NoReg && x.file == plan.Other {
				x.file = t.Kind(r)
			}
		}
		if t.ISA.VectorBits != nil {
			if x.bits = t.ISA.VectorBits(&in); x.bits > 0 {
				x.file = plan.Vec
			}
		}
		if x.file == plan.Vec {
			x.encoding = t.ISA.Forms.Encoding(f)
		}
		if m := t.ISA.Forms.MemOp(f); m >= 0 && p.base == isa.NoReg {
			p.base = in.Reg(m)
		}
		var e isa.Effects
		t.ISA.Effects(&in, &e)
		for _, m := range e.Mem {
			x.memory = map[[2]bool]byte{{true, true}: 'm', {true, false}: 'l', {false, true}: 's'}[[2]bool{m.Load, m.Store}]
		}
		p.forms, p.traits[f] = append(p.forms, f), x
	}
	slices.Sort(p.forms)
	p.forms = slices.Compact(p.forms)
	return p
}

// Len returns the number of forms.
func (p *Pool) Len() int { return len(p.forms) }

// choices returns the forms that match an abstract instruction.
func (p *Pool) choices(x Insn) []isa.FormID {
	if x.Width == OneForm {
		return []isa.FormID{x.Form}
	}
	if x.Width == Any {
		return p.forms
	}
	like := p.traits[x.Form]
	var out []isa.FormID
	for _, f := range p.forms {
		y := p.traits[f]
		kindred := y.file == like.file && y.bits == like.bits && y.encoding == like.encoding
		switch {
		case x.Width == Kindred && kindred,
			y.memory == like.memory && (x.Width == Mnemonic && y.mnemonic == like.mnemonic || x.Width == Alike && kindred):
			out = append(out, f)
		}
	}
	return out
}

// Random makes a block of random forms of the pool.
func (p *Pool) Random(rng *rand.Rand, n int) *Block {
	b := &Block{Sharing: true, Memory: true}
	for range n {
		b.Insns = append(b.Insns, Insn{Form: p.forms[rng.IntN(len(p.forms))]})
	}
	free := *b
	free.Sharing, free.Memory = false, false
	for _, in := range p.sample(rng, &free) {
		b.regs, b.disps = append(b.regs, p.registers(&in)), append(b.disps, p.displacement(&in))
	}
	return b
}

// registers returns the explicit registers of an instruction outside its address.
func (p *Pool) registers(in *isa.Inst) (out []isa.Reg) {
	for _, i := range p.slots(in) {
		out = append(out, in.Reg(i))
	}
	return out
}

// slots returns the operands of an instruction whose registers can be chosen freely.
func (p *Pool) slots(in *isa.Inst) (out []int) {
	forms := p.target.ISA.Forms
	for _, o := range forms.Operands(in.Form) {
		if o.Class.Kind == "reg" && !o.Class.IsAddress() && forms.TiedDef(in.Form, o.MC) < 0 && in.Reg(o.MC) != isa.NoReg {
			out = append(out, o.MC)
		}
	}
	return out
}

func (p *Pool) displacement(in *isa.Inst) int64 {
	if m := p.target.ISA.Forms.MemOp(in.Form); m >= 0 && m+3 < int(in.NOps) && in.Ops[m+3].Kind == isa.OpImm {
		return in.Ops[m+3].Imm
	}
	return -1
}

// Sample makes a block of the set.
func (p *Pool) Sample(rng *rand.Rand, b *Block) []isa.Inst { return p.sample(rng, b) }

func (p *Pool) sample(rng *rand.Rand, b *Block) (out []isa.Inst) {
	const tries = 20
	for k, x := range b.Insns {
		list := p.choices(x)
		for try := range tries {
			f := list[rng.IntN(len(list))]
			in := p.traits[f].model
			p.fill(rng, b, k, &in)
			if _, err := p.target.ISA.Encode(nil, &in, 0); err == nil {
				out = append(out, in)
				break
			} else if try == tries-1 {
				out = append(out, p.traits[f].model)
			}
		}
	}
	return out
}

// fill chooses registers and address of the k-th instruction.
func (p *Pool) fill(rng *rand.Rand, b *Block, k int, in *isa.Inst) {
	forms := p.target.ISA.Forms
	for at, i := range p.slots(in) {
		want := isa.NoReg
		if b.Sharing && k < len(b.regs) && at < len(b.regs[k]) {
			want = b.regs[k][at]
		}
		in.Ops[i].Reg = p.register(rng, forms.OperandClass(in.Form, i), in.Reg(i), want)
	}
	for _, o := range forms.Operands(in.Form) { // tied ones follow
		if d := forms.TiedDef(in.Form, o.MC); d >= 0 && in.Ops[o.MC].Kind == isa.OpReg {
			in.Ops[o.MC].Reg = in.Reg(d)
		}
	}
	if m := forms.MemOp(in.Form); m >= 0 && m+3 < int(in.NOps) && in.Ops[m+3].Kind == isa.OpImm {
		in.Ops[m+3].Imm = 64 * int64(rng.IntN(8))
		if b.Memory && k < len(b.disps) && b.disps[k] >= 0 {
			in.Ops[m+3].Imm = b.disps[k]
		}
	}
}

// inUse is the number of registers of a file in random blocks. It is small, so that instructions depend on each other.
const inUse = 6

// register chooses a register of a class: the one that overlaps with want, otherwise a random one of the first inUse.
func (p *Pool) register(rng *rand.Rand, c *isa.OpClass, now, want isa.Reg) isa.Reg {
	members, _ := p.target.ISA.Regs.Class(c.RegClass)
	var list []isa.Reg
	kind := p.target.Kind(now)
	for i := range members.Len() {
		r := isa.Reg(members.At(i))
		if p.target.Kind(r) != kind || kind == plan.Other || p.target.ISA.StackPointer != nil && p.stack(r) {
			continue
		}
		if want != isa.NoReg && p.target.ISA.Regs.Overlap(r, want) {
			return r
		}
		list = append(list, r)
	}
	if len(list) == 0 {
		return now
	}
	return list[rng.IntN(min(len(list), inUse))]
}

// stack reports whether a register overlaps with the stack pointer or the base of addresses.
func (p *Pool) stack(r isa.Reg) bool {
	regs := p.target.ISA.Regs
	if p.target.ISA.StackPointer(r) || p.base != isa.NoReg && regs.Overlap(p.base, r) {
		return true
	}
	for _, name := range []string{"RSP", "SP"} {
		if sp := regs.Named(name); sp != isa.NoReg && regs.Overlap(sp, r) {
			return true
		}
	}
	return false
}

// Fits reports whether a block's forms match the set, in any rotation, since blocks are loops.
func (p *Pool) Fits(b *Block, forms []isa.FormID) bool {
	n := len(b.Insns)
	if len(forms) != n {
		return false
	}
	for first := range n {
		fits := true
		for i, x := range b.Insns {
			fits = fits && slices.Contains(p.choices(x), forms[(first+i)%n])
		}
		if fits {
			return true
		}
	}
	return false
}

// Size returns the geometric mean of the number of forms that match each instruction.
func (p *Pool) Size(b *Block) float64 {
	product, n := 1.0, float64(len(b.Insns))
	for _, x := range b.Insns {
		product *= pow(float64(len(p.choices(x))), 1/n)
	}
	return product
}

// Describe describes the set in words.
func (p *Pool) Describe(b *Block) string {
	var parts []string
	for _, x := range b.Insns {
		t := p.traits[x.Form]
		memory := map[byte]string{'n': "registers only", 'l': "load", 's': "store", 'm': "load and store"}[t.memory]
		switch x.Width {
		case OneForm:
			parts = append(parts, p.target.ISA.Forms.Name(x.Form))
		case Mnemonic:
			parts = append(parts, fmt.Sprintf("%s (%s)", t.mnemonic, memory))
		case Alike, Kindred:
			what := fileNames[t.file] + " registers"
			if t.bits > 0 {
				what = fmt.Sprintf("%d-bit vectors", t.bits)
			}
			if name := encodingNames[t.encoding]; name != "" && p.mixed() {
				what += ", " + name
			}
			if x.Width == Alike {
				what += " (" + memory + ")"
			}
			parts = append(parts, "any of "+what)
		case Any:
			parts = append(parts, "any")
		}
	}
	s := strings.Join(parts, "; ")
	if b.Sharing {
		s += "; registers shared as in the example"
	}
	if b.Memory && p.touches(b) {
		s += "; addresses as in the example"
	}
	return s
}

// encodingNames are the names of the encodings of vector instructions.
var encodingNames = map[byte]string{0: "legacy encoding", 'V': "VEX", 'E': "EVEX", 'X': "XOP"}

// mixed reports whether vector instructions of the pool have several encodings.
func (p *Pool) mixed() bool {
	seen := map[byte]bool{}
	for _, t := range p.traits {
		if t.file == plan.Vec {
			seen[t.encoding] = true
		}
	}
	return len(seen) > 1
}

// fileNames are the names of register files.
var fileNames = map[plan.Kind]string{plan.GPR: "general-purpose", plan.FPR: "floating-point", plan.Vec: "vector", plan.Mask: "mask", plan.MMX: "MMX", plan.Tile: "tile", plan.Flags: "flag", plan.Other: "no"}

// touches reports whether an instruction of the block accesses memory.
func (p *Pool) touches(b *Block) bool {
	return slices.ContainsFunc(b.Insns, func(x Insn) bool { return p.traits[x.Form].memory != 'n' })
}
