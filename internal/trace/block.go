package trace

import (
	"slices"

	"incore/internal/isa"
)

// Block is straight code that is entered at its beginning alone, and whose last instruction alone may branch. Blocks may overlap.
type Block struct {
	Lines    []isa.Line
	Accesses []Access // in the order in which their addresses are recorded

	end     uint64 // behind its last instruction
	flow    isa.FlowKind
	target  uint64 // of a direct branch, 0 if there is none
	groups  []int32
	insts   int
	bias    uint64 // of its addresses against those of its file
	visited uint64 // how often it was executed while what runs counted
}

// Access is a memory operand whose address is recorded.
type Access struct {
	Line, Mem   int // instruction of the block, index into its Effects.Mem
	Bytes       int // 0: the word behind the address tells how many, of what is repeated
	Load, Store bool
}

// NewBlock makes a block of instructions with addresses.
func NewBlock(a *isa.ISA, lines []isa.Line, accesses []Access) *Block {
	if a.Canonical != nil {
		lines = slices.Clone(lines)
		for i := range lines {
			lines[i].Inst.Form = a.Canonical(lines[i].Inst.Form)
		}
	}
	b := &Block{Lines: lines, Accesses: accesses, insts: len(lines)}
	last := &lines[len(lines)-1]
	b.end = last.Addr + uint64(last.Inst.Size)
	f := a.Flow(&last.Inst)
	if b.flow = f.Kind; f.Target.Kind == isa.OpImm {
		b.target = uint64(f.Target.Imm)
	}
	return b
}

// Addr is where the block begins.
func (b *Block) Addr() uint64 { return b.Lines[0].Addr }
