package machine

// Core holds the parameters of a core's pipeline that only the simulator and the
// front-end analysis read. In a model file each is a "param" or a "feature" with its
// source; 0 means not known, or that the core has no such limit.
type Core struct {
	// Schedulers partition the waiting µops by the ports that they need
	// ("param scheduler-NAME: ENTRIES PORTS…"). Without any, Params.Scheduler holds them all.
	Schedulers []Scheduler
	// PortQueues are schedulers of which every µop that may go to ports of several gets one at dispatch ("port-queues: NAME NAME+PORTS NAME+PORTS/FREE…", of
	// scheduler-NAME).
	PortQueues []PortQueue
	// QueueAddresses is how many µops a cycle one of these takes if some compute addresses by these ports ("queue-addresses: UOPS PORTS…").
	QueueAddresses DispatchLimit
	SlotQueues     SlotQueues
	// QueueCounts is how the entries of these are counted ("queue-counts: HELD LATE ADDRESS").
	QueueCounts QueueCounts
	IssueDelay  int // "issue-delay": cycles from dispatch to the earliest execution
	// DispatchUops is how many µops are dispatched per cycle, whatever slots they share ("dispatch-uops"); 0 = as many as the slots hold.
	DispatchUops int
	// DispatchLimits are limits of dispatch by the ports that µops need, those that the model states ("param dispatch-limit-NAME: UOPS PORTS…"),
	// that of all µops, and what follows from them together.
	DispatchLimits []DispatchLimit
	// IssueQueue is how many instructions of an in-order core wait for their turn to issue ("issue-queue"); 0 = not known.
	IssueQueue int
	// FetchWidth is how many slots the µop cache delivers per cycle, FetchQueue how many wait
	// between the front end and dispatch ("fetch-width", "fetch-queue").
	FetchWidth, FetchQueue int
	// FetchDensity is how many slots per cycle the µop cache delivers of code without taken branches, by the bytes of code
	// that a slot takes ("fetch-density: 3:8 4:6.6": 8 at 3 bytes, 6.6 at 4); between two points it is linear, outside constant.
	FetchDensity []Density
	// DecodeClusters are groups of decoders of which each takes the code up to a taken branch, another the code behind it ("decode-clusters"): in a loop
	// FetchDensity is of each of them, in code without taken branches of one. 0 = such groups are not known.
	DecodeClusters int
	// FetchConstants is the same of the constants in the code (immediates and displacements), by the bytes of code to each.
	FetchConstants []Density
	// UopCache is how many slots the µop cache holds ("uop-cache"); 0 = not known.
	UopCache int
	// What the µop cache holds of code whose addresses are known: UopCacheLines lines of UopCacheLine slots for each UopCacheWindow bytes of code,
	// UopCacheWays lines of each set, and UopCacheWhole bytes as a whole or not at all ("uop-cache-window" …); 0 = not known.
	UopCacheWindow, UopCacheLines, UopCacheLine, UopCacheWays, UopCacheWhole int
	// DecodeSwitch is the number of cycles without slots when the legacy decoders take over from the µop cache ("decode-switch").
	DecodeSwitch int
	// FetchPastBranch: the µop cache goes on behind a taken branch in the same cycle, where that leads to another of these windows (feature
	// "fetch-past-branch").
	FetchPastBranch bool
	// JCCErratum: jumps that cross a 32-byte boundary or end on one are not held by the µop cache (feature "jcc-erratum").
	JCCErratum bool
	// The legacy decode path, which code takes that the µop cache doesn't hold: bytes per predecoded
	// block, instructions predecoded per cycle, cycles that a length-changing prefix costs, instructions that wait for
	// the decoders, and the number of decoders, of which the first alone takes instructions of several
	// slots, up to that number ("predecode-bytes", "predecode-insts", "lcp-stall", "instruction-queue", "decoders", "complex-slots").
	PredecodeBytes, PredecodeInsts, LCPStall int
	InstructionQueue, Decoders, ComplexSlots int
	DecodeSlots                              int // slots that all decoders make per cycle at most ("decode-slots")
	// Unlaminations is how many instructions that the decoders made fewer slots of than dispatch takes (Inst.Decode) are split per cycle, and
	// UnlaminateWithin among how many of the first instructions of that cycle ("unlaminations", "unlaminate-within"); 0 = no limit.
	Unlaminations, UnlaminateWithin int
	// UnlaminateWhole: what the decoders made one slot of is dispatched in one cycle as a whole (feature "unlaminate-whole").
	UnlaminateWhole bool
	// PairsWhole: an instruction of two slots, or of as many as a cycle has of which one µop executes, is dispatched in one cycle (feature "pairs-whole").
	PairsWhole bool
	// DoublePumped: an operation on vectors of 512 bits takes one entry of a scheduler and one pipe for two cycles (feature "double-pumped").
	DoublePumped bool
	// MicrocodeStall is how many cycles switching to the microcode sequencer and back costs ("microcode-stall").
	MicrocodeStall int
	// MicrocodeAtOnce: the cycle that meets a microcoded instruction is one of these, if nothing came before it there (feature "microcode-at-once").
	MicrocodeAtOnce bool
	MicrocodeSlots  int // slots per cycle from there ("microcode-slots"); 0 = as many as are dispatched
	// FuseLastDecoder: an instruction that may fuse with the next one is decoded by the last decoder, too (feature
	// "fuse-last-decoder"); else it waits for the next cycle.
	FuseLastDecoder bool
	// CrossingCounts: an instruction that ends in the next predecoded block counts in the one with its opcode, too (feature
	// "crossing-counts").
	CrossingCounts bool
	// BindAtRename: a µop's port is chosen when it is renamed (feature "bind-at-rename"), else when it issues.
	BindAtRename bool
	// AlternatePorts: the choice at rename knows what waited for each port when the cycle began, and every second µop of a cycle takes the second best
	// port, unless so many more µops wait for that ("alternate-ports"); 0 = it knows what waits, and every µop takes the best.
	AlternatePorts int
	// WritebackConflicts: two loads of different latency on a port do not finish in the same cycle (feature "writeback-conflicts").
	WritebackConflicts bool
	// EarlyWakeup: a µop that waits for a port wakes its consumers as if it had got one; in the cycle in which it gets one, they
	// take ports in vain (feature "early-wakeup").
	EarlyWakeup bool
	// Rotating are the ports to which µops issue in turn, whatever others could use ("rotating-ports: PORTS"); a µop that has a choice of
	// others takes the port that the kernel needs least.
	Rotating PortSet
	// ResultPorts write back one result a cycle, of operations of any latency. ResultPasses is how many younger µops take the port of one whose result
	// would meet with another's, before it is kept for that ("result-ports: UOPS PORTS…"). What brings a result by a port that is not its own (UopResult) does
	// not issue while one waits there.
	ResultPorts  PortSet
	ResultPasses int
	// MoveSlots is how many moves of general-purpose and vector registers may be alive as eliminated at once
	// ("move-slots-gpr", "move-slots-vec"); 0 = no limit.
	MoveSlotsGPR, MoveSlotsVec int
	// RenamedForward is the latency from a store's data to a load through memory renaming (feature
	// "memory-renaming"), for addresses of the same base and displacement ("renamed-forward", cycles).
	RenamedForward float64
	// IndexedSlots are the ports of vectors: of instructions without them neither an operation nor stored data share a slot with an address that has
	// a base and an index ("indexed-slots: PORTS"); 0 = all do.
	IndexedSlots PortSet

	// CompareJump are the ports of an instruction that writes flags alone and is fused with a jump ("compare-jump: PORTS"); without it, and of
	// others, they are those that both instructions can go to.
	CompareJump PortSet
	// StackSync are the ports of the µop that a stack engine inserts before an instruction that reads the stack pointer
	// itself after push or pop have moved it ("stack-sync: PORTS").
	StackSync PortSet
	// HighMerge are the ports of the µop that merges the second byte of a register (ah), where that is renamed apart, into the register before an
	// instruction that reads it; the µop is dispatched in a cycle of its own ("high-merge: PORTS").
	HighMerge PortSet
	// WideCloses are the ports whose vector units are closed while operations on vectors of 512 bits wait ("wide-closes: PORTS").
	WideCloses PortSet
	// FlagMerge are the ports of the µop that merges the carry and the other flags before an instruction that reads both, where different
	// instructions wrote them ("flag-merge: PORTS").
	FlagMerge PortSet
	// StackCopies: copies of the stack pointer and its sums with a constant need no such µop (feature "stack-copies").
	StackCopies bool
	// MixedForward is the latency from a store's data to a load of another size, and on cores that rename memory to an
	// integer load that is not renamed ("mixed-forward", cycles).
	MixedForward float64
	// DistantForward is the same from a store of two or more iterations before ("distant-forward", cycles); 0 = as MixedForward.
	DistantForward float64
	// OwnForward is the same to an instruction that reads, changes and stores an integer from its own last execution but one, or its last ("own-forward", cycles); 0 = as
	// any other.
	OwnForward float64
	// BlockedForward is the number of cycles from the retirement of a store (StoreInTurn: from when it leaves the store queue) whose data cannot be passed on, as the load needs
	// more than the store wrote, to the load's value ("blocked-forward"); 0 = not known.
	BlockedForward int
	// MergedForward is the number of cycles from the data of a store to a wider load that begins at the same address, on cores where such
	// a load does not wait for the store to retire ("merged-forward"); 0 = it does.
	MergedForward int
	// PageMiss is how many cycles the first access to a page takes longer ("page-miss"), where pointers move on and on; 0 = not known.
	PageMiss int
	// StoreInTurn: stores leave the store queue one per cycle, and a load that a store blocks waits for that (feature "store-in-turn").
	StoreInTurn bool
	// StoreDrain is the number of cycles from a store's retirement to the earliest start of an operation that waits for it to leave the
	// store queue (Drains), beyond what that operation takes ("store-drain").
	StoreDrain int
	// RenamingDensity is how many loads in 32 bytes of code memory renaming serves at most ("renaming-density"); 0 = any number.
	RenamingDensity int
	// RenamingEntries is how many pairs of a store and a load memory renaming predicts where the registers of their addresses do not tell
	// ("renaming-entries", feature "renaming-bases").
	RenamingEntries int
	// Disambiguation is the number of entries, a power of two, of the table by which the core predicts that a load does not
	// depend on older stores whose addresses are unknown; the last bits of the load's address choose the entry ("disambiguation").
	Disambiguation int
	// DisambiguationTrust is how many loads of an entry in a row, once one was found to depend on such a store, must have waited in vain
	// before its loads are predicted to be independent again ("disambiguation-trust"). 0 = never.
	DisambiguationTrust int
	// TakenBranch is the least number of cycles of a loop iteration that ends in a taken branch ("taken-branch").
	TakenBranch int
	// FetchLine is the size in bytes of the pieces of code, aligned to it, of which the branch predictor hands one per cycle to the front
	// end ("fetch-line"): an iteration takes at least a cycle for each that it touches. 0 = no such limit.
	FetchLine int
	// LoopCycle is what each of those pieces takes on average where a loop touches several, and likewise each group of as many slots as are
	// dispatched per cycle where an iteration has more ("loop-cycle", cycles); 0 = a cycle, and groups go on across taken branches.
	LoopCycle float64
	// LoadBank is the width in bytes of a bank of the first-level data cache that two loads may read per cycle
	// ("load-bank"); 0 = banks don't matter.
	LoadBank int
	// ConflictBank is the width in bytes of a bank of the first-level data cache: of two loads that meet in one, in different lines, the
	// younger waits ("conflict-bank"); 0 = banks don't matter.
	ConflictBank int
	// StoreMerge is the size in bytes of the aligned blocks of memory whose stores, where they follow each other, leave the store queue
	// together, one block a cycle ("store-merge"); 0 = not known.
	StoreMerge int
	// StoreAlone: where loads take what stores pass on, one for so many stores or fewer, each store leaves the queue alone
	// ("store-alone"); 0 = none does.
	StoreAlone int
	// StackAliases is what a moving stack pointer costs where one page stands behind all addresses, as in measurements
	// ("stack-aliases: POPPED MOVED STORED PASS").
	StackAliases StackAliases
	// StoreLines: two stores leave the store queue in one cycle only if they follow each other and go to one cache line, else
	// one does (feature "store-lines").
	StoreLines bool
	// LineCrossing: a load or store of bytes of two cache lines uses its port twice (feature "line-crossing").
	LineCrossing bool
	// AddressTurns are the ports that some loads have to use. Of the other µops that compute addresses, which may use them as well, every second one in a row
	// goes there, the first one elsewhere ("address-turns: PORTS").
	AddressTurns PortSet
	// LoopUnroll tells how often the loop buffer lays out a loop of a number of µops: pairs of an
	// upper bound and a factor ("loop-buffer: 4x8 5x6 28x2"); nil = no loop buffer.
	LoopUnroll []LoopFactor
}

// Scheduler is one partition of the scheduler.
type Scheduler struct {
	Name    string
	Entries int
	Ports   PortSet
}

// Density is a point of a curve: slots per cycle at a number of bytes per slot.
type Density struct{ Bytes, Slots float64 }

// LoopFactor is a rule of a loop buffer: loops of at most Slots slots are laid out Factor times.
type LoopFactor struct{ Slots, Factor int }

// CoreDocs lists the parameters that Core holds and what each means.
var CoreDocs = map[string]string{
	"issue-delay":          "cycles from dispatch to the earliest execution",
	"dispatch-uops":        "µops dispatched per cycle, whatever slots they share",
	"port-queues":          "schedulers of which a µop gets one at dispatch; NAME+PORTS takes a second µop a cycle, of those for PORTS only, NAME+PORTS/FREE if FREE entries seem free",
	"queue-addresses":      "µops of a cycle that one of these schedulers takes, if one of them computes an address by these ports; an operation that shares its slot with an address is none of them",
	"slot-queues":          "ENTRIES DIFFERENCE DELAY HOLD NAME NAME…: entries of a queue before schedulers, of which a µop gets one by its place among the slots of its cycle; another where DELAY cycles before DIFFERENCE fewer waited for its port; its entry is free HOLD cycles after it issued",
	"alternate-ports":      "ports are chosen at rename by what waited for them when the cycle began; every second µop of a cycle takes the second best, unless so many more wait there",
	"indexed-slots":        "ports of vectors: an instruction of one slot that needs none of them, accesses memory by base and index, and stores or executes besides takes two",
	"compare-jump":         "ports of an instruction that writes flags alone and is fused with a jump",
	"issue-queue":          "instructions of an in-order core that wait to issue",
	"fetch-width":          "slots per cycle from the µop cache",
	"fetch-density":        "slots per cycle from the µop cache (or the decoders of a core without one) in straight code, by bytes of code per slot",
	"decode-clusters":      "groups of decoders, of which another takes the code behind each taken branch: in loops they work side by side",
	"fetch-constants":      "immediates and displacements per cycle from the µop cache in straight code, by bytes of code to each",
	"uop-cache":            "slots that the µop cache holds",
	"uop-cache-window":     "bytes of code for which the µop cache has a number of lines",
	"uop-cache-lines":      "lines of the µop cache for one window of code",
	"uop-cache-line":       "slots in a line of the µop cache",
	"uop-cache-ways":       "lines in a set of the µop cache",
	"uop-cache-whole":      "bytes of code that the µop cache holds as a whole or not at all",
	"decode-switch":        "cycles without slots when the legacy decoders take over from the µop cache",
	"fetch-queue":          "slots between the front end and dispatch",
	"predecode-bytes":      "bytes of a predecoded block",
	"predecode-insts":      "instructions predecoded per cycle",
	"lcp-stall":            "cycles lost to a length-changing prefix",
	"instruction-queue":    "instructions between predecoding and decoding",
	"decoders":             "instructions decoded per cycle",
	"complex-slots":        "slots that the first decoder makes at most",
	"decode-slots":         "slots that all decoders make per cycle",
	"unlaminations":        "instructions un-laminated per cycle",
	"unlaminate-within":    "first instructions of a cycle among which they are",
	"microcode-slots":      "slots per cycle from the microcode sequencer",
	"microcode-stall":      "cycles to switch to the microcode sequencer",
	"move-slots-gpr":       "eliminated moves of general-purpose registers alive at once",
	"move-slots-vec":       "eliminated moves of vector registers alive at once",
	"renamed-forward":      "cycles from store data to load through memory renaming",
	"address-turns":        "ports that some loads have to use, to which every second one in a row goes of the other µops that compute addresses",
	"queue-counts":         "cycles for which an entry of port-queues stays taken once its µop has issued, and for which the choice does not know of entries that were taken or became free; then by how many µops a queue seems fuller that has got an address in the same cycle",
	"result-ports":         "UOPS PORTS…: ports that write back one result a cycle: operations that would end together do not issue; once so many younger ones have passed one of them, the port is kept for it",
	"rotating-ports":       "ports to which µops issue in turn, whatever other µops could use",
	"wide-closes":          "ports whose vector units are closed while operations on vectors of 512 bits wait",
	"stack-sync":           "ports of the µop that brings the stack pointer up to date",
	"high-merge":           "ports of the µop that merges the second byte of a register, which takes a cycle of dispatch",
	"flag-merge":           "ports of the µop that merges the carry and the other flags",
	"stack-aliases":        "what a moving stack pointer costs where one page stands behind all addresses: uses of its port of a load through it where push and pop alone move it, and where others do; more uses of the stores to each line; cycles each time it has come through the page",
	"distant-forward":      "cycles from store data to an integer load, two or more iterations later, that memory renaming misses",
	"own-forward":          "cycles from what an instruction that changes an integer in memory stored to its own next two executions, where memory renaming misses",
	"mixed-forward":        "cycles from store data to a load of another size, or to one that memory renaming misses",
	"blocked-forward":      "cycles from the retirement of a store that blocks a load to the load's value",
	"page-miss":            "cycles that the first access to a page takes longer, in straight code measured unrolled",
	"store-drain":          "cycles from a store's retirement until a locked operation begins",
	"renaming-density":     "loads in 32 bytes of code that memory renaming serves",
	"renaming-entries":     "pairs of a store and a load that memory renaming predicts where the registers of their addresses do not tell",
	"store-alone":          "so many stores, or fewer, for one load that takes what they pass on leave the store queue one by one, if what it loads is written over later",
	"store-merge":          "bytes of an aligned block of memory whose stores leave the store queue together, a block a cycle",
	"merged-forward":       "cycles from store data to a wider load of the same address that does not wait for retirement",
	"disambiguation":       "entries of the predictor of loads that depend on older stores",
	"disambiguation-trust": "loads of such an entry that must have waited in vain, one after another, before it lets loads pass again",
	"taken-branch":         "least cycles between taken branches",
	"loop-cycle":           "cycles on average of each line of code (fetch-line), and of each group of slots that is dispatched in a cycle, where an iteration takes several",
	"fetch-line":           "bytes of an aligned piece of code, of which an iteration fetches one per cycle",
	"load-bank":            "bytes of a bank of the first-level data cache that two loads may read per cycle",
	"conflict-bank":        "bytes of a bank of the first-level data cache that loads of different lines conflict in",
	"loop-buffer":          "how often loops of so many µops are laid out (4x8: up to 4 µops, 8 times)",
}
