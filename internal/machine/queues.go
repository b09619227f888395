package machine

import (
	"fmt"
	"strconv"
	"strings"
)

// PortQueue is a scheduler of ports of its own on a core that gives every µop one of several at dispatch (Core.PortQueues).
type PortQueue struct {
	Scheduler int     // index into Core.Schedulers
	Second    PortSet // it takes a second µop a cycle, of those that can go to these ports only
}

// maxPortQueues is how many such schedulers a core has at most.
const maxPortQueues = 4

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

// portQueues reads the parameter "port-queues: NAME NAME+PORTS…", the names of schedulers and the ports of second µops.
func (m *Model) portQueues(c *Core) error {
	for _, f := range m.Facts {
		if f.Name != "port-queues" {
			continue
		}
		if err := m.queueNames(c, f.Value); err != nil {
			return fmt.Errorf("model %s: parameter '%s: %s': %w", m.Name, f.Name, clip(f.Value), err)
		}
	}
	return nil
}

func (m *Model) queueNames(c *Core, text string) error {
	f := strings.Fields(text)
	if len(f) > maxPortQueues {
		return fmt.Errorf("more than %d schedulers", maxPortQueues)
	}
	for _, s := range f {
		name, second, _ := strings.Cut(s, "+")
		q := PortQueue{Scheduler: -1}
		for i := range c.Schedulers {
			if c.Schedulers[i].Name == name {
				q.Scheduler = i
			}
		}
		if q.Scheduler < 0 {
			return fmt.Errorf("there is no scheduler '%s'", clip(name))
		}
		var err error
		if q.Second, err = m.ports(second); err != nil {
			return err
		}
		for i := range c.PortQueues {
			if c.Schedulers[c.PortQueues[i].Scheduler].Ports&c.Schedulers[q.Scheduler].Ports != 0 {
				return fmt.Errorf("a port of two schedulers, '%s' is one of them", clip(name))
			}
		}
		c.PortQueues = append(c.PortQueues, q)
	}
	return nil
}
