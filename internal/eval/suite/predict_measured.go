package suite

import (
	"context"
	"fmt"
	"sync"

	"incore/internal/bench/block"
	"incore/internal/bench/host"
	"incore/internal/isa"
)

// measuredBlocks is BHive's method (Chen et al., IISWC 2019) with incore's profiler: each block is run alone, without its branch.
func measuredBlocks() []Predictor {
	return []Predictor{{Name: "measured-blocks", Lifting: "block", About: "each block measured alone", Alone: true, Native: true, Open: func(_ context.Context, e *Env) (Predict, error) {
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
	k := *x.Kernel
	k.Lines, k.Loop, k.Latch = lines, false, false
	assembled, err := block.Assemble(&k)
	if err != nil {
		return answer{why: err.Error()}, nil
	}
	code := assembled.Code
	m.mu.Lock()
	defer m.mu.Unlock()
	if got, ok := m.seen[string(code)]; ok {
		return got, nil
	}
	got, err := m.try(ctx, code, assembled.N)
	if err != nil {
		return got, err
	}
	m.seen[string(code)] = got
	return got, nil
}

// mixedStarts is how many divisions of the registers into pointers and small numbers are tried.
const mixedStarts = 14

// starts are what registers hold in one attempt after another: pages apart, as BHive one value, then some of them small numbers, which suit indices,
// and the stack pointer between two multiples of sixteen, as functions have it.
func starts() []block.Setup {
	out := []block.Setup{{}, {Regs: block.Same}}
	const stack = 4
	for k := range mixedStarts {
		values := map[int]uint64{}
		for i := range 16 {
			if h := mix(uint64(16*k + i)); i != stack && h&1 == 1 {
				values[i] = 64 * uint64(i+1)
			}
		}
		if k%2 == 0 {
			values[stack] = block.FillWord + 0x400008
		}
		out = append(out, block.Setup{Values: values})
	}
	return out
}

// try measures code with different values in the registers until it runs.
func (m *blockTimer) try(ctx context.Context, code []byte, n int) (got answer, err error) {
	for _, s := range starts() {
		s.CPUs, s.Windows = m.cpus, 40
		f, err := block.Measure(ctx, code, n, s)
		if err == nil {
			return answer{cycles: f.Cycles}, nil
		} else if ctx.Err() != nil {
			return got, ctx.Err()
		}
		if got.why = err.Error(); host.Unstable(err) {
			break
		}
	}
	return got, nil
}
