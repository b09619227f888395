package sim

// This file has what a simulation is about: the µops of a loop body, and those of them in flight.

// dep is a dependence between two µops of the loop body: the consumer may
// issue lat cycles after the producer of delta iterations before issued.
type dep struct {
	uop   int32 // the other µop: producer in deps, consumer in succs
	delta int32 // iterations between the two
	dist  int32 // µops between the two
	lat   int32
}

// uop is one µop of the loop body.
type uop struct {
	inst    int32
	ports   uint64 // issue ports, any one of them; 0: needs none and issues when its operands are there
	occ     int32  // cycles the port stays busy
	extra   []hold // resources (dividers, queues with ports of their own) that are needed as well
	sched   int8   // scheduler partition, -1 none
	kind    uopKind
	slots   int8   // dispatch slots that this µop opens (fused µops behind the first open none)
	done    int32  // cycles from issue until the µop counts as finished
	last    bool   // last µop of its instruction
	split   bool   // first µop of an instruction that is un-laminated
	rest    bool   // a later slot of such an instruction
	whole   int8   // of an instruction's first µop: its slots, where they are dispatched in one cycle (UnlaminateWhole, PairsWhole)
	lead    bool   // issues in program order among those marked so
	opens   bool   // of lead: issues in no cycle in which another has
	closes  bool   // of lead: nothing issues in program order behind it in its cycle
	behind  int32  // of an in-order core: µops behind the one of its instruction that issues in program order, 0 if it is none
	alone   bool   // is dispatched in a cycle of its own
	limits  uint64 // limits of dispatch that it counts for (Core.DispatchLimits)
	leaves  bool   // of a store: once it has retired, the store leaves the store queue
	queue   int32  // index into engine.queues, unless its port is chosen at rename
	among   uint8  // queues of which it gets one at dispatch (Core.PortQueues), 0: none
	follows int32  // it shares the entry of the queue that the µop so many before it has; 0: it has its own, if any
	holds   uint8  // queues in one of which it has an entry of its own, although its port is in none of them; 0: none
	stays   bool   // its entry stays taken until a younger µop that shares it issues
	works   bool   // of an address: a µop that shares its entry executes on a port of the queue
	moves   bool   // of others: its entry gets a queue as an address does
	entry   entryKind
	queued  bool   // gets one of Core.SlotQueues
	idle    bool   // needs neither port nor resource
	class   int32  // of loads: index into engine.predictor, -1: predicted to be independent of older stores for ever
	load    int32  // of a loaded value: its load
	back    int32  // cycles from issue to the result bus of the port, of which it has one; 0: does not matter
	plain   int32  // the same of a load that is no pointer chase
	aside   uint64 // ports the result bus of one of which takes another result of the µop (machine.UopResult)
	later   int32  // cycles from issue to it
	place   uint64 // of loads: a bit, where it is known what it reads (Banks)
	banks   uint64 // of loads: the banks of the cache that it reads (Banks), where they are known
	clash   uint64 // and those of the loads that it cannot read with
	deps    []dep
	succs   []dep
	after   []dep // µops that must have retired: producers
	frees   []dep // and consumers

	// what of its past the future depends on (engine.same)
	settle, freed    int32 // cycles from issue, and from retirement, after which consumers no longer wait
	reach, freeReach int32 // µops from it to its last consumer
}

// hold is a resource that a µop keeps busy: any one unit of a set.
type hold struct {
	units  uint64
	cycles int32
}

type uopKind uint8

const (
	kindExec uopKind = iota
	kindLoad
	kindStoreAddr
	kindStoreData
	kindSync
	kindResult
	kindValue // no µop: the moment when a loaded value is there
)

// instance is one dynamic µop in flight.
type instance struct {
	seq     int32 // µop number since the start: iteration·n + uop
	ready   int32 // earliest issue cycle so far known
	issued  int32 // cycle of issue, -1 before
	alloc   int32 // cycle of dispatch
	retired int32 // cycle of retirement
	uop     int32 // index into engine.body
	next    int32 // next in the timing wheel's bucket
	pending int16 // producers that have not issued
	port    int8  // port chosen, -1
	held    Reason
} // 32 bytes, half a cache line
