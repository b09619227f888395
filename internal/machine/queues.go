package machine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// PortQueues are schedulers of which every µop that may go to ports of several gets one at dispatch (Core.PortQueues).
type PortQueues struct {
	Queues []PortQueue
	// Addresses is how many µops a cycle one of these takes if some compute addresses by these ports.
	Addresses DispatchLimit
	Counts    QueueCounts // how the entries are counted
}

// PortQueue is a scheduler of ports of its own on a core that gives every µop one of several at dispatch (Core.PortQueues).
type PortQueue struct {
	Scheduler int     // index into Core.Schedulers
	Second    PortSet // it takes a second µop a cycle, of those that can go to these ports only
	Free      int     // if so many entries are free, as far as the choice knows
}

// MaxPortQueues is how many such schedulers a core has at most.
const MaxPortQueues = 4

// MaxQueueCount is how many cycles there may be at most between the issue of a µop and when the choice knows that its entry is free.
const MaxQueueCount = 10

// QueueCounts is how the entries of such schedulers are counted.
type QueueCounts struct {
	Held    int // cycles for which an entry stays taken once its µop has issued
	Late    int // cycles for which the choice does not know of entries that were taken or have become free
	Address int // how many µops a scheduler seems fuller that has got an address in the same cycle
}

// read reads "HELD:LATE:ADDRESS".
func (q *QueueCounts) read(text string) error {
	f := strings.Split(text, ":")
	if len(f) != 3 {
		return fmt.Errorf("'%s': want three numbers, as in 6:2:8", clip(text))
	}
	for k, to := range []*int{&q.Held, &q.Late, &q.Address} {
		n, err := strconv.Atoi(f[k])
		if err != nil || n < 0 || n > MaxQueueCount {
			return fmt.Errorf("'%s': want numbers from 0 to %d", clip(text), MaxQueueCount)
		}
		*to = n
	}
	if q.Held+q.Late > MaxQueueCount {
		return fmt.Errorf("'%s': more than %d cycles", clip(text), MaxQueueCount)
	}
	return nil
}

// portQueues reads "NAME NAME+PORTS NAME+PORTS/FREE… addresses=UOPS:PORTS counts=HELD:LATE:ADDRESS", the names of schedulers, the ports of second µops and how
// many entries must be free for these.
func (m *Model) portQueues(c *Core, text string) (err error) {
	q := &c.PortQueues
	*q = PortQueues{}
	var f []string
	for _, word := range strings.Fields(text) {
		switch name, value, named := strings.Cut(word, "="); {
		case named && name == "addresses":
			q.Addresses, err = m.limit(strings.Replace(value, ":", " ", 1))
		case named && name == "counts":
			err = q.Counts.read(value)
		default:
			f = append(f, word)
		}
		if err != nil {
			return err
		}
	}
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
		second, count, some := strings.Cut(second, "/")
		free, err := strconv.Atoi(count)
		if some && (err != nil || free < 0 || free > c.Schedulers[at].Entries) {
			return fmt.Errorf("'%s': want a number of free entries from 0 to %d", clip(s), c.Schedulers[at].Entries)
		}
		ports, err := m.ports(second)
		if err != nil {
			return err
		}
		if two && ports&own == 0 {
			return fmt.Errorf("'%s': the second µops have no port of the scheduler", clip(s))
		}
		all, seconds = all|own, seconds|ports
		q.Queues = append(q.Queues, PortQueue{Scheduler: at, Second: ports, Free: free})
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
