package sim

import (
	"math"

	"incore/internal/analysis/uops"
)

// This file is the choice of a port at rename, as Intel's cores make it (Abel & Reineke, "uiCA", ICS 2022, section 4.3).

// binding counts the µops that wait for the port that each was bound to.
type binding struct {
	*window
	ranks  [uops.MaxPorts]portRank // port → its rank by the bound µops that wait
	before [uops.MaxPorts]portRank // ranks at the start of the cycle (PortChoice.Alternate)
	bound  int                     // µops bound in this cycle
	turn   portSet                 // the next port of each pair of load ports
}

func (b *binding) reset(w *window) {
	*b = binding{window: w}
	for port := range b.ranks {
		b.ranks[port] = portRank(uops.MaxPorts - 1 - port)
	}
}

// begin begins a cycle.
func (b *binding) begin() {
	copy(b.before[:b.core.Ports], b.ranks[:b.core.Ports])
	b.bound = 0
}

// bind chooses a µop's port: the allowed port with the fewest waiting µops, of equal ports the one with the highest number. Two load ports alternate.
// With PortChoice.Alternate the counts are those of the start of the cycle, and every second µop of a cycle takes the second best port.
func (b *binding) bind(u *uop) int8 {
	ports, best := u.Ports, noRank
	if second := ports & (ports - 1); u.Kind == uops.KindLoad && second != 0 && second&(second-1) == 0 {
		if b.turn ^= ports; b.turn&ports == 0 || b.turn&ports == ports {
			b.turn = b.turn&^ports | ports&-ports
		}
		ports &= b.turn
	}
	b.bound++
	switch {
	case ports&(ports-1) == 0:
		best = b.ranks[ports.First()%uops.MaxPorts]
	case b.core.PortChoice.Alternate > 0:
		best = b.alternate(ports)
	default:
		for s := ports; s != 0; s &= s - 1 {
			best = min(best, b.ranks[s.First()%uops.MaxPorts])
		}
	}
	port := best.port()
	b.ranks[port] += oneWaits
	return int8(port)
}

// alternate chooses the port with the fewest waiting µops at the start of the cycle. Every second µop of the cycle takes the second best port, unless
// far more µops wait there.
func (b *binding) alternate(ports portSet) portRank {
	best, second := noRank, noRank
	for s := ports; s != 0; s &= s - 1 {
		r := b.before[s.First()%uops.MaxPorts]
		best, second = min(best, r), min(second, max(best, r))
	}
	if b.bound%2 == 0 && second.waiting()-best.waiting() < b.core.PortChoice.Alternate {
		return second
	}
	return best
}

// leave is called when a µop bound to a port issues.
func (b *binding) leave(port uint) { b.ranks[port%uops.MaxPorts] -= oneWaits }

// portRank orders ports: fewer waiting µops are better, of equal ports the highest number. It is a number, because comparisons of numbers need no
// unpredictable branches.
type portRank int32

const (
	noRank   = portRank(math.MaxInt32)
	oneWaits = portRank(uops.MaxPorts) // of a rank: one more µop waits
)

func (r portRank) port() uint   { return uint(^r) % uops.MaxPorts }
func (r portRank) waiting() int { return int(r >> uops.PortBits) }
