package whatif

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"incore/internal/machine"
)

// levels are the names of the levels of the memory hierarchy. No model states what they take; L1 is the latency that the model has.
var levels = []string{"L1", "L2", "L3", "DRAM"}

// load reads the part of a question after "line=".
func (c *change) load(s string) error {
	place, value, ok := strings.Cut(s, ":latency=")
	n, err := strconv.Atoi(place)
	if !ok || err != nil || n < 1 || value == "" {
		return fmt.Errorf("which load, and what does it take? As in line=12:latency=40, or L3=50,line=12:latency=L3")
	}
	c.kind, c.line = kindLine, n
	if slices.Contains(levels, strings.ToUpper(value)) {
		c.name = strings.ToUpper(value)
		return nil
	}
	return c.amount(value, false)
}

// levels gives the loads that name a level its cycles.
func (q *Question) levels() error {
	stated := map[string]float64{}
	for i := range q.changes {
		if c := &q.changes[i]; c.kind == kindLevel {
			stated[c.name] = c.n
		}
	}
	for i := range q.changes {
		c := &q.changes[i]
		if c.kind != kindLine || c.name == "" {
			continue
		}
		n, ok := stated[c.name]
		switch {
		case ok:
			c.op, c.n = '=', n
		case c.name == "L1":
			c.op, c.n = 'x', 1
		default:
			return fmt.Errorf("what-if '%s': what a load from %s takes is not known: state its cycles, as in %s=50,%s", c.text, c.name, c.name, c.text)
		}
	}
	return nil
}

// loads changes the loads on a line.
func (s *scenario) loads(c *change) error {
	on, matched := false, false
	s.bound = s.bound.Change(s.model, func(_ int, in *machine.Inst) {
		if in.Line.No != c.line {
			return
		}
		on, matched = true, matched || in.Load > 0
		in.ShiftLoad(c.shift(in.Load))
	})
	switch {
	case !on:
		return fmt.Errorf("line %d has no instruction of the kernel", c.line)
	case !matched:
		return fmt.Errorf("the instruction on line %d loads nothing", c.line)
	}
	return nil
}
