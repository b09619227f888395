package sim

import "math"

// This file is the choice of a port at rename, as Intel's cores make it (Abel & Reineke, "uiCA", ICS 2022, section 4.3).

// binding counts the µops that wait for the port that each was bound to.
type binding struct {
	*window
	waiting [maxPorts]int32 // port → µops
	before  [maxPorts]int32 // as it was when the cycle began (PortChoice.Alternate)
	bound   int             // µops that were bound in this cycle
	turn    portSet         // of each pair of load ports the one that comes next
}

func (b *binding) reset(w *window) { *b = binding{window: w} }

// begin begins a cycle.
func (b *binding) begin() {
	copy(b.before[:b.core.Ports], b.waiting[:b.core.Ports])
	b.bound = 0
}

// bind chooses a µop's port: the allowed one with the fewest µops waiting; ties go to the highest number. Two load ports take turns. Where only what
// waited when the cycle began is known, every second µop of a cycle takes the second best port.
func (b *binding) bind(u *uop) int8 {
	ports, best := u.ports, -1
	if u.kind == kindLoad && ports.size() == 2 {
		if b.turn ^= ports; b.turn&ports == 0 || b.turn&ports == ports {
			b.turn = b.turn&^ports | ports&-ports
		}
		ports &= b.turn
	}
	if b.core.PortChoice.Alternate > 0 {
		best = b.alternate(ports)
	} else {
		least := noRank
		for s := ports; s != 0; s &= s - 1 {
			least = min(least, rankOf(s.first(), &b.waiting))
		}
		best = least.port()
	}
	b.waiting[best]++
	return int8(best)
}

// alternate chooses the port for which the fewest µops waited when the cycle began, or for every second µop of the cycle the next best
// if not far more wait there.
func (b *binding) alternate(ports portSet) int {
	best, second := noRank, noRank
	for s := ports; s != 0; s &= s - 1 {
		r := rankOf(s.first(), &b.before)
		best, second = min(best, r), min(second, max(best, r))
	}
	b.bound++
	if b.bound%2 == 0 && second != noRank && second.waiting()-best.waiting() < b.core.PortChoice.Alternate {
		return second.port()
	}
	return best.port()
}

// portRank orders ports: the fewer wait the better, and of equal ones the highest number. It is a number, as comparing those takes no branches, which could not be foreseen.
type portRank int

const noRank = portRank(math.MaxInt)

func rankOf(port int, waiting *[maxPorts]int32) portRank {
	return portRank(waiting[port&(maxPorts-1)])<<portBits | portRank(maxPorts-1-port)
}
func (r portRank) port() int    { return maxPorts - 1 - int(r&(maxPorts-1)) }
func (r portRank) waiting() int { return int(r >> portBits) }
