// Package compare compares the analyses of two or more versions of code. For each loop and machine it computes how much slower or faster
// the later versions are, and which limit caused the difference.
package compare

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"incore/internal/report"
)

// Schema names the version of the layout of a comparison; fields may be added to it.
const Schema = "incore.compare/1"

// Comparison is the comparison of versions of code with the first version.
type Comparison struct {
	Schema   string    `json:"schema"`
	Version  string    `json:"version"`  // the version of incore
	Versions []string  `json:"versions"` // their names, as the user gave them
	Loops    []Loop    `json:"loops"`
	Only     []Single  `json:"only,omitempty"` // loops that one version has and the others lack
	Summary  []Summary `json:"summary"`        // by machine
	Limit    *float64  `json:"limit_percent"`  // percentage by which a loop may become slower; null: no limit
	Slower   bool      `json:"slower"`         // some loop became slower by more than the limit
}

// Loop is one loop in all versions that have it.
type Loop struct {
	Name    string   `json:"name"`    // its name in the first version
	Names   []string `json:"names"`   // its name in each version
	Matched string   `json:"matched"` // the property by which the loops of the versions were matched
	Results []Result `json:"results"` // by machine
}

// Result is a loop on one machine.
type Result struct {
	Arch     string   `json:"arch"`
	Versions []Figure `json:"versions"`
}

// Figure is one version of a loop on one machine.
type Figure struct {
	Missing      bool        `json:"missing,omitempty"`  // this version has no such loop
	Cycles       float64     `json:"cycles"`             // cycles of one iteration
	AtLeast      bool        `json:"at_least,omitempty"` // Cycles is a lower bound
	Bound        string      `json:"bound"`
	Limit        string      `json:"limit"` // the limit of its run time, in words
	Engine       string      `json:"engine"`
	Instructions int         `json:"instructions"`
	Uops         float64     `json:"uops"`
	IPC          float64     `json:"ipc"`
	Work         report.Work `json:"work"`
	// Bounds are the bounds of the prediction, in cycles of one iteration; 0 if there is no such limit.
	Bounds []Bound `json:"bounds"`
	// Mix counts the instructions of an iteration by kind, "loads", "stores", "floating-point", "branches" and
	// "others"; an instruction that loads and computes, or loads and stores, counts in both kinds.
	Mix map[string]int `json:"mix"`
	// Times is the number of iterations of the first version whose work one iteration does, by flops, bytes and the strides of addresses; 1 if it is
	// not known. Cycles are divided by it before they are compared.
	Times float64 `json:"times"`
	// Incomparable is the reason why the cycles cannot be compared: the quantities contradict each other. Change is then 0.
	Incomparable string `json:"incomparable,omitempty"`
	// Change is the relative change of the cycles against the first version: 0.1 for 10 % more cycles; below 0: faster.
	Change float64  `json:"change"`
	Slower bool     `json:"slower,omitempty"` // slower by more than the limit
	Why    []string `json:"why,omitempty"`    // the causes of the change, the most important first
}

// Bound is a lower bound of the cycles and the name of its limit.
type Bound struct {
	Name   string  `json:"name"`
	Cycles float64 `json:"cycles"`
}

// Single is a loop without a counterpart.
type Single struct {
	Version string  `json:"version"`
	Name    string  `json:"name"`
	Arch    string  `json:"arch"`
	Cycles  float64 `json:"cycles"`
	AtLeast bool    `json:"at_least,omitempty"` // Cycles is a lower bound
}

// Summary summarizes all loops on one machine.
type Summary struct {
	Arch   string `json:"arch"`
	Loops  int    `json:"loops"`                  // compared
	Other  int    `json:"incomparable,omitempty"` // matched, but not comparable
	Least  int    `json:"lower_bounds,omitempty"` // compared by lower bounds, of one version or both
	Slower int    `json:"slower"`                 // loops that became slower by more than a thousandth; predictions have no noise
	Faster int    `json:"faster"`
	// Change is the geometric mean over the loops of the ratio of the last version's cycles to the first version's, minus 1.
	Change float64 `json:"change"`
}

// Of compares the documents of versions; names are the versions' names. limit is the percentage by which a loop may become slower, below 0: no limit.
func Of(names []string, docs []*report.Document, limit float64) *Comparison {
	c := &Comparison{Schema: Schema, Version: report.Version, Versions: names, Loops: []Loop{}}
	if limit >= 0 {
		c.Limit = &limit
	}
	for _, m := range match(docs) {
		c.Loops = append(c.Loops, c.loop(m, docs))
	}
	for v, d := range docs {
		for i := range d.Kernels {
			if k := &d.Kernels[i]; !matched(c.Loops, v, k.Name) && len(k.Targets) > 0 {
				t := &k.Targets[0]
				c.Only = append(c.Only, Single{names[v], k.Name, t.Arch, cycles(k, t), AtLeast(k, t)})
			}
		}
	}
	c.sum()
	return c
}

func matched(loops []Loop, version int, name string) bool {
	for i := range loops {
		if loops[i].Names[version] == name {
			return true
		}
	}
	return false
}

// loop compares the versions of one loop.
func (c *Comparison) loop(m group, docs []*report.Document) Loop {
	first := &docs[0].Kernels[m.index[0]]
	l := Loop{Name: first.Name, Matched: m.by}
	for v, i := range m.index {
		name := ""
		if i >= 0 {
			name = docs[v].Kernels[i].Name
		}
		l.Names = append(l.Names, name)
	}
	for t := range first.Targets {
		r := Result{Arch: first.Targets[t].Arch}
		for v, i := range m.index {
			if i < 0 {
				r.Versions = append(r.Versions, Figure{Missing: true})
				continue
			}
			r.Versions = append(r.Versions, c.figure(first, &docs[v].Kernels[i], t))
		}
		l.Results = append(l.Results, r)
	}
	return l
}

// AtLeast reports whether the cycles of a loop on a machine are a lower bound only.
func AtLeast(k *report.Kernel, t *report.Target) bool {
	return len(t.Prediction.Open) > 0 || t.Prediction.Partial || k.Work.Calls > 0
}

// cycles returns the cycles of a loop on a machine, or their lower bound.
func cycles(k *report.Kernel, t *report.Target) float64 {
	if AtLeast(k, t) {
		return t.Prediction.Least()
	}
	return t.Prediction.Cycles
}

// Alike reports whether a relative change of cycles is too small to be noticed. Predictions have no noise.
func Alike(change float64) bool { return math.Abs(change) <= 0.001 }

// figure returns the figures of version k of a loop on machine number t.
func (c *Comparison) figure(first, k *report.Kernel, t int) Figure {
	a, b := &first.Targets[t], &k.Targets[t]
	f := Figure{Cycles: cycles(k, b), AtLeast: AtLeast(k, b), Bound: b.Prediction.Bound, Limit: limit(b), Engine: b.Prediction.Engine,
		Instructions: len(b.Instructions), Uops: b.Throughput.Slots, Work: k.Work}
	f.Times, f.Incomparable = times(first, k)
	f.Incomparable = cmp.Or(a.Limited(""), b.Limited(""), f.Incomparable)
	f.Bounds, f.Mix = limitsOf(&b.Prediction), mix(&k.Work)
	if f.Cycles > 0 {
		f.IPC = float64(f.Instructions) / f.Cycles
	}
	if f.Incomparable != "" {
		f.Why = []string{f.Incomparable}
		return f
	}
	if before := cycles(first, a); before > 0 {
		f.Change = report.Round(f.Cycles/f.Times/before - 1)
	}
	if k != first {
		f.Slower = c.Limit != nil && f.Change > *c.Limit/100+1e-9
		f.Why = reasons(first, k, a, b, f.Times)
	}
	return f
}

// limit returns the limit of a target in words.
func limit(t *report.Target) string { return cmp.Or(t.Words.Bound, t.Prediction.Bound) }

// Compared reports whether some loop was compared on some machine.
func (c *Comparison) Compared() bool {
	for i := range c.Summary {
		if c.Summary[i].Loops > 0 {
			return true
		}
	}
	return false
}

// sum fills in the summary of each machine.
func (c *Comparison) sum() {
	logs := map[string]float64{}
	for i := range c.Loops {
		for _, r := range c.Loops[i].Results {
			s := c.summary(r.Arch)
			last := &r.Versions[len(r.Versions)-1]
			if last.Missing || !(last.Change > -1) {
				continue
			}
			if last.Incomparable != "" {
				s.Other++
				continue
			}
			s.Loops++
			logs[r.Arch] += math.Log1p(last.Change)
			if last.AtLeast || r.Versions[0].AtLeast {
				s.Least++
			}
			switch {
			case Alike(last.Change):
			case last.Change > 0:
				s.Slower++
			default:
				s.Faster++
			}
			for v := range r.Versions {
				c.Slower = c.Slower || r.Versions[v].Slower
			}
		}
	}
	for i := range c.Summary {
		if s := &c.Summary[i]; s.Loops > 0 {
			s.Change = report.Round(math.Expm1(logs[s.Arch] / float64(s.Loops)))
		}
	}
}

func (c *Comparison) summary(arch string) *Summary {
	for i := range c.Summary {
		if c.Summary[i].Arch == arch {
			return &c.Summary[i]
		}
	}
	c.Summary = append(c.Summary, Summary{Arch: arch})
	return &c.Summary[len(c.Summary)-1]
}

// limitsOf returns the bounds of a prediction with their names.
func limitsOf(p *report.Prediction) []Bound {
	b := &p.Bounds
	return []Bound{{"ports", b.Ports}, {"allocate/rename", b.Dispatch}, {"front end", b.FrontEnd}, {"loop-carried dependency", b.Latency}, {"taken branch", b.Branch}, {"L1 data cache", b.Cache}}
}

// mixNames are the kinds of instructions that Figure.Mix counts.
var mixNames = []string{"loads", "stores", "floating-point", "branches", "others"}

// mix counts instructions by kind, for Figure.Mix.
func mix(w *report.Work) map[string]int {
	return map[string]int{"loads": w.Loads, "stores": w.Stores, "floating-point": w.Floats, "branches": w.Branches, "others": w.Others}
}

// reasons lists the differences between a and b: first the limits that bound either, then instructions, µops and memory.
func reasons(first, k *report.Kernel, a, b *report.Target, times float64) (out []string) {
	const much = 0.02
	if times != 1 {
		out = append(out, workText(times))
	}
	if a.Prediction.Bound != b.Prediction.Bound {
		out = append(out, fmt.Sprintf("bound by %s before, now by %s", limit(a), limit(b)))
	}
	before, after := limitsOf(&a.Prediction), limitsOf(&b.Prediction)
	for i := range before {
		x, y := before[i].Cycles, after[i].Cycles/times
		binding := x >= (1-much)*a.Prediction.Cycles && x > 0 || y >= (1-much)*b.Prediction.Cycles/times && y > 0
		if binding && math.Abs(x-y) > much*math.Max(x, y) {
			out = append(out, fmt.Sprintf("%s: %s → %s cycles", before[i].Name, number(x), number(y)))
		}
	}
	count := func(what string, x, y float64) {
		if y /= times; math.Abs(x-y) > much*math.Max(x, y) {
			out = append(out, fmt.Sprintf("%s: %s → %s", what, number(x), number(y)))
		}
	}
	count("instructions", float64(len(a.Instructions)), float64(len(b.Instructions)))
	count("µops", a.Throughput.Slots, b.Throughput.Slots)
	count("loads", float64(first.Work.Loads), float64(k.Work.Loads))
	count("stores", float64(first.Work.Stores), float64(k.Work.Stores))
	count("bytes loaded", float64(first.Work.LoadedBytes), float64(k.Work.LoadedBytes))
	count("bytes stored", float64(first.Work.StoredBytes), float64(k.Work.StoredBytes))
	if slower := cycles(k, b)/times > (1+much)*cycles(first, a); slower && b.Prediction.Cause != "" && a.Prediction.Bound == b.Prediction.Bound {
		cause, _, _ := strings.Cut(b.Prediction.Cause, ";")
		out = append(out, "now "+cause)
	}
	return out
}

// number formats a figure with at most two decimals.
func number(v float64) string { return fmt.Sprintf("%g", math.Round(v*100)/100) }
