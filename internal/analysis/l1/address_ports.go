package l1

import (
	"incore/internal/machine"
)

// addressPorts returns a bound in cycles for ports that some loads must use, as vector loads must use two of four. The
// other µops that compute addresses take turns (machine.AddressTurns). So alternating loads and stores need only the
// ports that they must use, but two stores after two loads need more.
func addressPorts(b *machine.Bound, few machine.PortSet) (cycles float64) {
	turns := machine.AddressTurns{Few: few}
	for range 2 { // the first pass finds the state before the first instruction
		cycles = 0
		for i := range b.Insts {
			if !b.Insts[i].TakesTurns() {
				continue
			}
			for k := range b.Insts[i].Uops {
				u := &b.Insts[i].Uops[k]
				if u.Resource || u.Kind != machine.UopLoad && u.Kind != machine.UopStoreAddr {
					continue
				}
				if p := turns.Take(u.Ports); p != 0 && p&^few == 0 {
					cycles += max(1, u.Cycles)
				}
			}
		}
	}
	return cycles / float64(few.Size())
}
