// Package x86 is the x86-64 instruction set: parsers for AT&T and Intel syntax,
// a decoder and encoder of machine code, and the reads and writes of its instructions.
// Forms, registers and match rows are LLVM's TableGen descriptions (tables.bin, made by
// tools/mktables); the rest of the package covers what LLVM implements in C++.
package x86

import (
	_ "embed"
	"sync"

	"incore/internal/isa"
)

//go:embed tables.bin
var tables string

// ISA returns the x86-64 instruction set. It is built on first use; the tables
// are read in place.
var ISA = sync.OnceValue(func() *isa.ISA {
	a := &isa.ISA{
		Name:             "x86-64",
		Aliases:          []string{"x86_64", "amd64", "x86", "x64"},
		Syntaxes:         []string{"att", "intel"},
		LineComments:     []string{"#", "//"},
		Separators:       ";",
		Modes:            map[string]string{".code64": "", ".code32": isa.OtherMode, ".code16": isa.OtherMode, ".code16gcc": isa.OtherMode},
		Parse:            parse,
		Prefix:           prefixStatement,
		Decode:           decode,
		Canonical:        canonicalForm,
		Encode:           encode,
		Print:            printInst,
		JumpTable:        jumpTable,
		Refine:           refine,
		Flow:             flow,
		ZeroIdiom:        zeroIdiom,
		DepBreaking:      depBreaking,
		Exchanges:        exchanges,
		LoadsHalves:      loadsHalves,
		RegMove:          regMove,
		FusesWith:        fusesWith,
		FusesFirst:       fusesFirst,
		JoinsMove:        joinsMove,
		LengthChanging:   lengthChanging,
		Constant:         constant,
		Context:          context,
		Float:            float,
		OneElement:       oneElement,
		OpcodeOffset:     opcodeOffset,
		EncodedConstants: encodedConstants,
		AlignsToBytes:    true,
		VectorBits:       vectorBits,
		RegFile:          regFile,
		OnRegisterStack:  onRegisterStack,
		FramePointer:     func(r isa.Reg) bool { return r == RBP || r == EBP || r == BP },
		Displaced:        func(r isa.Reg) bool { return r == RBP || r == R13 || r == EBP || r == R13D },
		Apart:            apart,
		Offsets:          addsOffset,
		StackPointer:     func(r isa.Reg) bool { return r == RSP || r == ESP || r == SP },
	}
	d := db()
	a.Forms, a.Regs, a.Match = d.forms, d.regs, d.match
	a.AddImm, a.Outside = newAddImm(a), outside(d.forms)
	a.Semantics = newEvaluation()
	a.Rewrites = newRewrites(a)
	return a
})
