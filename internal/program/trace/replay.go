package trace

import (
	"incore/internal/analysis/sim"
	"incore/internal/isa"
)

// Replay simulates, on one thread, a run that the caller has recorded. feed passes its blocks to the recorder. sample is Recorder.Sample.
func Replay(c *Core, a *isa.ISA, sample int, feed func(r *Recorder) error) (*Account, error) {
	s, err := NewSimulator(c, a)
	if err != nil {
		return nil, err
	}
	r := NewRecorder()
	r.Sample, r.Leave = sample, c.leave()
	var done []simulation
	r.Sink = func(x *Segment) {
		if err != nil {
			return
		}
		var account *sim.Account
		if account, err = s.Run(x, r.Blocks, 1); err == nil {
			done = append(done, simulation{x, account})
		}
	}
	if fed := feed(r); fed != nil {
		return nil, fed
	}
	r.End()
	if err != nil {
		return nil, err
	}
	out := &Account{Instructions: r.Insts(), Missed: r.Missed, Causes: map[string]float64{}}
	weights, _ := r.weigh(done)
	for i := range done {
		out.Cycles += weights[i] * done[i].account.Cycles
		out.Simulated += done[i].Insts
		for _, g := range done[i].account.Groups {
			for k, n := range g {
				if n > 0 {
					out.Causes[sim.Cause(k).String()] += weights[i] * float64(n)
				}
			}
		}
	}
	return out, nil
}

// Account is the predicted cost of a replayed run.
type Account struct {
	Cycles                  float64
	Instructions, Simulated int64
	Missed                  uint64 // mispredicted branches
	Causes                  map[string]float64
}
