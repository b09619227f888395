package trace

import (
	"slices"

	"incore/internal/isa"
)

// Block is straight code that is entered only at its beginning and in which only the last instruction may branch. Blocks may overlap.
type Block struct {
	Lines    []isa.Line
	Accesses []Access // in the order in which their addresses are recorded

	end     uint64 // the address after its last instruction
	flow    isa.FlowKind
	target  uint64 // target of a direct branch, 0 if there is none
	groups  []int32
	insts   int
	first   int32  // number of its first instruction among those of all blocks of the recorder
	bias    uint64 // difference of its addresses to those in its file
	visited uint64 // number of executions that count
	inside  int8   // it begins in the region's code (1) or not (-1); 0: not known yet
}

// Access is a memory operand whose address is recorded.
type Access struct {
	Line, Mem   int // instruction of the block, index into its Effects.Mem
	Bytes       int // 0: a repeated string access; the recorded word after the address is the number of bytes
	Load, Store bool
}

// NewBlock makes a block from instructions with addresses.
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

// group returns the group of an instruction, 0 if the recorder's caller has none.
func (b *Block) group(inst int) int32 {
	if b.groups == nil {
		return 0
	}
	return b.groups[inst]
}

// Addr returns the block's first address.
func (b *Block) Addr() uint64 { return b.Lines[0].Addr }
