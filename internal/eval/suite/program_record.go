package suite

import (
	"context"
	"fmt"
	"os"
	"strings"

	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/object"
	"incore/internal/program/clone"
	"incore/internal/program/trace"
)

// recordProgram runs a translation of the program's code that records the execution of its region, and finds the blocks of the program's files in the record.
func recordProgram(ctx context.Context, dir string, b *Benchmark) (*run, error) {
	p := b.Program
	if d := p.unchanged(binaryFile(dir, b.ID)); d != nil {
		return nil, d
	}
	f, err := object.Open(p.Path, catalog.ISAs()...)
	if err != nil {
		return nil, &dropError{"executable not readable", err.Error()}
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	in, err := p.open()
	if err != nil {
		return nil, &dropError{"program not readable", err.Error()}
	}
	if in == nil {
		in = null
	} else {
		defer in.Close()
	}
	v, err := trace.Observe(ctx, f, trace.ObserveOptions{Args: append([]string{p.Path}, p.Args...), Dir: p.Dir, Entry: p.Entry, Exit: p.Exit, First: p.First, Last: p.Last,
		Words: mostVisits, Limit: recordLimit, Stdin: in, Stdout: null, Stderr: null})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, &dropError{"not countable", err.Error()}
	case v.Calls < p.Last:
		return nil, &dropError{"not countable", fmt.Sprintf("%s was executed %d times of %d; %s", p.Region, v.Calls, p.Last, strings.Join(v.Partial, "; "))}
	}
	r := &run{benchmark: b, file: f, image: &clone.Image{}, visits: v}
	return r, newImager(r).all()
}

// imager maps executed code to static blocks.
type imager struct {
	r         *run
	functions map[*object.Function]*imagedFunction
	plans     []imagedBlock
}

type imagedFunction struct {
	base int // its first block in the image
	at   map[uint64]imagedPlace
}

// imagedPlace is the place of an instruction: a block of the image and the index in the block.
type imagedPlace struct{ block, line int }

// imagedBlock describes the contribution of an executed block to the record of static blocks.
type imagedBlock struct {
	steps []imagedStep
	lost  int // instructions in no function
}

// imagedStep is the beginning of a static block, or an access.
type imagedStep struct {
	block int // −1: an access
	word  int
}

func newImager(r *run) *imager {
	return &imager{r: r, functions: map[*object.Function]*imagedFunction{}}
}

// all fills the run's image, counts and record.
func (m *imager) all() error {
	v := m.r.visits
	var executed, lost uint64
	var where string
	m.plans = make([]imagedBlock, len(v.Blocks))
	for i := range v.Blocks {
		b := &v.Blocks[i]
		if b.Count == 0 {
			continue
		}
		m.plans[i] = m.plan(b)
		executed += b.Count * uint64(len(b.Block.Lines))
		if n := b.Count * uint64(m.plans[i].lost); n > 0 {
			lost, where = lost+n, fmt.Sprintf("%#x", b.Addr()-b.Bias)
		}
	}
	if executed == 0 {
		return &dropError{"not countable", "nothing was executed"}
	}
	if float64(lost) > lostShare*float64(executed) {
		return &dropError{"not countable", fmt.Sprintf("%.1f %% of the instructions are in no function of a file, as at %s", 100*float64(lost)/float64(executed), where)}
	}
	m.r.counts = make([]uint64, len(m.r.image.Blocks))
	for i := range v.Blocks {
		for _, s := range m.plans[i].steps {
			if s.block >= 0 {
				m.r.counts[s.block] += v.Blocks[i].Count
			}
		}
	}
	if n := m.r.instructions() + lost; apart64(n, executed) > lostShare*float64(executed)+64 {
		return &dropError{"not countable", fmt.Sprintf("%d instructions were executed, the blocks of the files have %d: jumps lead into blocks by tables that were not found", executed, n)}
	}
	if v.Whole {
		m.r.trace = m.r.image.Trace(m.words())
	}
	return nil
}

func apart64(a, b uint64) float64 { return max(float64(a)-float64(b), float64(b)-float64(a)) }

// words returns the record in terms of static blocks.
func (m *imager) words() (out []int64) {
	m.r.visits.Walk(func(block int, first bool, words []uint64) {
		if steps := m.plans[block].steps; first && len(steps) > 0 && steps[0].block < 0 && len(out) == 0 {
			return // accesses before the first block
		}
		for _, s := range m.plans[block].steps {
			if s.block >= 0 {
				out = append(out, int64(-1-s.block))
			} else if len(out) > 0 {
				out = append(out, int64(words[s.word]))
			}
		}
	})
	return out
}

// plan finds the static blocks that begin in a block, and its accesses.
func (m *imager) plan(b *trace.ObservedBlock) (out imagedBlock) {
	a := m.r.file.ISA
	var e isa.Effects
	next, word := 0, 0
	for i := range b.Block.Lines {
		var at imagedPlace
		known := false
		addr := b.Block.Lines[i].Addr - b.Bias
		if fn := m.function(b, addr); fn != nil {
			at, known = fn.at[addr]
		}
		if !known {
			out.lost++
		} else if at.line == 0 {
			out.steps = append(out.steps, imagedStep{block: at.block})
		}
		a.Effects(&b.Block.Lines[i].Inst, &e)
		noted := false
		for ; next < len(b.Accesses) && b.Accesses[next].Line == i; next++ {
			x := &b.Accesses[next]
			if known && x.Bytes > 0 && x.Mem < len(e.Mem) && e.Mem[x.Mem].Op >= 0 { // as copies do: an explicit operand has one address
				if !noted {
					out.steps = append(out.steps, imagedStep{block: -1, word: word})
					noted = true
				}
				m.access(at, x)
			}
			if word++; x.Bytes == 0 {
				word++
			}
		}
	}
	return out
}

// access lists an access of a static block.
func (m *imager) access(at imagedPlace, x *trace.Access) {
	list := &m.r.image.Blocks[at.block].Accesses
	i := 0
	for i < len(*list) && (*list)[i].Line < at.line {
		i++
	}
	if i == len(*list) || (*list)[i].Line != at.line {
		*list = append(*list, clone.Access{})
		copy((*list)[i+1:], (*list)[i:])
		(*list)[i] = clone.Access{Line: at.line}
	}
	y := &(*list)[i]
	y.Bytes, y.Load, y.Store = max(y.Bytes, x.Bytes), y.Load || x.Load, y.Store || x.Store
}

// function lists the blocks of the function that holds an address of a block's file.
func (m *imager) function(b *trace.ObservedBlock, addr uint64) *imagedFunction {
	if b.File == nil {
		return nil
	}
	fn := b.File.At(addr)
	if fn == nil {
		return nil
	}
	x := m.functions[fn]
	if x == nil {
		x = &imagedFunction{base: len(m.r.image.Blocks), at: map[uint64]imagedPlace{}}
		m.functions[fn] = x
		g := fn.Graph()
		for i := range g.Blocks {
			m.r.image.Blocks = append(m.r.image.Blocks, clone.Block{Func: fn, Graph: g, Index: i})
			for k, l := range g.Insts(i) {
				x.at[l.Addr] = imagedPlace{x.base + i, k}
			}
		}
		if m.r.modules == nil {
			m.r.modules = map[*object.Function]*object.File{}
		}
		m.r.modules[fn] = b.File
	}
	return x
}
