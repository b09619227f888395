package sim

import (
	"incore/internal/analysis/uops"
	"incore/internal/machine"
)

// These are the types of compiled kernels (package uops) that the units handle.
type (
	Core         = uops.Core
	uop          = uops.Uop
	op           = uops.Op
	uopIndex     = uops.Index
	uopKind      = uops.UopKind
	dep          = uops.Dep
	use          = uops.Use
	cycle        = uops.Cycle
	seqNo        = uops.SeqNo
	portSet      = uops.PortSet
	ways         = uops.Ways
	group        = uops.Group
	partitionSet = uops.PartitionSet
)

// Available returns the simulator's parameters of a model's core, or the reason why there are none.
func Available(m *machine.Model) (*Core, error) { return uops.Available(m) }
