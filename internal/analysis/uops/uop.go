package uops

import (
	"math/bits"
	"slices"

	"incore/internal/isa"
)

// This file is a µop: what each stage of a core needs to know of it.

// Cycle is a point in time, counted from the start of the simulation, or a number of cycles.
type Cycle int32

// Index is the place of a µop in the loop body.
type Index int32

// SeqNo is the number of a dynamic µop since the start, iteration·µops + Index, or a distance between two.
type SeqNo int32

// PortSet is a set of ports and resources; bit i is port i.
type PortSet uint64

// MaxPorts is how many ports and resources a set can hold, whose numbers have PortBits bits.
const (
	PortBits = 6
	MaxPorts = 1 << PortBits
)

// First is the lowest port of a set that is not empty.
func (s PortSet) First() int { return bits.TrailingZeros64(uint64(s)) }

// Size is the number of ports of a set.
func (s PortSet) Size() int { return bits.OnesCount64(uint64(s)) }

// Has reports whether a set contains a port.
func (s PortSet) Has(port int) bool { return s&Port(port) != 0 }

// Port is the set of one port.
func Port(port int) PortSet { return 1 << (uint(port) % MaxPorts) }

// Dep is a dependence between two µops of the loop body: the consumer can issue lat cycles after the issue of the producer, which belongs to the
// iteration delta before.
type Dep struct {
	Uop   Index // the other µop: producer in deps and after, consumer in frees
	Delta int32 // iterations between the two
	Dist  SeqNo // µops between the two
	Lat   Cycle
}

// Use is a dependence as its producer sees it.
type Use struct {
	Dist SeqNo // µops from the producer to the consumer
	Lat  Cycle // cycles from the issue of the producer to the earliest issue of the consumer
}

// Uop is a µop of the loop body, or of a run: an operation and its dependences.
type Uop struct {
	*Op
	Inst  int32
	Jumps int32 // entries of taken branches that it, or the instruction fused with it, holds until it retires
	Deps  []Dep // producers, which must issue first
	After []Dep // µops that must retire before it retires
	Frees []Dep // µops that can begin only after it has retired
	Ends  bool  // its retirement changes more than the slots of the reorder buffer
	Uses  []Use // its consumers (set by the simulator)
}

// Op holds the properties of a µop without its dependences. In a run, all executions of an instruction share it. The fields that every µop uses at
// dispatch, issue and retirement come first, so that they share few cache lines.
type Op struct {
	Ports PortSet // ports that it can issue to; 0: none, it issues when its operands arrive
	Occ   Cycle   // cycles the port stays busy
	Half  bool    // in every other iteration a cycle longer
	Done  Cycle   // cycles from issue until the µop is finished
	Kind  UopKind
	Idle  bool // needs neither a port nor a resource

	// rename and allocation
	Slots    int8   // slots that it occupies (only the first of fused µops has any)
	Whole    int8   // free slots that the cycle must have: its own, or all slots of the instruction if these are dispatched in one cycle (Unlamination.Whole, PairsWhole)
	Split    bool   // first µop of a split (un-laminated) instruction
	Rest     bool   // a later slot of such an instruction
	Alone    bool   // is dispatched alone in its cycle
	Drained  bool   // is dispatched only when all older µops have retired
	Bars     bool   // nothing younger is dispatched before it has retired
	Limits   uint64 // its dispatch limits (Core.DispatchLimits)
	LoadSlot bool   // the first of such loads in a cycle takes a slot more of the limits that mind loads
	Results  files  // first µop of an instruction: the registers that the instruction takes, on cores with limited register files
	Simple   bool   // its dispatch depends only on slots, a partition entry and a queue entry (lowering.simple)

	// scheduler
	Plainly bool         // to issue it needs a free port and nothing else
	Tells   bool         // its issue has effects beside its result
	Lists   *[256]int8   // its ready list, by the port or partition chosen at dispatch
	Follows SeqNo        // distance to the earlier µop whose entry it shares; 0: it has an entry of its own, if any
	Sched   int8         // partition, if its ports determine it; -1 none
	Group   int8         // group of partitions among which it is steered, from 1; 0: none
	Among   PartitionSet // partitions of the group among which it is steered, 0: none, because it has no port in them
	Lots    PartitionSet // partitions among which it is steered by chance
	Room    int8         // ports that it can issue to in each of these, at least
	Holds   PartitionSet // partitions in one of which it has an entry of its own, although its port is in none of them; 0: none
	Stays   bool         // its entry stays taken until a younger µop that shares it issues
	Works   bool         // of an address: a µop in the same entry executes on a port of the partition
	Moves   bool         // not an address, but its entry gets a partition like an address

	// issue in program order
	Lead   bool  // of an in-order core: it is the leading µop of its instruction, which issues in program order
	Opens  bool  // of lead: issues only as the first instruction of a cycle
	Closes bool  // of lead: issues only as the last instruction of a cycle
	Early  bool  // of lead: executes a stage earlier if its operands are there a cycle before it issues, and its result then comes a cycle earlier
	Queued bool  // of lead: waits in the queue of its unit (machine.UnitQueue)
	Behind SeqNo // distance to the leading µop of its instruction, 0 if it has none

	// load/store unit
	Class  int32   // of loads: entry of the memory-dependence predictor, -1: never predicted to depend on older stores
	Load   SeqNo   // of a loaded value: distance to its load
	Again  PortSet // of a loaded value: the ports one of which its load uses again if the value comes later than from the cache (Forwarding.Again)
	Leaves bool    // of a store: its retirement lets the store leave the store queue

	Leave [3]uint64 // of µops with leaves: cycles that the store takes to leave after the one before it: bit k of Leave[p] stands for 2^p in iteration k, of 64

	// result bus
	Back  Cycle   // cycles from issue to the result bus of the port, of which it has one; 0: does not matter
	Plain Cycle   // likewise for loads that are no pointer chase
	Later Cycle   // cycles from issue to the bus of aside
	Aside PortSet // ports one of whose result buses carries another result of the µop (machine.UopResult)

	Ways, AsideWays Ways // by which the results go

	Extra []hold // resources (dividers, queues with ports of their own) that it also needs
	Place uint64 // of loads: a bit for its address, if known (Banks)
	Cuts  uint64 // of loads and stored data: bit k: in iteration k, of 64, they reach into a second line of the cache, for which they use their port a cycle longer
	Banks uint64 // of loads: the cache banks that it reads (Banks), if known
	Clash uint64 // the places of the loads that cannot read in the same cycle

	// Steady state: the part of its past that determines the future.
	Settle, Freed    Cycle // cycles from issue, and from retirement, after which consumers no longer wait
	Reach, FreeReach SeqNo // µops from it to its last consumer
}

// hold is the use of a resource by a µop: any one unit of a set.
type hold struct {
	Units  PortSet
	Cycles Cycle
	Half   bool // in every other iteration a cycle longer
	Read   bool // a register read: needs no unit if an operand arrives by bypass
	// Cuts are those of a store (Op.Cuts) of which a unit of these, not its port, takes a cycle longer.
	Cuts uint64
}

type UopKind uint8

const (
	KindExec UopKind = iota
	KindLoad
	KindStoreAddr
	KindStoreData
	KindSync
	KindResult
	KindValue // no µop: the time at which a loaded value arrives
)

// Address reports whether a µop computes an address.
func (u *Op) Address() bool { return u.Kind == KindLoad || u.Kind == KindStoreAddr }

// Halves reports whether a µop keeps its port or a unit busy for a cycle longer in every other iteration.
func (u *Op) Halves() bool {
	return u.Half || slices.ContainsFunc(u.Extra, func(h hold) bool { return h.Half })
}

// Leaving returns the cycles that a store takes to leave the store queue in an iteration.
func (u *Op) Leaving(iteration SeqNo) Cycle {
	at := uint32(iteration) % PatternCuts
	return Cycle(u.Leave[0]>>at&1 + u.Leave[1]>>at&1<<1 + u.Leave[2]>>at&1<<2)
}

// SetLeaving sets the cycles that a store takes to leave the store queue in iteration 0.
func (u *Op) SetLeaving(cycles int) {
	n := uint64(min(max(0, cycles), 1<<len(u.Leave)-1))
	u.Leave = [...]uint64{n & 1, n >> 1 & 1, n >> 2}
}

// PatternCuts is after how many iterations line crossings repeat: a pointer that moves by whole bytes has come to the same place in a line by then.
const PatternCuts = 64

// SlotsIn returns the number of slots of a body.
func SlotsIn(body []Uop) (n int) {
	for i := range body {
		n += int(body[i].Slots)
	}
	return n
}

// BusCycles is the number of future cycles for which the use of result buses is recorded: a bit per cycle.
const BusCycles = 64

// Ways are the buses by which results leave a port: one to registers and one to flags, or one for both (Core.FlagsApart).
type Ways uint8

const (
	ToRegisters Ways = 1 << iota
	ToFlags
	EachWay = 2
)

// aside returns the buses of a result that leaves by another port than that of its µop: flags are written with the register.
func (w Ways) aside() Ways {
	if w&ToRegisters != 0 {
		return ToRegisters
	}
	return w
}

// files holds a number for each register file (isa.RegFileKind).
type files [isa.NumRegFiles]uint8
