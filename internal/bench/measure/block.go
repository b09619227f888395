// Package measure measures one block or loop on this machine, predicts it under the conditions of the measurement, and states both with what may explain
// their difference.
package measure

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"

	"incore/internal/analysis/frontend"
	"incore/internal/analysis/uops"
	"incore/internal/bench/block"
	"incore/internal/bench/host"
	"incore/internal/isa"
)

// Here returns the instruction set of this machine. If nothing can be measured on it, it returns x86-64, so that errors of the input are
// reported first.
func Here() *block.Arch {
	a, err := block.Native()
	if err != nil {
		a = block.AMD64()
	}
	return a
}

// Block is one block: its code and kernel, its measurement and its prediction.
type Block struct {
	Kernel *isa.Kernel
	Others int // number of the file's loops that are not measured
	code   []byte
	n      int
	// assembled is the assembler's result for the kernel, nil if the input is machine code.
	assembled  *block.Assembled
	figure     *block.Figure
	prediction *prediction // nil: no model of this machine
	// place is the loop with its own closing branch, as in its file or as assembled; nil if the loop cannot run in place, for the reason notPlaced. ended describes how the
	// measurement in place ends the loop.
	place     *block.Placed
	chosen    []string // initial values that the code needs, in words
	notPlaced error
	ended     *block.Ended
}

// New makes a block of a kernel: copies of its code.
func New(k *isa.Kernel) (*Block, error) {
	a, err := block.Assemble(k)
	if err != nil {
		return nil, err
	}
	return &Block{Kernel: k, code: a.Code, n: a.N, assembled: a}, nil
}

// Loop makes a block of a kernel of a text, which runs in place if it is a loop that can: where the model of this
// machine assumes it to begin.
func Loop(k *isa.Kernel) (*Block, error) {
	return loopAt(k, assumed(k))
}

// assumed returns where the model of this machine has a loop begin whose address is not known, or how far it has one
// moved whose address is not final.
func assumed(k *isa.Kernel) int {
	m := hostModel(k)
	if m == nil || !k.Loop {
		return 0
	}
	return frontend.Start(uops.Bind(m, k))
}

// loopAt makes a block of a kernel of a text, which runs at an offset of a page if it is a loop that can run in place.
func loopAt(k *isa.Kernel, offset int) (*Block, error) {
	b, err := New(k)
	if err == nil && k.Loop {
		b.place, b.notPlaced = Here().PlaceText(k, b.assembled, offset)
	}
	return b, err
}

// Place lets a block of an object file run in place if it can; bytes reads the file's code.
func (b *Block) Place(bytes func(addr uint64, n int) []byte) {
	b.place, b.notPlaced = Here().Place(b.Kernel, assumed(b.Kernel), bytes)
}

// Hex decodes machine code in hexadecimal.
func Hex(text string) (*Block, error) {
	code, err := hex.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("is not machine code in hexadecimal: %w", err)
	}
	a := Here().ISA
	m := &Block{Kernel: &isa.Kernel{ISA: a, Syntax: a.Syntaxes[0], Loop: true}}
	if m.code, m.n, err = block.Body(a, code); err != nil {
		return nil, err
	}
	for at := 0; at < len(m.code); {
		var l isa.Line
		n, err := a.Decode(m.code[at:], uint64(at), &l.Inst)
		if err != nil {
			return nil, err
		}
		at += n
		l.Text = string(a.Print(nil, &l.Inst, a.Syntaxes[0]))
		m.Kernel.Lines = append(m.Kernel.Lines, l)
	}
	return m, nil
}

// measure measures the code: a loop of a file in place if possible, otherwise copies of the code.
func (m *Block) measure(ctx context.Context, s *block.Setup) (err error) {
	if m.place != nil {
		f, ended, err := m.place.Loop(ctx, *s)
		var why *host.Reason
		if err == nil {
			m.figure, m.ended = f, ended
			s.Values = maps.Clone(s.Values)
			if s.Values == nil {
				s.Values = map[int]uint64{}
			}
			s.Values[m.ended.Number()] = m.ended.Values[1]
			return nil
		}
		if ctx.Err() != nil || errors.As(err, &why) && why.Kind == "unstable" {
			return err
		}
		m.notPlaced = err
	}
	if m.figure, err = block.Measure(ctx, m.code, m.n, *s); err == nil {
		s.Unrolled = m.figure.Unrolled
	}
	return err
}

// Run measures the block and predicts it under the same conditions: the same layout, the same initial registers and the same number of pages, which s has
// afterwards. suits: registers get values that suit the code. The error is a *host.Reason if the code cannot be measured.
func (m *Block) Run(ctx context.Context, s *block.Setup, suits bool) error {
	if s.Pages == 0 {
		s.Pages = cachePages()
	}
	if suits {
		m.chosen = s.Suit(m.Kernel)
	}
	if err := m.measure(ctx, s); err != nil {
		return err
	}
	m.predict(s)
	return nil
}

// fromFile reports whether the code comes from an object file.
func (m *Block) fromFile() bool { return m.assembled != nil && m.Kernel.Placed() }

// cachePages returns the number of pages that fit into the L1 data cache, minus one for the driver's own data.
func cachePages() int { return max(2, host.DataCache()/os.Getpagesize()-1) }
