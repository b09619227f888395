package roofline

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// CoreTime is the time of a pass through a loop in a core if all data are in the first-level cache.
type CoreTime struct {
	Cycles       float64 `json:"cycles"`
	Limit        string  `json:"limit"`        // the limit that determines the time
	Instructions int     `json:"instructions"` // of the pass
	Data         float64 `json:"data"`         // cycles in which loads and stores keep their ports busy
	// Loads and Stores are the cycles in which loads, and stores with their data, keep the ports busy that an access across two lines uses twice. LoadPorts and
	// StorePorts are the numbers of these ports; 0: no port is used twice.
	Loads      float64 `json:"loads"`
	Stores     float64 `json:"stores"`
	LoadPorts  int     `json:"load_ports,omitempty"`
	StorePorts int     `json:"store_ports,omitempty"`
	Chains     []Chain `json:"chains,omitempty"`
	Unknown    int     `json:"unknown,omitempty"` // instructions whose cost is not known
}

// Chain is a chain of dependences from one pass into the next.
type Chain struct {
	Cycles float64 `json:"cycles"` // per pass, with loads from the first-level cache
	Loads  float64 `json:"loads"`  // loads on the chain per pass
}

// Refinements beyond the paper.
const (
	ByLoop  = "by-loop" // each loop by its own intensity, mix and time
	InCore  = "in-core" // the simulator's time instead of the weighted peak
	Latency = "latency" // chains of loads have the latency of the level that serves them
	ECM     = "ecm"     // transfers move whole lines, and their time is combined with the time in the core
)

// Refinements lists all refinements; each one builds on those before it.
var Refinements = []string{ByLoop, InCore, Latency, ECM}

// Side is a machine with the profile of its binary.
type Side struct {
	Machine *Machine
	Profile *Profile
	Times   []*CoreTime // times of Profile.Loops; nil: not known
	// Error is the upper quartile of the simulator's relative error on held-out loops; 0: not known. ErrorFrom names
	// the loops on which it was measured.
	Error     float64
	ErrorFrom string
}

// Refined is a projection with some refinements.
type Refined struct {
	With     []string `json:"with"`
	Low      float64  `json:"low"` // GFLOP/s on the target
	High     float64  `json:"high"`
	Point    float64  `json:"point"`
	Speedup  float64  `json:"speedup"`  // of the point: the source's time divided by the target's
	Absolute float64  `json:"absolute"` // GFLOP/s on the target by the model alone, without the time on the source
	LowBy    string   `json:"low_by"`
	HighBy   string   `json:"high_by"`
	Loops    []Moved  `json:"loops,omitempty"` // of the target, the longest first
	Notes    []string `json:"notes,omitempty"`
}

// Moved is a loop of the target's binary and its time on the target.
type Moved struct {
	Loop     string  `json:"loop"`
	Seconds  float64 `json:"seconds"` // projected
	Core     float64 `json:"core"`    // seconds in the core
	Chain    float64 `json:"chain"`   // seconds of the chains of loads
	Data     float64 `json:"data"`    // seconds of data transfers
	Bound    string  `json:"bound"`   // the longest of them
	Limit    string  `json:"limit,omitempty"`
	Share    float64 `json:"share"` // ratio of the measured time on the source to the model's; 0: the whole program's ratio was used
	Flops    float64 `json:"flops"`
	OI       float64 `json:"oi,omitempty"` // FLOP per loaded or stored byte; 0: no such bytes
	Measured float64 `json:"-"`
}

// part is a loop, or the rest of the program, with its times in the model.
type part struct {
	key, function           string
	title, limit            string
	work                    LoopWork
	core, chain, l1         float64 // seconds; l1: loads and stores keep their ports busy
	data, extra             float64 // seconds of data transfers from their levels; the same minus the accesses to the first level
	doubt                   float64 // additional seconds at the lower end of the bandwidths' uncertainty
	measured, samples, flop float64
}

// total is the time of a part.
func (p *part) total(serial bool) float64 {
	if serial {
		return math.Max(math.Max(p.core, p.chain), p.l1+p.extra)
	}
	return math.Max(math.Max(p.core, p.chain), p.data)
}

// Refine projects like Project, with refinements. If perf is 0, it follows from the time in the source's profile.
func Refine(from, to Side, perf float64, with []string) (*Refined, error) {
	for _, s := range []Side{from, to} {
		if len(s.Profile.Loops) == 0 {
			return nil, fmt.Errorf("profile %s has no loops, which refinements need: incore roofline profile writes them", s.Profile.File)
		}
	}
	seconds := from.Profile.Seconds
	if perf > 0 {
		seconds = from.Profile.Flops / perf / 1e9
	}
	if !positive(seconds) {
		return nil, fmt.Errorf("the performance on %s is needed (--perf GFLOP/s), or a profile with the time that was measured (seconds)", from.Machine.Name)
	}
	r := &Refined{With: with}
	a, err := r.parts(&from, with)
	if err != nil {
		return nil, err
	}
	b, err := r.parts(&to, with)
	if err != nil {
		return nil, err
	}
	scale := 1.0
	if from.Profile.Seconds > 0 {
		scale = seconds / from.Profile.Seconds
	}
	for i := range a {
		a[i].measured *= scale
	}
	r.combine(&pair{a, b, from, to}, seconds, with)
	return r, nil
}

// variant is one way to combine the parts' times and to calibrate them.
type variant struct {
	serial, byLoop bool
	core           float64 // factor of the target's time in the core
	from, to       bool    // use the lower end of the source's, or the target's, uncertain bandwidths
	name           string
}

// sides returns the parts of both machines with the times under a variant.
func (v *variant) sides(a, b []part) (from, to []part) {
	return doubted(a, 1, v.from), doubted(b, v.core, v.to)
}

// pair is both machines with the parts of the program's time on each.
type pair struct {
	a, b     []part
	from, to Side
}

// combine sets the interval of all variants, and the point.
func (r *Refined) combine(p *pair, seconds float64, with []string) {
	a, b, from, to := p.a, p.b, p.from, p.to
	flops := to.Profile.Flops
	byLoop, ecm := slices.Contains(with, ByLoop), slices.Contains(with, ECM)
	variants := []variant{{core: 1, name: "transfers overlap; the whole program's share of the model"}}
	if byLoop {
		variants = append(variants, variant{byLoop: true, core: 1, name: "transfers overlap; each loop's share of the model"})
	}
	if ecm {
		for _, v := range variants[:len(variants):len(variants)] {
			v.serial, v.name = true, strings.Replace(v.name, "overlap", "add up", 1)
			variants = append(variants, v)
		}
	}
	variants = append(variants, r.doubts(variants, with, &from, &to)...)
	r.Low = math.Inf(1)
	for _, v := range variants {
		from, to := v.sides(a, b)
		t, _ := project(from, to, seconds, v)
		perf := flops / t / 1e9
		if perf < r.Low {
			r.Low, r.LowBy = perf, v.name
		}
		if perf > r.High {
			r.High, r.HighBy = perf, v.name
		}
	}
	best := variant{core: 1, byLoop: byLoop, serial: ecm && !to.Machine.Overlap && !overlaps(a, seconds)}
	t, shares := project(a, b, seconds, best)
	r.Point = flops / t / 1e9
	r.Speedup = seconds / t
	r.Absolute = flops / sum(b, best.serial) / 1e9
	for i := range b {
		p := &b[i]
		m := Moved{Loop: p.title, Seconds: p.total(best.serial) * shares[i], Core: p.core, Chain: p.chain, Data: p.data, Limit: p.limit, Share: shares[i], Flops: p.flop}
		bytes := 0.0
		for _, n := range p.work.Bytes {
			bytes += n
		}
		if bytes > 0 {
			m.OI = p.flop / bytes
		}
		switch p.total(best.serial) {
		case p.core:
			m.Bound = "core"
		case p.chain:
			m.Bound = "latency"
		default:
			m.Bound = "data"
		}
		r.Loops = append(r.Loops, m)
	}
	slices.SortStableFunc(r.Loops, func(a, b Moved) int {
		switch {
		case a.Seconds > b.Seconds:
			return -1
		case a.Seconds < b.Seconds:
			return 1
		}
		return 0
	})
}

// doubts returns variants in which the target is slower or faster than in the model by the known uncertainties: the simulator's error on both cores, and the
// bandwidths' uncertainty in the machine files. The errors of both simulated times count as independent. In the slow variant the target has less bandwidth; in
// the fast variant the source has less bandwidth, so that the factor from the modelled to the measured time is smaller.
func (r *Refined) doubts(list []variant, with []string, from, to *Side) (out []variant) {
	if !slices.Contains(with, InCore) {
		return nil
	}
	for _, s := range []*Side{from, to} {
		if s.Error == 0 {
			r.Notes = append(r.Notes, "how far the simulator is off on "+s.Machine.Name+"'s core is not known: the interval does not hold it")
		} else {
			r.Notes = append(r.Notes, fmt.Sprintf("the interval holds the simulator's error on %s's core: %.1f %%, %s; and the uncertainty of bandwidths that the machine file states", s.Machine.Name, 100*s.Error, s.ErrorFrom))
		}
	}
	r.Notes = slices.Compact(r.Notes)
	e := math.Hypot(from.Error, to.Error)
	for _, v := range list {
		slow, fast := v, v
		slow.core, slow.to, slow.name = 1+e, true, fmt.Sprintf("%s; the core %.0f %% slower than simulated, less bandwidth", v.name, 100*e)
		fast.core, fast.from, fast.name = 1/(1+e), true, fmt.Sprintf("%s; the core %.0f %% faster than simulated, less bandwidth on the source", v.name, 100*e)
		out = append(out, slow, fast)
	}
	return out
}

// doubted returns the parts with their times in the core multiplied by core and, if data is set, with the lower end of the uncertain bandwidths.
func doubted(list []part, core float64, data bool) []part {
	if core == 1 && !data {
		return list
	}
	out := slices.Clone(list)
	for i := range out {
		p := &out[i]
		p.core, p.chain, p.l1 = p.core*core, p.chain*core, p.l1*core
		if data {
			p.data, p.extra = p.data+p.doubt, p.extra+p.doubt
		}
	}
	return out
}

// overlaps reports whether the time on the source is nearer to the model whose transfers overlap with the work in the core than to the model in which they add up:
// what explains the source better is taken for the target.
func overlaps(a []part, seconds float64) bool {
	overlap, serial := sum(a, false), sum(a, true)
	return overlap > 0 && serial > 0 && math.Abs(math.Log(seconds/overlap)) < math.Abs(math.Log(seconds/serial))
}

func sum(list []part, serial bool) (t float64) {
	for i := range list {
		t += list[i].total(serial)
	}
	return t
}

// enoughSamples is the least number of samples for which the time of a loop or function is used.
const enoughSamples = 40

// project projects the time on the source: by each loop that both binaries have, else by each function, and the rest by the whole program. shares holds the factor
// by which each part's time in the model was multiplied.
func project(a, b []part, seconds float64, v variant) (total float64, shares []float64) {
	shares = make([]float64, len(b))
	usedA, usedB := make([]bool, len(a)), make([]bool, len(b))
	rest := seconds
	if outside := outside(a, seconds); outside > 0 { // time of the operating system and of unlisted code: it is the same on the target
		rest, total = rest-outside, outside
		last := len(b) - 1
		usedA[len(a)-1], usedB[last] = true, true
		if t := b[last].total(v.serial); t > 0 {
			shares[last] = outside / t
		}
	}
	if v.byLoop {
		for _, key := range []func(*part) string{func(p *part) string { return p.key }, func(p *part) string { return p.function }} {
			for _, k := range keys(b, key) {
				model, measured, samples, target := 0.0, 0.0, 0.0, 0.0
				for i := range a {
					if p := &a[i]; !usedA[i] && key(p) == k {
						model, measured, samples = model+p.total(v.serial), measured+p.measured, samples+p.samples
					}
				}
				for i := range b {
					if p := &b[i]; !usedB[i] && key(p) == k {
						target += p.total(v.serial)
					}
				}
				if k == "" || samples < enoughSamples || model <= 0 || target <= 0 || rest-measured < 0 {
					continue
				}
				for i := range a {
					if p := &a[i]; !usedA[i] && key(p) == k {
						usedA[i] = true
					}
				}
				for i := range b {
					if p := &b[i]; !usedB[i] && key(p) == k {
						usedB[i], shares[i] = true, measured/model
						total += p.total(v.serial) * measured / model
					}
				}
				rest -= measured
			}
		}
	}
	model := 0.0
	for i := range a {
		if !usedA[i] {
			model += a[i].total(v.serial)
		}
	}
	left := 0.0
	for i := range b {
		if !usedB[i] {
			left += b[i].total(v.serial)
		}
	}
	if model <= 0 || left <= 0 { // the rest without a model takes the same time on the target
		return total + rest, shares
	}
	for i := range b {
		if !usedB[i] {
			shares[i] = rest / model
			total += b[i].total(v.serial) * shares[i]
		}
	}
	return total, shares
}

// outside returns the time on the source that was spent in no part; 0 if the parts have no times, or the program is one part.
func outside(a []part, seconds float64) float64 {
	in := 0.0
	for i := range a {
		in += a[i].measured
	}
	if in == 0 || len(a) < 2 {
		return 0
	}
	return math.Max(0, seconds-in)
}

func keys(list []part, key func(*part) string) (out []string) {
	for i := range list {
		if k := key(&list[i]); !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}

// parts returns the loops of one side, and the rest, with their times in the model.
func (r *Refined) parts(s *Side, with []string) ([]part, error) {
	list := append([]LoopWork(nil), s.Profile.Loops...)
	times := s.Times
	if times == nil {
		times = make([]*CoreTime, len(list))
	}
	list, times = s.rest(list, times)
	if !slices.Contains(with, ByLoop) && !slices.Contains(with, InCore) {
		list, times = []LoopWork{s.whole()}, []*CoreTime{nil}
	}
	moved := r.moved(s.Profile)
	t := timer{m: s.Machine, p: s.Profile, with: with, moved: moved}
	if slices.Contains(with, InCore) {
		if t.cpi = typical(list, times); t.cpi == 0 || s.Machine.Clock == 0 {
			return nil, fmt.Errorf("machine %s: no loop's time in the core is known (core and clock of the machine file)", s.Machine.Name)
		}
	}
	var out []part
	for i := range list {
		p, err := t.part(&list[i], times[i])
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	if !slices.Contains(with, ByLoop) && len(out) > 1 {
		out = merged(out)
	}
	return out, nil
}

// merged returns all parts as one, as in the roofline of the whole program: the sums of the times in the core and of the data.
func merged(list []part) []part {
	all := part{title: "the program"}
	for i := range list {
		p := &list[i]
		all.core, all.chain, all.data, all.l1 = all.core+p.core, all.chain+p.chain, all.data+p.data, all.l1+p.l1
		all.extra, all.doubt = all.extra+p.extra, all.doubt+p.doubt
		all.flop, all.measured, all.samples = all.flop+p.flop, all.measured+p.measured, all.samples+p.samples
	}
	return []part{all}
}

// whole returns the program as one loop.
func (s *Side) whole() LoopWork {
	p := s.Profile
	w := LoopWork{Function: "the program", Instructions: p.Instructions, Flops: p.Flops, FPInstructions: p.FPInstructions, Bytes: p.Bytes, Lines: map[string]float64{}}
	for _, l := range p.Loops {
		for k, v := range l.Lines {
			w.Lines[k] += v
		}
	}
	return w
}

// rest adds the part of the program that the profile does not list as loops.
func (s *Side) rest(list []LoopWork, times []*CoreTime) ([]LoopWork, []*CoreTime) {
	r := s.whole()
	r.Function, r.Lines, r.Bytes = "the rest", nil, map[string]float64{}
	for k, v := range s.Profile.Bytes {
		r.Bytes[k] = v
	}
	for i := range list {
		l := &list[i]
		r.Instructions, r.Flops, r.FPInstructions = r.Instructions-l.Instructions, r.Flops-l.Flops, r.FPInstructions-l.FPInstructions
		for k, v := range l.Bytes {
			r.Bytes[k] = math.Max(0, r.Bytes[k]-v)
		}
	}
	r.Instructions, r.Flops, r.FPInstructions = math.Max(0, r.Instructions), math.Max(0, r.Flops), math.Max(0, r.FPInstructions)
	return append(list, r), append(times[:len(times):len(times)], nil)
}

// typical returns the mean cycles per instruction of the loops with known times, weighted by their instructions.
func typical(list []LoopWork, times []*CoreTime) float64 {
	cycles, n := 0.0, 0.0
	for i, t := range times {
		if t != nil && t.Instructions > 0 {
			cycles += list[i].Instructions * t.Cycles / float64(t.Instructions)
			n += list[i].Instructions
		}
	}
	if n == 0 {
		return 0
	}
	return cycles / n
}

// moved returns by level the number of transferred lines per line that is loaded from the level; it is above 1 because changed lines are written back.
func (r *Refined) moved(p *Profile) map[string]float64 {
	out := map[string]float64{}
	const line = 64
	brought := map[string]float64{}
	for _, l := range p.Loops {
		for k, n := range l.Lines {
			brought[k] += n * line
		}
	}
	for k, b := range brought {
		if t := p.Traffic[k]; b > 0 && t > b {
			out[k] = math.Min(t/b, 2)
		}
	}
	return out
}
