package machine

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// DispatchLimit is how many µops that can only go to some ports are dispatched per cycle, as Arm's Software Optimization Guides
// have it: "up to 4 µOPs utilizing the S or B pipelines".
type DispatchLimit struct {
	Name  string // the ports as the model names them: "S or B"
	Uops  int
	Ports PortSet
}

// schedulerPrefix is how models name partitions of the scheduler.
const schedulerPrefix = "scheduler-"

// LimitPrefix is how models name limits of dispatch.
const LimitPrefix = "dispatch-limit-"

// maxDispatchLimits bounds how many limits a model states: every union of them is a limit of its own, and with that of all µops they are no more
// than 64.
const maxDispatchLimits = 6

// limit reads "UOPS PORTS…".
func (m *Model) limit(text string) (DispatchLimit, error) {
	count, ports, _ := strings.Cut(strings.TrimSpace(text), " ")
	l := DispatchLimit{Name: strings.Join(strings.Fields(ports), " or ")}
	var err error
	if l.Uops, err = strconv.Atoi(count); err != nil || l.Uops < 1 || l.Uops > maxParam {
		return l, fmt.Errorf("bad number of µops '%s'", clip(count))
	}
	if l.Ports, err = m.ports(ports); err != nil {
		return l, err
	}
	if l.Ports == 0 {
		return l, fmt.Errorf("expected a number of µops and ports")
	}
	return l, nil
}

// limits are all that the stated limits imply: a µop that may go to ports of several of them takes a place in any one, so that what may go
// only to the ports of some of them together has the places of these together. Where each µop goes is chosen as well as can be:
// a number of µops fits if and only if it fits all of these (Hall 1935).
func (m *Model) limits(stated []DispatchLimit, all int) []DispatchLimit {
	var out []DispatchLimit
	for subset := 1; subset < 1<<len(stated); subset++ {
		u := DispatchLimit{}
		for s := subset; s != 0; s &= s - 1 {
			l := &stated[bits.TrailingZeros(uint(s))]
			if u.Name != "" {
				u.Name += " or "
			}
			u.Name, u.Uops, u.Ports = u.Name+l.Name, u.Uops+l.Uops, u.Ports|l.Ports
		}
		out = fewest(out, u)
	}
	if all > 0 {
		out = fewest(out, DispatchLimit{"any port", all, m.issuePorts()})
	}
	var kept []DispatchLimit
	for i := range out {
		if !impliedBy(out, i) {
			kept = append(kept, out[i])
		}
	}
	return kept
}

// fewest adds a limit to others, or takes the lower of two of the same ports.
func fewest(ls []DispatchLimit, l DispatchLimit) []DispatchLimit {
	for i := range ls {
		if ls[i].Ports == l.Ports {
			if l.Uops < ls[i].Uops {
				ls[i] = l
			}
			return ls
		}
	}
	return append(ls, l)
}

// impliedBy reports whether another limit of more ports allows no more than limit i.
func impliedBy(ls []DispatchLimit, i int) bool {
	for k := range ls {
		if k != i && ls[i].Ports&^ls[k].Ports == 0 && ls[k].Uops <= ls[i].Uops {
			return true
		}
	}
	return false
}

// issuePorts are the ports of the model that are no resources.
func (m *Model) issuePorts() (all PortSet) {
	for i := range m.Ports {
		if !m.Ports[i].Resource {
			all |= 1 << i
		}
	}
	return all
}

// maxTimes is how many µops one of a row stands for at most; more cycles are one µop that takes so long.
const maxTimes = 16

// Times is how many µops a row's µop stands for: LLVM writes n one-cycle µops on a group of ports as one use of n cycles.
func (u *Uop) Times() int {
	if bits.OnesCount64(uint64(u.Ports)) < 2 || u.Cycles <= 1 || u.Cycles > maxTimes {
		return 1
	}
	return int(math.Ceil(u.Cycles))
}
