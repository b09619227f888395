// Package plan plans microbenchmarks of instruction forms: blocks of instructions whose cycles characterise one form. It measures nothing.
//
// A Target (target.go; x86.go, arm64.go, riscv64.go) holds the properties of an instruction set that plans need. An instance (instance.go) makes
// instructions of one form. Plans consist of instances: plan.go for throughput, chains.go for latencies, with helpers whose latencies calibrate.go
// determines, same.go for equal source registers, memory.go for loads and stores, branches.go for jumps, stack.go for registers that form a stack,
// cases.go for special operand values, mix.go for several forms together. native.go makes the machine code of a plan. select.go lists the forms with
// plans, unplanned.go the reasons for the other forms.
package plan

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"incore/internal/bench/block"
	"incore/internal/bench/feature"
	"incore/internal/isa"
)

// Kind is a register file. Every register that plans use lies in one.
type Kind uint8

// The register files.
const (
	Other Kind = iota // no plan uses it: segment, control registers
	GPR
	FPR // scalar floating point, where vectors have a file of their own
	Vec
	Mask
	MMX
	Tile
	Flags
	kinds
)

var kindNames = [kinds]string{"other", "gpr", "fpr", "vec", "mask", "mmx", "tile", "flags"}

// Target holds the properties of an instruction set that planning needs in addition to its tables.
type Target struct {
	*block.Arch
	// files names, per kind, the class of the widest registers: a narrower one belongs to the root that contains it.
	files [kinds]string
	// tuples are, per kind, the classes of several registers in a row, which count as the first of them.
	tuples [kinds][]string
	// spare are the roots per kind that plans choose from; constant ones are only read.
	spare, constant [kinds][]string
	base            string // the register of memory operands' addresses, not in spare
	index           string // the register that instances name where an address has an index or a stride; "" where addresses are one operand
	// Of two instances in turn, the second's result is in a register so many further in the list.
	turn [kinds]int
	// absent are the classes of operands that instances leave out (masks).
	absent   map[string]bool
	flagRegs map[string]bool // parts of the flags
	avoid    map[string]bool // registers that instances don't name (high bytes)
	helpers  []helper
	break_   [kinds]string // statement that gives a register (%W) a value without reading any
	// breakOther are statements to the same end that take other resources; %C is a register of kind gpr that nothing else uses.
	breakOther [kinds]string
	// states are statements that give other registers, which forms read and write implicitly, a value, by name.
	states map[string]string
	// sooner are the kinds whose results may come sooner to their own kind of operation (Apart).
	sooner [kinds]bool
	// clear and step make of a register of kind gpr (%R) zero, and add it to %W, so that it waits for %R.
	clear, step string
	oneCycle    bool                  // clear and step take a cycle each on every core
	reload      [kinds]map[int]string // by bits: a load from %O(%W) into %R
	// Memory matches the loads, stores and read-modify-writes that are measured if the user names none: plain ones of
	// each width, register file and way to form an address.
	Memory *regexp.Regexp
	// aligned matches forms whose addresses must be multiples of what they access.
	aligned *regexp.Regexp
	// repeated are instructions that go on as often as repeat sets: statements, with the bytes that each round moves.
	// They go from (%C) to 2 KiB behind it.
	repeated map[string]int
	repeat   func(rounds int) []string
	// spell writes a root as statements name it. view is the letter behind a placeholder (%Rx), 0 if there is none.
	spell func(r isa.Reg, view byte) string
	// Nop takes a dispatch slot and no port; it is long enough that the front end delivers as many as the core dispatches.
	Nop string
	// MacroOps: cores dispatch instructions as macro-ops, which are split into µops only then (Arm).
	MacroOps bool
	Zeroing  string   // takes a dispatch slot and no port where the core knows it as a zero idiom
	exclude  []string // prefixes of form names that user code cannot run, or that planning cannot handle
	setup    func(form string) state
	always   map[int]uint64 // values of registers that the target's own statements rely on, by number
	// stack is registers that are a stack, nil if there are none; physical are those that it is made of.
	stack    *registerStack
	physical map[isa.Reg]bool
	jumps    *jumps // nil: jumps are not planned for
	// usedUp names operands that an instruction uses up; ones gives a register (%R) all ones without waiting for it (%C is constant).
	usedUp   map[string]bool
	ones     [kinds]string
	cases    func(form string) []Case // special operands that a form is measured with, besides the usual
	features *feature.Table           // of CPUs; nil: of machines that have all
	// intrusive are extensions whose instructions bring more than their µops into a mix.
	intrusive map[string]bool
	// families are the names of extensions (extension), by the widest kind of register; encodings those of further
	// ones, by encoding.
	families  map[Kind]string
	encodings []string
	// immediates are values that operands of a class should have, the best first.
	immediates func(*isa.OpClass) []int64
	// selects reports whether operands of a class may select what an instruction does (lanes, counts): forms are
	// measured with 0 there, too.
	selects func(*isa.OpClass) bool
	root    []isa.Reg // register → root, NoReg if it has none
	kindOf  []Kind    // by register
	names   map[string]isa.Reg
}

// state is the content of memory and registers that a form requires.
type state struct {
	vtype   isa.VType
	fill    uint64
	values  map[int]uint64 // of general-purpose registers, by hardware number
	restore []string       // statements before each instance, besides those that planning adds
	hold    bool           // results must not come back as operands
	note    string
}

// helper is an instruction that takes a value from one kind of register to another.
type helper struct {
	from, to Kind
	text     string // %R is written, %W read; %C is a constant root
	flag     string // from flags: the part that it reads
	// twin is the same operation with a result in the kind of another of its operands (%W): an instruction of one µop
	// waits for all its operands alike, so that its chain tells the latency from this one, of which otherwise only the
	// sum with the way back is seen.
	twin string
}

// prepare fills the tables that depend on the register table.
func (t *Target) prepare() *Target {
	rt := t.ISA.Regs
	t.root, t.kindOf, t.names = make([]isa.Reg, rt.Len()), make([]Kind, rt.Len()), map[string]isa.Reg{}
	for r := range rt.Len() {
		t.names[rt.Name(isa.Reg(r))] = isa.Reg(r)
	}
	for k := GPR; k < kinds; k++ {
		members, _ := rt.Class(t.files[k])
		for i := 0; i < members.Len(); i++ {
			r := isa.Reg(members.At(i))
			if t.root[r] != isa.NoReg {
				continue
			}
			t.root[r], t.kindOf[r] = r, k
			subs := rt.Subs(r)
			for j := 0; j < subs.Len(); j++ {
				t.root[subs.At(j)], t.kindOf[subs.At(j)] = r, k
			}
		}
		for _, c := range t.tuples[k] {
			members, _ := rt.Class(c)
			for i := range members.Len() {
				r := isa.Reg(members.At(i))
				if subs := rt.Subs(r); subs.Len() > 0 {
					t.root[r], t.kindOf[r] = t.root[subs.At(0)], k
				}
			}
		}
	}
	for name := range t.states {
		r := rt.Named(name)
		t.root[r], t.kindOf[r] = r, Mask
	}
	for name := range t.flagRegs {
		r := rt.Named(name)
		t.root[r], t.kindOf[r] = r, Flags
	}
	return t
}

// excluded reports whether a form is not planned for, by name.
func (t *Target) excluded(name string) bool {
	for _, p := range t.exclude {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// parse reads a helper's statement; registers are roots and written in the width that the statement asks
// for: %R, %W, %C for the root, with a letter behind for a part of it (Target.spell).
func (t *Target) parse(text string, R, W, C isa.Reg) (isa.Inst, error) {
	var s strings.Builder
	for i := 0; i < len(text); i++ {
		place := 0
		if text[i] == '%' && i+1 < len(text) {
			place = strings.IndexByte("RWC", text[i+1]) + 1
		}
		if place == 0 {
			s.WriteByte(text[i])
			continue
		}
		i++
		view := byte(0)
		if i+1 < len(text) && text[i+1] >= 'a' && text[i+1] <= 'z' {
			i++
			view = text[i]
		}
		s.WriteString(t.spell([]isa.Reg{R, W, C}[place-1], view))
	}
	in, err := t.ISA.Parse(nil, s.String(), t.ISA.Syntaxes[0])
	if err != nil {
		return isa.Inst{}, err
	}
	if len(in) != 1 {
		return isa.Inst{}, fmt.Errorf("%s: not one instruction", s.String())
	}
	return in[0], nil
}

// named finds a register by LLVM's name.
func (t *Target) named(s string) isa.Reg { return t.names[s] }

// Lacks names a feature that a form needs and this machine's CPU does not have, or its operating system does not let
// programs use; "" if none is known.
func (t *Target) Lacks(f isa.FormID) string { return t.features.Lacking(f) }

// Needs lists the features that a form needs; alternatives are written a|b.
func (t *Target) Needs(f isa.FormID) []string { return t.features.Needs(f) }

// in reports whether a form is of one of the extensions: families (extension) or features of the CPU that it needs.
func (t *Target) in(f isa.FormID, exts map[string]bool) bool {
	if exts[t.extension(f)] {
		return true
	}
	return slices.ContainsFunc(t.Needs(f), feature.Set(exts).Has)
}

// Extensions returns the known extensions, sorted.
func (t *Target) Extensions() []string {
	out := slices.Clone(t.encodings)
	if t.features != nil {
		out = append(out, t.features.Names...)
	}
	for _, f := range t.families {
		out = append(out, f)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Registers keeps the forms that do not access memory.
func (t *Target) Registers(forms []isa.FormID) []isa.FormID {
	return slices.DeleteFunc(forms, func(f isa.FormID) bool {
		_, in, err := t.first(f)
		if x, no := t.OnBranch(f); no == nil {
			in, err = x.build(0, 0, t.named(t.spare[GPR][0]), 0)
		}
		var e isa.Effects
		if err == nil {
			t.ISA.Effects(&in, &e)
		}
		return err != nil || len(e.Mem) > 0
	})
}

// Instance is an instruction of a form as plans have them; the error says why there is none.
func (t *Target) Instance(f isa.FormID) (isa.Inst, error) {
	_, in, err := t.first(f)
	return in, err
}

// Kind is the register file that a register lies in, other if plans use none of its registers.
func (t *Target) Kind(r isa.Reg) Kind { return t.kindOf[r] }

// File is the register file that a register's values come from and go to: flags are computed with integers.
func (t *Target) File(r isa.Reg) Kind {
	if k := t.kindOf[r]; k != Flags {
		return k
	}
	return GPR
}

// Modelled is the target for a machine that is played: it has all features, and operands' values make no difference.
func (t *Target) Modelled() *Target {
	c := *t
	c.features, c.cases = nil, nil
	return &c
}

// Coded is the target with this as the condition code of forms that have one.
func (t *Target) Coded(condition int64) *Target {
	c := *t
	c.immediates = func(class *isa.OpClass) []int64 {
		if class.Type == "OPERAND_COND_CODE" {
			return []int64{condition}
		}
		return t.immediates(class)
	}
	return &c
}
