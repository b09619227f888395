// Package riscv describes RV64 with the extensions that LLVM's tables have:
// the user-mode base set, C, V, Zb*, Zfa, Zvk* and the vendors' own.
//
// Text is parsed as by llvm-mc without compression: pseudo-instructions that
// llvm-mc expands while parsing (li, la, loads from symbols, vmsge.vx) become several
// instructions; those that it expands later (call, tail, jump) keep their own form.
// Machine code is decoded as by LLVM's disassembler, and Print writes text that parses
// and assembles to the same form and bytes; compressed instructions keep their names (c.add).
//
// Differences from LLVM 19: vmerge, vadc and similar instructions always have their mask v0 as an
// operand; amocas.q always has register pairs; reserved
// encodings (c.lui with 0, aes64ks1i beyond round 10, fcvtmod with another rounding mode)
// are not decoded; the error for RV32-only forms says that they are RV32-only.
//
// All extensions are available; the machine model states which of them a core has. If the meaning of
// a text or an encoding depends on the extensions, the core has Zba, Zbb and Zbs (defaultExt).
package riscv

import (
	_ "embed"
	"sync"

	"incore/internal/isa"
)

//go:embed tables.bin
var tables string

// ISA returns the instruction set; every call returns the same value.
var ISA = sync.OnceValue(func() *isa.ISA { return build(defaultExt) })

// defaultExt reports whether an extension that changes the meaning of a text is present: Zba, Zbb
// and Zbs make the sequences for "li" and the sign extensions shorter.
func defaultExt(name string) bool { return name == "zba" || name == "zbb" || name == "zbs" }

// build makes an ISA for a set of extensions.
func build(ext func(string) bool) *isa.ISA {
	a := &isa.ISA{
		Name:         "riscv64",
		Aliases:      []string{"riscv", "rv64", "rv64gc", "rv64gcv"},
		Syntaxes:     []string{""},
		LineComments: []string{"#", "//"},
		Separators:   ";",
		Scalable:     []string{"VR"},
		Modes:        map[string]string{".option pic": "pic", ".option nopic": ""},
	}
	a.Forms, a.Regs, a.Match = isa.Load(tables)
	a.Float = floatOf(a.Forms)
	a.AddImm = newAddImm(a)
	a.Rewrites = newRewrites(a)
	regs := newRegisters(a.Regs)
	p := newParser(a, regs, ext)
	a.Parse = p.parse
	coder := sync.OnceValue(func() *coder { return newCoder(a, regs, ext) })
	encoder := sync.OnceValue(func() encodeFunc { return coder().encode(a) })
	a.Decode = func(code []byte, addr uint64, in *isa.Inst) (int, error) { return coder().decode(code, addr, in) }
	a.Encode = func(dst []byte, in *isa.Inst, addr uint64) ([]byte, error) { return encoder()(dst, in, addr) }
	a.JumpTable = tableFinder{a}.find
	printer := sync.OnceValue(func() *printer { return newPrinter(a, regs, ext) })
	a.Print = func(dst []byte, in *isa.Inst, syntax string) []byte { return printer().print(dst, in, syntax) }
	sem := sync.OnceValue(func() *semantics { return newSemantics(a, regs) })
	a.Semantics = newEvaluation(a, regs, sem)
	classes := sync.OnceValue(func() *schedClasses { c := newSchedClasses(a.Forms); return &c })
	a.Outside = outside(a, sem)
	a.Refine = func(in *isa.Inst, e *isa.Effects) { sem().refine(in, e) }
	a.Flow = func(in *isa.Inst) isa.Flow { return sem().flow(in) }
	a.Context = func(code []isa.Inst, loop bool) { sem().context(code, loop) }
	a.Shrinks = true
	a.AccessType = func(in *isa.Inst) isa.VType { return sem().accessType(in) }
	a.Configure = func(in *isa.Inst, before isa.VType) (isa.VType, bool) { return sem().configure(in, before) }
	a.Reserved = func(in *isa.Inst) string { return sem().reserved(in) }
	a.ZeroIdiom = func(in *isa.Inst) bool { return sem().zeroIdiom(in) }
	a.DepBreaking = a.ZeroIdiom
	a.RegMove = func(in *isa.Inst) (dst, src isa.Reg, ok bool) { return sem().regMove(in) }
	a.FusesWith = func(first, second *isa.Inst) string { return sem().fusesWith(first, second) }
	a.Constant = func(r isa.Reg) bool { return regs.isX0(r) || r == regs.pair[0] }
	a.SchedClass = func(in *isa.Inst) int { return sem().schedClass(classes(), in) }
	return a
}

type encodeFunc = func(dst []byte, in *isa.Inst, addr uint64) ([]byte, error)
