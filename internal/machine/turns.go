package machine

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
