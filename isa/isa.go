// Package isa parses, prints, decodes and encodes single instructions of x86-64, AArch64 and RISC-V, and says which registers and memory they read
// and write. Its tables are LLVM's, so that an instruction's form has LLVM's opcode name (ADD64rr).
//
// The package is experimental: its API may change between versions. Package incore/machine says what an instruction costs.
package isa

import (
	"fmt"
	"slices"

	"incore/internal/analyze/handle"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
)

// Set is an instruction set.
type Set struct{ set *isa.ISA }

// Names lists the names of the instruction sets.
func Names() []string { return catalog.ISANames() }

// Get returns an instruction set by its name ("x86-64", "aarch64", "riscv64"), by another name of it ("amd64") or by a target triple.
func Get(name string) (*Set, error) {
	a := catalog.ISA(name)
	if a == nil {
		return nil, fmt.Errorf("unknown instruction set %q; known are %v", name, catalog.ISANames())
	}
	return &Set{a}, nil
}

// Name returns the name of the instruction set.
func (s *Set) Name() string { return s.set.Name }

// Syntaxes lists the assembly syntaxes, the default first: "att" and "intel" for x86-64, "" for others, which have only one.
func (s *Set) Syntaxes() []string { return s.set.Syntaxes }

// Parse reads one assembly statement, without label and comment, in a syntax of Syntaxes; "" is the default. A pseudo-instruction may stand for
// several instructions. The error says what is wrong with the statement and which mnemonics are near.
func (s *Set) Parse(statement, syntax string) ([]Inst, error) {
	syntax = s.syntax(syntax)
	if !slices.Contains(s.set.Syntaxes, syntax) {
		return nil, fmt.Errorf("unknown syntax %q of %s; known are %q", syntax, s.set.Name, s.set.Syntaxes)
	}
	if err := s.set.OneStatement(statement); err != nil {
		return nil, err
	}
	list, err := s.set.Parse(nil, statement, syntax)
	if err != nil {
		return nil, err
	}
	out := make([]Inst, len(list))
	for i := range list {
		out[i] = Inst(handle.InstOf(s.set, &list[i]))
	}
	return out, nil
}

func (s *Set) syntax(name string) string {
	if name == "" {
		return s.set.Syntaxes[0]
	}
	return name
}

// Decode reads the instruction at the beginning of machine code that lies at an address, and returns its size in bytes.
func (s *Set) Decode(code []byte, addr uint64) (in Inst, size int, err error) {
	var x isa.Inst
	size, err = s.set.Decode(code, addr, &x)
	return Inst(handle.InstOf(s.set, &x)), size, err
}

// Inst is an instruction: a form and its operands. It is a value; only Parse and Decode make one.
type Inst handle.Inst

func (i *Inst) set() *isa.ISA   { return (*handle.Inst)(i).Set() }
func (i *Inst) inst() *isa.Inst { return (*handle.Inst)(i).Inst() }

// Set returns the instruction set.
func (i *Inst) Set() *Set { return &Set{i.set()} }

// Form returns LLVM's name of the opcode.
func (i *Inst) Form() string { return i.set().FormName(i.inst()) }

// Text prints the instruction as GNU as reads it, in a syntax of Set.Syntaxes; "" is the default.
func (i *Inst) Text(syntax string) string {
	return string(i.set().Print(nil, i.inst(), i.Set().syntax(syntax)))
}

// Encode returns the machine code of the instruction at an address. An instruction whose operands contain symbols has none.
func (i *Inst) Encode(addr uint64) ([]byte, error) {
	in := i.inst()
	for j := range in.Ops[:in.NOps] {
		if o := &in.Ops[j]; o.Kind == isa.OpExpr && o.Expr.Sym != "" { // x86's encoder leaves 0 for the linker
			return nil, fmt.Errorf("symbol '%s' has no value", o.Expr.Text)
		}
	}
	return i.set().Encode(nil, i.inst(), addr)
}

// Memory is an access to memory. Base and Index are "" where the address has none.
type Memory struct {
	Base, Index string
	Scale       int   // of Index
	Disp        int64 // the constant part of the address
	Bits        int   // accessed by each element; 0: not known
	Elements    int   // more than 1 in gathers and loads of structures; 0: not known (scalable vectors)
	Load, Store bool
}

// Reads lists the registers that the instruction reads, once each, by LLVM's names and with implicit ones: flags (SPAZ: the sign, parity,
// auxiliary and zero flags of x86), the stack pointer, the registers of addresses.
func (i *Inst) Reads() []string { return i.names(i.effects().Reads) }

// Writes lists the registers that it writes, once each.
func (i *Inst) Writes() []string { return i.names(i.effects().Writes) }

// Memory lists the accesses to memory.
func (i *Inst) Memory() []Memory {
	var out []Memory
	for _, m := range i.effects().Mem {
		out = append(out, Memory{Base: i.name(m.Base), Index: i.name(m.Index), Scale: int(m.Scale), Disp: m.Disp, Bits: int(m.Bits), Elements: int(m.Elems), Load: m.Load, Store: m.Store})
	}
	return out
}

func (i *Inst) effects() *isa.Effects {
	var e isa.Effects
	i.set().Effects(i.inst(), &e)
	return &e
}

func (i *Inst) names(list []isa.Access) []string {
	var out []string
	seen := map[isa.Reg]bool{}
	for _, a := range list {
		if !seen[a.Reg] {
			seen[a.Reg] = true
			out = append(out, i.name(a.Reg))
		}
	}
	return out
}

func (i *Inst) name(r isa.Reg) string {
	if r == isa.NoReg {
		return ""
	}
	return i.set().Regs.Name(r)
}
