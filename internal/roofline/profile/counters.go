package profile

import (
	"fmt"
	"os"
	"slices"

	"incore/internal/program/perf"
	"incore/internal/roofline"
)

// Counting is the option for the kernel's counters: "auto" or "", "on", "off".
type Counting string

// String, Set and Type make it an option.
func (c *Counting) String() string {
	if *c == "" {
		return "auto"
	}
	return string(*c)
}

// Set takes a value.
func (c *Counting) Set(s string) error {
	if !slices.Contains([]string{"auto", "on", "off"}, s) {
		return fmt.Errorf("it is auto, on or off")
	}
	*c = Counting(s)
	return nil
}

// Type names the kind of value.
func (c *Counting) Type() string { return "string" }

// source returns this CPU's events that count lines.
func source() *perf.Source {
	text, _ := os.ReadFile("/proc/cpuinfo")
	return perf.SourceOf(string(text))
}

// groups returns the events that are counted while the program runs without instrumentation; none if the option is off.
func (o *Options) groups() [][]perf.Event {
	if o.Counters == "off" {
		return nil
	}
	var lines []perf.Event
	for _, l := range source().Lines {
		lines = append(lines, l.Event)
	}
	return [][]perf.Event{{perf.Cycles, perf.Instructions}, lines}
}

// countable returns an error before the program runs if the requested counters are not available.
func (o *Options) countable(native bool) error {
	why := ""
	switch {
	case o.Counters != "on":
		return nil
	case !native:
		why = "a program that is emulated has none"
	case scope(o) != "":
		why = "the kernel counts the whole program, not " + scope(o)
	case o.Repeat <= 0:
		why = "they count the runs that measure the time, of which there are none (--repeat 0)"
	default:
		c, err := perf.Open(0, o.groups()...)
		if err != nil {
			return fmt.Errorf("--counters on: %w", err)
		}
		c.Close()
		return nil
	}
	return fmt.Errorf("--counters on: %s", why)
}

// count adds the kernel's counts to a profile, whose bytes by level they then determine, or the reason for missing counts.
func (o *Options) count(t *times, levels []string, p *roofline.Profile) error {
	if o.Counters == "off" {
		return nil
	}
	best := t.runs[0]
	for _, r := range t.runs {
		if r.uncount == nil && (best.uncount != nil || r.seconds < best.seconds) {
			best = r
		}
	}
	if best.uncount != nil {
		p.Uncounted = best.uncount.Error()
		if o.Counters == "on" {
			return fmt.Errorf("--counters on: %w", best.uncount)
		}
		return nil
	}
	byCounters(p, source(), best.counts, levels)
	return nil
}

// byCounters sets the bytes of each level to the counted lines from the level times the bytes that the accesses use per line from there in the
// model. The bytes of each loop change by the same factors. The first level serves the remaining bytes.
func byCounters(p *roofline.Profile, s *perf.Source, counts []perf.Count, levels []string) {
	c := &roofline.Counters{Meaning: s.Meaning, Lines: map[string]float64{}, Model: p.Lines}
	for _, x := range counts {
		c.Events = append(c.Events, roofline.EventCount{Event: x.Event, Count: x.Count, Share: x.Share})
	}
	p.Counters = c
	if len(levels) < 2 || slices.ContainsFunc(counts, func(x perf.Count) bool { return x.Share == 0 }) {
		return
	}
	var model []float64
	for _, name := range levels[1:] {
		model = append(model, p.Lines[name])
	}
	lines := s.Split(counts, len(levels)-1, model)
	factor := map[string]float64{}
	for i, name := range levels[1:] {
		c.Lines[name] = lines[i]
		if model[i] > 0 {
			factor[name] = lines[i] / model[i]
		}
	}
	p.Lines = c.Lines
	scale(p.Bytes, levels, factor)
	for name, f := range factor {
		p.Traffic[name] *= f
	}
	for i := range p.Loops {
		scale(p.Loops[i].Bytes, levels, factor)
		for name, f := range factor {
			if n, ok := p.Loops[i].Lines[name]; ok {
				p.Loops[i].Lines[name] = n * f
			}
		}
	}
}

// scale multiplies the bytes of each level except the first by a factor and subtracts the difference from the first level, whose bytes stay at least 0.
func scale(bytes map[string]float64, levels []string, factor map[string]float64) {
	for _, name := range levels[1:] {
		b, ok := bytes[name]
		f, known := factor[name]
		if !ok || !known {
			continue
		}
		more := min(b*f-b, bytes[levels[0]])
		bytes[name] += more
		bytes[levels[0]] -= more
	}
}
