// Package aarch64 describes A64, the instruction set of 64-bit Arm cores: the
// base set, Advanced SIMD, SVE, SVE2 and the other extensions in LLVM's tables.
package aarch64

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
		Name:         "aarch64",
		Aliases:      []string{"arm64", "a64", "armv8", "armv9", "arm64e"},
		Syntaxes:     []string{""},
		LineComments: []string{"//"},
		HashLine:     true,
		ShiftsIndex:  true,
		Scalable:     []string{"ZPR", "MPR"},
		Separators:   ";",
	}
	a.Forms, a.Regs, a.Match = isa.Load(tables)
	a.AddImm = newAddImm(a)
	a.Rewrites = newRewrites(a)
	a.Float = floatOf(a.Forms)
	x := newArch(a)
	a.Parse, a.Refine, a.Flow = x.parse, x.refine, x.flow
	a.Decode, a.Encode, a.Print = x.decode, x.encode, x.print
	a.JumpTable, a.Vector, a.Outside = x.jumpTable, x.r.vector, x.outside()
	a.Semantics = newEvaluation(x)
	a.ZeroIdiom, a.DepBreaking, a.RegMove, a.FusesWith, a.CopyPrefix, a.Constant = x.zeroIdiom, x.zeroIdiom, x.regMove, x.fusesWith, x.copyPrefix, x.constant
	return a
})
