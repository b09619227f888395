package l1

import (
	"math/bits"

	"incore/internal/machine"
)

// addressPorts returns a bound in cycles for ports that some loads must use, as vector loads must use two of four. Of the other µops that compute
// addresses, the first after such a load goes to other ports, the next one to the same ports, and so on alternately (machine.Core.AddressTurns). So
// alternating loads and stores need only the ports that they must use, but two stores after two loads need more.
func addressPorts(b *machine.Bound, few machine.PortSet) float64 {
	uses, must, here := 0.0, false, false // here: the next µop with a choice goes to these ports
	for range 2 {                         // the first pass finds the state before the first instruction
		uses = 0
		for i := range b.Insts {
			for k := range b.Insts[i].Uops {
				u := &b.Insts[i].Uops[k]
				switch {
				case u.Resource || u.Kind != machine.UopLoad && u.Kind != machine.UopStoreAddr || u.Ports&few == 0:
				case u.Ports&^few == 0:
					uses += max(1, u.Cycles)
					must, here = true, false
				default:
					if here {
						uses += max(1, u.Cycles)
					}
					here = !here
				}
			}
		}
	}
	if !must {
		return 0
	}
	return uses / float64(bits.OnesCount64(uint64(few)))
}
