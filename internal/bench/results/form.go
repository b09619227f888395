package results

import (
	"fmt"
	"math"

	"incore/internal/bench/plan"
	"incore/internal/isa"
)

// Pair is the latency from one operand of a form to another.
type Pair struct {
	From, To isa.Access
	Cycles   float64
	Total    float64 // cycles of the whole chain
	// Self is the latency if the operand is the result of the same form: less than Cycles if the core forwards it faster. NaN if not known.
	Self float64
}

// Form holds the measurements of a form; NaN means not known.
type Form struct {
	Form     isa.FormID
	RThru    float64 // cycles per instance, many of them independent
	RThruLow float64 // lower bound of RThru without helpers; less than RThru if helpers were needed
	Pairs    []Pair
	Forward  float64 // from the stored register to the result of a load of the same bytes; NaN if the form does not store a register
	RMW      float64 // latency between instances of a form that loads and stores at one address; NaN if it does not
	Cases    []Case
	// Immediates are the figures for other values of an immediate that selects the operation, if they differ.
	Immediates []Immediate
	Note       string
	Same       string // ZeroIdiom, DepBreak, MoveElim or MoveElimDistinct, if measured
	SameOps    [2]int // the two operands with the same register
	Reason     string // the reason why nothing was measured
}

// NewForm returns the Form of a form that has not been measured.
func NewForm(f isa.FormID) *Form {
	return &Form{Form: f, RThru: math.NaN(), RThruLow: math.NaN(), Forward: math.NaN(), RMW: math.NaN()}
}

// Values of Form.Same: properties of a form whose sources are one register, and of a copy.
const (
	ZeroIdiom        = "zero-idiom"
	DepBreak         = "dep-break"
	MoveElim         = "move-elim"
	MoveElimDistinct = "move-elim if distinct" // the copy is eliminated, except from a register to itself
)

// Operands returns the names of a pair's operands in rows. across reports that they are in two register files, so
// that only the sum of both directions can be measured.
func (p *Pair) Operands(t *plan.Target) (from, to string, across bool) {
	return operandName(p.From), operandName(p.To), t.File(p.From.Reg) != t.File(p.To.Reg)
}

// Case holds the figures of a form with special operand values.
type Case struct {
	Note           string
	RThru, Latency float64 // in cycles; the slowest pair's latency; NaN if not known
}

// An Immediate holds the figures of a form with another immediate.
type Immediate struct {
	Op     int // MC operand of the immediate
	Value  int64
	Result *Form
}

func (c *Case) String() string {
	s := ""
	if !math.IsNaN(c.RThru) {
		s = fmt.Sprintf("reciprocal throughput %s", Trim(c.RThru, 3))
	}
	if !math.IsNaN(c.Latency) {
		if s != "" {
			s += ", "
		}
		s += fmt.Sprintf("latency %s", Trim(c.Latency, 1))
	}
	return s
}
