package sim

import (
	"fmt"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/frontend"
	"incore/internal/analysis/uops"
	"incore/internal/machine"
)

// steeredUop is a µop that has an entry of a steered partition, and what has become of it.
type steeredUop struct {
	partition int
	since     cycle // when it got the entry
	until     cycle // when the µop issued that frees it, notYet before
	hold      cycle // how much longer the entry is taken
}

// SteeredEntries simulates a kernel for a number of cycles, and counts in each of them the entries of all steered partitions anew from the µops that have them. The error
// says where the pipeline has another count, or a partition more than its entries. most is the largest count.
func SteeredEntries(g *depgraph.Graph, core *Core, cycles int) (most int, err error) {
	body, classes := compiledFor(g, core, uops.Layout{})
	p := new(pipeline)
	p.reset(core, body, classes)
	front := frontend.New(&core.Core, g.Bound, slotsFor(g, body), frontend.Layout{})
	held := map[seqNo]*steeredUop{}
	for range cycles {
		p.run(&front, p.now+1)
		c := p.now - 1
		for seq := max(0, p.tail-p.mask); seq < p.tail; seq++ {
			x := &p.ring[seq&p.mask]
			u := &body[x.uop]
			if held[seq] == nil && u.Group > 0 && u.Follows == 0 {
				g, q := &core.Groups[u.Group-1], noPartition
				if g.Policy == machine.SteerPackets {
					q = p.sched.groups[u.Group-1].packet.partitionFor(seq)
				} else if x.port >= 0 {
					q = core.PartitionOf[x.port]
				}
				if q != noPartition {
					held[seq] = &steeredUop{g.Partitions[q].Scheduler, c, notYet, cycle(g.Hold)}
				}
			}
			if x.issued == notYet || u.Stays || u.Group == 0 {
				continue
			}
			if at := held[seq-u.Follows]; at != nil && at.until == notYet {
				if at.until = x.issued; x.issued == x.alloc { // entries that become free in the cycle have been counted
					at.until++
				}
			}
		}
		count := make([]int, len(core.Schedulers))
		for seq, at := range held {
			if at.until == notYet || at.until+at.hold > c {
				count[at.partition]++
			} else if p.tail-seq > p.mask {
				delete(held, seq)
			}
		}
		for _, at := range core.Steered {
			if count[at] != int(p.sched.entries[at].taken) || count[at] > core.Schedulers[at].Entries {
				return most, fmt.Errorf("cycle %d: %d of %d entries of %s are taken; the µops have %d", c, p.sched.entries[at].taken, core.Schedulers[at].Entries, core.Schedulers[at].Name, count[at])
			}
			most = max(most, count[at])
		}
	}
	return most, nil
}

// Allocations is how many allocations a simulation of so many cycles takes, with looking for the steady state, once the pipeline has the memory that it needs.
func Allocations(g *depgraph.Graph, core *Core, cycles int) float64 {
	body, classes := compiledFor(g, core, uops.Layout{})
	p, slots := new(pipeline), slotsFor(g, body)
	return testing.AllocsPerRun(2, func() {
		p.reset(core, body, classes)
		front := frontend.New(&core.Core, g.Bound, slots, frontend.Layout{})
		for range cycles {
			if p.run(&front, p.now+1); p.detect.steady(&front) {
				p.detect.found = nil // go on
			}
		}
	})
}
