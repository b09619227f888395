package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"incore/internal/base/stats"
)

// Parameters of the harness's measurement windows (harness.c). A window is the time between two timed chains of additions.
const (
	chainCycles  = 30000 // cycles of a chain of additions
	perProcess   = 20    // milliseconds that a process measures
	drift        = 0.01  // greatest relative difference of the clock rates at the two ends of a window
	crowded      = 1.04  // greatest ratio of the width probe's time to its time on a quiet core; another active thread of the core makes it up to 2
	leastWindows = 8
	mostTries    = 12 // greatest number of processes of a pass
	// leastProcesses is the number of processes of a pass. A disturbance may last for seconds; therefore passes over all benchmarks are repeated until the
	// two fastest passes of each benchmark agree.
	leastProcesses = 2
	mostPasses     = 6
	quietTries     = 60   // processes that calibrate the width probe's time on a quiet core
	leastCycles    = 3000 // least cycles of a kernel; below, the clock's resolution is worse than one percent
	roomRounds     = 4000 // rounds of the room probe
	likeRoom       = 1.03 // ratio up to which two results of the room probe count as equal
)

// Roomy is the greatest time, in cycles, of an iteration of the room probe (two loads, an addition and a store) at which the other thread of the core
// leaves enough queue entries for short loops. (Zen 3: 1.12 with enough room, otherwise at least 1.19.)
const Roomy = 1.15

// roomPasses is the greatest number of passes over a benchmark that wait for a core with room.
const roomPasses = 4

// Agree is the relative difference up to which two passes over a benchmark agree.
const Agree = 0.02

// noisy is the reason for dropping a benchmark if no two processes agree. A later run tries it again.
const noisy = "noisy"

// timer measures benchmarks, one after another.
type timer struct {
	cpus  []int   // the CPUs for measurements, one per core; the first is in use. nil: any
	quiet float64 // cycles of the width probe on a quiet core, as far as is known
	seen  []float64
}

// cpu returns the CPU in use, -1: any.
func (t *timer) cpu() int {
	if len(t.cpus) == 0 {
		return -1
	}
	return t.cpus[0]
}

// move switches to another core, since the load on the other thread of this core, for example of another virtual machine, may last long.
func (t *timer) move() {
	if len(t.cpus) > 1 {
		t.cpus = append(t.cpus[1:], t.cpus[0])
	}
}

// believed is the number of processes that must see the same result of the width probe, within sameWidth, and 1/believedPart the least share of all processes. Single
// processes can be wrong in either direction.
const (
	believed     = 3
	believedPart = 50
	sameWidth    = 1.02
)

// learn adds the width probe's time in a process, and updates quiet.
func (t *timer) learn(width float64) {
	at, _ := slices.BinarySearch(t.seen, width)
	t.seen = slices.Insert(t.seen, at, width)
	t.quiet = t.seen[0]
	alike := max(believed, len(t.seen)/believedPart)
	for i := 0; i+alike <= len(t.seen); i++ {
		if t.seen[i+alike-1] <= sameWidth*t.seen[i] {
			t.quiet = t.seen[i]
			return
		}
	}
}

// figure is the result of one process.
type figure struct {
	cycles, spread, width, room float64
	windows                     int
}

// calibrate determines the width probe's time on a quiet core.
func (t *timer) calibrate(ctx context.Context, exe string) error {
	for range quietTries {
		if _, err := t.process(ctx, exe); err != nil {
			var tool *toolError
			if errors.As(err, &tool) {
				return nil // another benchmark will calibrate
			}
			return err
		}
	}
	return nil
}

// disturbed reports whether another thread ran on the core during a measurement, judged by the calibration so far.
func (t *timer) disturbed(width float64) bool { return width > crowded*t.quiet }

// measure makes one pass over a benchmark: it returns the faster of two processes on a quiet core.
func (t *timer) measure(ctx context.Context, exe string) (best figure, err error) {
	why, good := "", 0
	for range mostTries {
		f, err := t.process(ctx, exe)
		var tool *toolError
		if errors.As(err, &tool) {
			return figure{}, &dropError{"run fails", tool.Error()}
		} else if err != nil {
			return figure{}, err
		}
		if f.windows < leastWindows || f.room > Roomy {
			t.move()
		}
		if f.windows < leastWindows {
			why = fmt.Sprintf("%d undisturbed windows", f.windows)
			continue
		}
		if good++; good == 1 || f.cycles < best.cycles {
			best = f
		}
		if good == leastProcesses {
			break
		}
	}
	switch {
	case good == 0:
		return figure{}, &dropError{noisy, why}
	case best.cycles < leastCycles:
		return figure{}, &dropError{"too short", fmt.Sprintf("%.0f cycles", best.cycles)}
	}
	return best, nil
}

// process runs a benchmark once.
func (t *timer) process(ctx context.Context, exe string) (figure, error) {
	text, err := command(ctx, runLimit, "the benchmark", exe, "time", fmt.Sprint(t.cpu()), fmt.Sprint(perProcess))
	if err != nil {
		return figure{}, err
	}
	return t.windows(text)
}

// alike is the number of windows that must take the same time, within one percent.
const alike = 5

// fastest returns the mean of the fastest windows that take the same time. A disturbance that the width probe does not see, such as another thread that
// waits for memory and evicts lines from the L1 cache, only makes a window longer.
func fastest(cycles []float64) float64 {
	slices.Sort(cycles)
	n := min(alike, len(cycles))
	for i := 0; i+n <= len(cycles); i++ {
		if cycles[i+n-1] <= 1.01*cycles[i] {
			sum := 0.0
			for _, c := range cycles[i : i+n] {
				sum += c
			}
			return sum / float64(n)
		}
	}
	return cycles[len(cycles)/2]
}

// windows computes a figure from time stamps. It keeps the windows with a constant clock rate, a quiet core and the most room, and takes the fastest of them that agree.
func (t *timer) windows(text string) (figure, error) {
	type window struct{ cycles, width, room float64 }
	var all []window
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		var w [8]float64
		const least = 6 // numbers of a harness without the room probe
		if n, _ := fmt.Sscan(line, &w[0], &w[1], &w[2], &w[3], &w[4], &w[5], &w[6], &w[7]); n < least {
			return figure{}, &toolError{"the benchmark prints no time stamps", line}
		}
		if w[0] <= 0 || w[5] <= 0 || math.Abs(w[0]-w[5]) > drift*w[0] {
			continue
		}
		ratio := chainCycles / ((w[0] + w[5]) / 2)
		all = append(all, window{(w[2] - w[3]) * ratio, math.Max(w[1], w[4]) * ratio, math.Max(w[6], w[7]) * ratio / roomRounds})
	}
	if len(all) < leastWindows {
		return figure{}, nil
	}
	widths := make([]float64, len(all))
	for i, w := range all {
		widths[i] = w.width
	}
	t.learn(stats.Quantile(widths, 0.1))
	var quiet []window
	for _, w := range all {
		if !t.disturbed(w.width) && w.cycles > 0 {
			quiet = append(quiet, w)
		}
	}
	if len(quiet) == 0 {
		return figure{}, nil
	}
	// the windows with the most room
	slices.SortFunc(quiet, func(a, b window) int { return cmp.Compare(a.room, b.room) })
	room := quiet[min(alike, len(quiet))-1].room
	var cycles []float64
	width := 0.0
	for _, w := range quiet {
		if w.room <= likeRoom*room {
			cycles, width = append(cycles, w.cycles), width+w.width
		}
	}
	q := fastest(cycles)
	return figure{q, (stats.Quantile(cycles, 0.5) - q) / q, width / float64(len(cycles)), room, len(quiet)}, nil
}

// thisMachine names the CPU and its microcode, so that results of different machines are not mixed.
func thisMachine() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	says := map[string]string{}
	for _, l := range strings.Split(string(text), "\n") {
		if k, v, ok := strings.Cut(l, ":"); ok && says[strings.TrimSpace(k)] == "" {
			says[strings.TrimSpace(k)] = strings.TrimSpace(v)
		}
	}
	name := says["model name"]
	if name == "" {
		name = strings.TrimSpace(says["CPU implementer"] + " " + says["CPU part"] + says["uarch"])
	}
	if f := says["cpu family"]; f != "" {
		name += fmt.Sprintf(", family %s model %s stepping %s", f, says["model"], says["stepping"])
	}
	if m := says["microcode"]; m != "" {
		name += ", microcode " + m
	}
	return strings.TrimSpace(name)
}
