package report

// Statement says what figures rest on, or what was taken for granted about code: a kind, the values of that kind, and the same in words. A kind keeps its
// name and its values from version to version; the words may change.
type Statement struct {
	Kind   string `json:"kind"`
	Text   string `json:"text"`
	Values Values `json:"values,omitzero"`
}

// Kinds of statements that figures rest on (Target.Basis), with the values that each has.
const (
	InCache            = "in-l1"                    // All data are in the first-level cache, branches are predicted, and the core does nothing else.
	StraightCode       = "straight-code"            // No branch closes the code; it is taken as one iteration of a loop.
	ForwardingUnknown  = "forwarding-unknown"       // The model does not know the latency of store-to-load forwarding; it is taken to be that of a load.
	WidthUnknown       = "width-unknown"            // The model does not know the dispatch width, which then does not limit.
	InOrderBounds      = "in-order-bounds"          // The bounds do not count the cycles in which an in-order core waits for operands.
	NotSimulated       = "not-simulated"            // The simulator does not follow Limit; without it the simulator finds Cycles.
	VectorUnconfigured = "vector-configuration"     // RISC-V's vtype is not known.
	JumpsMisplaced     = "jumps-on-boundary"        // The µop cache does not hold code around the jumps at Addresses (Intel's JCC erratum): the legacy decoders serve Instructions of Of; absent: the cost is not simulated.
	OverflowsOpCache   = "op-cache-overflow"        // The loop has Slots, the µop cache holds Entries: the legacy decoders serve Instructions of Of; absent: the cost is not simulated.
	DenseCode          = "op-cache-dense"           // Code is too dense for the µop cache in some place: the legacy decoders serve Instructions of Of.
	LoopPlacement      = "loop-placement"           // Each line of LineBytes takes LineCycles; it is not known where the loop begins, which may lie in up to CodeLines: Low to High cycles.
	LoopLines          = "loop-lines"               // At its address the loop lies in CodeLines of LineBytes each, which take LineCycles each; elsewhere it would lie in FewestLines.
	DataAlignment      = "data-alignment"           // Arrays are taken to be aligned so that the fewest accesses cross lines of the cache; at the worst alignment it takes Cycles or more.
	ChainsLeftOut      = "chains-left-out"          // Not all loop-carried chains are listed; the slowest is.
	ForeignModel       = "model-of-another-isa"     // The model of Core is for the instruction set Needs, the code is of Has.
	OfModel            = "model"                    // A sentence of the model file: Reason.
	BorrowedCosts      = "borrowed-costs"           // Some costs are another core's.
	UnknownCosts       = "unknown-costs"            // Instructions of Of have no data here; their cost is an interval over similar forms.
	OuterMemory        = "outer-memory-dependences" // Dependences through memory that an outer loop carries are not looked for.
	PathChosen         = "path-chosen"              // The body branches at Lines; the likeliest path is analysed, Without these lines.
	TableJump          = "table-jump"               // The jump at Lines may go to as many Places through a table; it is taken to go to line To.
	CallNotFollowed    = "call"                     // Functions are called at Lines, and not counted.
	NotALoop           = "not-a-loop"               // The code is taken as one iteration of a loop.
	LoopWithin         = "loop-within"              // Lines within the code are a loop, whose instructions count once; its Label, if it has one.
	BranchesNotTaken   = "branches-not-taken"       // Branches at Lines are taken as not taken.
)

// Kinds of diagnostics, with the values that each has.
const (
	FromInput         = "input"                // The reader of the text words it.
	FromObject        = "object-file"          // The reader of object files words it.
	MissingExtension  = "missing-extension"    // Core does not have Extension, which Instructions of Of need; Machines and as many More have it.
	UnknownCost       = "unknown-cost"         // The cost of Instruction (Form) on Core is not known; it is counted with an interval of Latency and Uops, and may take longer if there is a Reason.
	Unread            = "unread"               // Instruction could not be read for this Reason; it is counted with an interval of Latency and Uops. Nearest are known mnemonics like it.
	UnreadDependences = "unread-dependences"   // Instruction could not be read for this Reason; its dependences are not known. Nearest are known mnemonics like it.
	LowerBound        = "lower-bound"          // Instruction takes Latency and Uops at least, and for this Reason may take longer.
	UnreadElsewhere   = "unread-elsewhere"     // Count of statements outside the kernels that are no known instructions.
	LoopsLeftOut      = "loops-left-out"       // Count of loops of a text that are not mentioned.
	FileLoopsLeftOut  = "file-loops-left-out"  // Count of loops of an object file that are not mentioned.
	DepsLeftOut       = "dependences-left-out" // Count of loops whose dependences are left out.
	PairsLeftOut      = "pairs-left-out"       // Kernel has this Count of pairs of a store and a load; those that are possible are not listed.
	DeepLoops         = "deep-loops"           // Loops with more than Count levels of loops within are not listed.
	MarkedNoLoop      = "marked-no-loop"       // Count of marked pieces of code that are no loops.
	ProfileNotInLoops = "profile-not-in-loops" // A Share of the Profile is in the file, and none of it in a loop.
	ProfileElsewhere  = "profile-elsewhere"    // No place of the Profile is in the file.
)

// Kinds of reasons: `reason` of the input, a kernel, a machine and an answer, and `open_reasons`, with the values that each has.
const (
	ISAGiven       = "isa-given"        // The user named the instruction set.
	ISAOfMachine   = "isa-of-machine"   // The instruction set is that of the machine which the user named.
	ISADetected    = "isa-detected"     // Instructions of the first Of, and Count names of registers, are known in this instruction set.
	FileFormat     = "file-format"      // The file says what it is: Reason is its format.
	WholeText      = "whole-text"       // The kernel is the whole text.
	GivenLines     = "lines"            // The user chose these Lines.
	GivenLabel     = "label"            // The user chose the code at Label.
	WholeFunction  = "function"         // The kernel is all of the function Label, which has no loop.
	MarkedCode     = "marked"           // The code lies between markers of these tools: Label.
	InnermostLoop  = "innermost-loop"   // An innermost loop; number Rank of Count by how likely the time goes there, for this Reason.
	LoopOfFunction = "loop-of-function" // Loop number Rank of the function Label; of Places ways through it the one that Reason names.
	ThisMachine    = "this-machine"     // It is the machine that incore runs on, by this Reason.
	DefaultMachine = "default-machine"  // It is the default for the instruction set Needs, for this Reason.
	CallsFunction  = "calls-function"   // Instruction calls a function, whose cycles are not counted.
	OutsideCore    = "outside-core"     // How long Instruction takes is not the core's alone to say, for this Reason.
	NoFigures      = "no-figures"       // No source of the model describes Instruction.
	NoPorts        = "no-ports"         // Instruction keeps units busy that no source names.
	NotSimulatable = "bounds-only"      // The question is about what only the simulator knows, and the bounds answer.
	Refused        = "no-answer"        // The question cannot be answered on this core or for this kernel, for this Reason.
)

// Values are those of a statement or a diagnostic; which of them it has is said where its kind is declared.
type Values struct {
	Instructions int      `json:"instructions,omitempty"` // how many it concerns
	Of           int      `json:"of,omitempty"`           // of how many
	Count        int      `json:"count,omitempty"`
	Rank         int      `json:"rank,omitempty"` // from 1
	Cycles       float64  `json:"cycles,omitempty"`
	Low          float64  `json:"low,omitempty"`  // cycles
	High         float64  `json:"high,omitempty"` // cycles
	Latency      *Range   `json:"latency,omitempty"`
	Uops         *Range   `json:"uops,omitempty"`
	Limit        string   `json:"limit,omitempty"` // as Prediction.Bound
	Slots        int      `json:"slots,omitempty"`
	Entries      int      `json:"entries,omitempty"` // of the µop cache
	Addresses    []string `json:"addresses,omitempty"`
	CodeLines    int      `json:"code_lines,omitempty"`   // that the loop lies in
	FewestLines  int      `json:"fewest_lines,omitempty"` // that it could lie in
	LineBytes    int      `json:"line_bytes,omitempty"`
	LineCycles   float64  `json:"line_cycles,omitempty"` // that each line of code takes
	Lines        string   `json:"lines,omitempty"`       // of the source: "5-9,14"
	Without      string   `json:"without,omitempty"`     // lines
	Label        string   `json:"label,omitempty"`
	Places       int      `json:"places,omitempty"`
	To           int      `json:"to,omitempty"` // line
	Extension    string   `json:"extension,omitempty"`
	Core         string   `json:"core,omitempty"`
	Needs        string   `json:"needs,omitempty"`
	Has          string   `json:"has,omitempty"`
	Machines     []string `json:"machines,omitempty"`
	More         int      `json:"more,omitempty"` // machines that are not named
	Instruction  string   `json:"instruction,omitempty"`
	Form         string   `json:"form,omitempty"`
	Reason       string   `json:"reason,omitempty"`
	Nearest      []string `json:"nearest,omitempty"`
	Kernel       string   `json:"kernel,omitempty"`
	Profile      string   `json:"profile,omitempty"` // its kind
	Share        float64  `json:"share,omitempty"`
}

// Range is an interval of a figure; its ends are the same where the figure is known.
type Range struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// ChangesFigure reports whether the statement names other cycles than the report's, which the code may take elsewhere or on other data.
func (s *Statement) ChangesFigure() bool {
	switch s.Kind {
	case NotSimulated, LoopPlacement, LoopLines, DataAlignment, InOrderBounds:
		return true
	}
	return false
}
