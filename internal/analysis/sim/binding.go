package sim

import (
	"math"

	"incore/internal/analysis/uops"
)

// This file is the choice of a port at rename, as Intel's cores make it (Abel & Reineke, "uiCA", ICS 2022, section 4.3).

// binding counts the µops that wait for the port that each was bound to.
type binding struct {
	*window
	waiting [uops.MaxPorts]int32 // port → bound µops that wait
	before  [uops.MaxPorts]int32 // waiting at the start of the cycle (PortChoice.Alternate)
	bound   int                  // µops bound in this cycle
	turn    portSet              // the next port of each pair of load ports
}

func (b *binding) reset(w *window) { *b = binding{window: w} }

// begin begins a cycle.
func (b *binding) begin() {
	copy(b.before[:b.core.Ports], b.waiting[:b.core.Ports])
	b.bound = 0
}

// bind chooses a µop's port: the allowed port with the fewest waiting µops, of equal ports the one with the highest number. Two load ports alternate.
// With PortChoice.Alternate the counts are those of the start of the cycle, and every second µop of a cycle takes the second best port.
func (b *binding) bind(u *uop) int8 {
	ports, best := u.Ports, -1
	if u.Kind == uops.KindLoad && ports.Size() == 2 {
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
			least = min(least, rankOf(s.First(), &b.waiting))
		}
		best = least.port()
	}
	b.waiting[best]++
	return int8(best)
}

// alternate chooses the port with the fewest waiting µops at the start of the cycle. Every second µop of the cycle takes the second best port, unless
// far more µops wait there.
func (b *binding) alternate(ports portSet) int {
	best, second := noRank, noRank
	for s := ports; s != 0; s &= s - 1 {
		r := rankOf(s.First(), &b.before)
		best, second = min(best, r), min(second, max(best, r))
	}
	b.bound++
	if b.bound%2 == 0 && second != noRank && second.waiting()-best.waiting() < b.core.PortChoice.Alternate {
		return second.port()
	}
	return best.port()
}

// portRank orders ports: fewer waiting µops are better, of equal ports the highest number. It is a number, because comparisons of numbers need no
// unpredictable branches.
type portRank int

const noRank = portRank(math.MaxInt)

func rankOf(port int, waiting *[uops.MaxPorts]int32) portRank {
	return portRank(waiting[port&(uops.MaxPorts-1)])<<uops.PortBits | portRank(uops.MaxPorts-1-port)
}
func (r portRank) port() int    { return uops.MaxPorts - 1 - int(r&(uops.MaxPorts-1)) }
func (r portRank) waiting() int { return int(r >> uops.PortBits) }
