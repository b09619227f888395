package trace

import (
	"cmp"
	"fmt"
	"incore/internal/base/symname"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"incore/internal/analysis/sim"
	"incore/internal/machine"
)

// Result describes a traced run and its predicted cycles on a core.
type Result struct {
	Program      []string `json:"program"`
	Method       string   `json:"method"`
	Scope        string   `json:"scope,omitempty"`
	Signal       string   `json:"signal,omitempty"`  // the signal that ended the program
	Partial      string   `json:"partial,omitempty"` // the reason for an incomplete trace; "": it is complete
	Machine      string   `json:"machine"`
	Instructions int64    `json:"instructions"` // executed
	Cycles       float64  `json:"cycles"`       // predicted
	// Error is half the width of the 95 % confidence interval for the cycles of a full simulation, by the sampled segments; −1 if some sample is too small.
	Error         float64            `json:"cycles_error"`
	Simulated     int64              `json:"instructions_simulated"`
	Repeated      int64              `json:"instructions_repeated"`  // instructions in segments that are equal to simulated ones
	Estimated     int64              `json:"instructions_estimated"` // instructions in segments that are not simulated but estimated from a sample of similar ones
	Segments      int                `json:"segments_simulated"`
	Causes        map[string]float64 `json:"cycles_by_cause"`
	Full          map[string]float64 `json:"cycles_by_full_buffer"`
	Loops         []Loop             `json:"loops"`
	Branches      uint64             `json:"branches"` // conditional and indirect branches, and returns
	Mispredicted  uint64             `json:"branches_mispredicted"`
	Penalty       int                `json:"mispredict_penalty"`
	PenaltySource string             `json:"mispredict_penalty_source"`
	Loads         uint64             `json:"loads"`
	Forwarded     uint64             `json:"loads_of_recent_stores"`
	Caches        string             `json:"caches,omitempty"`
	Served        map[string]uint64  `json:"accesses_by_level,omitempty"`
	Unknown       int64              `json:"instructions_of_unknown_cost"`
	Open          []string           `json:"open,omitempty"` // instructions whose time does not depend on the core alone
	Sensitivity   *Sensitivity       `json:"sensitivity,omitempty"`
	Seconds       float64            `json:"seconds"` // time of the tracing
}

// Loop is a loop, or the code of a function outside its loops.
type Loop struct {
	Function     string             `json:"function"`
	Name         string             `json:"loop,omitempty"`
	Module       string             `json:"module"`
	Address      uint64             `json:"address"` // in the module's file
	Source       string             `json:"source,omitempty"`
	Depth        int                `json:"depth,omitempty"`
	Instructions int64              `json:"instructions"`
	Turns        uint64             `json:"iterations"` // iterations of a loop, calls of a function
	Cycles       float64            `json:"cycles"`
	Causes       map[string]float64 `json:"cycles_by_cause"`
}

// weigh returns the number of segments of the run that each simulated segment represents: the segments equal to it, and its share of the segments of its stratum that
// were not drawn. variance is the variance of the sum of cycles, −1 if some sample is too small.
func (r *Recorder) weigh(done []simulation) (weights []float64, variance float64) {
	type sum struct{ insts, cycles, n float64 }
	sums := map[uint64]*sum{}
	for i := range done {
		x := &done[i]
		s := sums[x.stratum]
		if s == nil {
			s = &sum{}
			sums[x.stratum] = s
		}
		s.insts += float64(x.Insts) / x.chance
		s.cycles += x.account.Cycles / x.chance
		s.n++
	}
	weights = make([]float64, len(done))
	residual := map[uint64]float64{}
	for i := range done {
		x := &done[i]
		s := sums[x.stratum]
		weights[i] = float64(x.Times-1) + float64(r.strata[x.stratum].Insts)/s.insts/x.chance
		e := x.account.Cycles - s.cycles/s.insts*float64(x.Insts)
		residual[x.stratum] += e * e
	}
	for _, k := range slices.Sorted(maps.Keys(sums)) { // sums depend on the order
		s := sums[k]
		drawn := float64(r.strata[k].drawn)
		switch {
		case s.n >= drawn:
		case s.n < 2:
			return weights, -1
		default:
			variance += drawn * drawn * (1 - s.n/drawn) * residual[k] / (s.n - 1) / s.n
		}
	}
	return weights, variance
}

// result makes the result of a run.
func (t *tracer) result(core *Core, done []simulation) *Result {
	m := core.Model
	r := &Result{Program: t.o.Args, Scope: t.o.scope(), Machine: m.Name, Instructions: t.rec.Insts(), Branches: t.rec.Branches, Mispredicted: t.rec.Missed,
		Penalty: core.Penalty, Loads: t.rec.Loads, Forwarded: t.rec.Deps, Segments: len(done), Causes: map[string]float64{}, Full: map[string]float64{}}
	_, r.PenaltySource = sim.Penalty(m)
	weights, variance := t.rec.weigh(done)
	groups := make([][sim.NumCauses]float64, len(t.places.list))
	for i := range done {
		x := &done[i]
		w := weights[i]
		r.Cycles += w * x.account.Cycles
		r.Simulated += x.Insts
		r.Repeated += x.Insts * (x.Times - 1)
		for g := range x.account.Groups {
			for c, n := range x.account.Groups[g] {
				groups[g][c] += w * float64(n)
			}
		}
		for c, n := range x.account.Full {
			if n > 0 {
				r.Full[sim.Reason(c).String()] += w * float64(n)
			}
		}
	}
	r.Estimated = max(0, r.Instructions-r.Simulated-r.Repeated)
	if r.Error = 1.96 * math.Sqrt(max(0, variance)); variance < 0 {
		r.Error = -1
	}
	t.loops(r, groups)
	t.unknown(r, m)
	t.caches(r)
	if r.Instructions == 0 {
		t.partial = append(t.partial, "nothing of what was asked for was executed"+t.copies())
	}
	r.Partial, r.Signal = strings.Join(t.partial, "; "), t.signal
	r.Seconds = time.Since(t.started).Seconds()
	return r
}

// copies names the copies of the function that was to be traced.
func (t *tracer) copies() string {
	if t.file == nil || t.o.Function == "" {
		return ""
	}
	return t.file.Copies(t.o.Function)
}

// loops adds the cycles of each loop and function to the result.
func (t *tracer) loops(r *Result, groups [][sim.NumCauses]float64) {
	t.places.count(t.rec.Blocks)
	for g, p := range t.places.list {
		l := Loop{Function: "?", Module: p.module, Address: p.addr, Instructions: int64(p.insts), Turns: p.turns, Causes: map[string]float64{}}
		if p.fn != nil {
			l.Function = symname.Demangle(p.fn.Name)
		}
		if p.loop != nil {
			l.Name, l.Depth = p.loop.Name(), p.loop.Depth
		}
		for c, n := range groups[g] {
			if n > 0 {
				l.Cycles += n
				l.Causes[sim.Cause(c).String()] += n
				r.Causes[sim.Cause(c).String()] += n
			}
		}
		if l.Cycles == 0 && l.Instructions == 0 {
			continue
		}
		if p.file != nil && p.fn != nil {
			if file, line := p.file.SourceLine(p.addr); line > 0 {
				l.Source = fmt.Sprintf("%s:%d", filepath.Base(file), line)
			}
		}
		r.Loops = append(r.Loops, l)
	}
	slices.SortStableFunc(r.Loops, func(a, b Loop) int { return cmp.Compare(b.Cycles, a.Cycles) })
}

// unknown counts the executed instructions whose cost is not known or does not depend on the core alone.
func (t *tracer) unknown(r *Result, m *machine.Model) {
	open := map[string]uint64{} // executions by instruction and reason
	for _, b := range t.rec.Blocks {
		if b.visited == 0 {
			continue
		}
		bound := b.bind(m, t.file.ISA)
		for i := range bound.Insts {
			in := &bound.Insts[i]
			if in.Flags&machine.Unknown != 0 {
				r.Unknown += int64(b.visited)
			}
			if why := in.Unbounded(); why != "" && t.file.ISA.Flow(&in.Line.Inst).Kind == 0 {
				text := t.file.ISA.Print(nil, &in.Line.Inst, "")
				open[mnemonic(string(text))+": "+why] += b.visited
			}
		}
	}
	for _, what := range slices.SortedFunc(maps.Keys(open), func(a, b string) int { return cmp.Or(cmp.Compare(open[b], open[a]), cmp.Compare(a, b)) }) {
		name, why, _ := strings.Cut(what, ": ")
		r.Open = append(r.Open, fmt.Sprintf("%s, %s: %s", name, times(open[what]), why))
	}
}

// mnemonic returns an instruction's name with its prefixes: "rep movsb", "lock cmpxchg".
func mnemonic(text string) string {
	words := strings.Fields(text)
	for i, w := range words {
		switch w {
		case "rep", "repe", "repz", "repne", "repnz", "lock", "notrack", "data16", "bnd":
		default:
			return strings.Join(words[:i+1], " ")
		}
	}
	return text
}

// times says how often something happened.
func times(n uint64) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func (t *tracer) caches(r *Result) {
	if t.rec.Caches == nil {
		return
	}
	r.Served = map[string]uint64{}
	var names []string
	for i, l := range t.rec.Caches.Levels {
		s := fmt.Sprintf("%s %d KiB, %d ways", l.Name, l.Size>>10, l.Ways)
		if i > 0 && i-1 < len(t.o.CacheLatency) {
			s += fmt.Sprintf(", %d cycles later", t.o.CacheLatency[i-1])
		}
		names = append(names, s)
		r.Served[l.Name] = t.rec.Served[i]
	}
	n := len(t.rec.Caches.Levels)
	if n-1 < len(t.o.CacheLatency) {
		names = append(names, fmt.Sprintf("memory %d cycles later", t.o.CacheLatency[n-1]))
	}
	r.Served["memory"] = t.rec.Served[n]
	r.Caches = fmt.Sprintf("%s; of %s; the least recently used replaced, no prefetch", strings.Join(names, "; "), t.o.CachesFrom)
}
