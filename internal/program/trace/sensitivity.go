package trace

import (
	"cmp"
	"slices"
	"sync"

	"incore/internal/analysis/sim"
)

// Sensitivity holds the predicted cycles of the region without each limit.
type Sensitivity struct {
	Share float64  `json:"share"` // share of the cycles in the segments that were simulated again
	Lines []Freed  `json:"lines"`
	Bound *Verdict `json:"memory_latency,omitempty"`
}

// Freed is the cost of one limit.
type Freed struct {
	What   string  `json:"what"`
	Cycles float64 `json:"cycles"` // cycles of the whole region without the limit
	Faster float64 `json:"faster"` // relative speedup without the limit: cycles with it / cycles without it − 1
}

// Verdict is the test for code that is bound by the latency of dependences through memory: it is, if it is faster by latencyBound without them (CesASMe, section 4.4).
type Verdict struct {
	Faster float64 `json:"faster"`
	Bound  bool    `json:"latency_bound"`
}

// latencyBound is the least relative speedup without dependences through memory for which a region counts as bound by their latency.
const latencyBound = 0.4

// freed lists the limits that are removed one after another.
var freed = []struct {
	what string
	free sim.Free
}{
	{"ports: every µop finds one", sim.Free{Ports: true}},
	{"dispatch and retirement of any width", sim.Free{Width: true}},
	{"front end: slots are always there", sim.Free{FrontEnd: true}},
	{"buffers and schedulers four times as large", sim.Free{Buffers: true}},
	{"branches: all are foreseen", sim.Free{Branches: true}},
	{"no dependences through memory", sim.Free{Memory: true}},
	{"all loads from the first-level cache", sim.Free{Loads: true}},
	{"loads take one cycle", sim.Free{LoadsAtOne: true}},
}

// The extent of the repeated simulations.
const (
	mostAgain   = 200  // greatest number of segments
	enoughAgain = 0.98 // share of the cycles that is enough
)

// sensitivity simulates the segments with the most cycles again, without one limit after another.
func (t *tracer) sensitivity(core *Core, done []simulation) (*Sensitivity, error) {
	weights, _ := t.rec.weigh(done)
	order := make([]int, len(done))
	all := 0.0
	for i := range order {
		order[i] = i
		all += weights[i] * done[i].account.Cycles
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(weights[b]*done[b].account.Cycles, weights[a]*done[a].account.Cycles)
	})
	base := 0.0
	for k, i := range order {
		if k == mostAgain || base >= enoughAgain*all {
			order = order[:k]
			break
		}
		base += weights[i] * done[i].account.Cycles
	}
	out := &Sensitivity{Share: base / all, Lines: make([]Freed, len(freed))}
	errs := make([]error, len(freed))
	var wg sync.WaitGroup
	limit := make(chan bool, 2)
	for k := range freed {
		if freed[k].free.Branches && t.rec.Missed == 0 || freed[k].free.Loads && t.rec.Caches == nil {
			continue
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			limit <- true
			defer func() { <-limit }()
			c := *core
			c.Free = freed[k].free
			s, err := NewSimulator(&c, t.file.ISA)
			cycles := 0.0
			for _, i := range order {
				if err != nil {
					break
				}
				var a *sim.Account
				if a, err = s.Run(done[i].Segment, t.rec.Blocks, len(t.places.list)); err == nil {
					cycles += weights[i] * a.Cycles
				}
			}
			errs[k] = err
			out.Lines[k] = Freed{freed[k].what, cycles / base * all, base/max(1, cycles) - 1}
		}()
	}
	wg.Wait()
	for k := range freed {
		if errs[k] != nil {
			return nil, errs[k]
		}
		if freed[k].free.Memory {
			out.Bound = &Verdict{out.Lines[k].Faster, out.Lines[k].Faster >= latencyBound}
		}
	}
	out.Lines = slices.DeleteFunc(out.Lines, func(f Freed) bool { return f.What == "" })
	return out, nil
}
