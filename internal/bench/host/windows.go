package host

import (
	"math"
	"slices"
	"sort"
	"sync/atomic"
)

// This file judges the time windows of a measurement: which were disturbed, and what the others say.

// window holds the time stamps of one pass, between which run: short calibration, long calibration, width probe, room probe,
// an untimed run, short run, long run, short calibration, long calibration, width probe, room probe.
type window struct{ t [stamps]uint64 }

// Indices of the time stamps at which the parts of a window start.
const (
	calibrationBefore = 0 // short; the long one starts at the next stamp
	widthBefore       = 2
	roomBefore        = 3
	untimedRun        = 4
	shortRun          = 5 // the long run starts at the next
	calibrationAfter  = 7
	widthAfter        = 9
	roomAfter         = 10
	// and how often a loop in place went round in the two runs, where that is left to chance
	shortCount = 12
	longCount  = 13
	stamps     = 14
)

// windowParts emit the parts of a window.
type windowParts struct {
	stamp              func(i int) // stores the time as the i-th of the window
	chain              func(n int) // so many dependent additions
	width, short, long func()      // the width probe, the two runs
	room               func()      // the room probe; nil: there is none
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
	// Wide vector units that were idle during the calibration, for some microseconds, start at a fraction of their rate.
	p.long()
	p.stamp(shortRun)
	p.short()
	p.stamp(shortRun + 1)
	p.long()
	calibrate(calibrationAfter)
	p.stamp(roomAfter + 1)
}

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

	widthUnroll = 60 // of them in the probe's loop
)

// roomTrips is how often the loop of the room probe goes round: two loads, an addition of what they load, a store, and the closing branch in each
// iteration, which takes a cycle or little more, if the core has room for as many iterations in flight as that needs. A core whose other thread belongs
// to somebody else does not always: on a Zen 3 in a virtual machine the time of short loops grows by a tenth to a factor of two, in steps, for
// milliseconds to seconds, the more of it the more integer and memory operations an iteration has, while chains of additions and NOPs in long bodies go
// by as ever, so that neither calibration nor width probe shows it.
const roomTrips = 3000

// sample is what the windows of one measurement say.
type sample struct {
	cycles, ratios []float64 // of each window that counts
	rooms          []float64 // what the room probe took in it, in cycles an iteration; 0: there is none
	loose          []timed   // the windows whose runs fit each other at least roughly
	windows        int       // seen
	unfit          int       // of them: undisturbed, but their runs do not fit each other
	shared         int       // of them: spoilt by a busy sibling thread
	copies         int       // of the code in its loop's body
}

// By how much of the short run windows may differ in what they take besides the code's share, and what that may be
// beyond what setting up takes: to fit each other, and to fit roughly. (Where the code's stores go past the caches,
// filling the data again takes longer.)
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

// loosen makes windows count that fit each other roughly, if most do and none is quite as the next: stores that go to
// memory take now a little longer, now less. It reports whether that helps. It does not where code is executed now at
// one rate, now at another, within one run, as some chains by Zen 4's vector units: each has its time.
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

// timed is what an undisturbed window says: cycles per copy of the code, cycles of the short run and what of them is
// not the code's share of the difference, core cycles in a tick, cycles of an iteration of the room probe.
type timed struct{ cycles, first, rest, ratio, room float64 }

// quietWidth is the time, in core cycles, that the width probe takes on a core of its own, as far as this process has seen; as float64
// bits, 0: not seen yet.
var quietWidth atomic.Uint64

// widthSlack is by how much a model's rate of the width probe may be too high: half of what a busy sibling thread makes of it, as far as models
// are known to err (Zen 4: 12 a cycle expected, 10.2 measured).
const widthSlack = 1.4

// ExpectWidth tells what a model of this core says of the width probe, in instructions without operands per cycle. A process that has not seen
// its core quiet takes the quickest probe for a quiet one otherwise, and where the sibling thread is busy all the time, half a core for a core.
func ExpectWidth(perCycle float64) {
	if w := widthSlack * float64(widthNops*Scale()) / perCycle; perCycle > 0 {
		quietWidth.CompareAndSwap(0, math.Float64bits(w))
	}
}

// lastRatio is the core cycles in a tick of this process's last window; as float64 bits, 0: there was none.
var lastRatio atomic.Uint64

// gateTicks is how long the width probe may take for a window to be worth its time, in ticks: what it takes on a quiet
// core, and something for the core's frequency, which may have fallen since. Until that is known all windows are.
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

// add judges windows. A window counts if the calibrations before and behind it agree, and if no other thread used the
// core: hardware threads of one core take turns in front end and dispatch (Intel Optimization Reference Manual, "Intel
// Hyper-Threading Technology"), which chains of additions don't notice, but the width probes before and behind do.
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

// quietest remembers the quickest width probes that were seen. In a tenth of a measurement's windows, three at least,
// both must have been so quick: a single one may be the jitter of its time stamps, or of a calibration that the sibling
// thread held up, and would spoil all that follows.
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

// room is what an iteration of the slower of the two room probes took in core cycles, 0 where there are none.
func (w *window) room() float64 {
	r := max(w.part(roomBefore), w.part(roomAfter)) * w.ratio() / roomTrips
	if r < 0.5 {
		return 0
	}
	return r
}

// shortLoop is how many cycles a loop may take at most to hang on what the room probe sees.
const shortLoop = 5

// roomiest are cycles and ratios of the windows in which the room probe was as quick as in any, as far as such windows are enough to judge by; and how
// crowded the core was in them.
func (s *sample) roomiest(enough int) (cycles, ratios []float64, worst float64) {
	const like, few = 1.02, 10 // what counts as equal; a tenth of the windows may be mistaken for quicker
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

// quietRoom is what an iteration of the room probe takes on a core that has room, as far as this process knows; as float64 bits, 0: not seen yet.
var quietRoom atomic.Uint64

// roomSlack is by how much a model's figure of the room probe may be too low (Zen 3: 1.04 cycles expected, 1.12 measured where nothing was in the way).
const roomSlack = 1.1

// ExpectRoom tells what a model of this core says of the room probe's loop, in cycles an iteration. A process that sees the core crowded all the time would
// take that for the usual otherwise.
func ExpectRoom(cycles float64) {
	if cycles > 0 {
		quietRoom.CompareAndSwap(0, math.Float64bits(roomSlack*cycles))
	}
}

// crowdedBeyond reports whether the room probe took so long that the other thread did not only keep room, but ran.
func crowdedBeyond(room float64) bool {
	const most = 2
	quiet := math.Float64frombits(quietRoom.Load())
	return quiet > 0 && room > most*quiet
}

// crowded is how many times longer the room probe takes than on a core that has room, 1 if as long or if that is not known. What its end and its
// time stamps cost is a hundredth or two.
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

// result reduces the windows to one figure: the middle of the shortest interval that holds half of the
// kept windows (the "shorth", a robust estimate of the mode). An interruption in the long run adds time, one in the short run
// takes it away, so that neither the minimum nor the mean is the undisturbed machine, but most windows are.
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
