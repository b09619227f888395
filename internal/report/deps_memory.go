package report

import "fmt"

// Memory holds the dependences through memory and their effect on the prediction.
type Memory struct {
	Without      *Estimate            `json:"without,omitempty"` // the prediction without all Dependencies; absent if there are none or the kernel is very long
	Dependencies []MemoryDependency   `json:"dependencies"`
	Possible     []PossibleDependency `json:"possible"` // dependences that are not certain and would change the prediction
}

// Estimate is a prediction under other assumptions.
type Estimate struct {
	Cycles float64 `json:"cycles"`
	Bound  Bound   `json:"bound"` // as in Prediction
}

// MemoryDependency is the dependence of a load on a store that wrote the loaded bytes.
type MemoryDependency struct {
	From       int     `json:"from"`       // index of the instruction that stores
	To         int     `json:"to"`         // index of the instruction that loads
	Distance   int     `json:"distance"`   // iterations from the store to the load
	Forwarding float64 `json:"forwarding"` // cycles of store-to-load forwarding
	// Blocked is set if store-to-load forwarding fails: the cycles from the retirement of the store, or from its commit to the cache, to the load's result.
	Blocked int `json:"blocked,omitempty"`
	Evidence
	LCD     bool      `json:"lcd"`               // on the slowest loop-carried chain
	Without *Estimate `json:"without,omitempty"` // the prediction without this dependence, if it is on the slowest chain
}

// The methods of Evidence.
const (
	Executed    = "executed"    // the kernel was executed on random values: Bytes, Size, Seen and Of are set
	Expressions = "expressions" // both addresses are the same expression of registers with the same values
)

// Evidence describes how a dependence through memory was found.
type Evidence struct {
	Method string `json:"method"`
	Bytes  int    `json:"bytes,omitempty"` // bytes that both instructions access
	Size   int    `json:"size,omitempty"`  // bytes that the second instruction accesses
	Seen   int    `json:"seen,omitempty"`  // iterations in which it occurred, the fewest of several executions with other values
	Of     int    `json:"of,omitempty"`    // iterations in which it could occur
}

// PossibleDependency is a dependence through memory that is not certain.
type PossibleDependency struct {
	From     int    `json:"from"`
	To       int    `json:"to"`
	Distance int    `json:"distance"` // the least possible distance
	Why      string `json:"why"`      // why it is not certain
	If       string `json:"if"`       // the two registers whose equality at the loop's entry causes it, "r10=rax"; "": it does not depend on two pointers
	// Renamed is set if memory renaming hides the latency of a dependence that occurs in every iteration; the prediction is then right in that case, too.
	Renamed  bool `json:"renamed,omitempty"`
	Estimate      // the prediction if it occurs in some iterations
}

// shownMemory is the number of lines of each kind in a text report.
const shownMemory = 6

// memory writes the dependences through memory with their evidence.
func (p *painter) memory(t *Target) {
	m := t.Memory
	if m == nil {
		return
	}
	if len(m.Dependencies) > 0 {
		more := ""
		if m.Without != nil {
			more = fmt.Sprintf("; without them: %s cycles/iteration, bound by %s", cycles(m.Without.Cycles), m.Without.words())
		}
		p.title("memory dependencies", more)
		p.some(len(m.Dependencies), func(i int) string { return t.memoryDependency(&m.Dependencies[i]) })
	}
	if len(m.Possible) > 0 {
		p.title("memory dependencies that are not certain", " (--alias and --noalias settle them)")
		p.some(len(m.Possible), func(i int) string { return t.possible(&m.Possible[i]) })
	}
}

// some writes the first lines of a list, or all lines of a verbose report.
func (p *painter) some(n int, line func(int) string) {
	shown := n
	if !p.Verbose {
		shown = min(n, shownMemory)
	}
	for i := range shown {
		p.line("  %s", p.wrap(line(i), "    "))
	}
	if n > shown {
		p.line("  … and %d more", n-shown)
	}
}

// words names the bound of an estimate.
func (e *Estimate) words() string {
	if e.Bound == BoundLatency {
		return "a loop-carried dependency"
	}
	return string(e.Bound)
}

// memoryDependency describes one dependence in words.
func (t *Target) memoryDependency(d *MemoryDependency) string {
	s := t.flow(d.From, d.To, d.Distance) + ": " + d.Evidence.words()
	if d.Blocked > 0 {
		s += "; store forwarding fails: the load has its data " + Counted(d.Blocked, "cycle") + " after the store has retired"
	}
	if d.Without != nil && len(t.Memory.Dependencies) > 1 {
		s += fmt.Sprintf("; on the slowest chain: without it %s cycles/iteration", cycles(d.Without.Cycles))
	}
	return s
}

// flow names the load and the store of a dependence, and the iterations between them.
func (t *Target) flow(from, to, distance int) string {
	when := "in the same iteration"
	if distance > 0 {
		when = fmt.Sprintf("%d iteration%s later", distance, plural(distance))
	}
	if from == to {
		return fmt.Sprintf("%s loads what it stored, %s", t.Instructions[to].where(), when)
	}
	return fmt.Sprintf("%s stores what %s loads, %s", t.Instructions[from].where(), t.Instructions[to].where(), when)
}

// words describes the evidence in words.
func (e *Evidence) words() string {
	if e.Method != Executed {
		return "both addresses are the same expression"
	}
	if e.Size == 0 { // a vector of unknown length
		return fmt.Sprintf("seen in %d of %d iterations", e.Seen, e.Of)
	}
	return fmt.Sprintf("%d of %d bytes, seen in %d of %d iterations", e.Bytes, e.Size, e.Seen, e.Of)
}

// possible describes a possible dependence in words.
func (t *Target) possible(d *PossibleDependency) string {
	if d.If != "" {
		return fmt.Sprintf("if %s: %s cycles/iteration (%s)", d.If, cycles(d.Cycles), t.flow(d.From, d.To, d.Distance))
	}
	s := fmt.Sprintf("if %s: %s cycles/iteration (%s)", t.flow(d.From, d.To, d.Distance), cycles(d.Cycles), d.Why)
	if d.Renamed {
		s += "; no loss if it happens in every iteration, where memory renaming hides it"
	}
	return s
}

// where returns an instruction's address or line in words.
func (in *Instruction) where() string {
	if in.Address != "" {
		return in.Address
	}
	return "line " + in.place()
}
