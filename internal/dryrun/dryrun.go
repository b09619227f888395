// Package dryrun counts how often the instructions of a function are executed without executing them: it computes the integer arithmetic that the code
// alone determines (constants, counters, what is kept on the stack), follows branches whose condition is known by it, and goes round loops until they end.
// A loop whose registers change by the same amounts in each iteration is passed over in one step, so that a long loop costs no more than a short one.
// What depends on data or on unknown arguments is said, never guessed silently. Unknown pointers are taken not to point into the stack, into what the
// program itself addresses, or to what another one points to.
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
	Registers map[isa.Reg]uint64 // what registers hold when the function is called; others are unknown
	// Trips says how often a loop's header is executed each time that the loop is entered, where the code does not tell. nil: not known.
	Trips  func(l *object.Loop) (uint64, bool)
	Vector int    // bytes of a scalable vector register; 0: not known
	Budget uint64 // instructions that are computed at most; 0: 30 million
}

// Site is an instruction that was executed.
type Site struct {
	Addr  uint64
	Inst  isa.Inst // with the vector configuration that it was executed in
	Count uint64
	// Active and Full tell of how many elements of scalable vectors were active: Active sums up over all executions what was active of Full. Full is 0 of
	// instructions whose number of elements does not depend on that.
	Active, Full uint64
	Float        isa.Float
	Refs         []isa.MemRef // its accesses
	Branch       bool
}

// Result is what was executed.
type Result struct {
	Sites    []*Site // by address
	Scalable bool    // scalable vectors were met
	Partial  []string
	Assumed  []string // what was taken for granted, without which counts would not be these
}

// ErrVector says that code has scalable vectors and their length was not given.
var ErrVector = errors.New("the code has scalable vectors, and their length is not known")

// defaultBudget is how many instructions are computed.
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

// notes are sentences with the places that they are true of.
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

// mostPlaces is how many places a note names.
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
