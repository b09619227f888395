package host

import (
	"math"
	"slices"
	"sort"
	"sync/atomic"
)

// This file judges the time windows of a measurement: it drops the disturbed ones, and reduces the others to
// a figure.

// window holds the time stamps of one pass. Between them run: short calibration, long calibration, width probe, room probe,
// an untimed run, short run, long run, short calibration, long calibration, width probe, room probe.
type window struct{ t [stamps]uint64 }

// Indices of the time stamps at which the parts of a window start.
const (
	calibrationBefore = 0 // the short one; the long one starts at the next stamp
	widthBefore       = 2
	roomBefore        = 3
	untimedRun        = 4
	shortRun          = 5 // the long run starts at the next
	calibrationAfter  = 7
	widthAfter        = 9
	roomAfter         = 10
	// and the iterations of a loop in place in the two runs, if rounds have random lengths
	shortCount = 12
	longCount  = 13
	stamps     = 14
)

// windowParts emit the parts of a window.
type windowParts struct {
	stamp              func(i int) // stores the time as the window's stamp i
	chain              func(n int) // n dependent additions
	width, short, long func()      // the width probe, the two runs
	room               func()      // the room probe; nil: none
}

// emitWindow emits a window: its parts, and the stamps between them.
func emitWindow(p windowParts) {
	calibrate := func(i int) {
		p.stamp(i)
		p.chain(calShort)
		p.stamp(i + 1)
		p.chain(calLong)
		p.stamp(i + 2)
		p.width()
		p.stamp(i + 3)
		if p.room != nil {
			p.room()
		}
	}
	calibrate(calibrationBefore)
	p.stamp(untimedRun)
	// Wide vector units that were idle during the calibration start at a fraction of their rate, for some microseconds.
	p.long()
	p.stamp(shortRun)
	p.short()
	p.stamp(shortRun + 1)
	p.long()
	calibrate(calibrationAfter)
	p.stamp(roomAfter + 1)
}

// diff returns the difference, in ticks, of the two executions that start at stamps i and i+1. Their common
// overhead (the stamps themselves, the mispredicted loop exit) cancels.
func (w *window) diff(i int) float64 {
	return w.part(i+1) - w.part(i)
}

// part is the time, in ticks, between a stamp and the next.
func (w *window) part(i int) float64 { return float64(w.t[i+1] - w.t[i]) }

// calShort and calLong are the numbers of dependent additions in the two calibration chains. widthNops is the
// number of instructions without operands in the width probe.
const (
	calShort  = 3200
	calLong   = 9600
	widthNops = 6000

	widthUnroll = 60 // of them in the body of the probe's loop
)

// roomTrips is the number of iterations of the room probe. Each has two loads, an addition of the loaded values, a store and the closing branch, and
// takes a cycle or little more if the core can keep enough iterations in flight. A sibling thread may take a part of the queues: on a Zen 3 in a
// virtual machine the time of short loops grows by a tenth to a factor of two, in steps, for milliseconds to seconds, and it grows more with more
// integer and memory operations in an iteration. Chains of additions and long bodies of NOPs keep their speed, so that neither calibration nor width
// probe shows it.
const roomTrips = 3000

// sample collects the windows of one measurement.
type sample struct {
	cycles, ratios []float64 // of each window that counts
	rooms          []float64 // cycles per iteration of the room probe in that window; 0: none
	loose          []timed   // the windows whose runs fit each other at least roughly
	windows        int       // seen
	unfit          int       // of them: undisturbed, but their runs do not fit each other
	shared         int       // number of windows disturbed by a busy sibling thread
	copies         int       // number of copies of the code in its loop's body
}

// Limits for windows that fit each other (fitShare, maxSetup) and for windows that fit roughly (looseShare,
// looseSetup), as fractions of the short run: the first of each pair limits the difference between windows in the
// time that is not the code's, the second limits the excess of that time over the setup. (If the code's stores
// bypass the caches, refilling the data takes longer.)
const (
	fitShare, maxSetup     = 0.005, 0.05
	looseShare, looseSetup = 0.2, 0.3
)

// fickle reports whether windows disagree because of the code itself: many windows were undisturbed, and hardly any of them has two runs of
// the same kind.
func (s *sample) fickle() bool {
	const least, few = 300, 10 // least number of windows; one window in few
	n := len(s.cycles) + s.unfit
	return n >= least && len(s.cycles) < n/few
}

// loosen makes windows count that fit each other roughly, if most do and no two fit closely: the time of stores that
// bypass the caches varies a little. It reports whether that helps. It does not help if the code's rate changes
// within one run, as for some chains in Zen 4's vector units.
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
	s.cycles, s.ratios, s.rooms, s.unfit = rough.cycles, rough.ratios, rough.rooms, 0
	return true
}

// count makes windows count.
func (s *sample) count(runs []timed) {
	for _, r := range runs {
		s.cycles, s.ratios, s.rooms = append(s.cycles, r.cycles), append(s.ratios, r.ratio), append(s.rooms, r.room)
	}
}

// timed holds the figures of an undisturbed window: cycles per copy of the code, cycles of the short run, the part
// of the short run that is not the code's share of the difference, core cycles per tick, cycles per iteration of the
// room probe.
type timed struct{ cycles, first, rest, ratio, room float64 }

// quietWidth is the shortest time, in core cycles, of the width probe that this process has seen: the time on a quiet core. It is
// stored as float64 bits; 0: not seen yet.
var quietWidth atomic.Uint64

// widthSlack is the factor by which a model's rate of the width probe may be too high. It is below the factor of two of a busy sibling thread,
// and above the known model errors (Zen 4: 12 per cycle predicted, 10.2 measured).
const widthSlack = 1.4

// ExpectWidth sets the rate of the width probe that a model of this core predicts, in instructions without operands per cycle. Without it, a
// process that has not seen its core quiet takes the fastest probe for the quiet core's, and if the sibling thread is always busy it takes half
// a core for a whole one.
func ExpectWidth(perCycle float64) {
	if w := widthSlack * float64(widthNops*Scale()) / perCycle; perCycle > 0 {
		quietWidth.CompareAndSwap(0, math.Float64bits(w))
	}
}

// lastRatio is the number of core cycles per tick in this process's last window, as float64 bits; 0: no
// window yet.
var lastRatio atomic.Uint64

// gateTicks returns the longest time of the width probe, in ticks, at which a window is worth measuring: its time on a
// quiet core, plus a margin in case the core's frequency has fallen since. Until that time is known, all windows are
// measured.
func (o *Options) gateTicks() uint64 {
	const slack = 1.25
	quiet, ratio := math.Float64frombits(quietWidth.Load()), math.Float64frombits(lastRatio.Load())
	if o.impatient || quiet == 0 || ratio == 0 {
		return math.MaxUint64
	}
	return uint64(slack * quiet / ratio)
}

// sharedFraction is the largest slowdown of the width probe on a quiet core. A running sibling thread takes half
// of the slots, so that any value between noise and 2 works.
const sharedFraction = 1.1

// add judges windows. A window counts if the calibrations before and after it agree, and if no other thread used the
// core. Hardware threads of one core alternate in front end and dispatch (Intel Optimization Reference Manual, "Intel
// Hyper-Threading Technology"): the width probes before and after become slower, but chains of additions do not.
func (s *sample) add(ws []window, c *Code) {
	rounds := c.rounds()
	s.copies = c.Long.Copies
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
		if w.width() > sharedFraction*quiet || crowdedBeyond(w.room()) {
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
		runs = append(runs, timed{cycles, first, first - cycles*short, w.ratio(), w.room()})
	}
	s.loose = append(s.loose, fitting(slices.Clone(runs), rounds, looseShare, looseSetup)...)
	fit := fitting(runs, rounds, fitShare, maxSetup)
	s.unfit += len(runs) - len(fit)
	s.count(fit)
}

// quietest remembers the fastest width probes seen so far. In a tenth of a measurement's windows, at least three, both
// probes must have been that fast: a single one may result from jitter of its time stamps, or from a calibration that
// the sibling thread delayed, and would make all later windows count as disturbed.
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

// doubtQuiet is called when a measurement found its core shared all the time: the stored width of a quiet core may come from a clock
// error in one measurement. It raises the stored width slightly, so that dozens of such measurements are needed before the doubled
// width of a busy sibling is accepted as quiet.
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

// ratio returns the core cycles per tick.
func (w *window) ratio() float64 {
	before, after := w.calibrations()
	return float64((calLong-calShort)*Scale()) / ((before + after) / 2)
}

// width returns the time of the slower of the two width probes in core cycles.
func (w *window) width() float64 { return max(w.part(widthBefore), w.part(widthAfter)) * w.ratio() }

// room returns the core cycles per iteration of the slower of the two room probes, 0 if there are none.
func (w *window) room() float64 {
	r := max(w.part(roomBefore), w.part(roomAfter)) * w.ratio() / roomTrips
	if r < 0.5 {
		return 0
	}
	return r
}

// shortLoop is the largest number of cycles per iteration at which a loop is affected by the crowding that
// the room probe detects.
const shortLoop = 5

// roomiest returns cycles and ratios of the windows in which the room probe was fastest, if there are enough such windows, and how crowded the core
// was in them.
func (s *sample) roomiest(enough int) (cycles, ratios []float64, worst float64) {
	const like, few = 1.02, 10 // relative difference that counts as equal; one window in few may have been measured too fast
	sorted := slices.Clone(s.rooms)
	sort.Float64s(sorted)
	room := sorted[min(len(sorted)-1, max(enough, len(sorted)/few)-1)]
	for i, r := range s.rooms {
		if r <= like*room {
			cycles, ratios = append(cycles, s.cycles[i]), append(ratios, s.ratios[i])
		}
	}
	return cycles, ratios, crowded(room)
}

// quietRoom is the time per iteration of the room probe on a core that is not crowded, as far as this process knows, as float64 bits; 0: not seen
// yet.
var quietRoom atomic.Uint64

// roomSlack is the factor by which a model's figure of the room probe may be too low (Zen 3: 1.04 cycles predicted, 1.12 measured on an undisturbed
// core).
const roomSlack = 1.1

// ExpectRoom sets the cycles per iteration that a model of this core predicts for the room probe's loop. Without it, a process whose core is always crowded
// takes that for the normal state.
func ExpectRoom(cycles float64) {
	if cycles > 0 {
		quietRoom.CompareAndSwap(0, math.Float64bits(roomSlack*cycles))
	}
}

// crowdedBeyond reports whether the room probe was so slow that the sibling thread ran, and did not only occupy
// queue entries.
func crowdedBeyond(room float64) bool {
	const most = 2
	quiet := math.Float64frombits(quietRoom.Load())
	return quiet > 0 && room > most*quiet
}

// crowded returns the slowdown of the room probe relative to a core that is not crowded, 1 if there is none or if that is not known. The probe's
// end and its time stamps add one or two hundredths.
func crowded(room float64) float64 {
	const ends = 1.025
	quiet := math.Float64frombits(quietRoom.Load())
	if room > 0 && (quiet == 0 || room < quiet) {
		quiet = room
		quietRoom.Store(math.Float64bits(room))
	}
	if room <= ends*quiet {
		return 1
	}
	return room / quiet
}

// result reduces the windows to one figure: the middle of the shortest interval that holds half of the kept windows (the
// "shorth", a robust estimate of the mode). An interruption in the long run adds time and one in the short run subtracts
// time, so that neither the minimum nor the mean is the undisturbed time; the mode is.
func (s *sample) result() (*Result, error) {
	enough := max(5, min(s.windows/10, 20))
	if n := len(s.cycles); n < enough {
		if s.shared > s.windows/2 {
			return nil, reason("unstable", "another thread shares the core: only %d of %d time windows were undisturbed", n, s.windows)
		}
		if s.unfit > s.windows/2 {
			return nil, reason("unstable", "only %d of %d time windows have runs that fit each other", n, s.windows)
		}
		return nil, reason("unstable", "only %d of %d time windows were undisturbed", n, s.windows)
	}
	cycles, ratios, crowded := slices.Clone(s.cycles), slices.Clone(s.ratios), 1.0
	if slices.Min(cycles)*float64(s.copies) < shortLoop {
		cycles, ratios, crowded = s.roomiest(enough)
	}
	sort.Float64s(ratios)
	lo, hi := shorth(cycles)
	r := &Result{Cycles: (lo + hi) / 2, Uncertainty: (hi - lo) / 2, Fastest: fastest(cycles), Windows: len(cycles), Ratio: ratios[len(ratios)/2], Crowded: crowded}
	if f := tscHz(); f > 0 {
		r.GHz = r.Ratio * f / 1e9
	}
	return r, nil
}

// fitting returns the windows of one execution whose short and long run fit each other. The short run's time, minus its share of the
// difference, is the setup of the state, which is equal in all windows of a process. If it is larger, wide vector units powered up while
// the core ran at a quarter of its rate (Intel Optimization Reference Manual, on the licences of AVX-512), or something else delayed one
// of the runs; if it is smaller, the delay was in the long run.
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

// fastest returns the middle of the fastest of sorted values that agree: a tenth of them, at least three, within a
// hundredth.
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
