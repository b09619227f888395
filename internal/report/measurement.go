package report

import (
	"io"
	"strings"
)

// MeasureSchema names the layout of Measurement; docs/json-commands.md describes its fields.
const MeasureSchema = "incore.measure/1"

// Measurement is the document of incore measure.
type Measurement struct {
	Schema       string      `json:"schema"`
	Kernel       string      `json:"kernel,omitempty"`
	Cycles       float64     `json:"cycles"`
	Uncertainty  float64     `json:"uncertainty"`
	Unsteady     *OtherState `json:"unsteady,omitempty"`
	Least        float64     `json:"least,omitempty"`
	GHz          float64     `json:"ghz"`
	Instructions int         `json:"instructions"`
	Copies       int         `json:"copies"`
	Unrolled     bool        `json:"unrolled,omitempty"`
	Pages        []uint64    `json:"pages"`
	Physical     int         `json:"physical_pages"`
	Symbols      []string    `json:"symbols,omitempty"`
	Branches     int         `json:"branches_inside,omitempty"`
	InPlace      *InPlace    `json:"in_place,omitempty"`
	NotInPlace   string      `json:"not_in_place,omitempty"`
	Prediction   *Expected   `json:"prediction,omitempty"`

	// What only the text says.
	Why      string   `json:"-"` // of a loop of a file: how it was chosen
	Others   int      `json:"-"` // further loops of the file, which are not measured
	Chosen   []string `json:"-"` // initial values that the code needs, in words
	Relative int      `json:"-"` // addresses relative to the instruction pointer, which are others here
	Jumps    int      `json:"-"` // that are left out, as each leads to the next instruction
	Words    []string `json:"-"` // the lines of the text, without those of Prediction.Explained
}

// Layout implements Result.
func (*Measurement) Layout() string { return MeasureSchema }

// Text writes the measurement, the prediction beside it, and what may explain their difference.
func (m *Measurement) Text(w io.Writer, _ TextOptions) error {
	var b strings.Builder
	for _, l := range m.Words {
		b.WriteString(l + "\n")
	}
	if m.Prediction != nil {
		for _, l := range m.Prediction.Explained {
			b.WriteString("  " + l + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// OtherState is a second figure of the same code, which some of the processes that ran it showed.
type OtherState struct {
	Cycles float64 `json:"cycles"`
	Seen   int     `json:"seen"`
	Of     int     `json:"of"`
}

// InPlace describes the measurement of a loop with its own closing branch.
type InPlace struct {
	Offset     uint64    `json:"page_offset"`
	Register   string    `json:"register"`
	Values     [2]uint64 `json:"values"`
	Iterations [2]int    `json:"iterations"`
	Rounds     int       `json:"-"` // runs that begin anew with the initial registers
}

// Expected is the prediction for the machine that was measured.
type Expected struct {
	Arch       string     `json:"arch"`
	Engine     Engine     `json:"engine"`
	Cycles     float64    `json:"cycles"`
	Static     float64    `json:"static_bound"`
	Bound      Bound      `json:"bound"`
	Difference float64    `json:"difference_percent"`
	Explained  []string   `json:"explanation,omitempty"`
	Sources    []SourceOf `json:"sources"`

	StaticBound Bound      `json:"-"` // the bound whose cycles Static has
	Unmodelled  Unmodelled `json:"-"`
}

// Unmodelled is what a prediction leaves out or assumes, which may explain that the measurement differs.
type Unmodelled struct {
	Via      string    // the register or operand of memory through which the slowest chain goes
	Memory   bool      // stores and loads are a part of that chain
	Ports    []string  // the busiest ports
	Overlaps []Overlap // loads that may read what a store wrote
	Equal    bool      // all words of memory are equal, so that it is known what loads read
	Pages    bool      // an access crosses a page, or may cross one if its address isn't known
	Lines    bool      // an access crosses a line, or may cross one, and the model does not know the cost
	Masked   bool      // an access to memory by a mask
	Divides  bool      // an integer division, whose time depends on its operands
	Pattern  int       // period in iterations of the dependences through memory, given the values in memory; 0: the same in each iteration
}

// Overlap is a dependence through memory that occurs only if addresses are equal.
type Overlap struct {
	Cycles      float64 // per iteration, if it occurs
	Load, Store string  // the instructions
	Distance    int     // iterations
	Why         string  // why it is not known
}

// SourceOf names the source of some instructions' costs.
type SourceOf struct {
	Source       string   `json:"source"`
	Instructions []string `json:"instructions"`
}
