package l1

import (
	"math/bits"

	"incore/internal/machine"
)

// addressPorts bounds the cycles by ports that some loads have to use, as vector loads do two of four. The other µops that compute addresses take turns: what
// follows one of those loads goes elsewhere, the next one to the same ports, and so on (machine.Core.AddressTurns). So loads and stores
// that alternate get by with the ports that they need, and two stores behind two loads don't.
func addressPorts(b *machine.Bound, few machine.PortSet) float64 {
	uses, must, here := 0.0, false, false // here: the next one that may go anywhere goes to these ports
	for range 2 {                         // the first time finds out who comes before the first one
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
