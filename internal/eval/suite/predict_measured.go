package suite

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"incore/internal/bench/block"
	"incore/internal/bench/host"
	"incore/internal/isa"
)

// measuredBlocks applies BHive's method (Chen et al., IISWC 2019) with incore's profiler: it measures each block alone, without its branch.
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
	why    string // the reason for a missing figure
	runs   bool   // the reason is the code, not a busy machine
}

// blockTimer measures blocks; it measures equal blocks once.
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
	var got answer
	for range quietBlocks { // until the machine is quiet
		got, err = m.try(ctx, code, assembled.N, func(block.Setup) ([]byte, int) { return nil, 0 })
		if err == nil && got.why != "" && got.runs {
			got, err = m.try(ctx, code, assembled.N, func(s block.Setup) ([]byte, int) { return restore(a, lines, s.Registers()) })
		}
		if err != nil {
			return got, err
		}
		if got.why == "" || got.runs {
			m.seen[string(code)] = got
			break
		}
	}
	return got, nil
}

// mixedStarts is the number of divisions of the registers into pointers and small numbers that are tried. quietBlocks is the number of attempts to measure a block on a busy
// machine.
const (
	mixedStarts = 30
	quietBlocks = 5
)

// stacks lists the offsets of the stack pointer from a multiple of 64 that are tried. Functions have it 8 bytes past a multiple of 16; code that aligns it for vectors, or
// that addresses aligned data relative to it, needs other offsets.
var stacks = [...]uint64{8, 0, 24, 16, 40, 32, 56, 48}

// starts returns the values of the registers in successive attempts: first pointers that are pages apart, then one value for all registers as in BHive, then small
// numbers, which suit indices, in some of them. The stack pointer has the offsets of stacks.
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
		values[stack] = block.FillWord + 0x400000 + stacks[k%len(stacks)]
		out = append(out, block.Setup{Values: values})
	}
	return out
}

// try measures code with different values in the registers until it runs. before makes the instructions at the beginning of each copy of the code.
func (m *blockTimer) try(ctx context.Context, code []byte, n int, before func(block.Setup) ([]byte, int)) (got answer, err error) {
	for _, s := range starts() {
		s.CPUs, s.Windows = m.cpus, 40
		first, more := before(s)
		f, err := block.Measure(ctx, append(first, code...), n+more, s)
		if err == nil {
			return answer{cycles: f.Cycles}, nil
		} else if ctx.Err() != nil {
			return got, ctx.Err()
		}
		got.why, got.runs = err.Error(), !host.Unstable(err)
		if !got.runs {
			break
		}
	}
	return got, nil
}

// restore makes instructions that reset the registers which a block both reads and changes. Without them some blocks run only once, such as a block that moves the stack
// pointer by half of an alignment, or that clears an index after using it.
func restore(a *isa.ISA, lines []isa.Line, values [32]uint64) (code []byte, n int) {
	arch, err := block.Native()
	if err != nil || a.Semantics == nil || a.Encode == nil {
		return nil, 0
	}
	read, written := map[isa.Reg]bool{}, map[isa.Reg]bool{}
	var e isa.Effects
	var both []isa.Reg
	for i := range lines {
		a.Effects(&lines[i].Inst, &e)
		for _, r := range e.Reads {
			if full, _, width := a.Semantics.Part(r.Reg); width > 0 && !written[full] {
				read[full] = true
			}
		}
		for _, w := range e.Writes {
			if full, _, width := a.Semantics.Part(w.Reg); width > 0 && !written[full] {
				if written[full] = true; read[full] {
					both = append(both, full)
				}
			}
		}
	}
	for _, r := range both {
		number := arch.Number(r)
		if number < 0 || number >= len(values) {
			continue
		}
		insts, err := a.Parse(nil, fmt.Sprintf("movq $%#x, %%%s", values[number], strings.ToLower(a.Regs.Name(r))), a.Syntaxes[0])
		for k := range insts {
			if err == nil {
				code, err = a.Encode(code, &insts[k], 0)
			}
		}
		if err != nil {
			return nil, 0
		}
		n++
	}
	return code, n
}
