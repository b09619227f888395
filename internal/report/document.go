// Package report holds what incore says about code, as one document that all
// outputs are rendered from: text, JSON, CSV, YAML and graphs. docs/json.md
// describes the document; its field names are an interface.
package report

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
)

// Schema names the version of the document's layout. Fields may be added to it;
// a change of what a field means, or its removal, makes a new version.
const Schema = "incore.analyze/1"

// Version is the version of incore.
const Version = "0.2.0"

// Document is the result of analysing one input.
type Document struct {
	Schema  string `json:"schema"`
	Version string `json:"version"` // of incore
	Input   Input  `json:"input"`
	// Kernels are the pieces of code analysed, the likely hottest first where incore chose.
	Kernels []Kernel `json:"kernels"`
	// Others are further loops that were found and not analysed in full.
	Others []Candidate `json:"others,omitempty"`
	// Diagnostics concern the input as a whole.
	Diagnostics []Diagnostic `json:"diagnostics,omitempty"`
}

// Input is what was read.
type Input struct {
	File     string `json:"file"`
	ISA      string `json:"isa"`
	Syntax   string `json:"syntax,omitempty"`
	Compiler string `json:"compiler,omitempty"` // of a source file: the compiler and its options
	Why      string `json:"why"`                // how instruction set and syntax were found
	// Reason is the same as values.
	Reason       Statement `json:"reason,omitzero"`
	Instructions int       `json:"instructions"` // in the whole text
	Unresolved   int       `json:"unresolved"`   // of them
	Chosen       bool      `json:"chosen"`       // incore chose the kernel, not the user
}

// Kernel is a piece of code, taken as the body of a loop, on one or more machines.
type Kernel struct {
	Name     string  `json:"name"`
	Function string  `json:"function,omitempty"`
	Member   string  `json:"member,omitempty"`  // of a static library, that holds it
	Lines    string  `json:"lines"`             // as --lines takes them: "5-9,14"; of machine code "file.c:5-9", "" if not known
	Address  string  `json:"address,omitempty"` // of machine code: "0x401140-0x401168"
	Unroll   float64 `json:"unroll"`            // high-level iterations in one pass
	Loop     bool    `json:"loop"`              // false: straight code taken as one iteration
	Depth    int     `json:"depth,omitempty"`
	Why      string  `json:"why"`
	// Reason is Why as values: how it was found.
	Reason Statement `json:"reason,omitzero"`
	Notes  []string  `json:"notes,omitempty"` // the words of Remarks
	// Remarks are what was taken for granted about the control flow.
	Remarks []Statement `json:"remarks,omitempty"`
	Labels  []Label     `json:"labels,omitempty"` // for display
	// SourceLines are the lines of the source program that the instructions are of, where debug information names them.
	SourceLines []SourceLine `json:"source_lines,omitempty"`
	Work        Work         `json:"work"`
	// DataBranches are the conditional branches whose outcome depends on loaded data.
	DataBranches []DataBranch `json:"data_branches,omitempty"`
	Targets      []Target     `json:"targets"`
}

// DataBranch is a conditional branch whose outcome depends on values that the loop loads from changing addresses.
type DataBranch struct {
	Instruction int   `json:"instruction"` // index
	Loads       []int `json:"loads"`       // indices of the instructions that load what it depends on
}

// Work is what the instructions of one pass do, on any core.
type Work struct {
	Loads        int  `json:"loads"` // instructions that load; those that load and store count in both
	Stores       int  `json:"stores"`
	Branches     int  `json:"branches"` // with jumps, calls and returns
	Calls        int  `json:"calls"`
	Floats       int  `json:"floats"` // instructions that do floating-point operations, conversions and comparisons
	Others       int  `json:"others"` // that neither load, store, branch nor do these
	LoadedBytes  int  `json:"loaded_bytes"`
	StoredBytes  int  `json:"stored_bytes"`
	Flops        int  `json:"flops"`                   // floating-point operations, a fused multiply-add two, as if no mask left lanes out
	UnknownFlops bool `json:"unknown_flops,omitempty"` // of some instructions it is not known how many: scalable vectors
	UnknownBytes bool `json:"unknown_bytes,omitempty"` // of some accesses the size is not known: scalable vectors, gathers, strings
	Advance      int  `json:"advance"`                 // bytes by which the fastest moving address moves; 0: none does, or it isn't known
}

// Label is a label that stands before an instruction.
type Label struct {
	Name   string `json:"name"`
	Line   int    `json:"line"`
	Before int    `json:"before"`           // index of the instruction
	Source bool   `json:"source,omitempty"` // no label of the text: a line of the source program, from which the instructions behind it are
}

// SourceLine is a line of the source program.
type SourceLine struct {
	Where string `json:"where"`          // "dot.c:5", as Instruction.Where has it
	File  string `json:"file"`           // as the debug information names it
	Line  int    `json:"line"`           // from 1
	Text  string `json:"text,omitempty"` // "" where the file could not be read
}

// Candidate is a loop in brief.
type Candidate struct {
	Name         string  `json:"name"`
	Function     string  `json:"function,omitempty"`
	Lines        string  `json:"lines"`
	Depth        int     `json:"depth"`
	Instructions int     `json:"instructions"`
	Arch         string  `json:"arch"`
	Cycles       float64 `json:"cycles"`
	Bound        string  `json:"bound"`
	Engine       string  `json:"engine"`
	AtLeast      bool    `json:"at_least,omitempty"` // Cycles is a lower bound (Prediction.Open), and all costs are known
	Unknown      int     `json:"unknown,omitempty"`  // instructions without cost data
	Limit        string  `json:"limit"`              // what bounds it, in words
}

// Target is a kernel on one machine. All figures are in cycles per pass through the kernel.
type Target struct {
	Arch         string        `json:"arch"`
	Title        string        `json:"title"`
	Why          string        `json:"why,omitempty"`   // why this machine was taken, if the user did not say
	Reason       Statement     `json:"reason,omitzero"` // the same as values
	Prediction   Prediction    `json:"prediction"`
	Throughput   Throughput    `json:"throughput"`
	CriticalPath Path          `json:"critical_path"`
	LoopCarried  []Chain       `json:"loop_carried"`
	Baseline     float64       `json:"baseline"` // the one-line estimate: widths, loads, stores
	Instructions []Instruction `json:"instructions"`
	Dependencies []Dependency  `json:"dependencies"`
	Advice       []Advice      `json:"advice,omitempty"` // what would make it faster, the most first; absent: nothing known would
	WhatIf       []WhatIf      `json:"what_if,omitempty"`
	Sensitivity  []Sensitivity `json:"sensitivity,omitempty"`
	Timeline     *Timeline     `json:"timeline,omitempty"`
	Memory       *Memory       `json:"memory,omitempty"`
	Lacks        []Lack        `json:"lacks,omitempty"` // extensions that instructions need and the core does not have
	Accuracy     []Accuracy    `json:"accuracy"`        // how far this engine's predictions of this core were from measurements; empty: it was never held against any
	Assumptions  []string      `json:"assumptions"`     // the words of Basis
	Basis        []Statement   `json:"basis"`           // what the figures rest on
	Diagnostics  []Diagnostic  `json:"diagnostics"`
	Words        Words         `json:"words"`
}

// Words are lines of a report about the values beside them.
type Words struct {
	Bound    string `json:"bound"`              // what limits, in brief, for a table
	Headroom string `json:"headroom,omitempty"` // cycles without the limit that costs most; "" if none alone does
	IfFree   string `json:"if_free,omitempty"`
	Trust    string `json:"trust"` // how far figures of this core are off
	Engine   string `json:"engine"`
	Accuracy string `json:"accuracy"` // corpus by corpus
}

// Lack is an extension of the instruction set that instructions of the kernel need and the core does not have.
type Lack struct {
	Extension    string `json:"extension"`
	Instructions int    `json:"instructions"`
}

// Accuracy sums up the errors on a corpus of measured code, |predicted − measured| / measured.
type Accuracy struct {
	Corpus   string  `json:"corpus"`
	Blocks   int     `json:"blocks"`
	Unrolled bool    `json:"unrolled"` // measured so, else as loops
	Mean     float64 `json:"mean"`
	Median   float64 `json:"median"`
	Within10 float64 `json:"within10"` // share of blocks with at most 10 % error
	Tau      float64 `json:"tau"`      // Kendall's rank correlation (tau-b)
}

// What a simulation ends with (Prediction.Steady): the core in a state that it was in before, from which on all repeats; no such state,
// but iterations that retire in a pattern, which may still be a beginning; the pace of the last iterations.
const (
	Recurs  = "recurs"
	Pattern = "pattern"
	Average = "average"
)

// Prediction is the headline figure.
type Prediction struct {
	Cycles float64 `json:"cycles"`
	// Low and High bracket the run time: no overlap limit but ports, width and loop-carried
	// chains; and no overlap of iterations at all. Unknown instructions widen it.
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Bound  string  `json:"bound"`  // "latency", "ports", "dispatch", "front end", "branch", "cache", "scheduling", "unknown"
	Engine string  `json:"engine"` // "simulator", "bounds"
	// EngineWhy says why the bounds stand in for the simulator.
	EngineWhy string `json:"engine_why,omitempty"`
	Text      string `json:"text"`  // in words
	Cause     string `json:"cause"` // what limits it, in words
	Limit     Limit  `json:"limit"` // the same as values
	// Instructions, slots of dispatch (fused-domain µops), floating-point operations, and bytes that are loaded or stored, per cycle; of a lower bound no more than
	// these; 0 where the figure is 0, or what is counted is not known.
	IPC           float64 `json:"ipc"`
	UopsPerCycle  float64 `json:"uops_per_cycle"`
	FlopsPerCycle float64 `json:"flops_per_cycle"`
	BytesPerCycle float64 `json:"bytes_per_cycle"`
	// Partial is set when some instruction's cost is not known; UnknownCosts is the interval that this causes.
	Partial      bool      `json:"partial,omitempty"`
	UnknownCosts *Interval `json:"unknown_costs,omitempty"`
	// Open says of which instructions no figure is an upper bound, and why: "rep movsb takes as long as rcx says". Then it takes Cycles at
	// least, or UnknownCosts.Low.
	Open []string `json:"open,omitempty"`
	// OpenReasons are the same as values.
	OpenReasons []Statement `json:"open_reasons,omitempty"`
	// AtLeast says that Open names some, and Cycles is no more than a lower bound.
	AtLeast bool `json:"at_least,omitempty"`
	// Loop and Unrolled are the cycles as the body of a loop, which Cycles is, and laid out again and again without its branch.
	Loop          float64 `json:"tp_loop"`
	Unrolled      float64 `json:"tp_unrolled"`
	UnrolledBound string  `json:"tp_unrolled_bound"`
	// Steady says what the simulator's figure rests on: Recurs, Pattern or Average; "" where it did not run.
	Steady string `json:"steady,omitempty"`
	Period int    `json:"period,omitempty"` // iterations after which they retire so again; 0: they do not, or it did not run
	Bounds Bounds `json:"bounds"`
	IfFree []Rung `json:"if_free,omitempty"`
	// Stalls say what ended dispatch in the simulated cycles; they add up to Cycles.
	Stalls []Stall `json:"stalls,omitempty"`
	Gap    string  `json:"gap,omitempty"` // in words: what the simulator saw that the bounds don't explain
	Above  *Above  `json:"above,omitempty"`
}

// Noticed is the relative difference from which on two figures are told apart.
const Noticed = 0.005

// The bounds that a figure comes from (Prediction.Bound, Limit.Bound).
const (
	BoundLatency    = "latency"
	BoundPorts      = "ports"
	BoundDispatch   = "dispatch"
	BoundFrontEnd   = "front end"
	BoundBranch     = "branch"
	BoundCache      = "cache"
	BoundScheduling = "scheduling"
)

// Mentioned is the relative difference above which a report tells that other circumstances would change the figure: the error of good predictions.
const Mentioned = 0.02

// Limit is what limits the figure.
type Limit struct {
	Kind   string   `json:"kind"`             // see LimitBound
	Bound  string   `json:"bound,omitempty"`  // the bound that explains most of the figure
	Cycles float64  `json:"cycles"`           // that this bound allows
	Buffer string   `json:"buffer,omitempty"` // of LimitBuffer: why dispatch waits most of the time, as Stall.Reason
	Ties   []string `json:"ties,omitempty"`   // other bounds that allow no less than this one
	Units  []string `json:"units,omitempty"`  // of LimitReads: the shared units
}

// Kinds of limits.
const (
	LimitBound        = "bound"             // one bound
	LimitSeveral      = "several"           // no bound alone, Limit.Bound above all
	LimitUnexplained  = "unexplained"       // the greatest bound is less than half of it
	LimitForwarding   = "failed-forwarding" // loads wait for stores that cannot pass their data on
	LimitBuffer       = "full-buffer"
	LimitReads        = "register-reads" // µops read registers by units that they share
	LimitProgramOrder = "program-order"  // an in-order core waits for older instructions
	LimitNone         = "none"           // nothing in the model bounds it
)

// Above is what the simulator finds above the bounds.
type Above struct {
	Bound  string  `json:"bound"`  // the greatest
	Bounds float64 `json:"bounds"` // cycles that it allows
	Cycles float64 `json:"cycles"` // that the simulator finds more
}

// Interval is a range of cycles.
type Interval struct {
	Low          float64 `json:"low"`
	High         float64 `json:"high"`
	Instructions int     `json:"instructions"` // that cause it
}

// Bounds are the least cycles that each limit allows when the others cost nothing; 0 where it is not known or doesn't limit.
type Bounds struct {
	Ports    float64 `json:"ports"`
	Dispatch float64 `json:"dispatch"`
	FrontEnd float64 `json:"front_end"`
	Latency  float64 `json:"latency"`         // the slowest loop-carried chain
	Branch   float64 `json:"branch"`          // the taken branch
	Cache    float64 `json:"cache,omitempty"` // banks, lines and ports of the first-level data cache, where the model states such limits
}

// Of is what the bound of a name (BoundLatency and so on) allows, 0 for other names.
func (b *Bounds) Of(bound string) float64 {
	return map[string]float64{BoundLatency: b.Latency, BoundPorts: b.Ports, BoundDispatch: b.Dispatch, BoundFrontEnd: b.FrontEnd, BoundBranch: b.Branch, BoundCache: b.Cache}[bound]
}

// Rung is the prediction if something were free.
type Rung struct {
	Free   string  `json:"free"` // "frontend", "dispatch", "ports", "window", "dependences", "memory"
	Cycles float64 `json:"cycles"`
	Bound  string  `json:"bound"`
}

// Stall is how many cycles of an iteration dispatch ended for a reason.
type Stall struct {
	Reason string  `json:"reason"`
	Cycles float64 `json:"cycles"`
}

// WhatIf is the answer to a question.
type WhatIf struct {
	Question string  `json:"question"`
	Cycles   float64 `json:"cycles"`
	Gain     float64 `json:"gain"` // share of the cycles that it saves; below 0: costs
	Bound    string  `json:"bound"`
	Note     string  `json:"note,omitempty"` // why there is no answer
	// Reason is the same as values.
	Reason Statement `json:"reason,omitzero"`
}

// Sensitivity is what more of a resource gains.
type Sensitivity struct {
	Resource string  `json:"resource"`
	Double   *WhatIf `json:"double"` // twice as much of it, or half the latency, in whole cycles (a half rounded up); null: makes no sense
	Free     *WhatIf `json:"free"`   // as much as could be used, or no latency
}

// Throughput is the port pressure of one iteration.
type Throughput struct {
	Cycles     float64  `json:"cycles"`
	Low        float64  `json:"low"`
	High       float64  `json:"high"`
	Policy     string   `json:"policy"` // "optimal", "uniform"
	Ports      Ports    `json:"ports"`
	Bottleneck []string `json:"bottleneck"`
	// About says of the ports of the bottleneck what they stand for, where their names don't.
	About    map[string]string `json:"about,omitempty"`
	Slots    float64           `json:"slots"`    // fused-domain µops
	Dispatch float64           `json:"dispatch"` // cycles to dispatch them, 0 if the width is not known
	Width    int               `json:"width"`
	// DispatchLimit is what takes longer to dispatch than the width allows: µops that need certain ports; nil if nothing does.
	DispatchLimit *DispatchLimit `json:"dispatch_limit,omitempty"`
}

// DispatchLimit is a limit of dispatch by the ports that µops need.
type DispatchLimit struct {
	Ports    string `json:"ports"`     // "S or B"
	Uops     int    `json:"uops"`      // of the kernel that need them
	PerCycle int    `json:"per_cycle"` // that are dispatched
}

// Path is the critical path of one iteration.
type Path struct {
	Cycles       float64   `json:"cycles"`
	Low          float64   `json:"low"`
	High         float64   `json:"high"`
	Instructions []int     `json:"instructions"` // indices, in order
	Latencies    []float64 `json:"latencies"`    // what each of them adds
}

// Chain is a loop-carried dependence chain.
type Chain struct {
	Cycles       float64   `json:"cycles"`   // per iteration: latency / distance
	Latency      float64   `json:"latency"`  // once around
	Distance     int       `json:"distance"` // iterations that once around takes
	Instructions []int     `json:"instructions"`
	Latencies    []float64 `json:"latencies"`
	Via          string    `json:"via"` // registers, "flags", "memory" that carry it to the next iteration
}

// Instruction is one instruction on a machine.
type Instruction struct {
	Index      int      `json:"index"`
	Line       int      `json:"line"`
	Address    string   `json:"address,omitempty"` // of machine code, "0x401140"
	Where      string   `json:"where,omitempty"`   // the line of the source program that it is of, "dot.c:5"
	Text       string   `json:"text"`              // as written, white space as single blanks
	Form       string   `json:"form"`              // LLVM's opcode name, "?" if not resolved
	Uops       float64  `json:"uops"`              // slots of the dispatch width
	Latency    float64  `json:"latency"`
	LatencyMin float64  `json:"latency_low"` // the interval, where not known
	LatencyMax float64  `json:"latency_high"`
	Throughput float64  `json:"throughput"` // reciprocal: cycles each of many takes that depend on nothing
	Ports      Ports    `json:"ports"`
	Source     string   `json:"source"`
	Flags      []string `json:"flags"`
	LCD        *float64 `json:"lcd"` // what it adds to the slowest loop-carried chain, null if not on it
	CP         *float64 `json:"cp"`  // what it adds to the critical path, null if not on it
	Col        int      `json:"-"`
}

// Dependency is an edge of the dependence graph.
type Dependency struct {
	From     int     `json:"from"`
	To       int     `json:"to"`
	Kind     string  `json:"kind"` // "register", "address", "flag", "memory"
	Via      string  `json:"via"`  // register name
	Distance int     `json:"distance"`
	Latency  float64 `json:"latency"` // of the producer, with store-to-load forwarding for memory
	LCD      bool    `json:"lcd,omitempty"`
	CP       bool    `json:"cp,omitempty"`
}

// Diagnostic is a message for the user.
type Diagnostic struct {
	Kind     string `json:"kind,omitempty"`
	Severity string `json:"severity"` // "error", "warning", "note"
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Col      int    `json:"col,omitempty"`
	Message  string `json:"message"`
	Hint     string `json:"hint,omitempty"`
	Values   Values `json:"values,omitzero"` // of this kind
}

// PortLoad is the cycles that a port is busy. A resource is no issue port of its own: a divider,
// a load or store unit behind several ports.
type PortLoad struct {
	Name     string
	Cycles   float64
	Resource bool
}

// Ports are port loads in the model's order; in JSON and YAML an object, in that order.
type Ports []PortLoad

// MarshalJSON writes the loads as an object.
func (p Ports) MarshalJSON() ([]byte, error) {
	b := append(make([]byte, 0, 16*len(p)+2), '{')
	for i, l := range p {
		if i > 0 {
			b = append(b, ',')
		}
		name, err := json.Marshal(l.Name)
		if err != nil {
			return nil, err
		}
		b = append(append(b, name...), ':')
		b = strconv.AppendFloat(b, Round(l.Cycles), 'g', -1, 64)
	}
	return append(b, '}'), nil
}

// UnmarshalJSON reads what MarshalJSON writes. Which of them are no issue ports is not known of it.
func (p *Ports) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t == nil {
		return err
	}
	*p = Ports{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var l PortLoad
		if err := d.Decode(&l.Cycles); err != nil {
			return err
		}
		l.Name, _ = name.(string)
		*p = append(*p, l)
	}
	return nil
}

// Of returns the load of a port, 0 if it has none.
func (p Ports) Of(name string) float64 {
	for _, l := range p {
		if l.Name == name {
			return l.Cycles
		}
	}
	return 0
}

// Round takes the noise of floating-point sums off a figure: a millionth of a cycle.
func Round(v float64) float64 {
	if r := math.Round(v*1e6) / 1e6; !math.IsInf(r, 0) {
		return r
	}
	return v
}
