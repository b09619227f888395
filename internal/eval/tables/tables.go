// Package tables summarises the predictions for a directory of benchmarks: the tables of CesASMe (Bastian et al., 2024) and more, as text, CSV, JSON
// and an HTML page.
package tables

import (
	"cmp"
	"maps"
	"slices"

	"incore/internal/base/regex"
	"incore/internal/base/stats"
	"incore/internal/eval"
	"incore/internal/eval/suite"
	"incore/internal/program/dyndeps"
)

// Report holds all figures of a directory.
type Report struct {
	Machine    string         `json:"machine"`
	Model      string         `json:"model,omitempty"` // the model of incore's own predictions
	Part       string         `json:"half"`            // both, open, held-out
	Target     string         `json:"target"`
	Benchmarks int            `json:"benchmarks"` // number of measured benchmarks
	Made       int            `json:"made"`
	Counted    int            `json:"counted,omitempty"` // that are predicted, but not measured, as they are for another machine
	Kernels    int            `json:"kernels"`
	Dropped    map[string]int `json:"dropped"` // reason → variants or benchmarks
	Predictors []Predictor    `json:"predictors"`
	Halves     []Half         `json:"halves"`
	Groups     []Group        `json:"groups"`
	Memory     []Memory       `json:"memory"`             // the effect of memory dependences (table 4)
	Coverage   []Coverage     `json:"coverage,omitempty"` // share of the dynamic dependences that static analysis finds (table 3)
	Latency    int            `json:"latency_bound"`      // benchmarks bound by memory dependences: with those of the run the prediction is at least 1.4 times as long as without
	Joint      Joint          `json:"jointly_bad"`        // the worst benchmarks that several predictors share
	Repeated   Repeated       `json:"repeated"`           // repeatability of measurements
	Best       *Predictor     `json:"best_block_based,omitempty"`
	rows       []row
	counted    []row
}

// Predictor summarises the errors of one predictor. Errors are fractions: |predicted − measured| / measured.
type Predictor struct {
	Name       string  `json:"name"`
	Lifting    string  `json:"lifting"`        // "block" (equation 1 of CesASMe), "path", "whole"
	Core       string  `json:"core,omitempty"` // the tool's name of the core for which it predicts, if it is asked by name
	Datapoints int     `json:"datapoints"`
	Failures   int     `json:"failures"`
	Failure    string  `json:"failure,omitempty"` // the commonest reason of the failures
	MAPE       float64 `json:"mape"`
	Median     float64 `json:"median"`
	Q1         float64 `json:"q1"`
	Q3         float64 `json:"q3"`
	Tau        float64 `json:"tau"`
	Bias       float64 `json:"bias"` // mean of (predicted − measured) / measured
	CPUSeconds float64 `json:"cpu_seconds"`
	Sampled    bool    `json:"sampled,omitempty"`   // the predictor ran on some benchmarks only
	Predicted  int     `json:"predicted,omitempty"` // predictions for benchmarks without a measurement
}

// Half is one of the two sets of kernels: open, or held out, that is, not inspected while models are made.
type Half struct {
	Name       string      `json:"name"`
	Benchmarks int         `json:"benchmarks"`
	Predictors []Predictor `json:"predictors"`
}

// Group holds the errors by a property of the benchmarks.
type Group struct {
	By     string             `json:"by"`
	Value  string             `json:"value"`
	Number int                `json:"benchmarks"`
	Bound  int                `json:"latency_bound"` // of these, those that dependences through memory bound
	MAPE   map[string]float64 `json:"mape"`          // predictor → error
}

// Memory compares a predictor with and without memory dependences, on all benchmarks and on those that these dependences do not
// bound.
type Memory struct {
	Dataset   string    `json:"dataset"` // "full", "pruned"
	With      Predictor `json:"with"`
	Without   Predictor `json:"without"`
	Threshold float64   `json:"threshold,omitempty"` // a benchmark is pruned if its time with the dependences of its run ÷ its time without reaches this
	// Predictors are the errors of all predictors on this dataset.
	Predictors []Predictor `json:"predictors"`
}

// Coverage is the share of the memory dependences within blocks at run time that static analysis finds.
type Coverage struct {
	Lifetime   uint64  `json:"lifetime"` // instructions between store and load, at most; 0: any number
	Benchmarks int     `json:"benchmarks"`
	Pairs      uint64  `json:"pairs"` // of a store and a load, that occurred
	Unweighted float64 `json:"unweighted"`
	Weighted   float64 `json:"weighted"` // each weighted by its number of occurrences
	// Own is the same share for dependences within the innermost loop around the load, without those that outer loops
	// carry.
	Own OwnCoverage `json:"own"`
}

// OwnCoverage is a part of Coverage.
type OwnCoverage struct {
	Pairs      uint64  `json:"pairs"`
	Unweighted float64 `json:"unweighted"`
	Weighted   float64 `json:"weighted"`
}

// Joint counts the benchmarks among the worst 30 % of each block-based predictor (section 4.3).
type Joint struct {
	Predictors []string `json:"predictors"`
	Benchmarks int      `json:"benchmarks"`
	Low        int      `json:"low"`     // of these, those that all of the predictors say too few cycles of
	Latency    int      `json:"latency"` // of these, those that dependences through memory bound
}

// Repeated reports how well repeated passes, minutes apart, agree on a benchmark.
type Repeated struct {
	Benchmarks  int     `json:"benchmarks"`   // measured at least twice
	Within      float64 `json:"within"`       // share of these whose two fastest passes are within 2 % of each other
	FirstWithin float64 `json:"first_within"` // share of these whose first two passes agree
	Median      float64 `json:"median"`       // distance of the two fastest passes, as a fraction
	Q95         float64 `json:"q95"`
}

// repeat compares passes.
func (r *Report) repeat(d *suite.Dir, rows []row) {
	var apart []float64
	first := 0
	for i := range rows {
		list := d.Passes[rows[i].ID]
		if len(list) < 2 || rows[i].measured.Cycles == 0 {
			continue
		}
		apart = append(apart, rows[i].measured.Uncertainty)
		if a, b := list[0].Cycles, list[1].Cycles; max(a, b)-min(a, b) <= suite.Agree*min(a, b) {
			first++
		}
		if rows[i].measured.Settled() {
			r.Repeated.Within++
		}
	}
	if n := len(apart); n > 0 {
		r.Repeated.Benchmarks = n
		r.Repeated.Within /= float64(n)
		r.Repeated.FirstWithin = float64(first) / float64(n)
		r.Repeated.Median, r.Repeated.Q95 = stats.Quantile(apart, 0.5), stats.Quantile(apart, 0.95)
	}
}

// cover computes table 3.
func (r *Report) cover(d *suite.Dir) {
	sums, owns, number := map[uint64]*dyndeps.Tally{}, map[uint64]*dyndeps.Tally{}, map[uint64]int{}
	add := func(t, x *dyndeps.Tally) {
		t.Found, t.Missed = t.Found+x.Found, t.Missed+x.Missed
		t.FoundCount, t.MissedCount = t.FoundCount+x.FoundCount, t.MissedCount+x.MissedCount
	}
	for _, c := range d.Coverage {
		for _, row := range c.Rows {
			t := sums[row.Lifetime]
			if t == nil {
				t = &dyndeps.Tally{}
				sums[row.Lifetime], owns[row.Lifetime] = t, &dyndeps.Tally{}
			}
			if add(t, &row.Tally); row.Own != nil {
				add(owns[row.Lifetime], row.Own)
			}
			number[row.Lifetime]++
		}
	}
	order := slices.SortedFunc(maps.Keys(sums), func(a, b uint64) int { return cmp.Compare(b-1, a-1) }) // 0, no limit, first
	for _, l := range order {
		u, _ := sums[l].Unweighted()
		w, _ := sums[l].Weighted()
		own := OwnCoverage{Pairs: owns[l].Found + owns[l].Missed}
		own.Unweighted, _ = owns[l].Unweighted()
		own.Weighted, _ = owns[l].Weighted()
		r.Coverage = append(r.Coverage, Coverage{l, number[l], sums[l].Found + sums[l].Missed, u, w, own})
	}
}

// row is a benchmark with all its data.
type row struct {
	*suite.Benchmark
	measured    *suite.Measured
	predictions map[string]*suite.Prediction
}

func (r *row) err(predictor string) (float64, bool) {
	p := r.predictions[predictor]
	if p == nil || p.Failure != "" || r.measured.Cycles == 0 {
		return 0, false
	}
	return eval.RelError(p.Cycles, r.measured.Cycles), true
}

// The parts of the kernels that a report may cover.
const (
	Both    = "both"
	Open    = "open"
	HeldOut = "held-out"
)

// Make summarises a directory, or one half of its kernels.
func Make(d *suite.Dir, part string) *Report {
	r := &Report{Model: d.Model, Part: part, Target: d.Suite.Target, Made: len(d.Benchmarks), Dropped: map[string]int{}}
	if len(d.Machines) > 0 {
		r.Machine = d.Machines[0]
	}
	out := map[string]bool{}
	seen := map[string]bool{}
	for _, x := range d.Dropped {
		if x.ID != "" && (d.Measured[x.ID] != nil || seen[x.ID]) { // a later run measured it, or dropped it again
			continue
		}
		seen[x.ID] = true
		r.Dropped[x.Reason]++
		if x.ID != "" {
			out[x.ID] = true
		}
	}
	kernels := map[string]bool{}
	var seenTwice []row // includes those whose passes do not agree
	for _, b := range d.Benchmarks {
		m := d.Measured[b.ID]
		if part != Both && b.HeldOut != (part == HeldOut) {
			continue
		}
		if m != nil {
			seenTwice = append(seenTwice, row{b, m, nil})
		}
		if m == nil || out[b.ID] {
			continue
		}
		if m.Cycles > 0 && !m.Settled() {
			r.Dropped["measured once, or not twice alike"]++
			continue
		}
		kernels[b.Kernel] = true
		if m.Cycles == 0 {
			r.counted = append(r.counted, row{b, m, d.Predictions[b.ID]})
			continue
		}
		r.rows = append(r.rows, row{b, m, d.Predictions[b.ID]})
	}
	slices.SortFunc(r.rows, func(a, b row) int { return cmp.Or(cmp.Compare(a.Kernel, b.Kernel), cmp.Compare(a.ID, b.ID)) })
	r.Benchmarks, r.Kernels, r.Counted = len(r.rows), len(kernels), len(r.counted)
	r.Predictors = sum(r.rows)
	if r.Benchmarks == 0 {
		r.Predictors = unmeasured(r.counted)
	}
	for _, held := range []bool{false, true} {
		list := slices.DeleteFunc(slices.Clone(r.rows), func(x row) bool { return x.HeldOut != held })
		r.Halves = append(r.Halves, Half{map[bool]string{false: "open", true: "held out"}[held], len(list), sum(list)})
	}
	r.group()
	r.memory()
	r.cover(d)
	r.joint()
	r.repeat(d, seenTwice)
	return r
}

// predictors lists the predictors in the order of reports: those that are built in, then commands (--command), whose predictions the rows have.
func predictors(rows []row) []suite.Predictor {
	all := suite.Predictors()
	commands := map[string]bool{}
	for i := range rows {
		for name := range rows[i].predictions {
			if !slices.ContainsFunc(all, func(p suite.Predictor) bool { return p.Name == name }) {
				commands[name] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(commands)) {
		all = append(all, suite.Predictor{Name: name, Lifting: "block"})
	}
	return all
}

// sum summarises all predictors on some benchmarks.
func sum(rows []row) (out []Predictor) {
	for _, p := range predictors(rows) {
		if s, ok := one(rows, p.Name); ok {
			s.Lifting = p.Lifting
			out = append(out, s)
		}
	}
	return out
}

// unmeasured counts the predictions for benchmarks without measured cycles.
func unmeasured(rows []row) (out []Predictor) {
	for _, p := range predictors(rows) {
		s := Predictor{Name: p.Name, Lifting: p.Lifting}
		for i := range rows {
			switch q := rows[i].predictions[p.Name]; {
			case q == nil:
			case q.Failure != "":
				s.Failures++
				s.CPUSeconds += q.Seconds
			default:
				s.Predicted++
				s.CPUSeconds += q.Seconds
			}
		}
		if s.Predicted+s.Failures > 0 {
			out = append(out, s)
		}
	}
	return out
}

// anyAddress matches what differs between failures for the same reason.
var anyAddress = regex.Lazy(`0x[0-9a-f]+`)

// one summarises a predictor; ok is false if it has no predictions.
func one(rows []row, name string) (s Predictor, ok bool) {
	s.Name = name
	var predicted, measured []float64
	reasons := map[string]int{}
	for i := range rows {
		p := rows[i].predictions[name]
		if p == nil {
			continue
		}
		s.CPUSeconds += p.Seconds
		s.Core = cmp.Or(s.Core, p.Core)
		if p.Failure != "" {
			s.Failures++
			if r := anyAddress().ReplaceAllString(p.Failure, "…"); r != "" {
				reasons[r]++
			}
			continue
		}
		predicted, measured = append(predicted, p.Cycles), append(measured, rows[i].measured.Cycles)
	}
	for r, n := range reasons {
		if s.Failure == "" || n > reasons[s.Failure] || n == reasons[s.Failure] && r < s.Failure {
			s.Failure = r
		}
	}
	s.Sampled = len(predicted)+s.Failures < len(rows)
	s.fill(predicted, measured)
	return s, s.Datapoints+s.Failures > 0
}

func (s *Predictor) fill(predicted, measured []float64) {
	s.Datapoints = len(predicted)
	if s.Datapoints == 0 {
		return
	}
	x := eval.Summarise(predicted, measured)
	s.MAPE, s.Median, s.Q1, s.Q3, s.Bias = x.Mean, x.Median, x.Lower, x.Upper, x.Biased
	if s.Datapoints > 1 && x.Tau == x.Tau {
		s.Tau = x.Tau
	}
}

// properties are the properties by which errors are grouped.
var properties = []struct {
	by string
	of func(r *row) string
}{
	{"kernel", func(r *row) string { return r.Kernel }},
	{"compiler", func(r *row) string { return r.Compiler }},
	{"level", func(r *row) string { return r.Level }},
	{"vectors", func(r *row) string { return r.Vectors }},
	{"transformation", func(r *row) string { return r.Transformation }},
	{"type", func(r *row) string { return r.Type }},
	{"arrays", arrays},
	{"bound", bound},
	{"room of the core", room},
}

// arrays returns how a kernel accesses its arrays.
func arrays(r *row) string {
	if r.Arrays == "" && r.Program == nil {
		return "known to be distinct"
	}
	return r.Arrays
}

// room returns whether a sibling thread of the core limited short loops during a benchmark's measurement.
func room(r *row) string {
	switch m := r.measured; {
	case m.Room == 0:
		return "not known"
	case m.Room <= suite.Roomy:
		return "enough"
	case m.Room <= 1.25:
		return "too little"
	}
	return "far too little"
}

// bound returns the simulator's main limit of a benchmark's time.
func bound(r *row) (what string) {
	p := r.predictions["sim-path"]
	if p == nil {
		p = r.predictions["sim"]
	}
	if p == nil {
		return ""
	}
	most := 0.0
	for _, k := range slices.Sorted(maps.Keys(p.Limits)) {
		if v := p.Limits[k]; v > most {
			what, most = k, v
		}
	}
	return what
}

func (r *Report) group() {
	for _, p := range properties {
		in := map[string][]row{}
		for i := range r.rows {
			if v := p.of(&r.rows[i]); v != "" {
				in[v] = append(in[v], r.rows[i])
			}
		}
		for _, v := range slices.Sorted(maps.Keys(in)) {
			g := Group{By: p.by, Value: v, Number: len(in[v]), MAPE: map[string]float64{}}
			for i := range in[v] {
				if bound, _ := in[v][i].latencyBound(); bound {
					g.Bound++
				}
			}
			for _, s := range sum(in[v]) {
				if s.Datapoints > 0 {
					g.MAPE[s.Name] = s.MAPE
				}
			}
			r.Groups = append(r.Groups, g)
		}
	}
}

// memoryBound is the least ratio of a benchmark's time with memory dependences to its time without, at which these count as its bound (section 4.3
// excludes benchmarks for which Gus finds at least 40 % less time without).
const memoryBound = 1.4

// Predictors of the same paths with different memory dependences: those found in the code, none, and those of the run. Gus uses the last, and section 4.3 decides by it
// which benchmarks are bound.
const withPaths, withoutPaths, recordedPaths = "sim-path", "sim-no-memdep-path", "sim-recorded"

// latencyBound reports whether memory dependences bound a benchmark according to the predictors; known is false if these have no
// prediction.
func (r *row) latencyBound() (bound, known bool) {
	a, b := r.predictions[recordedPaths], r.predictions[withoutPaths]
	if a == nil || b == nil || a.Failure != "" || b.Failure != "" {
		return false, false
	}
	return a.Cycles > memoryBound*b.Cycles, true
}

// memory computes table 4.
func (r *Report) memory() {
	var both, pruned []row
	for _, x := range r.rows {
		bound, known := x.latencyBound()
		if _, ok := x.err(withPaths); !ok || !known {
			continue
		}
		if both = append(both, x); bound {
			r.Latency++
		} else {
			pruned = append(pruned, x)
		}
	}
	if len(both) == 0 {
		return
	}
	for _, s := range []struct {
		name      string
		rows      []row
		threshold float64
	}{{"full", both, 0}, {"pruned", pruned, memoryBound}} {
		a, _ := one(s.rows, withPaths)
		b, _ := one(s.rows, withoutPaths)
		r.Memory = append(r.Memory, Memory{s.name, a, b, s.threshold, sum(s.rows)})
	}
}

// worst is the share of a predictor's benchmarks that count as bad (section 4.3).
const worst = 0.3

// blockBased returns the predictors that predict blocks and have predictions for all benchmarks.
func (r *Report) blockBased() (names []string) {
	for _, p := range r.Predictors {
		if p.Lifting == "block" && !p.Sampled && p.Datapoints > 0 && p.Name != "measured-blocks" {
			names = append(names, p.Name)
		}
	}
	return names
}

// worstOf returns the benchmarks with a predictor's largest errors.
func (r *Report) worstOf(predictor string) (out []string) {
	type e struct {
		id  string
		err float64
	}
	var list []e
	for i := range r.rows {
		if v, ok := r.rows[i].err(predictor); ok {
			list = append(list, e{r.rows[i].ID, v})
		}
	}
	slices.SortFunc(list, func(a, b e) int { return cmp.Or(cmp.Compare(b.err, a.err), cmp.Compare(a.id, b.id)) })
	for _, x := range list[:int(worst*float64(len(list)))] {
		out = append(out, x.id)
	}
	return out
}

// joint counts the benchmarks that are bad for all block-based predictors, and finds the best predictor for each (table
// 1).
func (r *Report) joint() {
	names := r.blockBased()
	r.Joint.Predictors = names
	bad := map[string]int{}
	for _, n := range names {
		for _, id := range r.worstOf(n) {
			bad[id]++
		}
	}
	var predicted, measured []float64
	for i := range r.rows {
		x := &r.rows[i]
		best, least, low := 0.0, -1.0, true
		for _, n := range names {
			v, ok := x.err(n)
			if !ok {
				continue
			}
			low = low && x.predictions[n].Cycles < x.measured.Cycles
			if least < 0 || v < least {
				best, least = x.predictions[n].Cycles, v
			}
		}
		if least >= 0 {
			predicted, measured = append(predicted, best), append(measured, x.measured.Cycles)
		}
		if len(names) < 2 || bad[x.ID] < len(names) {
			continue
		}
		r.Joint.Benchmarks++
		if low {
			r.Joint.Low++
		}
		if bound, _ := x.latencyBound(); bound {
			r.Joint.Latency++
		}
	}
	if len(predicted) > 0 {
		r.Best = &Predictor{Name: "best block-based", Lifting: "block"}
		r.Best.fill(predicted, measured)
	}
}
