package roofline

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
)

// timer computes the times of loops on a machine.
type timer struct {
	m     *Machine
	p     *Profile
	with  []string
	moved map[string]float64
	cpi   float64 // cycles per instruction of loops without a simulation
}

func (t *timer) has(what string) bool { return slices.Contains(t.with, what) }

// part is a loop with its times.
func (t *timer) part(l *LoopWork, c *CoreTime) (part, error) {
	p := part{work: *l, title: l.title(), measured: l.Seconds, samples: l.Samples, flop: l.Flops}
	if l.Loop != "" || l.Addr != 0 {
		module := l.Module
		if len(t.p.Program) > 0 && module == filepath.Base(t.p.Program[0]) {
			module = "" // the two binaries have different names
		}
		p.function = module + "|" + l.Function
		if p.key = ""; l.Source != "" {
			p.key = p.function + "|" + l.Source
		}
	}
	if err := t.core(&p, l, c); err != nil {
		return p, err
	}
	if t.has(Latency) && c != nil {
		p.chain = t.chain(l, c)
	}
	if t.has(ECM) {
		p.data, p.extra, p.doubt = t.lines(l)
	} else {
		p.data, p.doubt = t.bytes(l)
		p.extra = p.data
	}
	return p, nil
}

// core sets the time in the core: by the simulator, or by the weighted peak (equation 2).
func (t *timer) core(p *part, l *LoopWork, c *CoreTime) error {
	if t.has(InCore) {
		cpi, data := t.cpi, 0.0
		if c != nil && c.Instructions > 0 {
			cpi, data, p.limit = c.Cycles/float64(c.Instructions), c.Data/float64(c.Instructions), c.Limit
			if crossed := c.crossed(l) / float64(c.Instructions); crossed > 0 {
				data = math.Max(data, crossed)
				if crossed > cpi {
					cpi, p.limit = crossed, "accesses across lines"
				}
			}
		}
		p.core, p.l1 = l.Instructions*cpi/t.m.Clock/1e9, l.Instructions*data/t.m.Clock/1e9
		return nil
	}
	if l.FPInstructions == 0 {
		return nil
	}
	peak, err := t.m.peak(t.p.ElementBits)
	if err != nil {
		return err
	}
	p.core = l.FPInstructions * (2 * t.m.VectorBits / t.p.ElementBits) / peak / 1e9
	return nil
}

// crossed returns the cycles per pass in which loads or stores keep their ports busy, if accesses across two lines count twice; 0 without such accesses.
func (c *CoreTime) crossed(l *LoopWork) (cycles float64) {
	passes := l.Instructions / float64(c.Instructions)
	if !positive(passes) {
		return 0
	}
	if l.CrossingLoads > 0 && c.LoadPorts > 0 {
		cycles = c.Loads + l.CrossingLoads/passes/float64(c.LoadPorts)
	}
	if l.CrossingStores > 0 && c.StorePorts > 0 {
		cycles = math.Max(cycles, c.Stores+l.CrossingStores/passes/float64(c.StorePorts))
	}
	return cycles
}

// chain returns the time of the chains of dependences, assuming that the loads on the slowest chain are the ones that miss.
func (t *timer) chain(l *LoopWork, c *CoreTime) (seconds float64) {
	if t.m.Clock == 0 || c.Instructions == 0 {
		return 0
	}
	passes := l.Instructions / float64(c.Instructions)
	first, wait, far := 0.0, 0.0, 0.0
	for i, level := range t.m.Levels {
		if i == 0 {
			first = level.Latency
			continue
		}
		if n := served(l.Lines, level.Name); n > 0 && level.Latency > first {
			wait += n * (level.Latency - first)
			far = math.Max(far, level.Latency-first)
		}
	}
	for _, ch := range c.Chains {
		cycles := ch.Cycles
		if ch.Loads > 0 {
			cycles += math.Min(wait/passes, ch.Loads*far)
		}
		seconds = math.Max(seconds, cycles*passes/t.m.Clock/1e9)
	}
	return seconds
}

// served returns the value of a level under any of the level's names.
func served(m map[string]float64, level string) float64 {
	for k, v := range m {
		if key(k) == key(level) {
			return v
		}
	}
	return 0
}

// longer returns the relative increase of a level's time at the lower end of its bandwidth's uncertainty.
func (l *Level) longer() float64 {
	if l.Uncertainty <= 0 || l.Uncertainty >= 1 {
		return 0
	}
	return l.Uncertainty / (1 - l.Uncertainty)
}

// bytes returns the time of the roofline's binding level: the bytes of this level and all farther levels at its bandwidth.
func (t *timer) bytes(l *LoopWork) (seconds, doubt float64) {
	behind := 0.0
	for i := len(t.m.Levels) - 1; i >= 0; i-- {
		level := &t.m.Levels[i]
		behind += served(l.Bytes, level.Name)
		if level.Bandwidth > 0 && behind/level.Bandwidth/1e9 > seconds {
			seconds = behind / level.Bandwidth / 1e9
			doubt = seconds * level.longer()
		}
	}
	return seconds, doubt
}

// triad is the ratio of transferred bytes to the bytes that STREAM counts: of three arrays, the lines of the stored array are read and written back.
const triad = 4.0 / 3

// lines returns the time of all line transfers at the bandwidths that triad measures. extra is this time minus the time of the same bytes from the first
// level.
func (t *timer) lines(l *LoopWork) (all, extra, doubt float64) {
	line, first := cmp.Or(t.p.LineBytes, 64), 0.0
	if len(t.m.Levels) > 0 && t.m.Levels[0].Bandwidth > 0 {
		first = 1 / t.m.Levels[0].Bandwidth
	}
	for i, level := range t.m.Levels {
		n := served(l.Lines, level.Name)
		if i == 0 || n == 0 || level.Bandwidth == 0 {
			continue
		}
		moved := math.Max(1, served(t.moved, level.Name))
		bytes := n * line * moved / triad / 1e9
		all += bytes / level.Bandwidth
		extra += bytes * math.Max(0, 1/level.Bandwidth-first)
		doubt += bytes / level.Bandwidth * level.longer()
	}
	return all, extra, doubt
}

// CheckRefinements returns an error for an unknown refinement in a list.
func CheckRefinements(list []string) error {
	for _, s := range list {
		if !slices.Contains(Refinements, s) {
			return fmt.Errorf("no refinement is called %q; known are %v", s, Refinements)
		}
	}
	return nil
}
