package machine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// PortQueue is a scheduler of ports of its own on a core that gives every µop one of several at dispatch (Core.PortQueues).
type PortQueue struct {
	Scheduler int     // index into Core.Schedulers
	Second    PortSet // it takes a second µop a cycle, of those that can go to these ports only
}

// MaxPortQueues is how many such schedulers a core has at most.
const MaxPortQueues = 4

// MaxQueueCount is how many cycles there may be at most between what happens in these schedulers and when it is known.
const MaxQueueCount = 10

// QueueCounts is how a choice of such a scheduler counts: for how many cycles it does not know of what has happened, and addresses.
type QueueCounts struct {
	Came       int // µops that were dispatched to it
	Left       int // that issued
	LeftLoaded int // operations that issued on what was loaded in the same slot
	LeftLoad   int // loads alone that issued
	Address    int // not cycles: how many µops a scheduler seems fuller that has got an address in the same cycle
}

// read reads "CAME LEFT LOADED LOAD ADDRESS".
func (q *QueueCounts) read(text string) error {
	f := strings.Fields(text)
	if len(f) != 5 {
		return fmt.Errorf("'%s': want five numbers", clip(text))
	}
	for k, to := range []*int{&q.Came, &q.Left, &q.LeftLoaded, &q.LeftLoad, &q.Address} {
		n, err := strconv.Atoi(f[k])
		if err != nil || n < 0 || n > MaxQueueCount {
			return fmt.Errorf("'%s': want numbers from 0 to %d", clip(text), MaxQueueCount)
		}
		*to = n
	}
	return nil
}

// portQueues reads "NAME NAME+PORTS…", the names of schedulers and the ports of second µops.
func (m *Model) portQueues(c *Core, text string) error {
	f := strings.Fields(text)
	if len(f) == 0 || len(f) > MaxPortQueues {
		return fmt.Errorf("not one to %d schedulers", MaxPortQueues)
	}
	var all, seconds PortSet
	for _, s := range f {
		name, second, two := strings.Cut(s, "+")
		at := c.scheduler(name)
		if at < 0 {
			return fmt.Errorf("there is no scheduler '%s'", clip(name))
		}
		own := c.Schedulers[at].Ports
		if all&own != 0 {
			return fmt.Errorf("a port of two schedulers, '%s' is one of them", clip(name))
		}
		ports, err := m.ports(second)
		if err != nil {
			return err
		}
		if two && ports&own == 0 {
			return fmt.Errorf("'%s': the second µops have no port of the scheduler", clip(s))
		}
		all, seconds = all|own, seconds|ports
		c.PortQueues = append(c.PortQueues, PortQueue{Scheduler: at, Second: ports})
	}
	if seconds&^all != 0 {
		return fmt.Errorf("second µops for ports that are of none of the schedulers")
	}
	return nil
}

// scheduler is the index of a scheduler, -1 if there is none of this name.
func (c *Core) scheduler(name string) int {
	return slices.IndexFunc(c.Schedulers, func(s Scheduler) bool { return s.Name == name })
}
