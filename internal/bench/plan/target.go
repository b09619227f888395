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
	// tuples are, per kind, the classes of several consecutive registers; the first stands for all.
	tuples [kinds][]string
	// spare are, per kind, the roots that plans choose from; constant ones are only read.
	spare, constant [kinds][]string
	base            string // the register of memory operands' addresses, not in spare
	index           string // index register of instances whose address needs an index or a stride; "" if addresses are one operand
	// turn is, per kind, the distance in the list between the result registers of two alternating instances.
	turn [kinds]int
	// absent are the classes of optional operands that instances omit (masks).
	absent   map[string]bool
	flagRegs map[string]bool // parts of the flags
	avoid    map[string]bool // registers that instances don't name (high bytes)
	helpers  []helper
	break_   [kinds]string // statement that gives a register (%W) a value without reading any
	// breakOther are statements for the same purpose that use other resources; %C is a register of kind gpr that nothing else
	// uses.
	breakOther [kinds]string
	// states are statements that set other registers, which forms implicitly read and write, by name.
	states map[string]string
	// rewind is a statement that moves the address in %W by %O bytes; "": the addresses that instances move go on.
	rewind string
	// sooner are the kinds whose results may be forwarded faster to operations of the same kind (Apart).
	sooner [kinds]bool
	// clear sets a register of kind gpr (%R) to zero and keeps the dependence on it; step adds it to %W,
	// which thus depends on %R.
	clear, step string
	oneCycle    bool                  // clear and step take one cycle each on every core
	reload      [kinds]map[int]string // by bits: a load from %O(%W) into %R
	// Memory matches the loads, stores and read-modify-writes that are measured by default: plain ones of each width,
	// register file and addressing mode.
	Memory *regexp.Regexp
	// aligned matches forms whose addresses must be multiples of the access size.
	aligned *regexp.Regexp
	// repeated are instructions that repeat as often as repeat sets: statements, with the bytes that each iteration
	// moves. They move data from (%C) to the address 2 KiB after it.
	repeated map[string]int
	repeat   func(rounds int) []string
	// spell returns a root's name in a statement. view is the letter after a placeholder (%Rx), 0 if there is none.
	spell func(r isa.Reg, view byte) string
	// Nop takes a dispatch slot and no port; it is long enough that the front end delivers exactly as many per cycle as
	// the core dispatches.
	Nop string
	// MacroOps says that cores dispatch instructions as macro-ops, which are split into µops after dispatch
	// (Arm).
	MacroOps bool
	Zeroing  string   // takes a dispatch slot and no port if the core recognises it as a zero idiom
	exclude  []string // prefixes of form names that user code cannot run, or that planning cannot handle
	setup    func(form string) state
	always   map[int]uint64 // values of registers that the target's own statements rely on, by number
	// stack describes a register stack, nil if there is none; physical are its registers.
	stack    *registerStack
	physical map[isa.Reg]bool
	jumps    *jumps // nil: jumps are not planned
	// usedUp names operands that an instruction consumes; ones sets a register (%R) to all ones without a dependence (%C is
	// constant).
	usedUp   map[string]bool
	ones     [kinds]string
	cases    func(form string) []Case // special operands that a form is measured with, besides the usual
	features *feature.Table           // features of CPUs; nil: all machines have all
	// intrusive are extensions whose instructions have side effects in a mix beyond their µops.
	intrusive map[string]bool
	// families are the names of extensions (extension), by the widest kind of register; encodings are those of
	// further extensions, by encoding.
	families  map[Kind]string
	encodings []string
	// immediates returns the values to try for operands of a class, the preferred one first.
	immediates func(*isa.OpClass) []int64
	// selects reports whether operands of a class may select the operation (lanes, counts): forms are also
	// measured with 0 there.
	selects func(*isa.OpClass) bool
	// manyFlags are the conditions that need several flags.
	manyFlags []int64
	root      []isa.Reg // register → root, NoReg if it has none
	kindOf    []Kind    // by register
	names     map[string]isa.Reg
}

// state is the content of memory and registers that a form requires.
type state struct {
	vtype   isa.VType
	fill    uint64
	values  map[int]uint64 // of general-purpose registers, by hardware number
	restore []string       // statements before each instance, besides those that planning adds
	hold    bool           // results must not return as operands
	note    string
}

// helper is an instruction that moves a value from one kind of register to another.
type helper struct {
	from, to Kind
	text     string // %R is written, %W read; %C is a constant root
	flag     string // from flags: the part that it reads
	// twin is the same operation with its result in the kind of another operand (%W). An instruction of one µop waits
	// for all its operands alike, so that the twin's chain gives this helper's latency; without it, only the sum with
	// the way back can be measured.
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

// parse parses a helper's statement. %R, %W, %C stand for roots, written in the width that the statement
// requires; a letter after the placeholder selects a part of the root (Target.spell).
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

// named finds a register by its LLVM name.
func (t *Target) named(s string) isa.Reg { return t.names[s] }

// Lacks names a feature that a form needs and that this machine's CPU lacks or its operating system does not enable;
// "" if none is known.
func (t *Target) Lacks(f isa.FormID) string { return t.features.Lacking(f) }

// Unmeasured returns the reason why a form is not measured on this machine; "" if it is.
func (t *Target) Unmeasured(f isa.FormID) string {
	if why := t.Unplanned(f); why != "" {
		return why
	}
	return t.Absent(f)
}

// Absent returns the reason why this CPU cannot execute a form; "" if it can.
func (t *Target) Absent(f isa.FormID) string {
	if x := t.Lacks(f); x != "" {
		return "this CPU does not have " + x
	}
	return ""
}

// Needs lists the features that a form needs; alternatives are written a|b.
func (t *Target) Needs(f isa.FormID) []string { return t.features.Needs(f) }

// in reports whether a form belongs to one of the extensions: families (extension) or features of the CPU that it
// needs.
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

// Registers filters the forms that do not access memory.
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

// Instance returns an instruction of a form as plans use it, or an error if there is none.
func (t *Target) Instance(f isa.FormID) (isa.Inst, error) {
	_, in, err := t.first(f)
	return in, err
}

// Kind returns the register file of a register; other if plans do not use it.
func (t *Target) Kind(r isa.Reg) Kind { return t.kindOf[r] }

// File returns the register file of the unit that computes a register's values: integers for flags.
func (t *Target) File(r isa.Reg) Kind {
	if k := t.kindOf[r]; k != Flags {
		return k
	}
	return GPR
}

// Modelled returns the target for a simulated machine: it has all features, and operand values have no effect.
func (t *Target) Modelled() *Target {
	c := *t
	c.features, c.cases = nil, nil
	return &c
}

// Coded returns the target with a given condition code for forms that have one.
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
