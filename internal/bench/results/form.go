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
	// Self is the latency where the operand is the result of the same form; less than Cycles if that is forwarded faster. NaN if not known.
	Self float64
}

// Form is what was measured of a form; NaN is not known.
type Form struct {
	Form     isa.FormID
	RThru    float64 // cycles per instance, many of them independent
	RThruLow float64 // less than RThru if helpers were needed: at least so many without them
	Pairs    []Pair
	Forward  float64 // from the stored register to the result of a load of the same bytes; NaN if it doesn't store one
	RMW      float64 // of a form that loads and stores at one address: from one to the next at that address; NaN
	Cases    []Case
	// Immediates are what differs with other values of an immediate that selects something.
	Immediates []Immediate
	Note       string
	Same       string // ZeroIdiom, DepBreak, MoveElim or MoveElimDistinct, if so measured
	SameOps    [2]int // the operands that are one register
	Reason     string // why nothing was measured
}

// NewForm is the result of a form of which nothing is known yet.
func NewForm(f isa.FormID) *Form {
	return &Form{Form: f, RThru: math.NaN(), RThruLow: math.NaN(), Forward: math.NaN(), RMW: math.NaN()}
}

// What Form.Same says of a form whose sources are one register, and of a copy.
const (
	ZeroIdiom        = "zero-idiom"
	DepBreak         = "dep-break"
	MoveElim         = "move-elim"
	MoveElimDistinct = "move-elim if distinct" // it is not where it is to the register itself
)

// Operands are what rows call the operands of a pair. across: they are of two register files, so that only the sum of
// the latency and the way back can be seen.
func (p *Pair) Operands(t *plan.Target) (from, to string, across bool) {
	return operandName(p.From), operandName(p.To), t.File(p.From.Reg) != t.File(p.To.Reg)
}

// Case is what a form costs with special operands.
type Case struct {
	Note           string
	RThru, Latency float64 // cycles; the slowest pair's latency; NaN if not known
}

// An Immediate is what a form costs with another immediate.
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
