package machine

import (
	"math"
	"slices"

	"incore/internal/isa"
)

// PortSet is a set of ports of one model: bit i is Model.Ports[i].
type PortSet uint64

// UopKind says what a µop does; the simulator and the per-width limits tell kinds apart.
type UopKind uint8

// The kinds of µops.
const (
	UopExec UopKind = iota
	UopLoad
	UopStoreAddr
	UopStoreData
	UopBranch
	UopResult // no µop, but the way of the instruction's slowest result to its register, which is the port's
	UopRead   // no µop, but a register read that a resource serves: not needed when an execution unit's result arrives by bypass, so that no bound counts it
)

// Uop is one (unfused) µop, or a use of a shared resource such as a divider.
type Uop struct {
	Ports  PortSet // any one of these; 0 = needs no port
	Cycles float64 // cycles during which it keeps the port busy
	Kind   UopKind
	// Resource marks a use that is no µop of its own: a divider or a similar unit
	// that one of the instruction's µops holds while it executes.
	Resource bool
	// Start is when, in cycles after the instruction issues, the port becomes busy (LLVM's AcquireAtCycle); mostly 0.
	Start float64
}

// InstFlags are facts about a bound instruction.
type InstFlags uint32

// The bits of InstFlags.
const (
	Unknown       InstFlags = 1 << iota // form unresolved or without cost data: figures are an interval
	ZeroIdiom                           // result known at rename, operands not read
	DepBreak                            // executes, but doesn't depend on its (equal) operands
	MoveElim                            // eliminated at rename: no port, latency 0
	FusedFirst                          // macro-fused with the next instruction, which bears no slot
	FusedSecond                         // macro-fused with the one before; its cost is counted there
	Variant                             // the cost depends on the operands (shift amount, idiom …) and was chosen by them
	SideEffect                          // serialising or otherwise not modelled
	Borrowed                            // the cost comes from another core's model
	Complex                             // only the first of the legacy decoders takes it
	LoadInMemory                        // what it loads is never renamed, whatever the core does with others
	StoreInMemory                       // what it stores is never renamed
	NoIdiom                             // the core does not know the ISA's idiom: operands are waited for
	Drains                              // begins when all older stores have left the store queue, as locked operations do
	IssueFirst                          // on an in-order core, issues in no cycle in which another has before it
	ReadsResult                         // waits for the old value of the register that it writes, which it does not need
	IssueLast                           // on an in-order core, nothing issues behind it in the same cycle
	Microcode                           // its slots come from the microcode sequencer, though the decoders could make so many
	NoPorts                             // on which ports its µops execute, and for how long, is not known: what its slots allow is the least that it takes
	StandIn                             // its figures say "very long" of what their source does not describe: they are no upper bound
	JoinsPrefix                         // what only prepares its destination by a copy (isa.PlainCopy) is fused with it
	JoinsZeroing                        // the same of isa.ZeroingCopy
	JoinsMerging                        // the same of isa.MergingCopy
	FloatDomain                         // its vector units are those of floating point: operands and results of the others take longer (bypass)
	IntegerDomain                       // its vector units are those of integers
)

// Bound is a kernel on a machine: what each instruction costs there. Immutable once made.
type Bound struct {
	Kernel  *isa.Kernel
	Model   *Model
	Insts   []Inst
	Foreign bool // the code is of another instruction set than the model: nothing of it is known
}

// Inst is one instruction on a machine.
//
// Its inputs are numbered: the register reads (Effects.Reads) first, then the
// memory operands that load (index len(Reads)+k for Effects.Mem[k]). Its outputs
// likewise: the register writes, then the memory operands that store.
type Inst struct {
	Line    *isa.Line
	Effects isa.Effects
	Uops    []Uop
	// Spare is what an eliminated move costs when the core cannot eliminate it: its µops, with a latency of one cycle.
	Spare   []Uop
	Slots   float64 // slots of the dispatch width (fused-domain µops)
	Latency float64 // cycles from the last operand to the (slowest) result, load included: what tables show
	Load    float64 // of Latency, the load's part (L1 hit); 0 without a load
	Flags   InstFlags
	// Decode is the slots that the legacy decoders make of it, fewer than Slots where the core splits
	// (un-laminates) them behind the decoders.
	Decode float64
	// Group is how many instructions the legacy decoders take in a cycle that begins with it; 0 = as many as decode-slots allows.
	Group  int
	Source string // where the figures come from: "llvm SkylakeServerModel", "uops.info SKX", "PMBS'19 table II"
	// Low and High bound Latency and Slots when Flags has Unknown (from similar forms); else equal to them.
	LowLatency, HighLatency float64
	LowSlots, HighSlots     float64
	// Open is why its time is not the core's alone to say, behind the instruction's name ("takes as long as rcx says"): isa.ISA.Outside.
	Open   string
	lat    []float64 // inputs × outputs, NaN = output does not depend on input
	late   *pairer   // for Forward; nil where no forwarding is special
	copied uint16    // of a move that rename eliminates: the forwarding tag of what it copies ("forward-moves")
	bypass float64   // cycles that a vector result of the other domain takes longer to get here, and the other way round
	domain InstFlags // FloatDomain or IntegerDomain where the core has a bypass delay; of a move that rename eliminates, that of what it copies
}

// Accesses counts the memory operands that a kernel loads and stores in an iteration.
func (b *Bound) Accesses() (loads, stores int) {
	for i := range b.Insts {
		for _, m := range b.Insts[i].Effects.Mem {
			if m.Load {
				loads++
			}
			if m.Store {
				stores++
			}
		}
	}
	return loads, stores
}

// Unknown counts the instructions without cost data.
func (b *Bound) Unknown() (n int) {
	for i := range b.Insts {
		if b.Insts[i].Flags&Unknown != 0 {
			n++
		}
	}
	return n
}

// Doubtful counts the instructions without cost data, or of which no figure is an upper bound.
func (b *Bound) Doubtful() (n int) {
	for i := range b.Insts {
		if b.Insts[i].Flags&Unknown != 0 || b.Insts[i].Unbounded() != "" {
			n++
		}
	}
	return n
}

// Borrows reports whether the cost of some instruction is another core's.
func (b *Bound) Borrows() bool {
	return slices.ContainsFunc(b.Insts, func(in Inst) bool { return in.Flags&Borrowed != 0 })
}

// Unbounded says why no figure of the instruction is an upper bound, behind its name ("takes as long as rcx says"); "" if they are.
func (i *Inst) Unbounded() string {
	switch {
	case i.Open != "":
		return i.Open
	case i.Flags&StandIn != 0:
		return "is described by none of the model's sources"
	case i.Flags&NoPorts != 0:
		return "keeps units busy that no source names"
	}
	return ""
}

// Calls reports that no figure is an upper bound because the instruction calls a function.
func (i *Inst) Calls() bool { return i.Open == callsFunction }

// callsFunction is Inst.Open of a call.
const callsFunction = "calls a function whose cycles are not counted"

// Unbounded reports whether an instruction is, so that all figures of the kernel are lower bounds.
func (b *Bound) Unbounded() bool {
	return slices.ContainsFunc(b.Insts, func(in Inst) bool { return in.Unbounded() != "" })
}

// Inputs and Outputs are the numbers of inputs and outputs (see Inst).
func (i *Inst) Inputs() int  { return len(i.Effects.Reads) + len(i.Effects.Mem) }
func (i *Inst) Outputs() int { return len(i.Effects.Writes) + len(i.Effects.Mem) }

// InitLatencies sizes the latency matrix with no dependence anywhere.
func (i *Inst) InitLatencies() {
	i.lat = make([]float64, i.Inputs()*i.Outputs())
	for k := range i.lat {
		i.lat[k] = math.NaN()
	}
}

// SetPair sets the latency from an input to an output, in cycles.
func (i *Inst) SetPair(in, out int, cycles float64) { i.lat[in*i.Outputs()+out] = cycles }

// ClearInput removes every dependence on an input (zero idiom, same-register operand).
func (i *Inst) ClearInput(in int) {
	for o, n := 0, i.Outputs(); o < n; o++ {
		i.lat[in*n+o] = math.NaN()
	}
}

// Pair returns the latency in cycles from an input to an output; ok is false
// where the output does not depend on the input.
// For a loading memory input it runs from the moment the loaded value is there; for address
// registers it includes the load. For a storing memory output it runs to the moment
// the value can be forwarded, not counting the forwarding itself (Model.Params.StoreForward).
func (i *Inst) Pair(in, out int) (cycles float64, ok bool) {
	c := i.lat[in*i.Outputs()+out]
	return c, !math.IsNaN(c)
}

// Executes reports whether an instruction has a µop that is neither of a load nor of a store.
func (i *Inst) Executes() bool {
	for k := range i.Uops {
		if u := &i.Uops[k]; !u.Resource && u.Kind == UopExec {
			return true
		}
	}
	return false
}

func (i *Inst) StoresMemory() bool {
	for k := range i.Effects.Mem {
		if i.Effects.Mem[k].Store {
			return true
		}
	}
	return false
}
