package report

import "fmt"

// Memory is what is known of dependences through memory.
type Memory struct {
	Without      *Estimate            `json:"without,omitempty"` // the prediction without any of them; absent if there are none, or the kernel is very long
	Dependencies []MemoryDependency   `json:"dependencies"`
	Possible     []PossibleDependency `json:"possible"` // not certain; only those that would change the prediction
}

// Estimate is a prediction under other assumptions.
type Estimate struct {
	Cycles float64 `json:"cycles"`
	Bound  string  `json:"bound"` // as in Prediction
}

// MemoryDependency is a load that reads what a store wrote.
type MemoryDependency struct {
	From       int     `json:"from"`       // the instruction that stores
	To         int     `json:"to"`         // the one that loads
	Distance   int     `json:"distance"`   // iterations from the store to the load
	Forwarding float64 `json:"forwarding"` // cycles of store-to-load forwarding
	// Blocked is how many cycles after the store has retired, or left the store queue, the load has its value, where the store cannot pass its data on.
	Blocked int `json:"blocked,omitempty"`
	Evidence
	LCD     bool      `json:"lcd"`               // on the slowest loop-carried chain
	Without *Estimate `json:"without,omitempty"` // the prediction without this one; of those on the slowest chain
}

// The methods of Evidence.
const (
	Executed    = "executed"    // the kernel was executed on random values: Bytes, Size, Seen and Of hold
	Expressions = "expressions" // both addresses are written alike, with registers that hold the same
)

// Evidence is how a dependence through memory shows.
type Evidence struct {
	Method string `json:"method"`
	Bytes  int    `json:"bytes,omitempty"` // of what the second instruction accesses, those that the first one did
	Size   int    `json:"size,omitempty"`  // bytes that the second one accesses
	Seen   int    `json:"seen,omitempty"`  // iterations in which it was seen, the fewest of several executions with other values
	Of     int    `json:"of,omitempty"`    // iterations in which it could be
}

// PossibleDependency is one that is not certain.
type PossibleDependency struct {
	From     int    `json:"from"`
	To       int    `json:"to"`
	Distance int    `json:"distance"` // the least possible
	Why      string `json:"why"`      // why it is not certain
	If       string `json:"if"`       // the registers that would have to be equal when the loop is entered, "r10=rax"; "": not a matter of two pointers
	// Renamed: if it is there in every iteration, memory renaming hides its latency, and the prediction holds as it is.
	Renamed  bool `json:"renamed,omitempty"`
	Estimate      // the prediction if it is there in some iterations
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

// some writes the first lines of a list, or all.
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

// words names what limits an estimate.
func (e *Estimate) words() string {
	if e.Bound == "latency" {
		return "a loop-carried dependency"
	}
	return e.Bound
}

// memoryDependency is one dependence in words.
func (t *Target) memoryDependency(d *MemoryDependency) string {
	s := t.flow(d.From, d.To, d.Distance) + ": " + d.Evidence.words()
	if d.Blocked > 0 {
		s += fmt.Sprintf("; store forwarding fails: the load has its data %d cycles after the store has retired", d.Blocked)
	}
	if d.Without != nil && len(t.Memory.Dependencies) > 1 {
		s += fmt.Sprintf("; on the slowest chain: without it %s cycles/iteration", cycles(d.Without.Cycles))
	}
	return s
}

// flow says which instruction reads what which one wrote.
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

// words is the evidence in words.
func (e *Evidence) words() string {
	if e.Method != Executed {
		return "both addresses are the same expression"
	}
	if e.Size == 0 { // a vector of unknown length
		return fmt.Sprintf("seen in %d of %d iterations", e.Seen, e.Of)
	}
	return fmt.Sprintf("%d of %d bytes, seen in %d of %d iterations", e.Bytes, e.Size, e.Seen, e.Of)
}

// possible is a possible dependence in words.
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

// where is an instruction's place in words.
func (in *Instruction) where() string {
	if in.Address != "" {
		return in.Address
	}
	return "line " + in.place()
}
