// Package handle has the types of which the public packages isa and machine make theirs (type Inst handle.Inst), so that one public package can take
// the value in another one's type, and no method of a public type shows what is internal.
package handle

import (
	"incore/internal/isa"
	"incore/internal/machine"
)

// Inst is an instruction of an instruction set.
type Inst struct {
	set  *isa.ISA
	inst isa.Inst
}

// InstOf is an instruction of a set.
func InstOf(set *isa.ISA, in *isa.Inst) Inst { return Inst{set, *in} }

// Set returns the instruction set; nil: there is no instruction.
func (i *Inst) Set() *isa.ISA { return i.set }

// Inst returns the instruction.
func (i *Inst) Inst() *isa.Inst { return &i.inst }

// Model is a model of a core.
type Model struct{ model *machine.Model }

// ModelOf is a model.
func ModelOf(m *machine.Model) *Model { return &Model{m} }

// Model returns the model; nil: there is none.
func (m *Model) Model() *machine.Model { return m.model }
