package whatif

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"incore/internal/base/regex"
	"incore/internal/isa"
	"incore/internal/machine"
)

// levels are the names of the levels of the memory hierarchy. No model states what they take; L1 is the latency that the model has.
var levels = []string{"L1", "L2", "L3", "DRAM"}

const loadForms = "which load, and what does it take? As in line=12:latency=40, load(8(%rdi)):latency=40, or L3=50,line=12:latency=L3"

// load reads a change of loads.
func (c *change) load(s string) error {
	place, value, ok := strings.Cut(s, ":latency=")
	if c.kind = kindLine; !ok || value == "" {
		return errors.New(loadForms)
	}
	if at, ok := strings.CutPrefix(place, "load("); ok {
		if c.at = compact(strings.TrimSuffix(at, ")")); c.at == "" || !strings.HasSuffix(place, ")") {
			return errors.New(loadForms)
		}
	} else if n, err := strconv.Atoi(strings.TrimPrefix(place, "line=")); err == nil && n >= 1 {
		c.line = n
	} else {
		return errors.New(loadForms)
	}
	if slices.Contains(levels, strings.ToUpper(value)) {
		c.name = strings.ToUpper(value)
		return nil
	}
	return c.amount(value, false)
}

// Blanks that do not matter in an operand.
var before, after = regex.Lazy(`\s+([,+*\])])`), regex.Lazy(`([,+*\[(])\s+`)

// compact returns the text of operands without blanks that do not matter, in lower case.
func compact(s string) string {
	s = strings.ToLower(strings.Join(strings.Fields(s), " "))
	return after().ReplaceAllString(before().ReplaceAllString(s, "$1"), "$1")
}

// concerns reports whether a change of loads is about an instruction.
func (c *change) concerns(l *isa.Line) bool {
	if c.at == "" {
		return l.No == c.line
	}
	text := compact(l.Text)
	for from := 0; from < len(text); from++ {
		i := strings.Index(text[from:], c.at)
		if i < 0 {
			return false
		}
		if from += i; from == 0 || c.at[0] == '[' || strings.IndexByte(" ,", text[from-1]) >= 0 { // otherwise it is the end of another address
			return true
		}
	}
	return false
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

// loads changes the loads on a line or from an address.
func (s *scenario) loads(c *change) error {
	on, matched := false, false
	s.bound = s.bound.Change(s.model, func(_ int, in *machine.Inst) {
		if !c.concerns(in.Line) {
			return
		}
		on, matched = true, matched || in.Load > 0
		in.ShiftLoad(c.shift(in.Load))
	})
	switch {
	case !on && c.at != "":
		return fmt.Errorf("no instruction of the kernel has the address %s", c.at)
	case !matched && c.at != "":
		return fmt.Errorf("the instructions with the address %s load nothing", c.at)
	case !on:
		return fmt.Errorf("line %d has no instruction of the kernel", c.line)
	case !matched:
		return fmt.Errorf("the instruction on line %d loads nothing", c.line)
	}
	return nil
}
