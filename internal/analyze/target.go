package analyze

import (
	"incore/internal/isa"
	"incore/internal/machine"
)

// defaultTarget takes the machine that incore runs on if it executes the instruction set, else a fixed one.
func defaultTarget(a *isa.ISA) (Target, error) {
	name := map[string]string{"x86-64": "skx", "aarch64": "neoverse-v2", "riscv64": "sifive-p670"}[a.Name]
	m, err := machine.Get(name)
	return Target{m, "the default for " + a.Name + "; --arch takes another"}, err
}
