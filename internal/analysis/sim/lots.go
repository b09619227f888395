package sim

import "incore/internal/machine"

// This file finds out whether the lots of steering by chance make a difference (steer_chance.go). They make none in a
// cycle in which each µop that drew one issues as soon as it is ready, and would have with any lots. If a state
// recurs but for what has been drawn, and the lots have made no difference in between, they never will.

// lots watches the cycles of a simulation.
type lots struct {
	ports  portSet // of the partitions among which µops draw; 0: on this core or of this body, the lots always count
	used   int     // these ports that µops have taken in this cycle
	effect cycle   // the last cycle in which other lots might have made a difference
}

// reset finds the ports. Which of them a µop takes must not matter: it has no others and keeps its port for one
// cycle, and all results come after the same time, so that they do not meet on a bus.
func (l *lots) reset(core *Core, body []uop) {
	*l = lots{}
	ports, back := portSet(0), cycle(0)
	for i := range core.Groups {
		if g := &core.Groups[i]; g.Policy == machine.SteerChance {
			ports |= g.Ports
		}
	}
	for i := range body {
		u := &body[i]
		if u.Aside&ports != 0 {
			return
		}
		if u.Ports&ports == 0 {
			continue
		}
		if u.Lots == 0 || u.Occ != 1 || u.Half || u.Cuts != 0 || u.Back != u.Plain || u.Back > 0 && back > 0 && u.Back != back {
			return
		}
		back = max(back, u.Back)
	}
	l.ports = ports
}

// issued notes that a µop takes a port. Older µops may have taken all ports of some lot, or it has waited for one.
func (l *lots) issued(x *instance, u *uop, now cycle) {
	if u.Ports&l.ports == 0 {
		return
	}
	if l.used >= int(u.Room) || x.ready < now {
		l.effect = now
	}
	l.used++
}

// end ends a cycle. asked: µops have requested ports in vain.
func (l *lots) end(asked bool, now cycle) {
	if l.used = 0; asked {
		l.effect = now
	}
}

// alike returns the ports of the partitions if the lots have made no difference since a cycle, else none.
func (l *lots) alike(since cycle) portSet {
	if l.effect >= since {
		return 0
	}
	return l.ports
}
