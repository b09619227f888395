package measure

import (
	"context"
	"errors"
	"strings"

	"incore/internal/analyze"
	"incore/internal/asm"
	"incore/internal/base/source"
	"incore/internal/bench/block"
	"incore/internal/bench/host"
)

// Corpus says how the blocks of a corpus are read and measured.
type Corpus struct {
	Hex    bool   // every block is machine code in hexadecimal
	Copies bool   // loops with a label are measured as copies, too, not in place
	Syntax string // of assembly; "": detected
	Suits  bool   // registers get values that suit the code
}

// One measures a block of a corpus.
func (c *Corpus) One(ctx context.Context, text string, s block.Setup) (*block.Figure, error) {
	if p, ok, err := Here().PlaceHex(text); ok {
		var chosen []string
		if err == nil && c.Suits {
			chosen = p.Suit(&s)
		}
		figure, err := inPlace(ctx, p, err, s)
		return withChosen(figure, chosen), err
	}
	m, err := c.block(text)
	if err != nil {
		return nil, &host.Reason{Kind: "input", Msg: err.Error()}
	}
	if m.place != nil {
		if c.Suits {
			m.chosen = m.place.Suit(&s)
		}
		figure, err := inPlace(ctx, m.place, nil, s)
		return withChosen(figure, m.chosen), err
	}
	if c.Suits {
		m.chosen = s.Suit(m.Kernel)
	}
	figure, err := block.Measure(ctx, m.code, m.n, s)
	return withChosen(figure, m.chosen), err
}

// withChosen adds to a figure, if there is one, the initial values that the code needed.
func withChosen(f *block.Figure, chosen []string) *block.Figure {
	if f != nil {
		f.Chosen = chosen
	}
	return f
}

// inPlace measures a loop of a corpus in place, if it could be placed.
func inPlace(ctx context.Context, p *block.Placed, err error, s block.Setup) (*block.Figure, error) {
	if err != nil {
		return nil, &host.Reason{Kind: "input", Msg: err.Error()}
	}
	if s.Pages == 0 {
		s.Pages = cachePages()
	}
	f, _, err := p.Loop(ctx, s)
	var why *host.Reason
	if err != nil && !errors.As(err, &why) {
		err = &host.Reason{Kind: "input", Msg: "cannot run in place: " + err.Error()}
	}
	return f, err
}

// block reads a block of a corpus.
func (c *Corpus) block(text string) (*Block, error) {
	if c.Hex || block.IsHex(text) {
		return Hex(text)
	}
	src, err := source.New("block", []byte(strings.ReplaceAll(text, ";", "\n")+"\n"))
	if err != nil {
		return nil, err
	}
	p, _, err := analyze.Read(src, &analyze.Options{ISA: Here().ISA.Name, Syntax: strings.ToLower(c.Syntax)})
	if err != nil {
		return nil, err
	}
	found, _, err := p.Kernels(asm.Select{Whole: true})
	if err != nil {
		return nil, err
	}
	whole := p.Build(&found[0])
	if loops, _, err := p.Kernels(asm.Select{}); err == nil { // a loop with its label runs in place, as it does from a file
		if k := p.Build(&loops[0]); k.Latch && len(k.Lines) == len(whole.Lines) {
			if c.Copies {
				return New(k)
			}
			return loopAt(k, 0)
		}
	}
	return New(whole)
}
