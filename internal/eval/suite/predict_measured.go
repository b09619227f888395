package suite

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"incore/internal/bench/block"
	"incore/internal/bench/host"
	"incore/internal/isa"
)

// measuredBlocks is BHive's method (Chen et al., IISWC 2019) with incore's profiler: each block is run alone, without its branch.
func measuredBlocks() []Predictor {
	return []Predictor{{Name: "measured-blocks", Lifting: "block", About: "each block measured alone", Alone: true, Open: func(_ context.Context, e *Env) (Predict, error) {
		if _, err := block.Native(); err != nil {
			return nil, err
		}
		m := &blockTimer{seen: map[string]answer{}}
		if e.CPU >= 0 {
			m.cpus = []int{e.CPU}
		}
		return m.predict, nil
	}}}
}

type answer struct {
	cycles float64
	why    string
}

// blockTimer measures blocks, equal ones once.
type blockTimer struct {
	mu   sync.Mutex
	cpus []int
	seen map[string]answer
}

func (m *blockTimer) predict(ctx context.Context, s *Subject) (*Prediction, error) {
	out := &Prediction{Blocks: map[string]float64{}}
	for _, x := range s.Blocks() {
		a, err := m.measure(ctx, s, &x)
		if err != nil {
			return nil, err
		}
		if a.why != "" {
			return nil, &FailError{fmt.Sprintf("block at %#x: %s", x.Addr, a.why)}
		}
		out.Cycles += a.cycles * float64(x.Count)
		out.Blocks[fmt.Sprintf("%x", x.Addr)] = a.cycles
	}
	return out, nil
}

// measure measures a block without the branch or return that ends it.
func (m *blockTimer) measure(ctx context.Context, s *Subject, x *Piece) (answer, error) {
	lines, a := x.Kernel.Lines, s.run.file.ISA
	for len(lines) > 0 && a.Flow(&lines[len(lines)-1].Inst).Kind != isa.FlowNext {
		lines = lines[:len(lines)-1]
	}
	if len(lines) == 0 { // a branch alone
		return answer{cycles: 1}, nil
	}
	end := lines[len(lines)-1].Addr + uint64(lines[len(lines)-1].Inst.Size)
	code := s.run.file.Bytes(x.Addr, int(end-x.Addr))
	m.mu.Lock()
	defer m.mu.Unlock()
	if got, ok := m.seen[string(code)]; ok {
		return got, nil
	}
	got := answer{}
	f, err := block.Measure(ctx, code, len(lines), block.Setup{CPUs: m.cpus})
	var why *host.Reason
	switch {
	case errors.As(err, &why):
		got.why = why.Error()
	case ctx.Err() != nil:
		return got, ctx.Err()
	case err != nil:
		got.why = err.Error()
	default:
		got.cycles = f.Cycles
	}
	m.seen[string(code)] = got
	return got, nil
}
