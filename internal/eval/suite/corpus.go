package suite

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"incore/internal/analysis/depgraph"
	"incore/internal/analyze/predict"
	"incore/internal/base/parallel"
	"incore/internal/eval"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
	"incore/internal/machine/accuracy"
)

// Exported is a measured benchmark without its executable: the executed code and its counts. Any machine can predict it.
type Exported struct {
	ISA    string          `json:"isa"`
	Cycles float64         `json:"cycles"`
	Blocks []ExportedBlock `json:"blocks"`
	Paths  []ExportedPath  `json:"paths"`
}

// ExportedBlock is an executed block.
type ExportedBlock struct {
	Count uint64 `json:"n,omitempty"` // executions; 0: the block is only part of exported paths, not of equation 1
	Addr  uint64 `json:"at"`
	Code  string `json:"code"` // hexadecimal
}

// ExportedPath is a path through blocks.
type ExportedPath struct {
	Count  uint64     `json:"n"`
	Steps  [][2]int   `json:"steps"`            // each step is a block's number and its executions before the next step
	Memory [][3]int32 `json:"memory,omitempty"` // recorded dependences: storing instruction, loading instruction, distance in iterations
}

// MostExported is the usual length of the longest line that Export writes, in bytes. It leaves out the few benchmarks with thousands of recorded dependences, which would be
// most of a file.
const MostExported = 40 << 10

// ExportOptions selects the benchmarks that Export writes.
type ExportOptions struct {
	Machine  string // only results of machines whose name contains this
	HeldOut  bool   // the held-out half of the kernels, otherwise the other half
	Limit    int    // greatest number of benchmarks
	Longest  int    // length of the longest line, in bytes; longer ones are left out
	Progress func(done, of int)
}

// Exports counts the benchmarks that Export wrote.
type Exports struct {
	File       string `json:"file"`
	Benchmarks int    `json:"benchmarks"`
	Long       int    `json:"too_long"` // left out, as their lines are longer than Longest
	Longest    int    `json:"longest"`  // in bytes
}

// Export writes measured benchmarks of a suite, one per line, and counts them. A hash of their names draws them.
func Export(ctx context.Context, dir string, o ExportOptions, w io.Writer) (x *Exports, err error) {
	x = &Exports{Longest: o.Longest}
	d, err := Read(dir, o.Machine)
	if err != nil {
		return x, err
	}
	dropped := map[string]bool{}
	for _, x := range d.Dropped {
		dropped[x.ID] = dropped[x.ID] || x.ID != "" && x.Reason != noisy
	}
	out := bufio.NewWriter(w)
	for _, b := range drawn(d.Benchmarks) {
		if x.Benchmarks == o.Limit {
			break
		}
		if b.Program != nil || b.HeldOut != o.HeldOut || !d.settled(b.ID) || dropped[b.ID] {
			continue
		}
		r, err := record(ctx, dir, b)
		var drop *dropError
		if errors.As(err, &drop) {
			continue
		} else if err != nil {
			return x, err
		}
		line, err := json.Marshal(r.export(d.Measured[b.ID].Cycles))
		if err != nil {
			return x, err
		}
		if len(line) > o.Longest {
			x.Long++
			continue
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return x, err
		}
		x.Benchmarks++
		o.Progress(x.Benchmarks, o.Limit)
	}
	return x, out.Flush()
}

// export describes a run.
func (r *run) export(cycles float64) *Exported {
	e := &Exported{ISA: r.file.ISA.Name, Cycles: cycles}
	number := map[uint64]int{}
	add := func(addr, end, count uint64) int {
		i, ok := number[addr]
		if !ok {
			i = len(e.Blocks)
			number[addr] = i
			e.Blocks = append(e.Blocks, ExportedBlock{count, addr, hex.EncodeToString(r.file.Bytes(addr, int(end-addr)))})
		}
		return i
	}
	for _, x := range r.blocks() {
		add(x.Addr, x.End, x.Count)
	}
	f, list := r.folded()
	all, done := 0.0, 0.0
	for i := range list {
		all += float64(list[i].Count) * float64(list[i].Insts)
	}
	for i := range list {
		x := &list[i]
		if i >= mostPaths || done >= enough*all {
			break
		}
		done += float64(x.Count) * float64(x.Insts)
		p := ExportedPath{Count: x.Count}
		for _, b := range x.way.blocks {
			g := &f.image.Blocks[b].Graph.Blocks[f.image.Blocks[b].Index]
			n := add(g.Addr, g.End, 0)
			if last := len(p.Steps) - 1; last >= 0 && p.Steps[last][0] == n {
				p.Steps[last][1]++
			} else {
				p.Steps = append(p.Steps, [2]int{n, 1})
			}
		}
		for _, m := range x.Memory {
			p.Memory = append(p.Memory, [3]int32{m.From, m.To, m.Dist})
		}
		e.Paths = append(e.Paths, p)
	}
	return e
}

// Import reads the output of Export, compressed or not.
func Import(path string) (out []*Exported, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading benchmarks: %w", err)
	}
	defer f.Close()
	var r io.Reader = bufio.NewReader(f)
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(r); err != nil {
			return nil, fmt.Errorf("reading benchmarks of %s: %w", path, err)
		}
	}
	d := json.NewDecoder(r)
	for {
		var e Exported
		if err := d.Decode(&e); err == io.EOF {
			return out, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: benchmark %d: %w", path, len(out)+1, err)
		}
		out = append(out, &e)
	}
}

// subject makes pieces from an exported benchmark. The code in front of the loops is not exported, so that predictions differ a little from those for the executable.
func (e *Exported) subject() (*Subject, error) {
	a := catalog.ISA(e.ISA)
	if a == nil {
		return nil, fmt.Errorf("no instruction set '%s'", e.ISA)
	}
	s := &Subject{block_: []Piece{}, path_: []Piece{}}
	lines := make([][]isa.Line, len(e.Blocks))
	for i := range e.Blocks {
		b := &e.Blocks[i]
		code, err := hex.DecodeString(b.Code)
		if err != nil {
			return nil, err
		}
		k, err := (&predict.Reader{ISA: a}).Code(code, b.Addr)
		if err != nil {
			return nil, err
		}
		lines[i] = k.Lines
		if b.Count > 0 {
			s.block_ = append(s.block_, Piece{Kernel: body(a, k.Lines), Count: b.Count, Addr: b.Addr, End: b.Addr + uint64(len(code)), Insts: len(k.Lines)})
		}
	}
	for _, p := range e.Paths {
		var all []isa.Line
		for _, step := range p.Steps {
			if step[0] < 0 || step[0] >= len(lines) || step[1] < 0 || step[1] > mostInsts {
				return nil, fmt.Errorf("a path through block %d", step[0])
			}
			for range step[1] {
				all = append(all, lines[step[0]]...)
			}
		}
		if len(all) == 0 {
			return nil, errors.New("a path without instructions")
		}
		x := Piece{Kernel: body(a, all), Count: p.Count, Addr: all[0].Addr, Insts: len(all), Memory: []depgraph.MemoryEdge{}}
		for _, m := range p.Memory {
			x.Memory = append(x.Memory, depgraph.MemoryEdge{From: m[0], To: m[1], Dist: m[2]})
		}
		s.path_ = append(s.path_, x)
	}
	return s, nil
}

// body returns a kernel of the lines of a loop.
func body(a *isa.ISA, lines []isa.Line) *isa.Kernel {
	k := &isa.Kernel{ISA: a, Syntax: a.Syntaxes[0], Loop: true, Lines: lines}
	flow := a.Flow(&lines[len(lines)-1].Inst)
	k.Latch = flow.Kind == isa.FlowCond && flow.Target.Kind == isa.OpImm && uint64(flow.Target.Imm) == lines[0].Addr
	return k
}

// FromCode lists the predictors that need only the executed code and its counts.
func FromCode() (out []Predictor) {
	for _, p := range simulators() {
		if !strings.HasSuffix(p.Name, "-branches") && p.Name != "trace" {
			out = append(out, p)
		}
	}
	return out
}

// PredictExported predicts each benchmark with the predictors of FromCode, in their order, in cycles; 0 if a predictor fails.
func PredictExported(ctx context.Context, m *machine.Model, list []*Exported) (predicted [][]float64, measured []float64, err error) {
	predictors := FromCode()
	asks := make([]Predict, len(predictors))
	for k := range predictors {
		if asks[k], err = predictors[k].Open(ctx, &Env{Model: m}); err != nil {
			return nil, nil, err
		}
	}
	predicted = make([][]float64, len(predictors))
	err = parallel.Ordered(ctx, workers(), len(list), func(ctx context.Context, _, i int) ([]float64, error) {
		s, err := list[i].subject()
		if err != nil {
			return nil, fmt.Errorf("benchmark %d: %w", i+1, err)
		}
		out := make([]float64, len(asks))
		for k, ask := range asks {
			p, err := ask(ctx, s)
			var fail *FailError
			if errors.As(err, &fail) {
				continue
			} else if err != nil {
				return nil, err
			}
			out[k] = p.Cycles
		}
		return out, nil
	}, func(i int, cycles []float64) error {
		for k, c := range cycles {
			predicted[k] = append(predicted[k], c)
		}
		measured = append(measured, list[i].Cycles)
		return nil
	})
	return predicted, measured, err
}

// Rows returns the errors on a file of benchmarks as rows of internal/machine/accuracy.
func Rows(ctx context.Context, m *machine.Model, file, corpus string) (out []accuracy.Row, err error) {
	list, err := Import(file)
	if err != nil {
		return nil, err
	}
	predicted, measured, err := PredictExported(ctx, m, list)
	if err != nil {
		return nil, err
	}
	for k, p := range FromCode() {
		var x, y []float64
		for i, v := range predicted[k] {
			if v > 0 {
				x, y = append(x, v), append(y, measured[i])
			}
		}
		if len(x) == 0 {
			continue
		}
		s := eval.Summarise(x, y)
		out = append(out, accuracy.Row{Corpus: corpus, Model: m.Name, Notion: accuracy.Whole, Registers: "measured", Engine: p.Name, Blocks: s.N, Mean: s.Mean,
			Median: s.Median, Lower: s.Lower, Upper: s.Upper, Within10: s.Within10, Within20: s.Within20, Tau: s.Tau})
	}
	return out, nil
}
