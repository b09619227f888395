package plan

import (
	"maps"
	"slices"

	"incore/internal/bench/block"
	"incore/internal/bench/feature"
	"incore/internal/bench/host"
	"incore/internal/isa"
)

// targets lists the targets of all instruction sets.
var targets = []func() *Target{X86, ARM64, RISCV64}

// Native returns the target of this machine, or an error if there is none.
func Native() (*Target, error) {
	a, err := block.Native()
	if err != nil {
		return nil, err
	}
	return For(a.ISA), nil
}

// For returns the target of an instruction set, nil if there is none.
func For(set *isa.ISA) *Target {
	for _, t := range targets {
		if t := t(); t.ISA.Name == set.Name {
			return t
		}
	}
	return nil
}

// Code returns a plan's machine code with its initial state.
func (t *Target) Code(p *Plan) *host.Code {
	values := maps.Clone(t.always)
	if values == nil {
		values = map[int]uint64{}
	}
	maps.Copy(values, p.Values)
	v := p.VType
	if v.SEW == 0 {
		v = t.VType
	}
	c := t.Arch.Code(p.Code, block.Setup{Values: values, Denormal: p.Exact}, v)
	c.Fill, c.Keep, c.Masks = p.Fill, false, maskRegisters()
	c.Stack, c.Tiles = p.Stack, t.tiles(p)
	c.Narrow = t.narrow(p) && !c.Tiles
	return c
}

// narrow reports whether a plan names no vector registers of more than 128 bits.
func (t *Target) narrow(p *Plan) bool {
	const wide = 128
	return t.ISA.VectorBits != nil && !slices.ContainsFunc(p.Insts, func(in isa.Inst) bool { return t.ISA.VectorBits(&in) > wide })
}

// tiles reports whether a plan uses tiles.
func (t *Target) tiles(p *Plan) bool {
	return slices.ContainsFunc(p.Insts, func(in isa.Inst) bool {
		for i := range int(in.NOps) {
			if t.kindOf[in.Reg(i)] == Tile {
				return true
			}
		}
		return false
	})
}

// Page returns the address whose page a plan's memory operands access.
func (t *Target) Page() uint64 {
	s := block.Setup{}
	return s.Registers()[t.hardware(t.base)] &^ (pageSize - 1)
}

// Reach returns all memory that instances may access: the targets of the registers' initial values and of the
// tests' base register.
func (t *Target) Reach() []host.Span {
	const slack = 0x20000
	return []host.Span{block.Reach(), {Start: aligned, Size: slack}}
}

// maskRegisters reports whether this machine has 64-bit mask registers.
func maskRegisters() bool { return feature.Here()["avx512bw"] }
