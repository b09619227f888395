package machine

import (
	"slices"

	"incore/internal/isa"
)

// AddressTurns follows the ports that µops which compute addresses take one after the other (Core.AddressTurns). After
// a load that must use some of the ports, the first µop that could use any port goes to the others, the next one to the
// same as the load, and so on alternately. Before the first such load no turn is known.
type AddressTurns struct {
	Few   PortSet // the ports that some loads must use
	known bool
	same  bool // the next µop with a choice goes to Few
}

// Take returns those of a µop's ports that it takes, and makes the next turn.
func (t *AddressTurns) Take(ports PortSet) PortSet {
	switch {
	case ports&t.Few == 0:
		return ports
	case ports&^t.Few == 0:
		t.known, t.same = true, false
		return ports
	case !t.known:
		return ports
	}
	t.same = !t.same
	if !t.same {
		return ports & t.Few
	}
	return ports &^ t.Few
}

// TakesTurns reports whether the addresses of an instruction take turns with those of others. Those of a gather or scatter, of which there are many, do not: on
// Zen 5 they use all ports.
func (in *Inst) TakesTurns() bool {
	return !slices.ContainsFunc(in.Effects.Mem, func(m isa.MemRef) bool { return m.Gather })
}
