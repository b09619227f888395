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
var ISA = sync.OnceValue(func() *isa.ISA {
	a := &isa.ISA{
		Name:         "riscv64",
		Aliases:      []string{"riscv", "rv64", "rv64gc", "rv64gcv"},
		Syntaxes:     []string{""},
		LineComments: []string{"#", "//"},
		Separators:   ";",
	}
	a.Forms, a.Regs, a.Match = isa.Load(tables)
	return a
})
