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
// the code under test: turbo and frequency drift change both alike
// and cancel. Windows in which the two calibrations disagree are dropped, and those in which a sibling thread of the core ran.
// The code runs once untimed between the calibration and the timed runs: during the calibration wide vector units went to sleep.
package host

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
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
	// Rounds is how often each run starts anew with the initial registers, 0 = 1, so that code that walks through memory stays within DataPages.
	Rounds int
	// LongRounds is how often the long run does, 0 = Rounds. Where that is not the same, what a round costs besides the code is part of the figure.
	LongRounds int
	// Masks sets the AVX-512 mask registers to ones, which takes AVX-512BW; else they are zero.
	Masks bool
	// Stack is the number of registers of the x87 stack that hold 1.0; the others are empty.
	Stack int
	// Tiles configures the tile registers of AMX once, as 16 rows of 64 bytes, which are zero then. It takes AMX-TILE and the kernel's permission.
	Tiles bool
	// Vectors sets the registers of scalable vectors, and their masks to ones, which takes SVE or RISC-V's V.
	Vectors bool
	// VType is the vector configuration of RISC-V that the code starts with, for all elements that fit; 0 is bytes.
	VType uint32
	// Counter is a general-purpose register that the code does not use, where the driver needs one (not on x86): it counts loops. -1: there is none.
	Counter   int
	Denormals bool // denormal numbers are kept; else they are zero, as operands and results
	// Short and Long are the two executions whose difference is reported.
	Short, Long Run
	InPlace     *InPlace // Bytes are a loop with an end of its own; nil: they are straight code. On x86-64.
	CPUs        []int    // where it may run; none: on all CPUs that this process may use
	// KeepFlags says that the loop around the code writes no flags, as chains go from one copy to the next through others than the carry; it counts in rcx then, which the code must
	// not use. On x86-64; elsewhere no loop writes flags.
	KeepFlags bool
	// Narrow says that the code uses no vector registers of more than 128 bits, for whose units it would have to warm up for longer.
	Narrow bool
}

// InPlace is a loop that is run as it stands: Copies are 1, and Trips say how often the caller has found that it goes round with Regs in
// the short run, and with Long in the long one. It is left at its end.
type InPlace struct {
	Offset uint64     // of the loop within a page, below 4096
	Long   [32]uint64 // initial general-purpose registers of the long run
	// Starts are initial values of register Start, with which the loop goes round Counts times each: rounds take them at random, so that no predictor knows when
	// they end. Of short and long runs, which then differ in their rounds only, the driver counts how often the loop has gone round. nil: rounds start with Regs.
	Starts, Counts []uint64
	Start          int
	// Joined are the registers that rounds of one length begin anew with, if rounds follow each other as calls of a function do: no fence is between them, and each of
	// these registers waits for what it was, so that chains go on. nil: all registers begin anew, and rounds do not overlap.
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
}

// Result is what was measured.
type Result struct {
	Cycles float64 // core cycles per copy of the code
	// Uncertainty is half the width of the narrowest interval that holds half of the windows, in cycles per copy.
	Uncertainty float64
	// Fastest is the middle of the fastest windows that are alike: code that takes one of several times from one start to the next (Zen assigns µops to vector
	// units by what came before) shows them in one measurement. Else it is near Cycles, or below it by the noise.
	Fastest float64
	GHz     float64  // core clock during the measurement, from the calibration and the TSC's rate; 0 if that is unknown
	Ratio   float64  // core cycles per TSC tick
	Windows int      // windows that were kept
	Pages   []uint64 // pages mapped on demand, in order of first touch
	// Final are the general-purpose registers at the end of the last long run, of loops in place.
	Final [32]uint64
}

// Reason is why a piece of code cannot be measured. It is a property of the
// code (or of the host), not a failure of incore.
type Reason struct {
	Kind string // "fault", "illegal", "divide", "timeout", "pages", "syscall", "trap", "unstable", "unsteady", "unsupported"
	Msg  string
}

func (r *Reason) Error() string { return r.Msg }

func reason(kind, format string, a ...any) error { return &Reason{kind, fmt.Sprintf(format, a...)} }

// window holds the time stamps of one pass, between which run: short calibration, long calibration, width probe,
// an untimed run, short run, long run, short calibration, long calibration, width probe.
type window struct{ t [stamps]uint64 }

// Indices of the time stamps at which the parts of a window start.
const (
	calibrationBefore = 0 // short; the long one starts at the next stamp
	widthBefore       = 2
	untimedRun        = 3
	shortRun          = 4 // the long run starts at the next
	calibrationAfter  = 6
	widthAfter        = 8
	// and how often a loop in place went round in the two runs, where that is left to chance
	shortCount = 10
	longCount  = 11
	stamps     = 12
)

// diff is the difference, in ticks, of the two executions that start at stamps i and i+1: what both
// cost alike (the stamps themselves, the mispredicted loop exit) cancels.
func (w *window) diff(i int) float64 {
	return w.part(i+1) - w.part(i)
}

// part is the time, in ticks, between a stamp and the next.
func (w *window) part(i int) float64 { return float64(w.t[i+1] - w.t[i]) }

// calShort and calLong are the numbers of dependent additions in the two calibration chains, widthNops that of the
// instructions without operands in the width probe.
const (
	calShort  = 3200
	calLong   = 9600
	widthNops = 6000
)

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
				return nil, reason("unsteady", "takes now this time, now that: only %d of %d time windows have runs that fit each other", len(all.cycles), all.windows-all.shared)
			}
			if r, err = all.result(); err == nil {
				r.Fastest = r.Cycles
			}
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

// quietCPU is where the last measurement found its core undisturbed, as the number of an execution: the next begins there. In virtual machines the
// sibling thread may be another machine's, which shows in no statistics of this one, and stays for milliseconds to seconds.
var quietCPU atomic.Int64

// pause is how long to wait after the try-th execution (from 0) that found too few undisturbed windows.
func pause(try int) time.Duration {
	const hops, step, longest = 4, time.Millisecond / 2, 3 * time.Millisecond
	if try < hops {
		return 0
	}
	return min(time.Duration(try-hops+1)*step, longest)
}

// sample is what the windows of one measurement say.
type sample struct {
	cycles, ratios []float64 // of each window that counts
	loose          []timed   // the windows whose runs fit each other at least roughly
	windows        int       // seen
	unfit          int       // of them: undisturbed, but their runs do not fit each other
	shared         int       // of them: spoilt by a busy sibling thread
}

// By how much of the short run windows may differ in what they take besides the code's share, and what that may be beyond what setting up takes: to fit each other, and to
// fit roughly. (Where the code's stores go past the caches, filling the data again takes longer.)
const (
	fitShare, maxSetup     = 0.005, 0.05
	looseShare, looseSetup = 0.2, 0.3
)

// fickle reports whether the code itself is why windows do not fit: nothing disturbed so many, and hardly any of them has runs of one kind.
func (s *sample) fickle() bool {
	const least, few = 300, 10 // windows; one in so many
	n := len(s.cycles) + s.unfit
	return n >= least && len(s.cycles) < n/few
}

// loosen makes windows count that fit each other roughly, if most do and none is quite as the next: stores that go to memory take now a little longer, now less. It
// reports whether that helps. It does not where code is executed now at one rate, now at another, within one run, as some chains by Zen 4's vector units: each has its time.
func (s *sample) loosen() bool {
	if len(s.loose) <= (len(s.cycles)+s.unfit)/2 {
		return false
	}
	const alike = 1.02
	rough := sample{}
	rough.count(s.loose)
	if lo, hi := shorth(rough.cycles); hi <= alike*lo {
		return false
	}
	s.cycles, s.ratios, s.unfit = rough.cycles, rough.ratios, 0
	return true
}

// count makes windows count.
func (s *sample) count(runs []timed) {
	for _, r := range runs {
		s.cycles, s.ratios = append(s.cycles, r.cycles), append(s.ratios, r.ratio)
	}
}

// timed is what an undisturbed window says: cycles per copy of the code, cycles of the short run and what of them is not the code's share of
// the difference, core cycles in a tick.
type timed struct{ cycles, first, rest, ratio float64 }

// quietWidth is the time, in core cycles, that the width probe takes on a core of its own, as far as this process has seen; as float64
// bits, 0: not seen yet.
var quietWidth atomic.Uint64

// lastRatio is the core cycles in a tick of this process's last window; as float64 bits, 0: there was none.
var lastRatio atomic.Uint64

// gateTicks is how long the width probe may take for a window to be worth its time, in ticks: what it takes on a quiet core, and something for
// the core's frequency, which may have fallen since. Until that is known all windows are.
func (o *Options) gateTicks() uint64 {
	const slack = 1.25
	quiet, ratio := math.Float64frombits(quietWidth.Load()), math.Float64frombits(lastRatio.Load())
	if o.impatient || quiet == 0 || ratio == 0 {
		return math.MaxUint64
	}
	return uint64(slack * quiet / ratio)
}

// sharedFraction is how much slower than on a quiet core the width probe may be: a sibling thread that runs at all
// takes half of the slots, so that any value between noise and that will do.
const sharedFraction = 1.1

// add judges windows. A window counts if the calibrations before and behind it agree, and if no other thread used the core: hardware
// threads of one core take turns in front end and dispatch (Intel Optimization Reference Manual, "Intel Hyper-Threading Technology"), which chains of additions don't
// notice, but the width probes before and behind do.
func (s *sample) add(ws []window, c *Code) {
	rounds := c.rounds()
	short, long := float64(c.Short.Copies*c.Short.Trips*rounds), float64(c.Long.Copies*c.Long.Trips*c.longRounds())
	if c.random() {
		mean := c.InPlace.mean()
		short, long = mean*float64(rounds), mean*float64(c.longRounds())
	}
	steady := make([]*window, 0, len(ws))
	widths := make([]float64, 0, len(ws))
	for i := range ws {
		w := &ws[i]
		lo, hi := w.calibrations()
		if lo > 0 && hi <= 1.01*lo { // else the frequency changed or something else ran
			steady = append(steady, w)
			widths = append(widths, w.width())
			lastRatio.Store(math.Float64bits(w.ratio()))
		}
	}
	quiet := quietest(widths)
	s.windows += len(ws)
	var runs []timed
	for _, w := range steady {
		if w.width() > sharedFraction*quiet {
			s.shared++
			continue
		}
		first, second := w.part(shortRun)*w.ratio(), w.part(shortRun+1)*w.ratio()
		if c.random() {
			first -= c.InPlace.Each * (float64(w.t[shortCount]) - short)
			second -= c.InPlace.Each * (float64(w.t[longCount]) - long)
		}
		cycles := (second - first) / (long - short)
		if cycles <= 0 {
			continue
		}
		runs = append(runs, timed{cycles, first, first - cycles*short, w.ratio()})
	}
	s.loose = append(s.loose, fitting(slices.Clone(runs), rounds, looseShare, looseSetup)...)
	fit := fitting(runs, rounds, fitShare, maxSetup)
	s.unfit += len(runs) - len(fit)
	s.count(fit)
}

// quietest remembers the quickest width probes that were seen. In a tenth of a measurement's windows, three at least, both must have been so quick: a
// single one may be the jitter of its time stamps, or of a calibration that the sibling thread held up, and would spoil all that follows.
func quietest(widths []float64) float64 {
	quiet := math.Float64frombits(quietWidth.Load())
	if len(widths) < 5 {
		return quiet
	}
	sort.Float64s(widths)
	if w := widths[max(2, len(widths)/10)]; quiet == 0 || w < quiet {
		quietWidth.Store(math.Float64bits(w))
		return w
	}
	return quiet
}

// doubtQuiet is called when a measurement found its core shared all the time: what was taken for the quiet core's width may have been
// a mistake of one measurement's clock. A busy sibling doubles the width, which it takes dozens of such measurements to believe.
func doubtQuiet() {
	const more = 1.02
	if quiet := math.Float64frombits(quietWidth.Load()); quiet > 0 {
		quietWidth.Store(math.Float64bits(more * quiet))
	}
}

// calibrations returns the times of the two calibration chains in ticks, the shorter first.
func (w *window) calibrations() (lo, hi float64) {
	before, after := w.diff(calibrationBefore), w.diff(calibrationAfter)
	return min(before, after), max(before, after)
}

// ratio is the core cycles in a tick.
func (w *window) ratio() float64 {
	before, after := w.calibrations()
	return float64((calLong-calShort)*Scale()) / ((before + after) / 2)
}

// width is the time of the longer of the two width probes in core cycles.
func (w *window) width() float64 { return max(w.part(widthBefore), w.part(widthAfter)) * w.ratio() }

// result reduces the windows to one figure: the middle of the shortest interval that holds half of the
// kept windows (the "shorth", a robust estimate of the mode). An interruption in the long run adds time, one in the short run
// takes it away, so that neither the minimum nor the mean is the undisturbed machine, but most windows are.
func (s *sample) result() (*Result, error) {
	if n := len(s.cycles); n < max(5, min(s.windows/10, 20)) {
		if s.shared > s.windows/2 {
			return nil, reason("unstable", "another thread shares the core: only %d of %d time windows were undisturbed", n, s.windows)
		}
		if s.unfit > s.windows/2 {
			return nil, reason("unstable", "only %d of %d time windows have runs that fit each other", n, s.windows)
		}
		return nil, reason("unstable", "only %d of %d time windows were undisturbed", n, s.windows)
	}
	sort.Float64s(s.ratios)
	lo, hi := shorth(s.cycles)
	r := &Result{Cycles: (lo + hi) / 2, Uncertainty: (hi - lo) / 2, Fastest: fastest(s.cycles), Windows: len(s.cycles), Ratio: s.ratios[len(s.ratios)/2]}
	if f := tscHz(); f > 0 {
		r.GHz = r.Ratio * f / 1e9
	}
	return r, nil
}

// fitting returns the windows of one execution whose short and long run fit each other. What the short run takes besides its
// share of the difference is the setup of the state, the same in all windows of a process. Where it is more, wide vector units powered up
// while the core ran at a quarter of its rate (Intel Optimization Reference Manual, on the licences of AVX-512), or something else held
// one of the runs up; where it is less, that was in the long run.
func fitting(runs []timed, rounds int, share, setupShare float64) []timed {
	slack, longest := 60*float64(Scale()), float64(rounds)*longestSetup()
	var rests []float64
	for _, r := range runs {
		if r.rest >= 0 && r.rest <= longest+setupShare*r.first {
			rests = append(rests, r.rest)
		}
	}
	if len(rests) == 0 {
		return nil
	}
	sort.Float64s(rests)
	usual := rests[len(rests)/10]
	return slices.DeleteFunc(runs, func(r timed) bool { return math.Abs(r.rest-usual) > slack+share*r.first })
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

// fastest is the middle of the lowest of sorted values that are alike: a tenth of them, three at least, within a hundredth.
func fastest(v []float64) float64 {
	const within = 1.01
	n := max(3, len(v)/10)
	for i := 0; i+n <= len(v); i++ {
		if v[i+n-1] <= within*v[i] {
			return (v[i] + v[i+n-1]) / 2
		}
	}
	return v[len(v)/2]
}

// warmSeconds is for how long the code runs before the first window: caches and predictors learn. Until wide vector units have power, which may take half a
// millisecond, the core runs at a quarter of its rate (Intel Optimization Reference Manual, on the licences of AVX-512); it keeps the licence for
// longer than a window takes.
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
