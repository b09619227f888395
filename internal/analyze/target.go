package analyze

import (
	"fmt"

	"incore/internal/base/source"
	"incore/internal/isa"
	"incore/internal/machine"
)

// defaultTarget returns the machine that incore runs on if it executes the instruction set, otherwise a fixed one.
func defaultTarget(a *isa.ISA) (Target, error) {
	if name, why, ok := machine.Host(); ok {
		if m, err := machine.Get(name); err == nil && m.ISA == a.Name {
			return Target{Model: m, Why: why, Host: true}, nil
		}
	}
	name, why := machine.Default(a.Name)
	if name == "" {
		return Target{}, source.About(fmt.Errorf("there is no machine model for %s", a.Name), "model")
	}
	m, err := machine.GetFor(a.Name, name)
	return Target{Model: m, Why: why}, err
}
