package machine

import (
	"fmt"
	"math/bits"
	"strings"
)

// SlotQueues are schedulers behind a queue of their own, of which a µop gets one by its place among the slots of the cycle in which it is dispatched
// ("slot-queues: ENTRIES DIFFERENCE DELAY HOLD NAME NAME…", of scheduler-NAME).
type SlotQueues struct {
	Entries    int   // of the queue before the schedulers, which µops leave in program order
	Difference int   // where so many more µops wait for its port than for its port of another scheduler, a µop gets that one
	Delay      int   // as it was so many cycles before
	Hold       int   // what has issued keeps its entry of a scheduler for so many cycles
	Schedulers []int // indices into Core.Schedulers
}

// MaxSlotDelay is the greatest SlotQueues.Delay.
const MaxSlotDelay = 4

// MaxSlotHold is the greatest SlotQueues.Hold.
const MaxSlotHold = 7

const (
	// MaxSlotQueues is how many such schedulers a core has at most.
	MaxSlotQueues = 4
	// MaxSlotPorts is how many ports they have at most, together.
	MaxSlotPorts = 8
)

// slotQueues reads "ENTRIES DIFFERENCE DELAY HOLD NAME NAME…".
func (m *Model) slotQueues(c *Core, text string) error {
	q, f := &c.SlotQueues, strings.Fields(text)
	if len(f) < 5 || len(f) > 4+MaxSlotQueues {
		return fmt.Errorf("not four numbers and one to %d schedulers", MaxSlotQueues)
	}
	*q = SlotQueues{}
	for i, to := range []*int{&q.Entries, &q.Difference, &q.Delay, &q.Hold} {
		if err := setParam(to, f[i]); err != nil {
			return err
		}
	}
	if q.Entries < 1 || q.Difference < 1 || q.Delay < 1 || q.Delay > MaxSlotDelay {
		return fmt.Errorf("numbers of 1 and more are needed, the third no more than %d", MaxSlotDelay)
	}
	if q.Hold < 0 || q.Hold > MaxSlotHold {
		return fmt.Errorf("the fourth number is one from 0 to %d", MaxSlotHold)
	}
	all := PortSet(0)
	for _, name := range f[4:] {
		at := c.scheduler(name)
		if at < 0 {
			return fmt.Errorf("there is no scheduler '%s'", clip(name))
		}
		if all&c.Schedulers[at].Ports != 0 {
			return fmt.Errorf("a port of two schedulers, '%s' is one of them", clip(name))
		}
		all |= c.Schedulers[at].Ports
		q.Schedulers = append(q.Schedulers, at)
	}
	if bits.OnesCount64(uint64(all)) > MaxSlotPorts {
		return fmt.Errorf("more than %d ports", MaxSlotPorts)
	}
	return nil
}

// apart reports whether a scheduler is one of PortQueues and of SlotQueues.
func (c *Core) apart() error {
	for _, at := range c.SlotQueues.Schedulers {
		for _, p := range c.PortQueues.Queues {
			if s := &c.Schedulers[at]; s.Ports&c.Schedulers[p.Scheduler].Ports != 0 {
				return fmt.Errorf("the scheduler '%s' is one of slot-queues and of port-queues", s.Name)
			}
		}
	}
	return nil
}
