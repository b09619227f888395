// Package riscv describes RV64 with the extensions that LLVM's tables have:
// the user-mode base set, C, V, Zb*, Zfa, Zvk* and the vendors' own.
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

// defaultExt are the extensions whose presence changes what a text means: Zba, Zbb
// and Zbs give "li" and the sign extensions shorter sequences.
func defaultExt(name string) bool { return name == "zba" || name == "zbb" || name == "zbs" }

// build makes an ISA for a set of extensions.
func build(ext func(string) bool) *isa.ISA {
	a := &isa.ISA{
		Name:         "riscv64",
		Aliases:      []string{"riscv", "rv64", "rv64gc", "rv64gcv"},
		Syntaxes:     []string{""},
		LineComments: []string{"#", "//"},
		Separators:   ";",
	}
	a.Forms, a.Regs, a.Match = isa.Load(tables)
	regs := newRegisters(a.Regs)
	p := newParser(a, regs, ext)
	a.Parse = p.parse
	return a
}
