package machine

// Core holds the parameters of a core's pipeline, a section for each part of it. The tag of a field names it in model files: `param` is a value, `feature` is
// switched on; `doc` is what it means (docs/model-format.md has a table of them). 0 means not known, or that the core has no such limit. Every one that a model
// states has its source there.
type Core struct {
	FrontEnd
	Decode
	Rename
	Scheduling
	LoadStore
	Results
}

// FrontEnd is how slots come from the µop cache.
type FrontEnd struct {
	FetchWidth      int          `param:"fetch-width" doc:"slots per cycle from the µop cache"`
	FetchQueue      int          `param:"fetch-queue" doc:"slots between the front end and dispatch"`
	FetchLine       int          `param:"fetch-line" doc:"bytes of an aligned piece of code, of which the branch predictor hands the front end one per cycle: an iteration takes a cycle for each that it touches"`
	LoopCycle       float64      `param:"loop-cycle" doc:"cycles on average of each line of code (fetch-line), and of each group of slots that is dispatched in a cycle, where an iteration takes several"`
	FetchDensity    []Density    `param:"fetch-density" doc:"slots per cycle from the µop cache (or the decoders of a core without one) in straight code, by bytes of code per slot: 3:8 4:6.6 is 8 at 3 bytes, 6.6 at 4, linear between two points"`
	FetchConstants  []Density    `param:"fetch-constants" doc:"immediates and displacements per cycle from the µop cache in straight code, by bytes of code to each"`
	UopCache        int          `param:"uop-cache" doc:"slots that the µop cache holds"`
	UopCacheWindow  int          `param:"uop-cache-window" doc:"bytes of code for which the µop cache has a number of lines"`
	UopCacheLines   int          `param:"uop-cache-lines" doc:"lines of the µop cache for one window of code"`
	UopCacheLine    int          `param:"uop-cache-line" doc:"slots in a line of the µop cache"`
	UopCacheWays    int          `param:"uop-cache-ways" doc:"lines in a set of the µop cache"`
	UopCacheWhole   int          `param:"uop-cache-whole" doc:"bytes of code that the µop cache holds as a whole or not at all"`
	LoopUnroll      []LoopFactor `param:"loop-buffer" doc:"how often loops of so many µops are laid out (4x8: up to 4 µops, 8 times)"`
	FetchPastBranch bool         `feature:"fetch-past-branch" doc:"the µop cache goes on behind a taken branch in the same cycle, where that leads to another piece of code (uop-cache-window)"`
	JCCErratum      bool         `feature:"jcc-erratum" doc:"jumps that cross a 32-byte boundary or end on one are not held by the µop cache (where addresses are known)"`
}

// Decode is the legacy decode path, which code takes that the µop cache does not hold, and the microcode sequencer.
type Decode struct {
	PredecodeBytes   int  `param:"predecode-bytes" doc:"bytes of a predecoded block"`
	PredecodeInsts   int  `param:"predecode-insts" doc:"instructions predecoded per cycle"`
	CrossingCounts   bool `feature:"crossing-counts" doc:"the predecoder counts an instruction that ends in the next block in the block of its opcode, too"`
	LCPStall         int  `param:"lcp-stall" doc:"cycles lost to a length-changing prefix"`
	InstructionQueue int  `param:"instruction-queue" doc:"instructions between predecoding and decoding"`
	Decoders         int  `param:"decoders" doc:"instructions decoded per cycle"`
	ComplexSlots     int  `param:"complex-slots" doc:"slots that the first decoder makes at most, which alone takes instructions of several"`
	DecodeSlots      int  `param:"decode-slots" doc:"slots that all decoders make per cycle"`
	FuseLastDecoder  bool `feature:"fuse-last-decoder" doc:"the last decoder takes instructions that may fuse with the next one; else they wait for the next cycle"`
	DecodeClusters   int  `param:"decode-clusters" doc:"groups of decoders, of which another takes the code behind each taken branch: in loops they work side by side"`
	DecodeSwitch     int  `param:"decode-switch" doc:"cycles without slots when the legacy decoders take over from the µop cache"`
	FusionInLine     bool `feature:"fusion-in-line" doc:"an instruction that ends a cache line is not fused with a jump that begins the next (where addresses are known)"`
	MicrocodeStall   int  `param:"microcode-stall" doc:"cycles to switch to the microcode sequencer and back"`
	MicrocodeAtOnce  bool `feature:"microcode-at-once" doc:"the cycle that meets a microcoded instruction is one of those that switching to it takes, if nothing came before it there"`
	MicrocodeSlots   int  `param:"microcode-slots" doc:"slots per cycle from the microcode sequencer; 0: as many as are dispatched"`
}

// Rename is how instructions become µops and slots, what needs no execution, and memory renaming.
type Rename struct {
	DispatchUops int `param:"dispatch-uops" doc:"µops dispatched per cycle, whatever slots they share; 0: as many as the slots hold"`
	// DispatchLimits are limits of dispatch by the ports that µops need, those that the model states ("param dispatch-limit-NAME: UOPS PORTS…"),
	// that of all µops, and what follows from them together.
	DispatchLimits   []DispatchLimit
	MicroFusion      bool    `feature:"micro-fusion" doc:"a load µop and the operation on its value, and the two µops of a store, take one dispatch slot"`
	MacroOps         bool    `feature:"macro-ops" doc:"a dispatch slot holds one instruction of up to two µops (Arm MOPs), whatever ports they need"`
	SlotsFromPorts   bool    `feature:"slots-from-ports" doc:"dispatch slots are the µops listed; the source's own count is not used"`
	NopFusion        bool    `feature:"nop-fusion" doc:"an instruction that does nothing shares the slot of the one behind it; of several in a row, each two share one"`
	MoveFusion       bool    `feature:"move-fusion" doc:"a register move and an addition, subtraction, logic operation or shift that overwrites its result, with a register or a constant, take one slot and one port"`
	ZeroIdioms       bool    `feature:"zero-idioms" doc:"every zero idiom of the ISA (xor r,r …) is resolved at rename: no port, no dependence"`
	DepBreaking      bool    `feature:"dep-breaking" doc:"every dependency-breaking form of the ISA (pcmpeq x,x …) executes without waiting for its operands"`
	StackEngine      bool    `feature:"stack-engine" doc:"the stack pointer's update by push, pop, call and ret takes no µop and no latency"`
	StackSync        PortSet `param:"stack-sync" doc:"ports of the µop that a stack engine inserts before an instruction that reads the stack pointer itself"`
	HighMerge        PortSet `param:"high-merge" doc:"ports of the µop that merges the second byte of a register (ah), where that is renamed apart; it takes a cycle of dispatch"`
	FlagMerge        PortSet `param:"flag-merge" doc:"ports of the µop that merges the carry and the other flags, where different instructions wrote them"`
	IndexedSlots     PortSet `param:"indexed-slots" doc:"ports of vectors: an instruction of one slot that needs none of them, accesses memory by base and index, and stores or executes besides takes two"`
	PairsWhole       bool    `feature:"pairs-whole" doc:"an instruction of two slots, or of as many as a cycle has of which one µop executes, is dispatched in one cycle as a whole"`
	Unlaminations    int     `param:"unlaminations" doc:"instructions per cycle that the decoders made fewer slots of than dispatch takes; 0: no limit"`
	UnlaminateWithin int     `param:"unlaminate-within" doc:"first instructions of a cycle among which they are"`
	UnlaminateWhole  bool    `feature:"unlaminate-whole" doc:"what the decoders made one slot of and takes two is dispatched in one cycle as a whole"`
	MemoryRenaming   bool    `feature:"memory-renaming" doc:"a load from the address of a recent store of equal base and offset takes the value at rename"`
	RenamedForward   float64 `param:"renamed-forward" doc:"cycles from store data to load through memory renaming"`
	RenamingDensity  int     `param:"renaming-density" doc:"loads in 32 bytes of code that memory renaming serves; 0: any number"`
	RenamingEntries  int     `param:"renaming-entries" doc:"pairs of a store and a load that memory renaming predicts where the registers of their addresses do not tell"`
	RenamingSimple   bool    `feature:"renaming-simple" doc:"memory renaming leaves out addresses with an index and read-modify-write operations with a register operand"`
	RenamingBytes    bool    `feature:"renaming-bytes" doc:"memory renaming serves loads of 8 bits as well, but none of 16"`
	RenamingWide     bool    `feature:"renaming-wide" doc:"memory renaming serves nothing of 8 or 16 bits"`
	RenamingDistant  bool    `feature:"renaming-distant" doc:"memory renaming finds what a store wrote although it has been executed again since"`
	RenamingBases    bool    `feature:"renaming-bases" doc:"memory renaming finds a store by the registers of its address, which must be the load's and unchanged since, and a few others (renaming-entries)"`
	RenamingStack    bool    `feature:"renaming-stack" doc:"memory renaming serves loads through the stack pointer, without an index, of what was stored through it, and no others"`
	RenamingMoves    bool    `feature:"renaming-moves" doc:"memory renaming serves plain loads and read-modify-write operations, and loads that share their slots with operations which write registers (cmov: two slots) only if their addresses have a base and an index"`
}

// Scheduling is how µops come to ports.
type Scheduling struct {
	// Schedulers partition the waiting µops by the ports that they need
	// ("param scheduler-NAME: ENTRIES PORTS…"). Without any, Params.Scheduler holds them all.
	Schedulers     []Scheduler
	PortQueues     []PortQueue   `param:"port-queues" doc:"schedulers of which a µop gets one at dispatch; NAME+PORTS takes a second µop a cycle, of those for PORTS only, NAME+PORTS/FREE if FREE entries seem free"`
	QueueAddresses DispatchLimit `param:"queue-addresses" doc:"µops of a cycle that one of these schedulers takes, if one of them computes an address by these ports; an operation that shares its slot with an address is none of them"`
	QueueCounts    QueueCounts   `param:"queue-counts" doc:"cycles for which an entry of port-queues stays taken once its µop has issued, and for which the choice does not know of entries that were taken or became free; then by how many µops a queue seems fuller that has got an address in the same cycle"`
	SlotQueues     SlotQueues    `param:"slot-queues" doc:"ENTRIES DIFFERENCE DELAY HOLD NAME NAME…: entries of a queue before schedulers, of which a µop gets one by its place among the slots of its cycle; another where DELAY cycles before DIFFERENCE fewer waited for its port; its entry is free HOLD cycles after it issued"`
	DoublePumped   bool          `feature:"double-pumped" doc:"an operation on vectors of 512 bits takes one entry of a scheduler and one pipe for two cycles, not two of each"`
	IssueDelay     int           `param:"issue-delay" doc:"cycles from dispatch to the earliest execution"`
	BindAtRename   bool          `feature:"bind-at-rename" doc:"a µop's port is chosen when it is renamed, not when it issues"`
	AlternatePorts int           `param:"alternate-ports" doc:"ports are chosen at rename by what waited for them when the cycle began; every second µop of a cycle takes the second best, unless so many more wait there"`
	EarlyWakeup    bool          `feature:"early-wakeup" doc:"a µop that waits for a port wakes its consumers as if it had got one; they take ports in vain"`
	CompareJump    PortSet       `param:"compare-jump" doc:"ports of an instruction that writes flags alone and is fused with a jump; without it, and of others, they are those that both instructions can go to"`
	WideCloses     PortSet       `param:"wide-closes" doc:"ports whose vector units are closed while operations on vectors of 512 bits wait"`
	AddressTurns   PortSet       `param:"address-turns" doc:"ports that some loads have to use, to which every second one in a row goes of the other µops that compute addresses"`
}

// Results is how results come to their consumers.
type Results struct {
	ForwardMoves       bool      `feature:"forward-moves" doc:"what some consumers get early they get as early through moves that rename eliminates"`
	FastPointerChase   bool      `feature:"fast-pointer-chase" doc:"a load whose address comes from a load, with simple addressing, takes one cycle less"`
	ComplexAddresses   bool      `feature:"complex-addresses" doc:"an address with a scaled index, or of base, index and displacement (with rbp and r13 as base always), is there one cycle later"`
	WritebackConflicts bool      `feature:"writeback-conflicts" doc:"two loads of different latency on one port do not finish in the same cycle"`
	ResultBus          ResultBus `param:"result-ports" doc:"UOPS PORTS…: ports that write back one result a cycle: operations that would end together do not issue; once so many younger ones have passed one of them, the port is kept for it"`
}

// LoadStore is the load and store unit: forwarding, the order of loads and stores, and the ports of the first-level data cache.
type LoadStore struct {
	MixedForward        float64      `param:"mixed-forward" doc:"cycles from store data to a load of another size, or to one that memory renaming misses"`
	DistantForward      float64      `param:"distant-forward" doc:"cycles from store data to an integer load, two or more iterations later, that memory renaming misses; 0: as mixed-forward"`
	OwnForward          float64      `param:"own-forward" doc:"cycles from what an instruction that changes an integer in memory stored to its own next two executions, where memory renaming misses"`
	BlockedForward      int          `param:"blocked-forward" doc:"cycles from the retirement of a store that cannot forward, as the load needs more than it wrote, to the load's value; with store-in-turn from when the store leaves the store queue"`
	MergedForward       int          `param:"merged-forward" doc:"cycles from store data to a wider load of the same address that does not wait for retirement"`
	StoreInTurn         bool         `feature:"store-in-turn" doc:"stores leave the store queue one per cycle, which loads that a store blocks wait for"`
	StoreDrain          int          `param:"store-drain" doc:"cycles from a store's retirement until a locked operation begins"`
	Disambiguation      TableSize    `param:"disambiguation" doc:"entries of the predictor of loads that depend on older stores, a power of two; the last bits of the load's address choose the entry"`
	DisambiguationTrust int          `param:"disambiguation-trust" doc:"loads of such an entry that must have waited in vain, one after another, before it lets loads pass again; 0: never"`
	PageMiss            int          `param:"page-miss" doc:"cycles that the first access to a page takes longer, in straight code measured unrolled"`
	LoadBank            int          `param:"load-bank" doc:"bytes of a bank of the first-level data cache that two loads may read per cycle"`
	ConflictBank        int          `param:"conflict-bank" doc:"bytes of a bank of the first-level data cache: of two loads that meet in one, in different lines, the younger waits"`
	LineCrossing        bool         `feature:"line-crossing" doc:"a load or store of bytes of two cache lines uses its port twice"`
	LoadsInTurn         bool         `feature:"loads-in-turn" doc:"vector loads are given their two ports in turn, however often each uses its own"`
	StoreMerge          int          `param:"store-merge" doc:"bytes of an aligned block of memory whose stores leave the store queue together, a block a cycle"`
	StoreLines          bool         `feature:"store-lines" doc:"two stores reach the data cache in one cycle only if they are neighbours and go to one line, else one"`
	StackAliases        StackAliases `param:"stack-aliases" doc:"what a moving stack pointer costs where one page stands behind all addresses: uses of its port of a load through it where push and pop alone move it, and where others do; more uses of the stores to each line; cycles each time it has come through the page"`
}

// Scheduler is one partition of the scheduler.
type Scheduler struct {
	Name    string
	Entries int
	Ports   PortSet
}

// ResultBus are ports that write back one result a cycle, of operations of any latency. Passes is how many younger µops take the port of one whose result
// would meet with another's, before it is kept for that. What brings a result by a port that is not its own (UopResult) does not issue while one waits there.
type ResultBus struct {
	Ports  PortSet
	Passes int
}

// TableSize is a number of entries, a power of two.
type TableSize int

// Density is a point of a curve: slots per cycle at a number of bytes per slot.
type Density struct{ Bytes, Slots float64 }

// LoopFactor is a rule of a loop buffer: loops of at most Slots slots are laid out Factor times.
type LoopFactor struct{ Slots, Factor int }
