// Package report defines the document that holds the results of an analysis, and renders it as
// text, JSON, CSV, YAML and graphs. docs/json.md describes the document; its field names are
// an interface.
package report

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
)

// Schema names the version of the document's layout. A new field keeps the version;
// a field that is removed or changes its meaning needs a new version.
const Schema = "incore.analyze/1"

// Version is the version of incore.
const Version = "0.2.0"

// Document is the result of analysing one input.
type Document struct {
	Schema  string `json:"schema"`
	Version string `json:"version"` // the version of incore
	Input   Input  `json:"input"`
	// Kernels are the analysed pieces of code; the likely hottest comes first if incore chose them.
	Kernels []Kernel `json:"kernels"`
	// Others are further loops that are not analysed in full.
	Others []Candidate `json:"others,omitempty"`
	// Diagnostics concern the input as a whole.
	Diagnostics []Diagnostic `json:"diagnostics,omitempty"`
}

// Layout implements Result.
func (*Document) Layout() string { return Schema }

// Input describes the input.
type Input struct {
	File     string `json:"file"`
	ISA      string `json:"isa"`
	Syntax   string `json:"syntax,omitempty"`
	Compiler string `json:"compiler,omitempty"` // if the input is a source file: the compiler and its options
	Why      string `json:"why"`                // how instruction set and syntax were found
	// Reason is Why as values.
	Reason       Statement `json:"reason,omitzero"`
	Instructions int       `json:"instructions"` // instructions in the whole text
	Unresolved   int       `json:"unresolved"`   // unknown instructions among them
	Chosen       bool      `json:"chosen"`       // incore chose the kernel, not the user
}

// Kernel is a piece of code, analysed as the body of a loop, on one or more machines.
type Kernel struct {
	Name     string  `json:"name"`
	Function string  `json:"function,omitempty"`
	Member   string  `json:"member,omitempty"`  // the member of a static library that contains it
	Lines    string  `json:"lines"`             // text: "5-9,14", as in the option --lines; machine code: "file.c:5-9", "" if not known
	Address  string  `json:"address,omitempty"` // machine code: "0x401140-0x401168"
	Unroll   float64 `json:"unroll"`            // source-level iterations in one pass
	Loop     bool    `json:"loop"`              // false: straight code, analysed as one iteration
	Depth    int     `json:"depth,omitempty"`
	Why      string  `json:"why"`
	// Reason is Why as values: how the kernel was found.
	Reason Statement `json:"reason,omitzero"`
	Notes  []string  `json:"notes,omitempty"` // the words of Remarks
	// Remarks are the assumptions about the control flow.
	Remarks []Statement `json:"remarks,omitempty"`
	Labels  []Label     `json:"labels,omitempty"` // for display
	// SourceLines are the source lines of the instructions, if debug information names them.
	SourceLines []SourceLine `json:"source_lines,omitempty"`
	Work        Work         `json:"work"`
	// DataBranches are the conditional branches whose outcome depends on loaded data.
	DataBranches []DataBranch `json:"data_branches,omitempty"`
	Targets      []Target     `json:"targets"`
}

// DataBranch is a conditional branch whose outcome depends on values that the loop loads from changing addresses.
type DataBranch struct {
	Instruction int   `json:"instruction"` // index
	Loads       []int `json:"loads"`       // indices of the instructions that load the values
}

// Work counts the operations of the instructions of one pass, independently of the core.
type Work struct {
	Loads        int  `json:"loads"` // instructions that load; an instruction that loads and stores counts in both
	Stores       int  `json:"stores"`
	Branches     int  `json:"branches"` // including jumps, calls and returns
	Calls        int  `json:"calls"`
	Floats       int  `json:"floats"` // instructions that do floating-point operations, conversions and comparisons
	Others       int  `json:"others"` // instructions that do none of these
	LoadedBytes  int  `json:"loaded_bytes"`
	StoredBytes  int  `json:"stored_bytes"`
	Flops        int  `json:"flops"`                   // floating-point operations in all lanes, masked or not; a fused multiply-add counts as two
	UnknownFlops bool `json:"unknown_flops,omitempty"` // Flops leaves out instructions with an unknown number of operations (scalable vectors)
	UnknownBytes bool `json:"unknown_bytes,omitempty"` // the bytes leave out accesses of unknown size (scalable vectors, gathers, strings)
	Advance      int  `json:"advance"`                 // greatest stride of an address, in bytes per pass; 0: no address moves, or the stride isn't known
}

// Label is a label before an instruction.
type Label struct {
	Name   string `json:"name"`
	Line   int    `json:"line"`
	Before int    `json:"before"`           // index of the instruction
	Source bool   `json:"source,omitempty"` // not a label of the text, but the source line of the instructions that follow
}

// SourceLine is a line of the source program.
type SourceLine struct {
	Where string `json:"where"`          // "dot.c:5", as in Instruction.Where
	File  string `json:"file"`           // the path in the debug information
	Line  int    `json:"line"`           // from 1
	Text  string `json:"text,omitempty"` // "" if the file could not be read
}

// Candidate is a loop that is described in brief.
type Candidate struct {
	Name         string  `json:"name"`
	Function     string  `json:"function,omitempty"`
	Lines        string  `json:"lines"`
	Depth        int     `json:"depth"`
	Instructions int     `json:"instructions"`
	Arch         string  `json:"arch"`
	Cycles       float64 `json:"cycles"`
	Bound        Bound   `json:"bound"`
	Engine       Engine  `json:"engine"`
	AtLeast      bool    `json:"at_least,omitempty"` // Cycles is a lower bound (Prediction.Open), and all costs are known
	Unknown      int     `json:"unknown,omitempty"`  // instructions without cost data
	Limit        string  `json:"limit"`              // the limit of its run time, in words
}

// Target is a kernel on one machine. All figures are in cycles per pass through the kernel.
type Target struct {
	Arch         string        `json:"arch"`
	Title        string        `json:"title"`
	Why          string        `json:"why,omitempty"`   // why incore chose this machine, if the user named none
	Reason       Statement     `json:"reason,omitzero"` // Why as values
	Prediction   Prediction    `json:"prediction"`
	Throughput   Throughput    `json:"throughput"`
	CriticalPath Path          `json:"critical_path"`
	LoopCarried  []Chain       `json:"loop_carried"`
	Baseline     float64       `json:"baseline"` // the one-line estimate: widths, loads, stores
	Instructions []Instruction `json:"instructions"`
	Dependencies []Dependency  `json:"dependencies"`
	Advice       []Advice      `json:"advice,omitempty"` // changes of the code that make it faster, the greatest gain first; absent: no change is known
	WhatIf       []WhatIf      `json:"what_if,omitempty"`
	Sensitivity  []Sensitivity `json:"sensitivity,omitempty"`
	Entered      *Entered      `json:"entered,omitempty"` // for a number of iterations that the user names
	Shares       []Share       `json:"shares,omitempty"`  // the cycles divided among the limits, the largest share first
	Timeline     *Timeline     `json:"timeline,omitempty"`
	Memory       *Memory       `json:"memory,omitempty"`
	Lacks        []Lack        `json:"lacks,omitempty"`    // extensions that instructions need and the core does not have
	Reserved     string        `json:"reserved,omitempty"` // the first instruction that the specification reserves, and why
	Accuracy     []Accuracy    `json:"accuracy"`           // errors of this engine's predictions for this core against measurements; empty: there are no measurements
	Assumptions  []string      `json:"assumptions"`        // the words of Basis
	Basis        []Statement   `json:"basis"`              // the assumptions and data that the figures depend on
	Diagnostics  []Diagnostic  `json:"diagnostics"`
	Words        Words         `json:"words"`
}

// Words holds lines of the text report, made from the values of the other fields.
type Words struct {
	Bound    string `json:"bound"`              // the limit in brief, for a table
	Headroom string `json:"headroom,omitempty"` // cycles without the limit that costs most; "" if no limit alone costs any
	IfFree   string `json:"if_free,omitempty"`
	Trust    string `json:"trust"` // the error of predictions for this core
	Engine   string `json:"engine"`
	Accuracy string `json:"accuracy"` // corpus by corpus
}

// Lack is an extension of the instruction set that instructions of the kernel need and the core does not have.
type Lack struct {
	Extension    string `json:"extension"`
	Instructions int    `json:"instructions"`
}

// Accuracy summarizes the errors on a corpus of measured code, |predicted − measured| / measured.
type Accuracy struct {
	Corpus   string  `json:"corpus"`
	Blocks   int     `json:"blocks"`
	Unrolled bool    `json:"unrolled"` // measured as unrolled code, otherwise as loops
	Mean     float64 `json:"mean"`
	Median   float64 `json:"median"`
	Within10 float64 `json:"within10"` // share of blocks with at most 10 % error
	Tau      float64 `json:"tau"`      // Kendall's rank correlation (tau-b)
}

// The steady states that a simulation can find (Prediction.Steady).
const (
	Recurs  = "recurs"  // the core reaches an earlier state again, so that its behaviour is periodic
	Pattern = "pattern" // iterations retire in a repeated pattern, but the core's state does not recur; the pattern may end later
	Reached = "bound"   // iterations are dispatched and retire at the pace of a proven lower bound
	Average = "average" // none of these: the cycles are the average over the last iterations
)

// Prediction is the headline prediction.
type Prediction struct {
	Cycles float64 `json:"cycles"`
	// Low and High bracket the run time. Low assumes that only ports, dispatch width and loop-carried
	// chains limit it, High that iterations do not overlap. Unknown costs widen the interval.
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Bound  Bound   `json:"bound"`
	Engine Engine  `json:"engine"`
	// EngineWhy is the reason for the use of the bounds instead of the simulator.
	EngineWhy string `json:"engine_why,omitempty"`
	Text      string `json:"text"`  // the prediction in words
	Cause     string `json:"cause"` // the limit in words
	Limit     Limit  `json:"limit"` // Cause as values
	// Instructions, slots of dispatch (fused-domain µops), floating-point operations, and loaded and stored bytes, per cycle. If Cycles is a lower bound these
	// are upper bounds. They are 0 if Cycles is 0 or the count is not known.
	IPC           float64 `json:"ipc"`
	UopsPerCycle  float64 `json:"uops_per_cycle"`
	FlopsPerCycle float64 `json:"flops_per_cycle"`
	BytesPerCycle float64 `json:"bytes_per_cycle"`
	// VectorBits is the length of the core's scalable vectors (SVE, RVV) if the operations or bytes per cycle rest on it.
	VectorBits int `json:"vector_bits,omitempty"`
	// Partial is set if the cost of some instruction is not known; UnknownCosts is the resulting interval of cycles.
	Partial      bool      `json:"partial,omitempty"`
	UnknownCosts *Interval `json:"unknown_costs,omitempty"`
	// Open lists the instructions whose cost has no upper bound, and the reason: "rep movsb takes as long as rcx says". Cycles (or UnknownCosts.Low)
	// is then a lower bound.
	Open []string `json:"open,omitempty"`
	// OpenReasons is Open as values.
	OpenReasons []Statement `json:"open_reasons,omitempty"`
	// AtLeast is set if Open is not empty: Cycles is only a lower bound.
	AtLeast bool `json:"at_least,omitempty"`
	// Loop is the cycles as the body of a loop, the same as Cycles; Unrolled is the cycles of the body unrolled without end, without its branch.
	Loop          float64 `json:"tp_loop"`
	Unrolled      float64 `json:"tp_unrolled"`
	UnrolledBound Bound   `json:"tp_unrolled_bound"`
	// Steady is the steady state that the simulator found: Recurs, Pattern or Average; "" if it did not run.
	Steady string `json:"steady,omitempty"`
	Period int    `json:"period,omitempty"` // iterations after which the retirement pattern repeats; 0: it does not, or the simulator did not run
	Bounds Bounds `json:"bounds"`
	IfFree []Rung `json:"if_free,omitempty"`
	// Stalls divide Cycles by the reason that ended dispatch in each cycle; they add up to Cycles.
	Stalls []Stall `json:"stalls,omitempty"`
	// Likely is the interval in which the run time of such code lies, by measurements of other code on this core; nil: there are too few, the limiting
	// cost is another core's, or some cost is not known.
	Likely *Likely `json:"likely,omitempty"`
	Gap    string  `json:"gap,omitempty"` // Above in words: the cycles that the bounds don't explain
	Above  *Above  `json:"above,omitempty"`
}

// Noticed is the relative difference below which two figures count as equal.
const Noticed = 0.005

// Mentioned is the relative difference above which a report states that another alignment or other data would change the prediction. It is the error
// of good predictions.
const Mentioned = 0.02

// Limit is the limit that determines the predicted cycles.
type Limit struct {
	Kind   string   `json:"kind"`             // see LimitBound
	Bound  Bound    `json:"bound,omitempty"`  // the bound that explains most of the cycles
	Cycles float64  `json:"cycles"`           // the cycles of this bound
	Buffer string   `json:"buffer,omitempty"` // LimitBuffer: the most frequent reason for dispatch stalls, as in Stall.Reason
	Ties   []Bound  `json:"ties,omitempty"`   // other bounds that are as high as this one
	Units  []string `json:"units,omitempty"`  // LimitReads: the shared units
}

// Kinds of limits.
const (
	LimitBound        = "bound"             // one bound explains the cycles
	LimitSeveral      = "several"           // no bound alone explains the cycles; Limit.Bound explains most of them
	LimitUnexplained  = "unexplained"       // the greatest bound is less than half of the cycles
	LimitForwarding   = "failed-forwarding" // loads wait for older stores that cannot forward their data
	LimitBuffer       = "full-buffer"       // Limit.Buffer is full most of the time
	LimitReads        = "register-reads"    // µops share units that read registers
	LimitProgramOrder = "program-order"     // an in-order core waits for older instructions
	LimitNone         = "none"              // the model has no bound for the code
)

// Above is the difference between the simulator's prediction and the greatest bound.
type Above struct {
	Bound  Bound   `json:"bound"`  // the greatest bound
	Bounds float64 `json:"bounds"` // its cycles
	Cycles float64 `json:"cycles"` // the simulator's cycles above it
}

// Interval is a range of cycles.
type Interval struct {
	Low          float64 `json:"low"`
	High         float64 `json:"high"`
	Instructions int     `json:"instructions"` // number of instructions whose unknown costs cause the interval
}

// Likely is an interval of cycles per iteration: Share of Measurements of loops (or of straight code) on this core, whose prediction had the same limit,
// took between Low and High of their predictions, as many less as more.
type Likely struct {
	Low          float64 `json:"low"`
	High         float64 `json:"high"`
	Share        float64 `json:"share"`
	Limit        string  `json:"limit"` // the limit of the measured code's predictions, as Bound; "any"
	Measurements int     `json:"measurements"`
	// Anywhere is set if the address of the code is not known, and matters: Low and High hold what it takes at other
	// places, too.
	Anywhere bool `json:"anywhere,omitempty"`
}

// Bounds holds the lower bound of the cycles by each limit alone; 0 if it is not known or there is no such limit.
type Bounds struct {
	Ports    float64 `json:"ports"`
	Dispatch float64 `json:"dispatch"`
	FrontEnd float64 `json:"front_end"`
	Latency  float64 `json:"latency"`         // the slowest loop-carried chain
	Branch   float64 `json:"branch"`          // the taken branch
	Cache    float64 `json:"cache,omitempty"` // banks, lines and ports of the first-level data cache, if the model states these limits
}

// Of returns the cycles of the bound with a name (BoundLatency and so on), 0 for other names.
func (b *Bounds) Of(bound Bound) float64 {
	return map[Bound]float64{BoundLatency: b.Latency, BoundPorts: b.Ports, BoundDispatch: b.Dispatch, BoundFrontEnd: b.FrontEnd, BoundBranch: b.Branch, BoundCache: b.Cache}[bound]
}

// Rung is the prediction with one limit removed.
type Rung struct {
	Free   string  `json:"free"` // "frontend", "dispatch", "ports", "window", "dependences", "memory"
	Cycles float64 `json:"cycles"`
	Bound  Bound   `json:"bound"`
}

// Stall is the number of cycles of an iteration in which dispatch ended for one reason.
type Stall struct {
	Reason string  `json:"reason"`
	Cycles float64 `json:"cycles"`
}

// WhatIf is the answer to a what-if question: the prediction for a changed core.
type WhatIf struct {
	Question string  `json:"question"`
	Cycles   float64 `json:"cycles"`
	Gain     float64 `json:"gain"` // the saved share of the cycles; below 0: the change costs cycles
	Bound    Bound   `json:"bound"`
	Note     string  `json:"note,omitempty"` // the reason for a missing answer
	// Reason is Note as values.
	Reason Statement `json:"reason,omitzero"`
}

// Share is the part of the cycles that a limit causes (its Shapley value over the ladder, Prediction.IfFree). The shares add up to the cycles.
type Share struct {
	Limit  string  `json:"limit"` // as Rung.Free; "rest": what remains without any of them
	Cycles float64 `json:"cycles"`
}

// Entered is what a loop takes that is entered anew each time for a few iterations, with nothing between: cycles from one entry to the next.
type Entered struct {
	Iterations int     `json:"iterations"`
	Cycles     float64 `json:"cycles"`             // the branch predictor knows which iteration is the last, so that the core runs on into the next entry
	AtLeast    bool    `json:"at_least,omitempty"` // Cycles and Missed are lower bounds (Prediction.Open), and all costs are known
	Unknown    int     `json:"unknown,omitempty"`  // instructions without cost data, for which the figures assume one
	// Missed are the cycles where it does not, and the last branch is mispredicted; null: the loop ends in no conditional branch.
	Missed        *float64 `json:"missed"`
	Penalty       int      `json:"mispredict_penalty"`        // cycles from the execution of that branch to the dispatch of what follows
	PenaltySource string   `json:"mispredict_penalty_source"` // "the machine model", or that it is assumed
}

// Sensitivity is the gain from more of a resource.
type Sensitivity struct {
	Resource string  `json:"resource"`
	Double   *WhatIf `json:"double"` // twice the resource, or half the latency in whole cycles (a half rounded up); null: the resource cannot be doubled
	Free     *WhatIf `json:"free"`   // an unlimited resource, or no latency
}

// Throughput is the port pressure of one iteration.
type Throughput struct {
	Cycles     float64  `json:"cycles"`
	Low        float64  `json:"low"`
	High       float64  `json:"high"`
	Policy     string   `json:"policy"` // "optimal", "uniform"
	Ports      Ports    `json:"ports"`
	Bottleneck []string `json:"bottleneck"`
	// About explains the ports of the bottleneck whose names don't.
	About    map[string]string `json:"about,omitempty"`
	Slots    float64           `json:"slots"`    // fused-domain µops
	Dispatch float64           `json:"dispatch"` // cycles to dispatch them, 0 if the width is not known
	Width    int               `json:"width"`
	// DispatchLimit is the limit on µops for certain ports that makes dispatch slower than its width; nil if there is none.
	DispatchLimit *DispatchLimit `json:"dispatch_limit,omitempty"`
}

// DispatchLimit is a limit on the µops for certain ports that are dispatched per cycle.
type DispatchLimit struct {
	Ports    string `json:"ports"`     // "S or B"
	Uops     int    `json:"uops"`      // µops of the kernel that need these ports
	PerCycle int    `json:"per_cycle"` // these µops dispatched per cycle
}

// Path is the critical path of one iteration.
type Path struct {
	Cycles       float64   `json:"cycles"`
	Low          float64   `json:"low"`
	High         float64   `json:"high"`
	Instructions []int     `json:"instructions"` // indices, in order
	Latencies    []float64 `json:"latencies"`    // the cycles that each adds
}

// Chain is a loop-carried dependence chain.
type Chain struct {
	Cycles       float64   `json:"cycles"`   // per iteration: latency / distance
	Latency      float64   `json:"latency"`  // of the whole cycle of dependences
	Distance     int       `json:"distance"` // iterations that the cycle of dependences spans
	Instructions []int     `json:"instructions"`
	Latencies    []float64 `json:"latencies"`
	Via          string    `json:"via"` // the registers, "flags" or "memory" that carry it to the next iteration
}

// Instruction is one instruction on a machine.
type Instruction struct {
	Index      int      `json:"index"`
	Line       int      `json:"line"`
	Address    string   `json:"address,omitempty"` // machine code: "0x401140"
	Where      string   `json:"where,omitempty"`   // its source line, "dot.c:5"
	Text       string   `json:"text"`              // as written, white space as single blanks
	Form       string   `json:"form"`              // LLVM's opcode name, "?" if not resolved
	Uops       float64  `json:"uops"`              // slots of the dispatch width
	Latency    float64  `json:"latency"`
	LatencyMin float64  `json:"latency_low"` // the interval of an unknown latency
	LatencyMax float64  `json:"latency_high"`
	Throughput float64  `json:"throughput"` // reciprocal throughput: cycles per instruction in a stream of independent copies
	Ports      Ports    `json:"ports"`
	Source     string   `json:"source"`
	Flags      []string `json:"flags"`
	LCD        *float64 `json:"lcd"` // cycles that it adds to the slowest loop-carried chain, null if not on it
	CP         *float64 `json:"cp"`  // cycles that it adds to the critical path, null if not on it
	Col        int      `json:"-"`
}

// Dependency is an edge of the dependence graph.
type Dependency struct {
	From     int     `json:"from"`
	To       int     `json:"to"`
	Kind     string  `json:"kind"` // "register", "address", "flag", "memory"
	Via      string  `json:"via"`  // register name
	Distance int     `json:"distance"`
	Latency  float64 `json:"latency"` // latency of the producer, plus store-to-load forwarding for memory
	LCD      bool    `json:"lcd,omitempty"`
	CP       bool    `json:"cp,omitempty"`
}

// Cut returns why figures are not those of the whole input: its errors, such as a repetition that is too long to be expanded. A command that writes such a document
// fails.
func (d *Document) Cut() (why []string) {
	for i := range d.Diagnostics {
		if d.Diagnostics[i].Severity == "error" {
			why = append(why, d.Diagnostics[i].Message)
		}
	}
	return why
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
	Values   Values `json:"values,omitzero"` // the values of this kind
}

// PortLoad is the cycles that a port is busy. Resource marks a unit that is not an issue port: a divider,
// or a load or store unit that several ports share.
type PortLoad struct {
	Name     string
	Cycles   float64
	Resource bool
}

// Ports holds port loads in the model's order. In JSON and YAML it is an object in that order.
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

// UnmarshalJSON reads the output of MarshalJSON, which does not contain PortLoad.Resource.
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

// Round removes the rounding noise of floating-point sums: it rounds to a millionth.
func Round(v float64) float64 {
	if r := math.Round(v*1e6) / 1e6; !math.IsInf(r, 0) {
		return r
	}
	return v
}
