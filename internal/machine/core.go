package machine

// Core holds the parameters of a core's pipeline, with a section for each part of it. The tags of a field give its name in model files (`param` has a
// value, `feature` is on or off) and its meaning (`doc`, printed as a table in docs/model-format.md). 0 means that the value is not known or that the
// core has no such limit. Model files state the source of every value.
type Core struct {
	FrontEnd
	Decode
	Rename
	Scheduling
	LoadStore
	Results
}

// FrontEnd describes the fetch of slots from the µop cache.
type FrontEnd struct {
	FetchWidth   int          `param:"fetch-width" overruled:"fetch-entries" doc:"slots per cycle from the µop cache"`
	FetchQueue   int          `param:"fetch-queue" overruled:"fetch-entries" doc:"slots between the front end and dispatch"`
	FetchLine    int          `param:"fetch-line" overruled:"fetch-entries" doc:"size in bytes of the aligned lines in which the branch predictor passes code to the front end, one line per cycle: an iteration takes one cycle for each line that it touches"`
	FetchEntries FetchEntries `param:"fetch-entries" doc:"entries of the µop cache, by which it delivers slots"`
	TakenBranch  int          `param:"taken-branch" overruled:"fetch-entries" doc:"least cycles of a loop iteration that ends in a taken branch"`
	FetchDensity DensityCurve `param:"fetch-density" overruled:"fetch-entries" doc:"slots per cycle from the decoders of a core without a µop cache in straight code, by bytes of code per slot: 3:8 4:6.6 is 8 at 3 bytes, 6.6 at 4, linear between two points"`
	UopCache     UopCache     `param:"uop-cache" doc:"the µop cache"`
	LoopUnroll   []LoopFactor `param:"loop-buffer" doc:"number of copies in which the loop buffer holds loops of up to n µops (4x8: up to 4 µops, 8 copies)"`
	JCCErratum   bool         `feature:"jcc-erratum" doc:"the µop cache does not hold jumps that cross or end on a 32-byte boundary (where addresses are known)"`
}

// Decode describes the microcode sequencer and the legacy decoders, which decode the code that the µop cache does not hold.
type Decode struct {
	Predecode     Predecode          `param:"predecode" doc:"the predecoder"`
	Decoders      int                `param:"decoders" doc:"instructions decoded per cycle"`
	Decoding      Decoding           `param:"decoding" doc:"the legacy decoders"`
	DecodeSlots   int                `param:"decode-slots" doc:"slots that all decoders make per cycle"`
	FuseRegisters bool               `feature:"fuse-registers" doc:"pairs fuse only if the first instruction does not access memory"`
	FusionInLine  bool               `feature:"fusion-in-line" doc:"an instruction that ends a cache line is not fused with a jump that begins the next (where addresses are known)"`
	Microcode     MicrocodeSequencer `param:"microcode" doc:"the microcode sequencer"`
}

// Rename describes how instructions become µops and slots, which of them need no execution, and memory renaming.
type Rename struct {
	DispatchUops int `param:"dispatch-uops" doc:"µops dispatched per cycle, even if they share slots; 0: as many as the slots hold"`
	// DispatchLimits are the limits of dispatch by port: those that the model states ("param dispatch-limit-NAME: UOPS PORTS…"), the limit of all
	// µops, and the limits that follow from their combination.
	DispatchLimits   []DispatchLimit
	MicroFusion      bool         `feature:"micro-fusion" doc:"a load µop and the operation on its value, and the two µops of a store, take one dispatch slot"`
	MacroOps         bool         `feature:"macro-ops" doc:"a dispatch slot holds one instruction of up to two µops (Arm MOPs), on any ports"`
	SlotsFromPorts   bool         `feature:"slots-from-ports" doc:"dispatch slots are the µops listed; the source's own count is not used"`
	NopFusion        bool         `feature:"nop-fusion" doc:"a nop shares the slot of the next instruction; consecutive nops share slots in pairs"`
	NopFusionBytes   int          `param:"nop-fusion-bytes" doc:"with nop-fusion, a nop shares the slot of the instruction before it instead, if that touches no vector register and both have no more bytes than this"`
	MoveFusion       bool         `feature:"move-fusion" doc:"a register move and an addition, subtraction, logic operation or shift that overwrites its result, with a register or a constant, take one slot and one port"`
	ZeroIdioms       bool         `feature:"zero-idioms" doc:"every zero idiom of the ISA (xor r,r …) is resolved at rename: no port, no dependence"`
	DepBreaking      bool         `feature:"dep-breaking" doc:"every dependency-breaking form of the ISA (pcmpeq x,x …) executes without waiting for its operands"`
	LoadHalves       bool         `feature:"load-halves" doc:"a load of the low half of a register does not wait for the register if the next instruction loads the high half (movlps, movhps)"`
	StackEngine      bool         `feature:"stack-engine" doc:"the stack pointer's update by push, pop, call and ret takes no µop and no latency"`
	StackSync        PortSet      `param:"stack-sync" doc:"ports of the µop that a stack engine inserts before an instruction that reads the stack pointer itself"`
	StackOffsets     bool         `feature:"stack-offsets" doc:"moves of the stack pointer, and addresses whose base it is, add what push and pop have moved it by, and need no such µop"`
	HighMerge        PortSet      `param:"high-byte-merge" doc:"ports of the µop that merges the second byte of a register (ah), where that is renamed apart; it takes a cycle of dispatch"`
	FlagMerge        PortSet      `param:"flag-merge" doc:"ports of the µop that merges the carry and the other flags, where different instructions wrote them"`
	IndexedSlots     PortSet      `param:"indexed-slots" doc:"vector ports: an instruction of one slot that uses none of these ports takes two slots if it accesses memory by base and index and also stores or executes"`
	IntegerRegisters int          `param:"prf-gpr" doc:"integer registers for results in flight, in addition to the architectural ones"`
	VectorRegisters  int          `param:"prf-vec" doc:"vector registers for results in flight, in addition to the architectural ones"`
	FlagRegisters    int          `param:"prf-flags" doc:"flag registers for results in flight, in addition to the architectural ones"`
	TakenBranches    int          `param:"taken-branches" doc:"entries for taken branches in flight; one behind more slots than an entry of fetch-entries holds takes two"`
	PairsWhole       bool         `feature:"pairs-whole" doc:"all slots of an instruction are dispatched in the same cycle, if it has two, or if one of its µops executes and its slots fill a cycle"`
	Unlamination     Unlamination `param:"unlamination" doc:"instructions that take more slots at dispatch than in the decoders"`
	Renaming         Renaming     `param:"renaming" doc:"memory renaming: a load of recently stored data gets the stored register at rename, without latency; the parts say for which stores and loads"`
}

// Scheduling describes how µops wait for ports and get them.
type Scheduling struct {
	// Schedulers partition the waiting µops by the ports that they can use ("param scheduler-NAME: ENTRIES PORTS…"). Without any, one scheduler of
	// Params.Scheduler entries holds all of them.
	Schedulers        []Scheduler
	Steering          []Steering  `param:"steering-NAME" doc:"POLICY PARTITION…: partitions (scheduler-NAME) among which dispatch chooses for a µop before the µop is ready. Every policy: hold=CYCLES: an entry stays taken that long after its µop has issued; delay=CYCLES: the choice sees µops that entered or left only that much later. packet: the partitions of all µops of a cycle are chosen together at dispatch; PARTITION+PORTS accepts a second µop per cycle if that µop can use only PORTS, PARTITION+PORTS/FREE only with FREE entries free, as far as the choice knows; addresses=UOPS:PORTS: limit of a partition's µops per cycle if one of them computes an address on PORTS (an operation that shares its slot with an address does not count); address-weight=UOPS: occupancy added to a partition that got an address in the same cycle. turns: µops wait in a queue of queue=ENTRIES, and their slot's position in the cycle determines the partition; a µop gets another partition if at least imbalance=UOPS fewer µops wait for its port there"`
	IssueDelay        int         `param:"issue-delay" most:"255" doc:"cycles from dispatch to the earliest execution"`
	PortChoice        PortChoice  `param:"port-choice" doc:"when a µop's port is chosen; without this parameter, at issue"`
	SpeculativeWakeup bool        `feature:"speculative-wakeup" doc:"a µop that waits for a port wakes its consumers as if it had issued; the consumers then occupy ports without executing"`
	LoadEntries       LoadEntries `param:"load-entries" doc:"limit of the scheduler entries that loads take, over all partitions"`
	UnitTurns         PortSet     `param:"unit-turns" doc:"units of a resource that take operations in turn: an operation waits for the next unit, even if another one is free"`
	CompareJump       PortSet     `param:"compare-jump" doc:"ports of an instruction that only writes flags and is fused with a jump; without this parameter, and for other fused pairs, the ports that both instructions can use"`
	WideCloses        PortSet     `param:"wide-closes" doc:"ports that vector operations cannot use while operations on 512-bit vectors wait"`
	UnitQueue         UnitQueue   `param:"unit-queue" doc:"ENTRIES PORTS…: of an in-order core: the units of these ports have a queue of their own: an instruction for them enters it in program order, once the results of other units that it needs are there, and younger instructions issue; from the queue it issues in order"`
	AddressTurns      PortSet     `param:"address-turns" doc:"ports that some loads must use; of the other µops in a row that compute addresses, every second one uses them too"`
}

// Results describes how results reach their consumers.
type Results struct {
	ForwardMoves       bool      `feature:"forward-moves" doc:"results that reach some consumers early also reach them early through moves that rename eliminates"`
	FastPointerChase   bool      `feature:"fast-pointer-chase" doc:"a load whose address was just loaded takes one cycle less if the addressing is simple"`
	ComplexAddresses   bool      `feature:"complex-addresses" doc:"the load starts one cycle later if its address has a scaled index, or base, index and displacement (always with rbp and r13 as the base)"`
	WritebackConflicts bool      `feature:"writeback-conflicts" doc:"two loads of different latency on one port do not finish in the same cycle"`
	Bypass             float64   `param:"bypass" doc:"extra cycles of a vector result on the way from floating-point to integer units, or from integer to floating-point units (rows with fp-domain and int-domain)"`
	FlagsApart         bool      `feature:"flags-apart" doc:"a port of result-ports writes back one register and, apart from it, one set of flags per cycle"`
	ControlWaits       bool      `feature:"control-waits" doc:"an instruction waits for the control state that it reads, such as the vector length of a vsetvli before it"`
	ResultBus          ResultBus `param:"result-ports" doc:"UOPS PORTS…: ports that write back one result per cycle: an operation does not issue if its result would come in the same cycle as another one; after UOPS younger µops have issued before it, the port is reserved for it"`
}

// LoadStore describes the load and store unit: forwarding, the order of loads and stores, and the ports of the first-level data cache.
type LoadStore struct {
	Forwarding     Forwarding     `param:"forwarding" doc:"store-to-load forwarding with a latency other than store-forward"`
	StoreDrain     int            `param:"store-drain" doc:"cycles from a store's retirement until a locked operation begins"`
	Disambiguation Disambiguation `param:"disambiguation" doc:"the predictor of loads that depend on older stores; the low bits of the load's address select the entry"`
	Banks          Banks          `param:"banks" doc:"the banks of the first-level data cache"`
	LineCrossing   bool           `feature:"line-crossing" doc:"a load or store that crosses two cache lines uses its port twice"`
	StoreTurns     PortSet        `param:"store-turns" doc:"units of a resource of which a store takes one for a cycle, or all if its row says so; with line-crossing a store that crosses lines takes one more of them, instead of its port, unless it takes all"`
	LoadTurns      PortSet        `param:"load-turns" doc:"units of a resource of which a load that must use the ports of address-turns takes one for a cycle; with line-crossing one that crosses lines takes it, instead of its port, for two"`
	LoadsInTurn    bool           `feature:"loads-in-turn" doc:"vector loads go to their two ports alternately, even if one load uses its port several times"`
	StoreCommit    StoreCommit    `param:"store-commit" doc:"how stores leave the store queue"`
}

// LoadEntries limits the scheduler entries that loads take, over all partitions.
type LoadEntries struct {
	Entries int `key:"." doc:"the limit"`
	Hold    int `key:"hold" most:"15" doc:"an entry stays taken for that many cycles after its load has issued"`
}

// UnitQueue is the queue in front of the units of some ports of an in-order core, such as its vector unit.
type UnitQueue struct {
	Ports   PortSet
	Entries int
}

// Scheduler is one partition of the scheduler.
type Scheduler struct {
	Name    string
	Entries int
	Ports   PortSet
}

// ResultBus describes ports that write back one result per cycle, whatever the latencies of the operations. Passes is the number of younger µops that
// may use the port of a µop which cannot issue because its result would conflict with another one; then the port is reserved for that µop. A µop with
// a result on a port other than its own (UopResult) does not issue while a µop waits for that port.
type ResultBus struct {
	Ports  PortSet
	Passes int
}

// UopCache describes which code the µop cache can hold. The limits by window need known addresses.
type UopCache struct {
	Slots      int  `key:"." doc:"capacity in slots"`
	Window     int  `key:"window" doc:"size in bytes of a window of code, for which the number of lines is limited"`
	Lines      int  `key:"lines" doc:"lines per window of code"`
	Line       int  `key:"line" doc:"slots per line"`
	Ways       int  `key:"ways" doc:"lines per set"`
	Whole      int  `key:"whole" doc:"size in bytes of the pieces of code that it holds either completely or not at all"`
	PastBranch bool `key:"past-branch" doc:"after a taken branch to another window it continues in the same cycle"`
}

// FetchEntries describes how a µop cache delivers slots: entries are filled in the order of the code from the target of a branch on, belong to the line of code
// in which their first instruction begins, and are fetched line by line.
type FetchEntries struct {
	Slots   int `key:"." doc:"slots per entry"`
	Line    int `key:"line" doc:"size in bytes of a line of code"`
	Entries int `key:"entries" doc:"entries of one line that a cycle fetches; a further fetch from the same line takes one cycle more"`
	Kept    int `key:"kept" doc:"most entries of one line; the code of a line with more is decoded each time; 0: no limit"`
	Decoded int `key:"decoded" doc:"slots per cycle of a line that is decoded"`
}

// Predecode is the predecoder of the legacy decode path.
type Predecode struct {
	Bytes    int  `key:"bytes" doc:"bytes of a predecoded block"`
	Insts    int  `key:"insts" doc:"instructions predecoded per cycle"`
	Queue    int  `key:"queue" doc:"instructions between predecoding and decoding"`
	LCP      int  `key:"lcp" doc:"cycles lost to a length-changing prefix"`
	Crossing bool `key:"crossing" doc:"an instruction that ends in the next block also counts in the block of its opcode"`
}

// Decoding describes the legacy decoders.
type Decoding struct {
	Complex  int  `key:"complex" doc:"most slots from the first decoder, which alone decodes instructions of several slots"`
	FuseLast bool `key:"fuse-last" doc:"the last decoder accepts instructions that may fuse with the next one; without it they wait for the next cycle"`
	Clusters int  `key:"clusters" doc:"groups of decoders that take turns at each taken branch: in loops they work in parallel"`
	Switch   int  `key:"switch" doc:"cycles without slots when the decoders take over from the µop cache"`
}

// MicrocodeSequencer delivers the slots of microcoded instructions.
type MicrocodeSequencer struct {
	Stall  int  `key:"stall" doc:"cycles to switch to the sequencer and back"`
	Slots  int  `key:"slots" doc:"slots per cycle from the sequencer; 0: the dispatch width"`
	Alone  bool `key:"alone" doc:"instructions of more slots than complex of decoding begin a cycle of dispatch, with slots per cycle, and end one"`
	AtOnce bool `key:"at-once" doc:"the switch to a microcoded instruction begins in the cycle in which it is found, if no instruction precedes it in that cycle"`
}

// Unlamination describes how instructions are split that take fewer slots in the decoders than at dispatch.
type Unlamination struct {
	Insts  int  `key:"insts" doc:"split instructions per cycle; 0: no limit"`
	Within int  `key:"within" doc:"a split instruction must be among that many first instructions of a cycle"`
	Whole  bool `key:"whole" doc:"the two slots of a split instruction are dispatched in the same cycle"`
}

// Renaming describes which pairs of a store and a load memory renaming serves: integer loads of at least 32 bits, of data from the latest execution
// of the store, with the exceptions below. A core renames memory if Any, Registers or Stack is set; these state how it finds the store.
type Renaming struct {
	Any       bool `key:"any" doc:"the store is found by its address, whatever registers the address is made of"`
	Registers bool `key:"registers" doc:"the store is found by the registers of its address, which must be those of the load, with unchanged values"`
	Entries   int  `key:"entries" doc:"with registers or stack: number of pairs with other registers that a table predicts"`
	Sets      int  `key:"sets" doc:"number of sets of so many entries, to which the bits of the load's address from bit 1 on assign it; 0: one"`
	Counters  bool `key:"counters" doc:"the table also predicts operations that load and store relative to the program counter"`
	Stack     bool `key:"stack" doc:"the store is found only if store and load use the stack pointer without an index"`
	Simple    bool `key:"simple" doc:"no addresses with an index, and no read-modify-write operations with a register operand"`
	Moves     bool `key:"moves" doc:"plain loads and read-modify-write operations; loads that share their slot with an operation that writes registers only if their address has a base and an index"`
	Distant   bool `key:"distant" doc:"also data from a store that has executed again before the load"`
	Bytes     bool `key:"bytes" doc:"also loads of 8 bits, but none of 16"`
	Wide      bool `key:"wide" doc:"no loads of 8 or 16 bits"`
	Until     int  `key:"until" doc:"an instruction of more slots than that between the store and the load ends the pair; 0: none does"`
	Granule   int  `key:"granule" doc:"bytes; of addresses with the same registers only the part of the displacement above these is compared, so that accesses at different bytes of them are taken for the same, with a flush of the pipeline; 0: the whole displacement"`
	Density   int  `key:"density" doc:"limit of the loads served per 32 bytes of code; 0: no limit"`
}

// Renames reports whether the core renames memory.
func (r *Renaming) Renames() bool { return r.Any || r.Registers || r.Stack }

// Forwarding holds the latencies of store-to-load forwarding that differ from store-forward, by kind of load and iteration distance; 0: no
// difference.
type Forwarding struct {
	Mixed         float64 `key:"mixed" doc:"cycles from store data to a load of another size, or to an integer load that memory renaming misses"`
	Own           float64 `key:"own" doc:"cycles from the store of a read-modify-write integer operation to the load of its own next two executions"`
	Executed      float64 `key:"executed" doc:"cycles from the result of an operation that stores it to an integer load that memory renaming misses, if not mixed"`
	Distant       float64 `key:"distant" doc:"cycles from store data to an integer load two or more iterations later"`
	Failed        int     `key:"failed" doc:"failed store-to-load forwarding, because the load needs bytes that the store did not write: cycles from the store's retirement (with store-commit in-turn, from when the store leaves the store queue) to the load's value"`
	FailedVectors int     `key:"failed-vectors" doc:"the same where the loaded value reaches a store of vector data, whose retirement is later in the simulator than in the core"`
	Halves        bool    `key:"halves" doc:"a load gets a store's data only from the store's first byte or from its middle on, and of two stores only if each has a half of a load of at least 8 bytes; else forwarding fails"`
	// Between register files, and among vectors; 0: as loads of the same register file.
	ToVector      float64 `key:"to-vector" doc:"cycles from the data of an integer store to a load into a vector register"`
	FailedPart    int     `key:"failed-part" doc:"cycles more where the store wrote only a part of an aligned word of four bytes"`
	ToInteger     float64 `key:"to-integer" doc:"cycles from the data of a vector store to a load into an integer register, which memory renaming never serves"`
	Vectors       float64 `key:"vectors" doc:"cycles from the data of a vector store to a vector load of other bytes, if not mixed"`
	Address       float64 `key:"address" doc:"cycles from a store's address to the value of a load that gets its data and that memory renaming does not serve, if that is later than from the data"`
	AddressVector float64 `key:"address-vector" doc:"the same to the value of a load into a vector register"`
	Again         int     `key:"again" doc:"a load that executes before the data of the store are there uses its port a second time when they come, unless that is at least this number of cycles, minus one, before the value would come from the cache"`
	Crossing      float64 `key:"crossing" doc:"cycles more to a load of bytes of both halves of a store of 64 bytes, unless it loads them all"`
	Merged        int     `key:"merged" doc:"cycles from store data to a wider load of the same address that does not wait for the store's retirement"`
}

// String returns the value of a parameter "forwarding".
func (f Forwarding) String() string { return recordText(f) }

// StoreCommit describes how stores leave the store queue.
type StoreCommit struct {
	Merge  int  `key:"merge" doc:"size in bytes of the aligned blocks of memory in which consecutive stores leave together, one block per cycle"`
	Lines  bool `key:"lines" doc:"two stores leave in one cycle only if they are consecutive and go to the same line; else one leaves"`
	InTurn bool `key:"in-turn" doc:"one store leaves per cycle, and a load that cannot forward from a store waits until that store has left"`

	Partial int `key:"partial" most:"4" doc:"cycles by which a store of a part of an aligned word of four bytes leaves later if another store wrote to the word within cycles before; needs merge"`
	Within  int `key:"within" most:"8" doc:"of partial"`
}

// Banks describes the banks of the first-level data cache; 0 bytes: no bank limits.
type Banks struct {
	Bytes    int  `key:"." most:"64" powers:"2" doc:"width of a bank in bytes; two loads per cycle can read a bank"`
	Conflict bool `key:"conflict" doc:"if two loads need the same bank in different lines, the younger one waits"`
}

// Disambiguation is the predictor of loads that depend on older stores whose addresses are not known yet.
type Disambiguation struct {
	Entries int `key:"." powers:"2" doc:"number of entries, a power of two"`
	Trust   int `key:"trust" doc:"number of unnecessary waits in a row after which an entry no longer makes loads wait; 0: never"`
}

// PortChoice describes when and how the port of a µop is chosen.
type PortChoice struct {
	AtRename  bool `key:"rename" doc:"at rename, by the number of µops that wait for each port"`
	Alternate int  `key:"alternate" doc:"by the number of µops that waited when the cycle began; every second µop of a cycle takes the second best port, unless that many more µops wait there"`
}

// DensityCurve gives the slots per cycle by the bytes of code per slot.
type DensityCurve []Density

// Density is a point of a curve: slots per cycle at a number of bytes per slot.
type Density struct{ Bytes, Slots float64 }

// LoopFactor is a rule of a loop buffer: it holds loops of at most Slots slots in Factor copies.
type LoopFactor struct{ Slots, Factor int }
