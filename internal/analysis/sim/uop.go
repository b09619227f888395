package sim

import (
	"incore/internal/isa"
	"math/bits"
)

// ways are the buses by which results leave a port: one to registers and one to flags, or one for both (Core.FlagsApart).
type ways uint8

const (
	toRegisters ways = 1 << iota
	toFlags
	eachWay = 2
)

// files holds a number for each register file (isa.RegFileKind).
type files [isa.NumRegFiles]uint8

// cycle is a point in time, counted from the start of the simulation, or a number of cycles.
type cycle int32

// uopIndex is the place of a µop in the loop body.
type uopIndex int32

// seqNo is the number of a dynamic µop since the start, iteration·µops + uopIndex, or a distance between two.
type seqNo int32

// portSet is a set of ports and resources; bit i is port i.
type portSet uint64

// maxPorts is how many ports and resources a set can hold, which a port's number needs portBits bits for.
const (
	portBits = 6
	maxPorts = 1 << portBits
)

// first is the lowest port of a set that is not empty.
func (s portSet) first() int { return bits.TrailingZeros64(uint64(s)) }

// size is the number of ports of a set.
func (s portSet) size() int { return bits.OnesCount64(uint64(s)) }

// has reports whether a set contains a port.
func (s portSet) has(port int) bool { return s>>port&1 != 0 }

// dep is a dependence between two µops of the loop body: the consumer can issue lat cycles after the issue of the producer, which belongs to the
// iteration delta before.
type dep struct {
	uop   uopIndex // the other µop: producer in deps and after, consumer in frees
	delta int32    // iterations between the two
	dist  seqNo    // µops between the two
	lat   cycle
}

// uop is a µop of the loop body, or of a run: an operation and its dependences.
type uop struct {
	*op
	inst  int32
	deps  []dep // producers, which must issue first
	after []dep // µops that must retire before it retires
	frees []dep // µops that can begin only after it has retired
}

// op holds the properties of a µop without its dependences. In a run, all executions of an instruction share it. The fields that every µop uses at
// dispatch, issue and retirement come first, so that they share few cache lines.
type op struct {
	ports portSet // ports that it can issue to; 0: none, it issues when its operands arrive
	occ   cycle   // cycles the port stays busy
	done  cycle   // cycles from issue until the µop is finished
	kind  uopKind
	idle  bool // needs neither a port nor a resource

	// rename and allocation
	slots   int8   // slots that it occupies (only the first of fused µops has any)
	whole   int8   // free slots that the cycle must have: its own, or all slots of the instruction if these are dispatched in one cycle (Unlamination.Whole, PairsWhole)
	split   bool   // first µop of a split (un-laminated) instruction
	rest    bool   // a later slot of such an instruction
	alone   bool   // is dispatched alone in its cycle
	limits  uint64 // its dispatch limits (Core.DispatchLimits)
	results files  // first µop of an instruction: the registers that the instruction takes, on cores with limited register files
	simple  bool   // its dispatch depends only on slots, a partition entry and a queue entry (lowering.simple)

	// scheduler
	plainly bool         // to issue it needs a free port and nothing else
	list    int32        // of the ready list, unless its port is bound before issue
	follows seqNo        // distance to the earlier µop whose entry it shares; 0: it has an entry of its own, if any
	sched   int8         // partition, if its ports determine it; -1 none
	group   int8         // group of partitions among which it is steered, from 1; 0: none
	among   partitionSet // partitions of the group among which it is steered, 0: none, because it has no port in them
	holds   partitionSet // partitions in one of which it has an entry of its own, although its port is in none of them; 0: none
	stays   bool         // its entry stays taken until a younger µop that shares it issues
	works   bool         // of an address: a µop in the same entry executes on a port of the partition
	moves   bool         // not an address, but its entry gets a partition like an address

	// issue in program order
	lead   bool  // of an in-order core: it is the leading µop of its instruction, which issues in program order
	opens  bool  // of lead: issues only as the first instruction of a cycle
	closes bool  // of lead: issues only as the last instruction of a cycle
	behind seqNo // distance to the leading µop of its instruction, 0 if it has none

	// load/store unit
	class  int32 // of loads: entry of the memory-dependence predictor, -1: never predicted to depend on older stores
	load   seqNo // of a loaded value: distance to its load
	leaves bool  // of a store: its retirement lets the store leave the store queue

	// result bus
	back  cycle   // cycles from issue to the result bus of the port, of which it has one; 0: does not matter
	plain cycle   // likewise for loads that are no pointer chase
	later cycle   // cycles from issue to the bus of aside
	aside portSet // ports one of whose result buses carries another result of the µop (machine.UopResult)

	ways, asideWays ways // by which the results go

	extra []hold // resources (dividers, queues with ports of their own) that it also needs
	place uint64 // of loads: a bit for its address, if known (Banks)
	cuts  uint64 // of loads and stored data: bit k: in iteration k, of 64, they reach into a second line of the cache, for which they use their port a cycle longer
	banks uint64 // of loads: the cache banks that it reads (Banks), if known
	clash uint64 // the places of the loads that cannot read in the same cycle

	// Steady state: the part of its past that determines the future.
	settle, freed    cycle // cycles from issue, and from retirement, after which consumers no longer wait
	reach, freeReach seqNo // µops from it to its last consumer
}

// hold is the use of a resource by a µop: any one unit of a set.
type hold struct {
	units  portSet
	cycles cycle
	read   bool // a register read: needs no unit if an operand arrives by bypass
}

type uopKind uint8

const (
	kindExec uopKind = iota
	kindLoad
	kindStoreAddr
	kindStoreData
	kindSync
	kindResult
	kindValue // no µop: the time at which a loaded value arrives
)

// address reports whether a µop computes an address.
func (u *op) address() bool { return u.kind == kindLoad || u.kind == kindStoreAddr }

// patternCuts is after how many iterations line crossings repeat: a pointer that moves by whole bytes has come to the same place in a line by then.
const patternCuts = 64

// slotsIn returns the number of slots of a body.
func slotsIn(body []uop) (n int) {
	for i := range body {
		n += int(body[i].slots)
	}
	return n
}

// busCycles is the number of future cycles for which the use of result buses is recorded: a bit per cycle.
const busCycles = 64
