// Package block measures machine code on this machine: straight blocks as copies in a loop of the driver's, and loops in place with their own
// branches. incore/internal/bench/host runs the code.
//
// arch.go holds the properties of an instruction set that running code needs. assemble.go makes machine code of a kernel. block.go measures it with
// the steps of body.go, which benchmarks of instructions use too. inplace.go measures unmodified loops; trips.go chooses how they end. corpus.go
// measures files of blocks. start.go describes the initial state of the code for predictions.
package block

import (
	"context"
	"fmt"

	"incore/internal/bench/host"
)

// Regs selects the values of the general-purpose registers at the start of a block.
type Regs uint8

// The register settings.
const (
	// Distinct: every register points to its own page, at a different page offset, so that accesses through
	// different registers never alias, not even modulo 4 KiB.
	Distinct Regs = iota
	// Same: all registers hold one value, as in the BHive corpus (Chen et al., IISWC 2019), so that accesses
	// through different registers with equal displacements are to the same bytes.
	Same
)

// Initial values: those of the corpora with which incore's accuracy is measured.
const (
	FillWord     = 0x2324000 // every word of the data page, so that a loaded pointer points to data
	distinctStep = 0x20000 + 256
	sameValue    = 0x2324000
	segmentBase  = 0x2824000 // base of fs; that of gs is one step higher
)

// Setup is the state a block is measured in; the zero value is the default.
type Setup struct {
	Regs     Regs
	Values   map[int]uint64 // initial values of single registers, by hardware number, over Regs
	Denormal bool           // keep denormals (default: flush to zero, denormals are zero)
	Unrolled bool           // lay iterations out without a loop branch between them
	Windows  int            // time windows per measurement; 0 = default
	CPUs     []int          // the CPUs to run on; none: any
	// Pages is the number of physical pages that addresses are mapped to; 0 = 1. With more, code that walks
	// through memory restarts so often that it touches no more addresses.
	Pages int
}

// Figure is a measured number of cycles.
type Figure struct {
	Cycles      float64 // per execution of the block
	Uncertainty float64 // cycles; half the width of the interval that holds half of the windows, or half the difference of two passes
	GHz         float64
	Pages       []uint64 // pages that the block touched, in order of first touch
	Copies      int      // how often the block was laid out in the loop body
	Physical    int      // physical pages that its addresses are mapped to
	Unrolled    bool     // without a loop around the copies
	Rounds      int      // number of restarts with the initial registers in a run
	Other       State    // another steady state in which the same code was measured; the uncertainty includes it
	Crowded     float64  // host.Result.Crowded of the most crowded run
	Least       float64  // least cycles on a core that is not crowded, if Crowded is more than 1 and affects the code; otherwise 0
	Chosen      []string // initial values of registers that suit the code (Setup.Suit), in words
}

// State is the rate at which the same code ran in a minority of processes.
type State struct {
	Cycles   float64 // per execution of the block
	Seen, Of int     // number of processes in this state, and of all processes; 0 of 0: there is no such state
}

// Measure measures machine code that falls through at its end, n instructions long. The error is a
// *host.Reason if the code cannot be measured.
func Measure(ctx context.Context, code []byte, n int, s Setup) (*Figure, error) {
	for i := range s.Values {
		if i < 0 || i >= 32 {
			return nil, fmt.Errorf("no general-purpose register number %d", i)
		}
	}
	if a, err := Native(); err == nil {
		if carries, counter := a.carriesFlags(code); carries && !counter { // any loop would break dependence chains through the flags
			s.Unrolled = true
		}
	}
	c := newCode(code, s)
	copies := max(1, min(BodyInsts/max(1, n), BodyBytes/max(1, len(code))))
	rough, err := Settle(ctx, c, copies)
	if err != nil {
		return nil, err
	}
	f, err := Layout(ctx, c, copies, rough, s)
	if f != nil {
		f.Physical, f.Unrolled = max(1, s.Pages), s.Unrolled
	}
	if err != nil || s.Unrolled || 2*copies*len(code) > BodyBytes {
		return f, err
	}
	// The alignment of a loop body to the fetch windows of the front end is not a property of the block: of
	// two body lengths the faster counts.
	g, err := Layout(ctx, c, 2*copies, rough, s)
	if err == nil && g.Cycles < f.Cycles {
		g.Physical = f.Physical
		g.Cycles -= loopShare(f, g)
		return g, nil
	}
	return f, nil
}

// loopShare returns the overhead of the driver's loop per copy in the longer of two bodies, one twice as long as the
// other: the longer body divides the same overhead by twice as many copies. If the figures differ by more than a loop
// can cost, the overhead is unknown: 0.
func loopShare(short, long *Figure) float64 {
	const most = 1.1 // cycles of a pass: the count and the jump take two slots, and end a window of fetch
	share := short.Cycles - long.Cycles
	if share*float64(2*short.Copies) > most {
		return 0
	}
	return share
}

// newCode returns machine code of this machine with the initial state of a setup.
func newCode(code []byte, s Setup) *host.Code {
	c := initial(code, s)
	if a, err := Native(); err == nil {
		a.configure(c, a.unused(code), a.VType)
		m := a.masked(code)
		c.Masks, c.VectorMasks = m.registers, m.vectors
	}
	return c
}

// initial returns machine code with the initial values of registers and memory.
func initial(code []byte, s Setup) *host.Code {
	c := &host.Code{Bytes: code, Fill: FillWord, Denormals: s.Denormal}
	c.Regs = s.Registers()
	c.Seg = [2]uint64{segmentBase, segmentBase + distinctStep}
	c.Keep, c.DataPages, c.CPUs = true, s.Pages, s.CPUs
	return c
}

// Registers returns the initial values of the general-purpose registers, by hardware number.
func (s *Setup) Registers() (r [32]uint64) {
	for i := range r {
		r[i] = sameValue
		if s.Regs == Distinct {
			r[i] += uint64(i) * distinctStep
		}
	}
	for i, v := range s.Values {
		r[i] = v
	}
	return r
}

// Reach returns the memory that the initial values of registers point to, including displacements, indices and
// strides.
func Reach() host.Span {
	const slack = 0x20000
	return host.Span{Start: sameValue - slack, Size: 32*distinctStep + 2*slack}
}

// Word returns the value of every word of memory at the start of the code, or 0 if the code may change it: with one
// physical page, a store to one address is read at others. With several pages, code restarts before it touches more
// addresses than there are pages; a loop in place does so always.
func (s *Setup) Word(inPlace bool) uint64 {
	if inPlace || s.Pages > 1 {
		return FillWord
	}
	return 0
}
