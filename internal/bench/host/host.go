// Package host runs generated machine code on this machine and times it. It contains all code that touches executable memory,
// raw system calls and other processes' registers.
//
// The code runs in a separate process: not a copy of incore, but a tiny ELF program generated for the one measurement. It
// contains a driver loop, the code under test and a control page. incore traces it. When the code touches a page that is not
// mapped, incore maps it on the fault, always onto the same physical page (or the few that Code.DataPages asks for), so that all
// data stay in the L1 cache (the method of BHive: Chen et al., IISWC 2019, section 3). A crash, an endless loop or a system call
// ends that process and not incore.
//
// Time is read from the timestamp counter and converted to core cycles by a chain of dependent one-cycle additions. The chain is
// timed in the same short window, before and after the code under test: turbo and frequency drift change both alike and cancel.
// A window is dropped if its two calibrations disagree or if a sibling thread of the core ran. The code runs once untimed
// between the calibration and the timed runs, because wide vector units power down during the calibration.
package host

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"
)

// Run is one way of executing the code under test: Copies of it laid out one after another, and a loop that
// executes them Trips times. With Trips of 1 there is no loop branch.
type Run struct {
	Copies, Trips int
}

// Code is machine code to time, and its initial state.
type Code struct {
	Bytes []byte     // position-independent code; must fall through at its end
	Regs  [32]uint64 // initial general-purpose registers, in hardware order (x86: rax rcx rdx rbx rsp rbp rsi rdi r8 …; A64: x31 is the stack pointer)
	Fill  uint64     // the value of every 8-byte word of the data page
	Seg   [2]uint64  // bases of the fs and gs segments
	// Keep leaves the memory as the previous window left it; otherwise every run starts from Fill.
	Keep bool
	// DataPages is the number of physical pages that all addresses are mapped to, 0 = 1. The virtual pages are assigned to them
	// round-robin, in the order of first touch.
	DataPages int
	// Rounds is how often each run restarts with the initial registers, 0 = 1, so that code that walks through
	// memory stays within DataPages.
	Rounds int
	// LongRounds is the number of rounds of the long run, 0 = Rounds. If it differs from Rounds, the figure includes
	// the overhead of a round.
	LongRounds int
	// Masks sets the AVX-512 mask registers to ones, which requires AVX-512BW; otherwise they are zero.
	Masks bool
	// VectorMasks has a bit for each of the first 16 vector registers that starts with all bits set, as the mask of AVX's masked moves.
	VectorMasks uint16
	// Stack is the number of registers of the x87 stack that hold 1.0; the others are empty.
	Stack int
	// Tiles configures the AMX tile registers once, as 16 rows of 64 bytes of zeros. It requires AMX-TILE and the
	// kernel's permission.
	Tiles bool
	// Vectors initialises the scalable vector registers and sets their masks to ones. It requires SVE or
	// RISC-V's V.
	Vectors bool
	// VType is RISC-V's initial vector configuration, with the maximal vector length; 0 is bytes.
	VType uint32
	// Counter is a general-purpose register that the code does not use and in which the driver counts loops (not on
	// x86, which needs none); -1: none is free.
	Counter int
	// Lead is the offset in bytes of the first copy from an address that is a multiple of 128: a multiple of four, not with InPlace, not on x86.
	Lead      int
	Denormals bool // denormal numbers are kept; else they are zero, as operands and results
	// Short and Long are the two executions; their difference is reported.
	Short, Long Run
	InPlace     *InPlace // set if Bytes are a loop with its own closing branch; nil: they are straight code. x86-64 only.
	CPUs        []int    // the CPUs to run on; none: all CPUs that this process may use
	// KeepFlags makes the loop around the code write no flags, for dependence chains that pass through flags other
	// than the carry from one copy to the next. The loop counts in rcx, which the code must not use. x86-64 only;
	// elsewhere no loop writes flags.
	KeepFlags bool
	// Narrow says that the code uses no vector registers of more than 128 bits, so that a short warm-up suffices.
	Narrow bool
}

// InPlace is a loop that runs at its own offset with its own closing branch: Copies are 1. Trips are the iterations that the caller has
// computed, with Regs for the short run and with Long for the long one.
type InPlace struct {
	Offset uint64     // of the loop within a page, below 4096
	Long   [32]uint64 // initial general-purpose registers of the long run
	// Starts are initial values of register Start, with which the loop runs Counts iterations each. Rounds choose
	// among them at random, so that no predictor knows when they end. Short and long runs then differ only in their
	// number of rounds, and the driver counts the iterations. nil: rounds start with Regs.
	Starts, Counts []uint64
	Start          int
	// Joined are the registers that are reset between rounds of one length, if rounds follow each other like calls of
	// a function: without a fence, and with each new value dependent on the register's old value, so that dependence
	// chains continue. nil: all registers are reset, and rounds do not overlap.
	Joined []int
	Each   float64 // approximate cycles per iteration; corrects windows whose iteration count differs from the mean
}

// MostStarts is the number of Starts, unless there are none.
const MostStarts = 32

// LoopReach is the largest distance of branches out of a loop in place; they end in a trap.
const LoopReach = 0x8000

// LoopBase is the address of a loop in place whose page offset is 0: a multiple of the page size.
const LoopBase = 0x5a0000000000 + 2*LoopReach

// Options limit a measurement; zero values mean the defaults in brackets.
type Options struct {
	Windows  int           // time windows [60]
	MaxPages int           // pages the code may touch [4096]
	Timeout  time.Duration // wall-clock limit of one execution [2 s]
	Patience time.Duration // how long to look for a CPU whose core no sibling thread uses [1 s]
	// RoomPatience is how long to continue measuring code whose time depends on a crowded core (Result.Crowded), until the core is not
	// crowded [30 ms].
	RoomPatience time.Duration
	// impatient windows do not wait for the sibling thread to pause, in case the expected width of a quiet core
	// was wrong.
	impatient bool
}

func (o *Options) defaults() {
	if o.Windows == 0 {
		o.Windows = 60
	}
	if o.MaxPages == 0 {
		o.MaxPages = 4096
	}
	if o.Timeout == 0 {
		o.Timeout = 2 * time.Second
	}
	if o.Patience == 0 {
		o.Patience = time.Second
	}
	if o.RoomPatience == 0 {
		o.RoomPatience = 30 * time.Millisecond
	}
}

// Result is the result of a measurement.
type Result struct {
	Cycles float64 // core cycles per copy of the code
	// Uncertainty is half the width of the narrowest interval that holds half of the windows, in cycles per copy.
	Uncertainty float64
	// Fastest is the middle of the fastest windows that agree. It differs from Cycles by more than noise if the code
	// takes one of several times from one start to the next (Zen assigns µops to vector units depending on the
	// history).
	Fastest float64
	GHz     float64 // core clock during the measurement, from the calibration and the TSC's rate; 0 if that is unknown
	Ratio   float64 // core cycles per TSC tick
	// Crowded is the slowdown of the room probe (a loop of loads, stores and additions that takes one cycle per iteration) in the windows that
	// count, relative to a core with no busy sibling thread. It is 1 if there is no slowdown, if none is known, and for code that it does not
	// affect.
	Crowded float64
	Windows int      // windows that were kept
	Pages   []uint64 // pages mapped on demand, in order of first touch
	// Final are the general-purpose registers at the end of the last long run of a loop in place.
	Final [32]uint64
}

// Reason says why a piece of code cannot be measured. It is a property of the code (or of the host), not a
// failure of incore.
type Reason struct {
	Kind string // "fault", "illegal", "divide", "timeout", "pages", "syscall", "trap", "unstable", "unsteady", "permission", "unsupported"
	Msg  string
}

func (r *Reason) Error() string { return r.Msg }

// UnstablePrefix starts the message of a measurement that was too noisy, for programs that read result files.
const UnstablePrefix = "unstable"

// Noisy returns the reason of a measurement that is too noisy; why gives details.
func Noisy(why string) *Reason { return &Reason{"unstable", UnstablePrefix + ": " + why} }

// Noise prepends UnstablePrefix to an error's message if noise is the cause; it returns other errors unchanged.
func Noise(err error) error {
	if !Unstable(err) {
		return err
	}
	return Noisy(err.Error())
}

// Unstable reports whether an error is caused by noise, so that a later attempt may succeed.
func Unstable(err error) bool { return isReason(err, "unstable") }

// Unsteady reports whether an error says that the code takes a different time in each run.
func Unsteady(err error) bool { return isReason(err, "unsteady") }

func isReason(err error, kind string) bool {
	why, ok := err.(*Reason)
	return ok && why.Kind == kind
}

// OneLine returns an error's text as one line, for result files.
func OneLine(err error) string {
	if err == nil {
		return "unknown"
	}
	return strings.Join(strings.Fields(err.Error()), " ")
}

func reason(kind, format string, a ...any) error { return &Reason{kind, fmt.Sprintf(format, a...)} }

// Measure runs code and reports cycles per copy. The error is a *Reason if the code itself is the cause.
func Measure(ctx context.Context, c *Code, opt Options) (*Result, error) {
	opt.defaults()
	if len(c.Bytes) == 0 {
		return nil, errors.New("no code to measure")
	}
	if c.InPlace != nil && Arch != "amd64" {
		return nil, reason("unsupported", "loops are measured in place on x86-64 only")
	}
	if c.Long.Copies*c.Long.Trips*c.longRounds() <= c.Short.Copies*c.Short.Trips*c.rounds() {
		return nil, fmt.Errorf("the long run (%v) must execute more than the short one (%v)", c.Long, c.Short)
	}
	var all sample
	start, at := time.Now(), int(quietCPU.Load())
	for try := 0; ; try++ {
		opt.impatient = try%4 == 3
		ws, pages, final, err := execute(ctx, c, opt, at+try)
		if err != nil {
			return nil, err
		}
		all.add(ws, c)
		r, err := all.result()
		if err != nil && all.fickle() {
			if !all.loosen() {
				return nil, reason("unsteady", "takes a different time in each run: the runs of only %d of %d time windows agree", len(all.cycles), all.windows-all.shared)
			}
			if r, err = all.result(); err == nil {
				r.Fastest = r.Cycles
			}
		}
		if err == nil && r.Crowded > 1 && time.Since(start) < opt.RoomPatience {
			continue // the disturbance lasts milliseconds
		}
		if err == nil {
			quietCPU.Store(int64(at + try))
			r.Pages, r.Final = pages, final
			return r, nil
		}
		if time.Since(start) > opt.Patience {
			if all.shared > all.windows/2 {
				doubtQuiet()
			}
			return nil, err
		}
		select { // the sibling thread is busy, or something else goes on: another core may be free, and this one soon
		case <-time.After(pause(try)):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// quietCPU is the number of the execution in which the last measurement found its core undisturbed; the next
// measurement begins with it. In a virtual machine the sibling thread may belong to another machine: its load shows in
// no statistics of this one, and lasts milliseconds to seconds.
var quietCPU atomic.Int64

// pause returns how long to wait after execution number try (from 0) if it found too few undisturbed windows.
func pause(try int) time.Duration {
	const hops, step, longest = 4, time.Millisecond / 2, 3 * time.Millisecond
	if try < hops {
		return 0
	}
	return min(time.Duration(try-hops+1)*step, longest)
}

// warmSeconds is how long the code runs before the first window, so that caches and predictors learn. Until wide
// vector units are powered up, which may take half a millisecond, the core runs at a quarter of its rate (Intel
// Optimization Reference Manual, on the licences of AVX-512); it keeps the licence for longer than a window takes.
func (c *Code) warmSeconds() float64 {
	if c.Narrow {
		return 0.0001
	}
	return 0.0007
}

func (c *Code) dataPages() int { return max(1, c.DataPages) }

func (c *Code) rounds() int { return max(1, c.Rounds) }

// mean returns the average number of iterations of a round.
func (l *InPlace) mean() float64 {
	sum := 0.0
	for _, n := range l.Counts {
		sum += float64(n)
	}
	return sum / float64(len(l.Counts))
}

// random reports whether rounds are of random lengths.
func (c *Code) random() bool { return c.InPlace != nil && len(c.InPlace.Starts) > 0 }

func (c *Code) longRounds() int {
	if c.LongRounds > 0 {
		return c.LongRounds
	}
	return c.rounds()
}

// Touched runs code once and returns the pages that it touches, in the order of first touch. Its errors are those of
// Measure.
func Touched(ctx context.Context, c *Code) ([]uint64, error) {
	opt := Options{Windows: 1}
	opt.defaults()
	_, pages, _, err := execute(ctx, c, opt, 0)
	return pages, err
}
