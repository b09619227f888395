// Package dryrun counts how often the instructions of a function are executed, without executing them. It computes the integer arithmetic that the
// code alone determines (constants, counters, values on the stack), follows branches whose conditions this determines, and repeats loops until they
// end. A loop whose registers change by the same amounts in each iteration is computed in one step, so that a long loop costs no more than a short
// one. The result states every dependence on data or on unknown arguments. Unknown pointers are assumed not to point to the stack, to memory that the
// program itself addresses, or to the target of another pointer.
package dryrun

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"incore/internal/isa"
	"incore/internal/object"
)

// Options of a run.
type Options struct {
	Registers map[isa.Reg]uint64 // register values at the call of the function; others are unknown
	// Trips returns how often a loop's header is executed per entry of the loop, where the code does not tell. nil: not known.
	Trips  func(l *object.Loop) (uint64, bool)
	Vector int    // bytes of a scalable vector register; 0: not known
	Budget uint64 // largest number of computed instructions; 0: 30 million
}

// Site is an instruction that was executed.
type Site struct {
	Addr  uint64
	Inst  isa.Inst // with the vector configuration that it was executed in
	Count uint64
	// Active and Full count elements of scalable vectors, summed over all executions: Active is the number of active elements, of Full. Full is 0 for
	// instructions whose number of elements does not depend on the vector length or a predicate.
	Active, Full uint64
	Float        isa.Float
	Refs         []isa.MemRef // its accesses
	Branch       bool
}

// Result is the result of a dry run.
type Result struct {
	Sites    []*Site // by address
	Scalable bool    // the code contains scalable vectors
	Partial  []string
	Assumed  []string // assumptions on which the counts depend
}

// ErrVector says that code has scalable vectors and their length was not given.
var ErrVector = errors.New("the code has scalable vectors, and their length is not known")

// defaultBudget is the default of Options.Budget.
const defaultBudget = 30_000_000

// Run follows a function from its entry until it returns.
func Run(ctx context.Context, f *object.File, fn *object.Function, o Options) (*Result, error) {
	if f.ISA.Semantics == nil {
		return nil, fmt.Errorf("%s: the integer arithmetic of %s is not known to incore", f.Path, f.ISA.Name)
	}
	if o.Budget == 0 {
		o.Budget = defaultBudget
	}
	m := newMachine(f, &o)
	m.ctx = ctx
	for r, v := range o.Registers {
		m.setRegister(r, v)
	}
	m.call(fn, 0)
	if m.needVector {
		return nil, ErrVector
	}
	r := &Result{Scalable: m.scalable}
	for _, x := range m.insts {
		if x.site.Count > 0 {
			r.Sites = append(r.Sites, &x.site)
		}
	}
	slices.SortFunc(r.Sites, func(a, b *Site) int {
		if a.Addr < b.Addr {
			return -1
		}
		return 1
	})
	r.Partial, r.Assumed = m.partial.list(), m.assumed.list()
	return r, ctx.Err()
}

// notes are sentences with the places to which they apply.
type notes struct {
	order []string
	at    map[string][]string
}

// add notes a place for a sentence, in which %s stands for the places.
func (n *notes) add(sentence, place string) {
	if n.at == nil {
		n.at = map[string][]string{}
	}
	if _, ok := n.at[sentence]; !ok {
		n.order = append(n.order, sentence)
	}
	if !slices.Contains(n.at[sentence], place) {
		n.at[sentence] = append(n.at[sentence], place)
	}
}

// mostPlaces is the largest number of places that a note names.
const mostPlaces = 6

func (n *notes) list() (out []string) {
	for _, s := range n.order {
		places := n.at[s]
		text := strings.Join(places[:min(len(places), mostPlaces)], ", ")
		if more := len(places) - mostPlaces; more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		out = append(out, strings.ReplaceAll(s, "%s", text))
	}
	return out
}
