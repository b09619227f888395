// Package host runs generated machine code on the machine under us and times it.
// It holds all the code that touches executable memory, raw system calls and
// other processes' registers.
//
// The code runs in a process of its own, which is no copy of incore but a tiny
// ELF program made for the one measurement: a driver loop, the code under test
// and a control page, nothing else. incore traces it. A page that the code
// touches and that isn't there is mapped on the fault, always onto the same
// physical page (or the few that Code.DataPages asks for), so that all data stay in the L1 cache (the method of BHive:
// Chen et al., IISWC 2019, section 3). A crash, an endless loop or a system call is a result
// of that process, not the end of ours.
//
// Time is read from the timestamp counter and converted to core cycles by
// a chain of dependent one-cycle additions timed in the same short window, before and after
// the code under test: turbo and frequency drift change both alike
// and cancel. Windows in which the two calibrations disagree are dropped, and those in which a sibling thread of the core ran.
// The code runs once untimed between the calibration and the timed runs: during the calibration wide vector units went to sleep.
package host

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"
)

// Run is one way of executing the code under test: Copies of it laid out one
// after another, the whole Trips times in a loop. Trips of 1 has no loop branch.
type Run struct {
	Copies, Trips int
}

// Code is machine code to time and the state it starts in.
type Code struct {
	Bytes []byte     // position-independent code; must fall through at its end
	Regs  [32]uint64 // initial general-purpose registers, in hardware order (x86: rax rcx rdx rbx rsp rbp rsi rdi r8 …; A64: x31 is the stack pointer)
	Fill  uint64     // every 8-byte word of the data page
	Seg   [2]uint64  // bases of the fs and gs segments
	// Keep leaves the memory as the window before left it; else every run starts from Fill.
	Keep bool
	// DataPages is the number of physical pages behind all addresses, 0 = 1. The pages get them in turn, in the order of first touch.
	DataPages int
	// Rounds is how often each run starts anew with the initial registers, 0 = 1, so that code that walks through
	// memory stays within DataPages.
	Rounds int
	// LongRounds is how often the long run does, 0 = Rounds. Where that is not the same, what a round costs besides the
	// code is part of the figure.
	LongRounds int
	// Masks sets the AVX-512 mask registers to ones, which takes AVX-512BW; else they are zero.
	Masks bool
	// Stack is the number of registers of the x87 stack that hold 1.0; the others are empty.
	Stack int
	// Tiles configures the tile registers of AMX once, as 16 rows of 64 bytes, which are zero then. It takes AMX-TILE
	// and the kernel's permission.
	Tiles bool
	// Vectors sets the registers of scalable vectors, and their masks to ones, which takes SVE or RISC-V's V.
	Vectors bool
	// VType is the vector configuration of RISC-V that the code starts with, for all elements that fit; 0 is bytes.
	VType uint32
	// Counter is a general-purpose register that the code does not use, where the driver needs one (not on x86): it
	// counts loops. -1: there is none.
	Counter   int
	Denormals bool // denormal numbers are kept; else they are zero, as operands and results
	// Short and Long are the two executions whose difference is reported.
	Short, Long Run
	InPlace     *InPlace // Bytes are a loop with an end of its own; nil: they are straight code. On x86-64.
	CPUs        []int    // where it may run; none: on all CPUs that this process may use
	// KeepFlags says that the loop around the code writes no flags, as chains go from one copy to the next through
	// others than the carry; it counts in rcx then, which the code must not use. On x86-64; elsewhere no loop writes
	// flags.
	KeepFlags bool
	// Narrow says that the code uses no vector registers of more than 128 bits, for whose units it would have to warm up for longer.
	Narrow bool
}

// InPlace is a loop that is run as it stands: Copies are 1, and Trips say how often the caller has found that it goes round with Regs in
// the short run, and with Long in the long one. It is left at its end.
type InPlace struct {
	Offset uint64     // of the loop within a page, below 4096
	Long   [32]uint64 // initial general-purpose registers of the long run
	// Starts are initial values of register Start, with which the loop goes round Counts times each: rounds take them
	// at random, so that no predictor knows when they end. Of short and long runs, which then differ in their rounds
	// only, the driver counts how often the loop has gone round. nil: rounds start with Regs.
	Starts, Counts []uint64
	Start          int
	// Joined are the registers that rounds of one length begin anew with, if rounds follow each other as calls of a
	// function do: no fence is between them, and each of these registers waits for what it was, so that chains go on.
	// nil: all registers begin anew, and rounds do not overlap.
	Joined []int
	Each   float64 // roughly the cycles that the loop takes to go round once more, by which windows in which it does so more or less often than on average are corrected
}

// MostStarts is the number of Starts, if there are any.
const MostStarts = 32

// LoopReach is how far branches out of a loop in place may lead: they end in a trap.
const LoopReach = 0x8000

// LoopBase is the address of a loop in place whose offset is 0: a multiple of the page size.
const LoopBase = 0x5a0000000000 + 2*LoopReach

// Options limit a measurement; zero values mean the defaults in brackets.
type Options struct {
	Windows  int           // time windows [60]
	MaxPages int           // pages the code may touch [4096]
	Timeout  time.Duration // wall-clock limit of one execution [2 s]
	Patience time.Duration // how long to look for a CPU whose core no sibling thread uses [1 s]
	// RoomPatience is how long to go on, for code that takes longer on a core that is crowded (Result.Crowded), until it is not [30 ms]
	RoomPatience time.Duration
	// impatient: windows do not wait for the sibling thread to pause. What to wait for may have been a mistake.
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

// Result is what was measured.
type Result struct {
	Cycles float64 // core cycles per copy of the code
	// Uncertainty is half the width of the narrowest interval that holds half of the windows, in cycles per copy.
	Uncertainty float64
	// Fastest is the middle of the fastest windows that are alike: code that takes one of several times from one start
	// to the next (Zen assigns µops to vector units by what came before) shows them in one measurement. Else it is near
	// Cycles, or below it by the noise.
	Fastest float64
	GHz     float64 // core clock during the measurement, from the calibration and the TSC's rate; 0 if that is unknown
	Ratio   float64 // core cycles per TSC tick
	// Crowded is how many times longer than on a core of its own a loop of loads, stores and additions took that goes round once a cycle (the room
	// probe), in the windows that count: 1 where it took no longer, where nothing is known of it, and for code of which it says nothing.
	Crowded float64
	Windows int      // windows that were kept
	Pages   []uint64 // pages mapped on demand, in order of first touch
	// Final are the general-purpose registers at the end of the last long run, of loops in place.
	Final [32]uint64
}

// Reason is why a piece of code cannot be measured. It is a property of the
// code (or of the host), not a failure of incore.
type Reason struct {
	Kind string // "fault", "illegal", "divide", "timeout", "pages", "syscall", "trap", "unstable", "unsteady", "permission", "unsupported"
	Msg  string
}

func (r *Reason) Error() string { return r.Msg }

// UnstablePrefix starts the message of measurements that were too noisy, for those who read it in files.
const UnstablePrefix = "unstable"

// Noisy is the reason of a measurement that noise has spoilt; why says how.
func Noisy(why string) *Reason { return &Reason{"unstable", UnstablePrefix + ": " + why} }

// Noise puts UnstablePrefix before an error's message if noise is to blame; other errors it returns as they are.
func Noise(err error) error {
	if !Unstable(err) {
		return err
	}
	return Noisy(err.Error())
}

// Unstable reports whether an error is noise's, which may be another time's less.
func Unstable(err error) bool { return isReason(err, "unstable") }

// Unsteady reports whether an error is that the code takes a different time in each run.
func Unsteady(err error) bool { return isReason(err, "unsteady") }

func isReason(err error, kind string) bool {
	why, ok := err.(*Reason)
	return ok && why.Kind == kind
}

// OneLine is an error's text in one line, as files of results have it.
func OneLine(err error) string {
	if err == nil {
		return "unknown"
	}
	return strings.Join(strings.Fields(err.Error()), " ")
}

func reason(kind, format string, a ...any) error { return &Reason{kind, fmt.Sprintf(format, a...)} }

// Measure runs code and reports cycles per copy. The error is a *Reason when
// the code itself is to blame.
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
			continue // it comes and goes within milliseconds
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

// quietCPU is where the last measurement found its core undisturbed, as the number of an execution: the next begins
// there. In virtual machines the sibling thread may be another machine's, which shows in no statistics of this one, and
// stays for milliseconds to seconds.
var quietCPU atomic.Int64

// pause is how long to wait after the try-th execution (from 0) that found too few undisturbed windows.
func pause(try int) time.Duration {
	const hops, step, longest = 4, time.Millisecond / 2, 3 * time.Millisecond
	if try < hops {
		return 0
	}
	return min(time.Duration(try-hops+1)*step, longest)
}

// warmSeconds is for how long the code runs before the first window: caches and predictors learn. Until wide vector
// units have power, which may take half a millisecond, the core runs at a quarter of its rate (Intel Optimization
// Reference Manual, on the licences of AVX-512); it keeps the licence for longer than a window takes.
func (c *Code) warmSeconds() float64 {
	if c.Narrow {
		return 0.0001
	}
	return 0.0007
}

func (c *Code) dataPages() int { return max(1, c.DataPages) }

func (c *Code) rounds() int { return max(1, c.Rounds) }

// mean is how often the loop goes round in a round, on average.
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

// Touched runs code once and returns the pages that it touches, in the order of first touch. The error is as Measure's.
func Touched(ctx context.Context, c *Code) ([]uint64, error) {
	opt := Options{Windows: 1}
	opt.defaults()
	_, pages, _, err := execute(ctx, c, opt, 0)
	return pages, err
}
