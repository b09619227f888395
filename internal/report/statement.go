package report

// Statement is an assumption or a fact that figures depend on: its kind, the values of that kind, and the same in words. A kind keeps its
// name and the meaning of its values in all versions; the words may change.
type Statement struct {
	Kind   string `json:"kind"`
	Text   string `json:"text"`
	Values Values `json:"values,omitzero"`
}

// OfPlace reports whether a statement says what a loop, whose address is not known, takes elsewhere than at the assumed
// place.
func (s Statement) OfPlace() bool { return s.Kind == LoopPlacement || s.Kind == EntryPlacement }

// Kinds of statements about the assumptions and data that figures depend on (Target.Basis), with the values of each kind.
const (
	InCache            = "in-l1"                    // All data are in the first-level cache, all branches are predicted correctly, and the core runs no other thread.
	StraightCode       = "straight-code"            // No branch closes the code; it is analysed as one iteration of a loop.
	ForwardingUnknown  = "forwarding-unknown"       // The model does not know the latency of store-to-load forwarding; the latency of a load is assumed.
	WidthUnknown       = "width-unknown"            // The model does not know the dispatch width; an unlimited width is assumed.
	InOrderBounds      = "in-order-bounds"          // The bounds do not count the cycles in which an in-order core waits for operands.
	NotSimulated       = "not-simulated"            // The simulator does not model Limit; without it the simulator predicts Cycles.
	VectorUnconfigured = "vector-configuration"     // RISC-V's vtype is not known.
	JumpsMisplaced     = "jumps-on-boundary"        // The µop cache does not hold code around the jumps at Addresses (Intel's JCC erratum): the legacy decoders decode Instructions of Of; absent: the cost is not simulated.
	OverflowsOpCache   = "op-cache-overflow"        // The loop needs Slots, the µop cache holds Entries: the legacy decoders decode Instructions of Of; absent: the cost is not simulated.
	DenseCode          = "op-cache-dense"           // Part of the code is too dense for the µop cache: the legacy decoders decode Instructions of Of.
	LoopPlacement      = "loop-placement"           // The fetch of each code line of LineBytes takes a cycle. The loop's address is not known: it is assumed to begin at Start in a line. It spans up to CodeLines and takes Low to High cycles.
	EntryPlacement     = "entry-placement"          // The loop's address is not known: it is assumed to begin at Start in a line. Depending on it, fetching the entries of the µop cache, line by line of LineBytes, lets it take Low to High cycles.
	EntryLines         = "entry-lines"              // At its address fetching takes High cycles; at the best one Low.
	LoopLines          = "loop-lines"               // At its address the loop spans CodeLines of LineBytes, and the fetch of each takes a cycle. At the best address it would span FewestLines.
	RenamingDensity    = "renaming-density"         // Memory renaming serves none of the loads, because the core follows at most Entries in LineBytes of code.
	RenamingMistakes   = "renaming-mistakes"        // Memory renaming may pass the load of Instruction the data that From stored, one of Count such loads: both are within the same LineBytes. Each mistake costs a flush, which is not counted.
	WaitsForStores     = "memory-disambiguation"    // Loads that once passed a store on which they depended wait for the addresses of all older stores.
	DataAlignment      = "data-alignment"           // The assumed alignment of arrays is that with the fewest accesses that cross cache lines; at the worst alignment the loop takes at least Cycles.
	ChainsLeftOut      = "chains-left-out"          // Not all loop-carried chains are listed; the slowest is.
	ForeignModel       = "model-of-another-isa"     // The model of Core is for the instruction set Needs, the code is of Has.
	OfModel            = "model"                    // A sentence of the model file: Reason.
	BorrowedCosts      = "borrowed-costs"           // Some costs were measured on, or are stated for, another core.
	UnknownCosts       = "unknown-costs"            // The model has no cost data for Instructions of Of; their cost is an interval over similar forms.
	OuterMemory        = "outer-memory-dependences" // Dependences through memory that an outer loop carries are not looked for.
	PathChosen         = "path-chosen"              // The body branches at Lines; the likeliest path is analysed, Without these lines.
	TableJump          = "table-jump"               // The jump at Lines has a number of Places as targets, through a table; the target at line To is assumed.
	CallNotFollowed    = "call"                     // The cycles of the functions called at Lines are not counted.
	NotALoop           = "not-a-loop"               // The code is not a loop; it is analysed as one iteration of one.
	LoopWithin         = "loop-within"              // The code contains a loop at Lines, whose instructions count once; Label is its label, if it has one.
	BranchesNotTaken   = "branches-not-taken"       // The branches at Lines are assumed to be not taken.
)

// Kinds of diagnostics, with the values of each kind.
const (
	FromInput         = "input"                // A message of the parser of assembly text.
	FromObject        = "object-file"          // A message of the reader of object files.
	MissingExtension  = "missing-extension"    // Core does not have Extension, which Instructions of Of need; Machines have it, and a number of More machines.
	Reserved          = "reserved"             // The specification reserves Instruction, for this Reason.
	UnknownCost       = "unknown-cost"         // The cost of Instruction (Form) on Core is not known; intervals of Latency and Uops are assumed. If there is a Reason, it may take longer.
	Unread            = "unread"               // Instruction could not be read for this Reason; intervals of Latency and Uops are assumed. Nearest are similar known mnemonics.
	UnreadDependences = "unread-dependences"   // Instruction could not be read for this Reason; its dependences are not known. Nearest are similar known mnemonics.
	LowerBound        = "lower-bound"          // Instruction takes at least Latency and Uops; for this Reason it may take longer.
	UnreadElsewhere   = "unread-elsewhere"     // Count of statements outside the kernels that are not known instructions.
	LoopsLeftOut      = "loops-left-out"       // Count of loops of a text that are not mentioned.
	FileLoopsLeftOut  = "file-loops-left-out"  // Count of loops of an object file that are not mentioned.
	DepsLeftOut       = "dependences-left-out" // Count of loops whose dependences are left out.
	PairsLeftOut      = "pairs-left-out"       // Kernel has this Count of pairs of a store and a load, too many to list the possible dependences.
	DeepLoops         = "deep-loops"           // Loops that contain more than Count levels of inner loops are not listed.
	MarkedNoLoop      = "marked-no-loop"       // Count of marked regions that are not loops.
	ProfileNotInLoops = "profile-not-in-loops" // A Share of the Profile is in functions of the file, but not in a loop.
	ProfileElsewhere  = "profile-elsewhere"    // The Profile has no place in the file.
	ProfileOfOthers   = "profile-of-others"    // The Profile is of other files (Machines); its samples are not used.
)

// Kinds of reasons: `reason` of the input, a kernel, a machine and an answer, and `open_reasons`, with the values of each kind.
const (
	ISAGiven       = "isa-given"        // The user named the instruction set.
	ISAOfMachine   = "isa-of-machine"   // The user named a machine, which has this instruction set.
	ISADetected    = "isa-detected"     // This instruction set knows Instructions of the first Of, and Count names of registers.
	FileFormat     = "file-format"      // The file states its instruction set; Reason is its format.
	WholeText      = "whole-text"       // The kernel is the whole text.
	GivenLines     = "lines"            // The user chose these Lines.
	GivenLabel     = "label"            // The user chose the code at Label.
	WholeFunction  = "function"         // The kernel is all of the function Label, which has no loop.
	MarkedCode     = "marked"           // The code is between markers of these tools: Label.
	InnermostLoop  = "innermost-loop"   // An innermost loop, number Rank of Count in the order of estimated run time, for this Reason.
	LoopOfFunction = "loop-of-function" // Loop number Rank of the function Label; Reason names the analysed path among Places paths through it.
	ThisMachine    = "this-machine"     // It is the machine that incore runs on, as this Reason shows.
	DefaultMachine = "default-machine"  // It is the default for the instruction set Needs, for this Reason.
	CallsFunction  = "calls-function"   // Instruction calls a function, whose cycles are not counted.
	OutsideCore    = "outside-core"     // The time of Instruction does not depend on the core alone, for this Reason.
	NoFigures      = "no-figures"       // No source of the model describes Instruction.
	NoPorts        = "no-ports"         // Instruction occupies units that no source names.
	NotSimulatable = "bounds-only"      // The question is about a property that only the simulator models; the bounds answered it.
	Refused        = "no-answer"        // The question cannot be answered on this core or for this kernel, for this Reason.
)

// Values holds the values of a statement or a diagnostic; the comment on each kind names the fields that it sets.
type Values struct {
	Instructions int      `json:"instructions,omitempty"` // number of instructions concerned
	Of           int      `json:"of,omitempty"`           // number of all instructions
	Count        int      `json:"count,omitempty"`
	Rank         int      `json:"rank,omitempty"` // from 1
	Cycles       float64  `json:"cycles,omitempty"`
	Low          float64  `json:"low,omitempty"`  // cycles
	High         float64  `json:"high,omitempty"` // cycles
	Latency      *Range   `json:"latency,omitempty"`
	Uops         *Range   `json:"uops,omitempty"`
	Limit        string   `json:"limit,omitempty"` // a bound, as in Prediction.Bound
	Slots        int      `json:"slots,omitempty"`
	Entries      int      `json:"entries,omitempty"` // of the µop cache
	Addresses    []string `json:"addresses,omitempty"`
	CodeLines    int      `json:"code_lines,omitempty"`   // code lines that the loop spans
	FewestLines  int      `json:"fewest_lines,omitempty"` // code lines that it would span at the best address
	LineBytes    int      `json:"line_bytes,omitempty"`
	Start        int      `json:"start,omitempty"`   // place in a line of code at which the loop is assumed to begin
	Lines        string   `json:"lines,omitempty"`   // lines of the source: "5-9,14"
	Without      string   `json:"without,omitempty"` // lines
	Label        string   `json:"label,omitempty"`
	Places       int      `json:"places,omitempty"`
	To           int      `json:"to,omitempty"` // a line of the source
	Extension    string   `json:"extension,omitempty"`
	Core         string   `json:"core,omitempty"`
	Needs        string   `json:"needs,omitempty"`
	Has          string   `json:"has,omitempty"`
	Machines     []string `json:"machines,omitempty"`
	More         int      `json:"more,omitempty"` // number of machines that are not named
	Instruction  string   `json:"instruction,omitempty"`
	From         string   `json:"from,omitempty"` // an instruction that stores
	Form         string   `json:"form,omitempty"`
	Reason       string   `json:"reason,omitempty"`
	Nearest      []string `json:"nearest,omitempty"`
	Kernel       string   `json:"kernel,omitempty"`
	Profile      string   `json:"profile,omitempty"` // kind of the profile
	Share        float64  `json:"share,omitempty"`
}

// Range is an interval of a figure; its ends are equal if the figure is known.
type Range struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// ChangesFigure reports whether the statement names other cycles than the prediction's, for another alignment, other data or a limit that is not simulated.
func (s *Statement) ChangesFigure() bool {
	switch s.Kind {
	case NotSimulated, LoopPlacement, LoopLines, EntryPlacement, EntryLines, DataAlignment, InOrderBounds, RenamingDensity, RenamingMistakes, WaitsForStores:
		return true
	}
	return false
}
