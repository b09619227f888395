package report

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
}

// SourceOf names the source of some instructions' costs.
type SourceOf struct {
	Source       string   `json:"source"`
	Instructions []string `json:"instructions"`
}
