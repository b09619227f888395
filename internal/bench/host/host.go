// Package host runs generated machine code on the machine under us and times it.
// It holds all the code that touches executable memory, raw system calls and
// other processes' registers.
//
// The code runs in a process of its own, which is no copy of incore but a tiny
// ELF program made for the one measurement: a driver loop, the code under test
// and a control page, nothing else. incore traces it. A page that the code
// touches and that isn't there is mapped on the fault, always onto the same
// physical page, so that all data stay in the L1 cache (the method of BHive:
// Chen et al., IISWC 2019, section 3). A crash, an endless loop or a system call is a result
// of that process, not the end of ours.
//
// Time is read from the timestamp counter and converted to core cycles by
// a chain of dependent one-cycle additions timed in the same short window, before and after
// the code under test: turbo, frequency drift and a noisy neighbour change both alike
// and cancel. Windows in which the two calibrations disagree are dropped.
package host

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"time"
)

// Run is one way of executing the code under test: Copies of it laid out one
// after another, the whole Trips times in a loop. Trips of 1 has no loop branch.
type Run struct {
	Copies, Trips int
}

// Code is machine code to time and the state it starts in.
type Code struct {
	Bytes []byte // position-independent code; must fall through at its end
	// Loop says that Bytes is a loop already, ending in a taken backward branch to its start that
	// the driver has to end: the caller gives the trip count through the registers. Not used for straight code.
	Regs [16]uint64 // initial general-purpose registers, in hardware order (rax rcx rdx rbx rsp rbp rsi rdi r8 …)
	Fill uint64     // every 8-byte word of the data page
	Seg  [2]uint64  // bases of the fs and gs segments
	// Keep leaves the memory as the window before left it; else every run starts from Fill.
	Keep bool
	// Masks sets the AVX-512 mask registers to ones, which takes AVX-512BW; else they are zero.
	Masks bool
	MXCSR uint32 // 0x1f80 is the default environment, 0x9fc0 adds flush-to-zero and denormals-are-zero
	// Short and Long are the two executions whose difference is reported.
	Short, Long Run
}

// Options limit a measurement; zero values mean the defaults in brackets.
type Options struct {
	Windows  int           // time windows [60]
	MaxPages int           // pages the code may touch [4096]
	Timeout  time.Duration // wall-clock limit of one measurement [2 s]
}

// Result is what was measured.
type Result struct {
	Cycles float64 // core cycles per copy of the code
	// Uncertainty is half the width of the narrowest interval that holds half of the windows, in cycles per copy.
	Uncertainty float64
	GHz         float64  // core clock during the measurement, from the calibration and the TSC's rate; 0 if that is unknown
	Ratio       float64  // core cycles per TSC tick
	Windows     int      // windows that were kept
	Pages       []uint64 // pages mapped on demand, in order of first touch
}

// Reason is why a piece of code cannot be measured. It is a property of the
// code (or of the host), not a failure of incore.
type Reason struct {
	Kind string // "fault", "illegal", "divide", "timeout", "pages", "syscall", "trap", "unstable", "unsupported"
	Msg  string
}

func (r *Reason) Error() string { return r.Msg }

func reason(kind, format string, a ...any) error { return &Reason{kind, fmt.Sprintf(format, a...)} }

// window holds the time stamps of one pass, between which run: short calibration, long calibration,
// short run, long run, short calibration, long calibration.
type window struct{ t [stamps]uint64 }

const stamps = 7

// diff is the difference, in ticks, of the two executions that start at stamps i and i+1: what both
// cost alike (the stamps themselves, the mispredicted loop exit) cancels.
func (w *window) diff(i int) float64 {
	return float64(w.t[i+2]-w.t[i+1]) - float64(w.t[i+1]-w.t[i])
}

// calShort and calLong are the numbers of dependent additions in the two calibration chains.
const (
	calShort = 3200
	calLong  = 9600
)

// Measure runs code and reports cycles per copy. The error is a *Reason when
// the code itself is to blame.
func Measure(ctx context.Context, c *Code, opt Options) (*Result, error) {
	if opt.Windows == 0 {
		opt.Windows = 60
	}
	if opt.MaxPages == 0 {
		opt.MaxPages = 4096
	}
	if opt.Timeout == 0 {
		opt.Timeout = 2 * time.Second
	}
	if len(c.Bytes) == 0 {
		return nil, errors.New("no code to measure")
	}
	if c.Long.Copies*c.Long.Trips <= c.Short.Copies*c.Short.Trips {
		return nil, fmt.Errorf("the long run (%v) must execute more than the short one (%v)", c.Long, c.Short)
	}
	ws, pages, err := execute(ctx, c, opt)
	if err != nil {
		return nil, err
	}
	r, err := evaluate(ws, c.Long.Copies*c.Long.Trips-c.Short.Copies*c.Short.Trips)
	if err != nil {
		return nil, err
	}
	r.Pages = pages
	return r, nil
}

// evaluate reduces the windows to one figure: the middle of the shortest interval that holds half of the
// kept windows (the "shorth", a robust estimate of the mode). An interruption in the long run adds time, one in the short run
// takes it away, so that neither the minimum nor the mean is the undisturbed machine, but most windows are.
func evaluate(ws []window, copies int) (*Result, error) {
	var cycles, ratios []float64
	for i := range ws {
		before, after := ws[i].diff(0), ws[i].diff(4)
		lo, hi := min(before, after), max(before, after)
		if lo <= 0 || hi > 1.01*lo {
			continue // frequency changed or something else ran
		}
		ratio := (calLong - calShort) / ((before + after) / 2)
		cycles = append(cycles, ws[i].diff(2)*ratio/float64(copies))
		ratios = append(ratios, ratio)
	}
	if len(cycles) < max(5, len(ws)/10) {
		return nil, reason("unstable", "only %d of %d time windows were undisturbed", len(cycles), len(ws))
	}
	sort.Float64s(ratios)
	lo, hi := shorth(cycles)
	r := &Result{Cycles: (lo + hi) / 2, Uncertainty: (hi - lo) / 2, Windows: len(cycles), Ratio: ratios[len(ratios)/2]}
	if f := tscHz(); f > 0 {
		r.GHz = r.Ratio * f / 1e9
	}
	return r, nil
}

// shorth returns the shortest interval that holds half of the values.
func shorth(v []float64) (lo, hi float64) {
	sort.Float64s(v)
	n := len(v)/2 + 1
	lo, hi = v[0], v[n-1]
	for i := range v[:len(v)-n+1] {
		if v[i+n-1]-v[i] < hi-lo {
			lo, hi = v[i], v[i+n-1]
		}
	}
	return lo, hi
}
