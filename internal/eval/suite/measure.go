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

	"incore/internal/stats"
)

// What the harness's windows are made of (harness.c).
const (
	chainCycles  = 30000 // between the two chains of additions
	perProcess   = 20    // milliseconds that a process measures
	drift        = 0.01  // by which a window's clock rates may differ
	crowded      = 1.04  // how much longer than when the core is quiet the probe of its width may take: with another thread of the core at work it takes up to twice as long
	leastWindows = 8
	mostTries    = 12 // processes of a pass
	// leastProcesses are measured in a pass. What disturbs a core may last for seconds, so that passes over all benchmarks follow each other, until the
	// two fastest of each benchmark agree.
	leastProcesses = 2
	mostPasses     = 6
	quietTries     = 60   // processes until it is believed to be known how long the probe takes on a quiet core
	leastCycles    = 3000 // of a kernel: below, the clock's steps are more than a percent
	roomRounds     = 4000 // of the probe of the core's room, between its two
	likeRoom       = 1.03 // by which rooms are equal
)

// Roomy is what an iteration of the probe of the core's room, two loads, an addition and a store, takes at most, in cycles, where another thread of the core
// leaves short loops what they need. (Zen 3: 1.12, else 1.19 and more.)
const Roomy = 1.15

// roomPasses are made over a benchmark, at most, until the core has room.
const roomPasses = 4

// Agree is by how much two passes over a benchmark may differ, as a fraction.
const Agree = 0.02

// noisy is why benchmarks are dropped for which no two processes agree. A later run tries them again.
const noisy = "noisy"

// timer measures benchmarks, one after another.
type timer struct {
	cpus  []int   // that it may measure on, one of each core; it is on the first. nil: any
	quiet float64 // cycles of the probe of the core's width when nothing else runs on it, as far as was seen
	seen  []float64
}

// cpu is the one that it measures on now, -1: any.
func (t *timer) cpu() int {
	if len(t.cpus) == 0 {
		return -1
	}
	return t.cpus[0]
}

// move goes on to another core, as what runs beside this one, in other virtual machines perhaps, may stay for long.
func (t *timer) move() {
	if len(t.cpus) > 1 {
		t.cpus = append(t.cpus[1:], t.cpus[0])
	}
}

// believed is how many processes have to see the same width of the core, within some percent, to be believed, and which part of all has to: single ones may be wrong to
// either side, and of a thousand processes more are.
const (
	believed     = 3
	believedPart = 50
	sameWidth    = 1.02
)

// learn takes how long the probe took in a process.
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

// calibrate finds out how long the probe of the core's width takes when nothing else runs on the core.
func (t *timer) calibrate(ctx context.Context, exe string) error {
	for range quietTries {
		if _, err := t.process(ctx, exe); err != nil {
			var tool *toolError
			if errors.As(err, &tool) {
				return nil // another benchmark will tell
			}
			return err
		}
	}
	return nil
}

// disturbed reports whether a figure was taken while another thread ran on the core, as is known by now.
func (t *timer) disturbed(width float64) bool { return width > crowded*t.quiet }

// measure is one pass over a benchmark: the fastest of two processes that saw the core quiet.
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

// alike is how many windows have to take the same time, within a hundredth, to be believed.
const alike = 5

// fastest is the mean of the fastest few that are alike. What disturbs a window without a trace in the probe of the core's width, as a thread beside
// that waits for memory and evicts what is in the L1 cache, only makes it longer.
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

// windows reduces time stamps to a figure: the fastest windows that are alike, of those whose clock did not change and in which nothing else ran on the core, and in which it had most room.
func (t *timer) windows(text string) (figure, error) {
	type window struct{ cycles, width, room float64 }
	var all []window
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		var w [8]float64
		const least = 6 // of harnesses without a probe of the core's room
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
	// where the core has most room
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

// thisMachine names the CPU and its microcode, as results of several are not mixed.
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
