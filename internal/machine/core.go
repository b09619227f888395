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
	FetchWidth     int          `param:"fetch-width" doc:"slots per cycle from the µop cache"`
	FetchQueue     int          `param:"fetch-queue" doc:"slots between the front end and dispatch"`
	FetchLine      int          `param:"fetch-line" doc:"bytes of an aligned piece of code, of which the branch predictor hands the front end one per cycle: an iteration takes a cycle for each that it touches"`
	TakenBranch    int          `param:"taken-branch" doc:"least cycles of a loop iteration that ends in a taken branch"`
	LoopCycle      float64      `param:"loop-cycle" doc:"cycles on average of each line of code (fetch-line), and of each group of slots that is dispatched in a cycle, where an iteration takes several"`
	FetchDensity   DensityCurve `param:"fetch-density" doc:"slots per cycle from the µop cache (or the decoders of a core without one) in straight code, by bytes of code per slot: 3:8 4:6.6 is 8 at 3 bytes, 6.6 at 4, linear between two points; insts=N: measured on loops of N instructions, so that the bytes of a loop of such a length tell the point, and what closes the loop is in it"`
	FetchConstants DensityCurve `param:"fetch-constants" doc:"immediates and displacements per cycle from the µop cache in straight code, by bytes of code to each"`
	UopCache       UopCache     `param:"uop-cache" doc:"the µop cache"`
	LoopUnroll     []LoopFactor `param:"loop-buffer" doc:"how often loops of so many µops are laid out (4x8: up to 4 µops, 8 times)"`
	JCCErratum     bool         `feature:"jcc-erratum" doc:"jumps that cross a 32-byte boundary or end on one are not held by the µop cache (where addresses are known)"`
}

// Decode is the legacy decode path, which code takes that the µop cache does not hold, and the microcode sequencer.
type Decode struct {
	Predecode     Predecode          `param:"predecode" doc:"the predecoder"`
	Decoders      int                `param:"decoders" doc:"instructions decoded per cycle"`
	Decoding      Decoding           `param:"decoding" doc:"the legacy decoders"`
	DecodeSlots   int                `param:"decode-slots" doc:"slots that all decoders make per cycle"`
	FuseRegisters bool               `feature:"fuse-registers" doc:"pairs fuse only if the first instruction does not access memory"`
	FusionInLine  bool               `feature:"fusion-in-line" doc:"an instruction that ends a cache line is not fused with a jump that begins the next (where addresses are known)"`
	Microcode     MicrocodeSequencer `param:"microcode" doc:"the microcode sequencer"`
}

// Rename is how instructions become µops and slots, what needs no execution, and memory renaming.
type Rename struct {
	DispatchUops int `param:"dispatch-uops" doc:"µops dispatched per cycle, whatever slots they share; 0: as many as the slots hold"`
	// DispatchLimits are limits of dispatch by the ports that µops need, those that the model states ("param dispatch-limit-NAME: UOPS PORTS…"),
	// that of all µops, and what follows from them together.
	DispatchLimits   []DispatchLimit
	MicroFusion      bool         `feature:"micro-fusion" doc:"a load µop and the operation on its value, and the two µops of a store, take one dispatch slot"`
	MacroOps         bool         `feature:"macro-ops" doc:"a dispatch slot holds one instruction of up to two µops (Arm MOPs), whatever ports they need"`
	SlotsFromPorts   bool         `feature:"slots-from-ports" doc:"dispatch slots are the µops listed; the source's own count is not used"`
	NopFusion        bool         `feature:"nop-fusion" doc:"an instruction that does nothing shares the slot of the one behind it; of several in a row, each two share one"`
	MoveFusion       bool         `feature:"move-fusion" doc:"a register move and an addition, subtraction, logic operation or shift that overwrites its result, with a register or a constant, take one slot and one port"`
	ZeroIdioms       bool         `feature:"zero-idioms" doc:"every zero idiom of the ISA (xor r,r …) is resolved at rename: no port, no dependence"`
	DepBreaking      bool         `feature:"dep-breaking" doc:"every dependency-breaking form of the ISA (pcmpeq x,x …) executes without waiting for its operands"`
	StackEngine      bool         `feature:"stack-engine" doc:"the stack pointer's update by push, pop, call and ret takes no µop and no latency"`
	StackSync        PortSet      `param:"stack-sync" doc:"ports of the µop that a stack engine inserts before an instruction that reads the stack pointer itself"`
	HighMerge        PortSet      `param:"high-byte-merge" doc:"ports of the µop that merges the second byte of a register (ah), where that is renamed apart; it takes a cycle of dispatch"`
	FlagMerge        PortSet      `param:"flag-merge" doc:"ports of the µop that merges the carry and the other flags, where different instructions wrote them"`
	IndexedSlots     PortSet      `param:"indexed-slots" doc:"ports of vectors: an instruction of one slot that needs none of them, accesses memory by base and index, and stores or executes besides takes two"`
	IntegerRegisters int          `param:"prf-gpr" doc:"integer registers that results in flight take, beyond those of the architecture"`
	VectorRegisters  int          `param:"prf-vec" doc:"the same of vector registers"`
	FlagRegisters    int          `param:"prf-flags" doc:"the same of flags"`
	PairsWhole       bool         `feature:"pairs-whole" doc:"an instruction of two slots, or of as many as a cycle has of which one µop executes, is dispatched in one cycle as a whole"`
	Unlamination     Unlamination `param:"unlamination" doc:"instructions that the decoders made fewer slots of than dispatch takes"`
	Renaming         Renaming     `param:"renaming" doc:"memory renaming: a load of what a store wrote takes the stored register at rename, without a latency; of which stores and loads"`
}

// Scheduling is how µops come to ports.
type Scheduling struct {
	// Schedulers partition the waiting µops by the ports that they need
	// ("param scheduler-NAME: ENTRIES PORTS…"). Without any, Params.Scheduler holds them all.
	Schedulers        []Scheduler
	Steering          []Steering  `param:"steering-NAME" doc:"POLICY PARTITION…: partitions (scheduler-NAME) of which a µop gets one before it is ready. Every policy: hold=CYCLES for which an entry stays taken once its µop has issued, delay=CYCLES for which the choice does not know of what came and left. packet: those of a cycle's µops are chosen together when they are dispatched; PARTITION+PORTS takes a second µop a cycle, of those for PORTS only, PARTITION+PORTS/FREE if FREE entries seem free; addresses=UOPS:PORTS: µops of a cycle that a partition takes, if one of them computes an address by these ports (an operation that shares its slot with an address is none of them); address-weight=UOPS by which a partition seems fuller that has got an address in the same cycle. turns: µops wait in a queue of queue=ENTRIES and get a partition by their place among the slots of their cycle; another where fewer wait for its port, by imbalance=UOPS"`
	IssueDelay        int         `param:"issue-delay" doc:"cycles from dispatch to the earliest execution"`
	PortChoice        PortChoice  `param:"port-choice" doc:"when a µop's port is chosen; without it when it issues"`
	SpeculativeWakeup bool        `feature:"speculative-wakeup" doc:"a µop that waits for a port wakes its consumers as if it had got one; they take ports in vain"`
	LoadEntries       LoadEntries `param:"load-entries" doc:"entries of all partitions together that loads take at most"`
	CompareJump       PortSet     `param:"compare-jump" doc:"ports of an instruction that writes flags alone and is fused with a jump; without it, and of others, they are those that both instructions can go to"`
	WideCloses        PortSet     `param:"wide-closes" doc:"ports whose vector units are closed while operations on vectors of 512 bits wait"`
	AddressTurns      PortSet     `param:"address-turns" doc:"ports that some loads have to use, to which every second one in a row goes of the other µops that compute addresses"`
}

// Results is how results come to their consumers.
type Results struct {
	ForwardMoves       bool      `feature:"forward-moves" doc:"what some consumers get early they get as early through moves that rename eliminates"`
	FastPointerChase   bool      `feature:"fast-pointer-chase" doc:"a load whose address comes from a load, with simple addressing, takes one cycle less"`
	ComplexAddresses   bool      `feature:"complex-addresses" doc:"an address with a scaled index, or of base, index and displacement (with rbp and r13 as base always), is there one cycle later"`
	WritebackConflicts bool      `feature:"writeback-conflicts" doc:"two loads of different latency on one port do not finish in the same cycle"`
	Bypass             float64   `param:"bypass" doc:"cycles that a result of vector units of floating point takes longer to those of integers, and the other way round (of rows with fp-domain and int-domain)"`
	ResultBus          ResultBus `param:"result-ports" doc:"UOPS PORTS…: ports that write back one result a cycle: operations that would end together do not issue; once so many younger ones have passed one of them, the port is kept for it"`
}

// LoadStore is the load and store unit: forwarding, the order of loads and stores, and the ports of the first-level data cache.
type LoadStore struct {
	Forwarding     Forwarding     `param:"forwarding" doc:"store-to-load forwarding that takes other cycles than store-forward"`
	StoreDrain     int            `param:"store-drain" doc:"cycles from a store's retirement until a locked operation begins"`
	Disambiguation Disambiguation `param:"disambiguation" doc:"the predictor of loads that depend on older stores; the last bits of the load's address choose the entry"`
	Banks          Banks          `param:"banks" doc:"the banks of the first-level data cache"`
	LineCrossing   bool           `feature:"line-crossing" doc:"a load or store of bytes of two cache lines uses its port twice"`
	LoadsInTurn    bool           `feature:"loads-in-turn" doc:"vector loads are given their two ports in turn, however often each uses its own"`
	StoreCommit    StoreCommit    `param:"store-commit" doc:"how stores leave the store queue"`
}

// LoadEntries are the entries of all partitions together that loads take at most.
type LoadEntries struct {
	Entries int `key:"." doc:"how many"`
	Hold    int `key:"hold" doc:"cycles for which an entry stays taken once its load has issued"`
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

// UopCache is what the µop cache holds of code whose addresses are known, and of any.
type UopCache struct {
	Slots      int  `key:"." doc:"slots that it holds"`
	Window     int  `key:"window" doc:"bytes of code for which it has a number of lines"`
	Lines      int  `key:"lines" doc:"lines for one window of code"`
	Line       int  `key:"line" doc:"slots in a line"`
	Ways       int  `key:"ways" doc:"lines in a set"`
	Whole      int  `key:"whole" doc:"bytes of code that it holds as a whole or not at all"`
	PastBranch bool `key:"past-branch" doc:"it goes on behind a taken branch in the same cycle, where that leads to another window"`
}

// Predecode is the predecoder of the legacy decode path.
type Predecode struct {
	Bytes    int  `key:"bytes" doc:"bytes of a predecoded block"`
	Insts    int  `key:"insts" doc:"instructions predecoded per cycle"`
	Queue    int  `key:"queue" doc:"instructions between predecoding and decoding"`
	LCP      int  `key:"lcp" doc:"cycles lost to a length-changing prefix"`
	Crossing bool `key:"crossing" doc:"an instruction that ends in the next block counts in the block of its opcode, too"`
}

// Decoding is how the legacy decoders make slots.
type Decoding struct {
	Complex  int  `key:"complex" doc:"slots that the first decoder makes at most, which alone takes instructions of several"`
	FuseLast bool `key:"fuse-last" doc:"the last decoder takes instructions that may fuse with the next one; else they wait for the next cycle"`
	Clusters int  `key:"clusters" doc:"groups of decoders, of which another takes the code behind each taken branch: in loops they work side by side"`
	Switch   int  `key:"switch" doc:"cycles without slots when the decoders take over from the µop cache"`
}

// MicrocodeSequencer delivers the slots of microcoded instructions.
type MicrocodeSequencer struct {
	Stall  int  `key:"stall" doc:"cycles to switch to it and back"`
	Slots  int  `key:"slots" doc:"slots per cycle from it; 0: as many as are dispatched"`
	AtOnce bool `key:"at-once" doc:"the cycle that meets a microcoded instruction is one of those that switching takes, if nothing came before it there"`
}

// Unlamination is how instructions are split that the decoders made fewer slots of than dispatch takes.
type Unlamination struct {
	Insts  int  `key:"insts" doc:"such instructions per cycle; 0: no limit"`
	Within int  `key:"within" doc:"first instructions of a cycle among which they are"`
	Whole  bool `key:"whole" doc:"what takes two slots is dispatched in one cycle as a whole"`
}

// Renaming is which pairs of a store and a load memory renaming serves: loads of integers of 32 bits and more, of what the last execution of a store wrote, but for
// what the parts say. How the store is found, by Any, Registers or Stack, tells that the core renames memory.
type Renaming struct {
	Any       bool `key:"any" doc:"a store is found whatever the registers of the addresses are"`
	Registers bool `key:"registers" doc:"a store is found by the registers of its address, which must be the load's and unchanged since"`
	Entries   int  `key:"entries" doc:"with registers or stack: pairs that are predicted although their registers do not tell"`
	Stack     bool `key:"stack" doc:"a store is found only by a load through the stack pointer, without an index, of what was stored through it"`
	Simple    bool `key:"simple" doc:"no addresses with an index, and no read-modify-write operations with a register operand"`
	Moves     bool `key:"moves" doc:"plain loads and read-modify-write operations, and loads that share their slots with operations which write registers only if their addresses have a base and an index"`
	Distant   bool `key:"distant" doc:"also what a store wrote that has been executed again since"`
	Bytes     bool `key:"bytes" doc:"loads of 8 bits as well, but none of 16"`
	Wide      bool `key:"wide" doc:"nothing of 8 or 16 bits"`
	Density   int  `key:"density" doc:"loads in 32 bytes of code that are served; 0: any number"`
}

// Renames reports whether the core renames memory.
func (r *Renaming) Renames() bool { return r.Any || r.Registers || r.Stack }

// Forwarding is the table of store-to-load forwarding where it takes other cycles than store-forward, by what is loaded, from where, and how long ago it was
// stored; 0: as any other.
type Forwarding struct {
	Mixed   float64 `key:"mixed" doc:"cycles from store data to a load of another size, or to an integer load that memory renaming misses"`
	Own     float64 `key:"own" doc:"cycles from what an instruction that changes an integer in memory stored to its own next two executions"`
	Distant float64 `key:"distant" doc:"cycles from store data to an integer load, two or more iterations later"`
	Failed  int     `key:"failed" doc:"store-to-load forwarding fails, as the load needs more than the store wrote: cycles from the store's retirement (with store-commit in-turn from when it leaves the store queue) to the load's value"`
	Merged  int     `key:"merged" doc:"cycles from store data to a wider load of the same address that does not wait for retirement"`
}

// StoreCommit is how stores leave the store queue.
type StoreCommit struct {
	Merge  int  `key:"merge" doc:"bytes of an aligned block of memory whose stores leave together where they follow each other, a block a cycle"`
	Lines  bool `key:"lines" doc:"two stores leave in one cycle only if they follow each other and go to one line, else one does"`
	InTurn bool `key:"in-turn" doc:"one leaves per cycle, and a load that cannot take what it stored waits for that"`
}

// Banks are the banks of the first-level data cache; 0 bytes: they do not matter.
type Banks struct {
	Bytes    int  `key:"." doc:"width of a bank, which two loads may read per cycle"`
	Conflict bool `key:"conflict" doc:"of two loads that meet in a bank, in different lines, the younger waits instead"`
}

// Disambiguation is the predictor of loads that depend on older stores whose addresses are not known.
type Disambiguation struct {
	Entries int `key:"." doc:"its entries, a power of two"`
	Trust   int `key:"trust" doc:"loads of an entry that must have waited in vain, one after another, before it lets loads pass again; 0: never"`
}

// PortChoice is when and how a µop's port is chosen.
type PortChoice struct {
	AtRename  bool `key:"rename" doc:"when it is renamed, by what waits for each port"`
	Alternate int  `key:"alternate" doc:"by what waited when the cycle began; every second µop of a cycle takes the second best port, unless so many more wait there"`
}

// DensityCurve is how many slots a cycle delivers by the bytes of code to each.
type DensityCurve struct {
	Insts  int // it was measured on loops of so many instructions; 0: on straight code of any length
	Points []Density
}

// Density is a point of a curve: slots per cycle at a number of bytes per slot.
type Density struct{ Bytes, Slots float64 }

// LoopFactor is a rule of a loop buffer: loops of at most Slots slots are laid out Factor times.
type LoopFactor struct{ Slots, Factor int }
