package machine

import (
	"math"
	"math/bits"
	"slices"

	"incore/internal/isa"
)

// PortSet is a set of ports of one model: bit i is Model.Ports[i].
type PortSet uint64

// Size is the number of ports of a set.
func (s PortSet) Size() int { return bits.OnesCount64(uint64(s)) }

// UopKind is the kind of a µop; the simulator and the per-width limits distinguish kinds.
type UopKind uint8

// The kinds of µops.
const (
	UopExec UopKind = iota
	UopLoad
	UopStoreAddr
	UopStoreData
	UopBranch
	UopResult // no µop: the slowest result of the instruction on its way to the register, which occupies the port
	UopRead   // no µop: a register read that uses a resource. Bounds do not count it, because a result that arrives by bypass needs no read.
)

// Uop is one (unfused) µop, or a use of a shared resource such as a divider.
type Uop struct {
	Ports  PortSet // any one of these; 0 = no port
	Cycles float64 // cycles during which it keeps the port busy
	Kind   UopKind
	// Resource marks the use of a divider or a similar unit during the execution of one of the instruction's µops; it is not a µop itself.
	Resource bool
	// Start is the cycle, counted from the issue of the instruction, in which the port becomes busy (LLVM's AcquireAtCycle); mostly 0.
	Start float64
}

// InstFlags are facts about a bound instruction.
type InstFlags uint32

// The bits of InstFlags.
const (
	Unknown       InstFlags = 1 << iota // form unresolved or without cost data: figures are an interval
	ZeroIdiom                           // result known at rename, operands not read
	DepBreak                            // executes, but does not wait for its (equal) operands
	MoveElim                            // eliminated at rename: no port, latency 0
	FusedFirst                          // macro-fused with the next instruction, which takes no slot
	FusedSecond                         // macro-fused with the one before; its cost is counted there
	Variant                             // the cost depends on the operands (shift amount, idiom …) and was chosen by them
	SideEffect                          // serialising or otherwise not modelled
	Borrowed                            // the cost comes from another core's model
	Complex                             // only the first of the legacy decoders takes it
	LoadInMemory                        // memory renaming never serves its load
	StoreInMemory                       // memory renaming never serves loads of its stored data
	NoIdiom                             // the core does not implement the ISA's idiom: the instruction waits for its operands
	Drains                              // starts after all older stores have left the store queue, as locked operations do
	IssueFirst                          // on an in-order core, issues only as the first instruction of a cycle
	ReadsResult                         // waits for the old value of its output register, though the result does not depend on it
	IssueLast                           // on an in-order core, issues only as the last instruction of a cycle
	Microcode                           // its slots come from the microcode sequencer, although few enough for the decoders
	NoPorts                             // the ports of its µops are not known: its slots give only a lower bound
	StandIn                             // its figures stand for "very long" where the source has no data: they are no upper bound
	JoinsPrefix                         // a preceding copy of its destination (isa.PlainCopy) is fused with it
	JoinsZeroing                        // likewise isa.ZeroingCopy
	JoinsMerging                        // likewise isa.MergingCopy
	FloatDomain                         // it runs on floating-point vector units; operands from integer units and results for them take longer (bypass)
	IntegerDomain                       // it runs on integer vector units
	EarlyALU                            // on an in-order core, executes a stage earlier if its operands are there a cycle before it issues; its result then comes a cycle earlier
	NoForward                           // the core forwards its stored data to no load
	Exchange                            // exchanges two registers: each result depends on the other register alone
	Foreign                             // none of the model's cores has an extension that it needs (Cores.Lacks)
	NoSwitch                            // the front end does not wait for the microcode sequencer: its rate contains that
	ReadsStack                          // it moves the stack pointer, but reads it itself: a stack engine brings it up to date before
	Fence                               // is dispatched when all older instructions have retired, and nothing younger before it has
)

// Bound is a kernel on a machine: what each instruction becomes there. uops.Bind makes it, and it does not change afterwards.
type Bound struct {
	Kernel  *isa.Kernel
	Model   *Model
	Insts   []Inst
	Foreign bool // the code belongs to another instruction set than the model, which knows no costs of it
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
	Slots   float64 // slots of the dispatch width (fused-domain µops)
	Latency float64 // cycles from the last operand to the slowest result, load included, as shown in tables
	Load    float64 // the load's part of Latency (L1 hit); 0 without a load
	Flags   InstFlags
	// Decode is the number of slots in the legacy decoders; smaller than Slots where the core splits (un-laminates) the instruction after decoding.
	Decode float64
	// Group is the largest number of instructions that the legacy decoders take in a cycle that begins with this one; 0 = limited by decode-slots
	// only.
	Group  int
	Alone  int    // cycles of dispatch in which it goes alone; 0 = by the rate of microcode, -1 = none
	Source string // source of the figures: "llvm SkylakeServerModel", "uops.info SKX", "PMBS'19 table II"
	// Low and High bound Latency and Slots when Flags has Unknown (from similar forms); else equal to them.
	LowLatency, HighLatency float64
	LowSlots, HighSlots     float64
	// Open says why the instruction's time does not depend on the core alone, as the rest of a sentence ("takes as long as rcx says"):
	// isa.ISA.Outside.
	Open   string
	Copied Tag       // of an eliminated move: the tag of the value that it copies ("forward-moves")
	Bypass float64   // extra cycles of vector results between the floating-point and the integer domain
	Domain InstFlags // FloatDomain or IntegerDomain on cores with a bypass delay; eliminated moves have the domain of the value that they copy
	lat    []float64 // inputs × outputs, NaN = output does not depend on input
	late   *pairer   // for Forward; nil where no forwarding is special
}

// slotError is the tolerance when a sum of fractional slots stands for a whole number.
const slotError = 0.01

// WholeSlots returns the dispatch slots as a whole number.
func (in *Inst) WholeSlots() int { return int(math.Ceil(in.Slots - slotError)) }

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

// Lacking returns the extension that the first instruction needs that none of the model's cores can execute; "" if they can execute all.
func (b *Bound) Lacking() string {
	for i := range b.Insts {
		if in := &b.Insts[i]; in.Flags&Foreign != 0 {
			e, _ := b.Model.Cores(b.Kernel.ISA, "").Lacks(in.Line.Inst.Form)
			return e.Name
		}
	}
	return ""
}

// Reserved returns the first instruction that the specification of the instruction set reserves, and why; nil if
// there is none.
func (b *Bound) Reserved() (l *isa.Line, why string) {
	if b.Kernel.ISA.Reserved == nil {
		return nil, ""
	}
	for _, lines := range [][]isa.Line{b.Kernel.Entry, b.Kernel.Lines} {
		for i := range lines {
			if why := b.Kernel.ISA.Reserved(&lines[i].Inst); why != "" {
				return &lines[i], why
			}
		}
	}
	return nil, ""
}

// Doubtful counts the instructions without cost data, and those whose cycles have no upper bound.
func (b *Bound) Doubtful() (n int) {
	for i := range b.Insts {
		if b.Insts[i].Flags&Unknown != 0 || b.Insts[i].Unbounded() != "" {
			n++
		}
	}
	return n
}

// Borrows reports whether the cost of some instruction comes from another core's model.
func (b *Bound) Borrows() bool {
	return slices.ContainsFunc(b.Insts, func(in Inst) bool { return in.Flags&Borrowed != 0 })
}

// Unbounded says why the cycles of the instruction have no upper bound, as the rest of a sentence ("takes as long as rcx says"); "" if they have one.
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

// Calls reports that the cycles have no upper bound because the instruction calls a function.
func (i *Inst) Calls() bool { return i.Open == callsFunction }

// callsFunction is Inst.Open of a call.
const callsFunction = "calls a function whose cycles are not counted"

// Unbounded reports whether the cycles of some instruction have no upper bound, so that all figures of the kernel are lower bounds.
func (b *Bound) Unbounded() bool {
	return slices.ContainsFunc(b.Insts, func(in Inst) bool { return in.Unbounded() != "" })
}

// Inputs and Outputs return the numbers of inputs and outputs (see Inst).
func (i *Inst) Inputs() int  { return len(i.Effects.Reads) + len(i.Effects.Mem) }
func (i *Inst) Outputs() int { return len(i.Effects.Writes) + len(i.Effects.Mem) }

// InitLatencies allocates the latency matrix, without any dependence.
func (i *Inst) InitLatencies() {
	i.lat = make([]float64, i.Inputs()*i.Outputs())
	for k := range i.lat {
		i.lat[k] = math.NaN()
	}
}

// OwnLatencies gives the instruction latencies of its own; those of Costs belong to all kernels with the instruction.
func (i *Inst) OwnLatencies() { i.lat = slices.Clone(i.lat) }

// SetPair sets the latency from an input to an output, in cycles.
func (i *Inst) SetPair(in, out int, cycles float64) { i.lat[in*i.Outputs()+out] = cycles }

// ClearInput removes every dependence on an input (zero idiom, equal operands).
func (i *Inst) ClearInput(in int) {
	for o, n := 0, i.Outputs(); o < n; o++ {
		i.lat[in*n+o] = math.NaN()
	}
}

// Pair returns the latency in cycles from an input to an output; ok is false where the output does not depend on the input. For a loading memory
// input the latency starts when the loaded value is available; for address registers it includes the load. For a storing memory output it ends when
// the value can be forwarded; the forwarding itself (Model.Params.StoreForward) is not included.
func (i *Inst) Pair(in, out int) (cycles float64, ok bool) {
	c := i.lat[in*i.Outputs()+out]
	return c, !math.IsNaN(c)
}

// Ports returns the ports of an instruction's µops of a kind, those of the first one, and the cycles for which the µops keep ports busy, each at least
// one; 0 if it has no such µop.
func (i *Inst) Ports(kind UopKind) (ports PortSet, cycles float64) {
	for k := range i.Uops {
		u := &i.Uops[k]
		if u.Kind != kind || u.Resource {
			continue
		}
		if cycles += max(1, u.Cycles); ports == 0 {
			ports = u.Ports
		}
	}
	return ports, cycles
}

// StoreTurns returns how many of the units of which stores take one or more (LoadStore.StoreTurns) the instruction takes.
func (i *Inst) StoreTurns(units PortSet) (n int) {
	for k := range i.Uops {
		if u := &i.Uops[k]; u.Resource && u.Ports != 0 && u.Ports&^units == 0 {
			n++
		}
	}
	return n
}

// Executes reports whether an instruction has a µop other than loads and stores.
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
