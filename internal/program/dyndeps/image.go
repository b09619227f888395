package dyndeps

import (
	"bufio"
	"debug/elf"
	"fmt"
	"io"
	"sort"

	"incore/internal/base/platform"
	"incore/internal/object"
)

// Program is an executable prepared for observation.
type Program struct {
	File   *object.File
	Blocks []Block // by address; none overlap
	Loops  []Loop
	Funcs  []*object.Function

	code   uint64 // lowest address of executable segments, in the file
	lo, hi uint64 // of all segments
	interp bool   // needs a dynamic linker
}

// Block is a basic block of the program.
type Block struct {
	Lo, Hi     uint64
	Loop, Func int // innermost loop, -1 if in none; function
	Graph      *object.Graph
	Index      int // in Graph
}

// Loop is a loop of the program.
type Loop struct {
	*object.Loop
	Parent int // in Program.Loops, -1 if none
}

// Open prepares a program, an executable ELF file.
func Open(f *object.File) (*Program, error) {
	p := &Program{File: f, lo: ^uint64(0)}
	if platform.Of(f.ISA.Name) == nil {
		return nil, fmt.Errorf("%s: programs for %s cannot be run", f.Path, f.ISA.Name)
	}
	e, err := elf.Open(f.Path)
	if err != nil {
		return nil, fmt.Errorf("%s: an executable for Linux is needed: %w", f.Path, err)
	}
	defer e.Close()
	p.code = ^uint64(0)
	for _, s := range e.Progs {
		switch {
		case s.Type == elf.PT_INTERP:
			p.interp = true
		case s.Type == elf.PT_LOAD:
			p.lo, p.hi = min(p.lo, s.Vaddr), max(p.hi, s.Vaddr+s.Memsz)
			if s.Flags&elf.PF_X != 0 {
				p.code = min(p.code, s.Vaddr)
			}
		}
	}
	if e.Type != elf.ET_EXEC && e.Type != elf.ET_DYN || e.Entry == 0 || p.code == ^uint64(0) {
		return nil, fmt.Errorf("%s: an executable is needed, not an object file or library", f.Path)
	}
	p.structure()
	return p, nil
}

// structure finds functions, loops and blocks.
func (p *Program) structure() {
	for _, fn := range p.File.Functions() {
		loops := p.File.Loops(fn)
		var g *object.Graph
		if len(loops) > 0 {
			g = loops[0].Graph
		} else {
			g = fn.Graph()
		}
		inner := make([]int, len(g.Blocks))
		for i := range inner {
			inner[i] = -1
		}
		first := len(p.Loops)
		for _, l := range loops {
			parent := -1
			if l.Parent >= 0 {
				parent = first + l.Parent
			}
			at := len(p.Loops)
			p.Loops = append(p.Loops, Loop{l, parent})
			for _, b := range l.Blocks {
				if inner[b] < 0 || l.Depth > p.Loops[inner[b]].Depth {
					inner[b] = at
				}
			}
		}
		for i := range g.Blocks {
			b := &g.Blocks[i]
			p.Blocks = append(p.Blocks, Block{b.Addr, b.End, inner[i], len(p.Funcs), g, i})
		}
		p.Funcs = append(p.Funcs, fn)
	}
	sort.SliceStable(p.Blocks, func(i, j int) bool { return p.Blocks[i].Lo < p.Blocks[j].Lo })
	kept := p.Blocks[:0]
	for _, b := range p.Blocks {
		if n := len(kept); n == 0 || b.Lo >= kept[n-1].Hi {
			kept = append(kept, b)
		}
	}
	p.Blocks = kept
}

// blockAt returns the index of the block that contains an address, -1 if none does.
func (p *Program) blockAt(addr uint64) int {
	i := sort.Search(len(p.Blocks), func(i int) bool { return p.Blocks[i].Hi > addr })
	if i < len(p.Blocks) && p.Blocks[i].Lo <= addr {
		return i
	}
	return -1
}

// Range is a range of addresses, as in the file.
type Range struct{ Lo, Hi uint64 }

// writeMap writes the plugin's list of address ranges to observe.
func (p *Program) writeMap(w io.Writer, o *Options) error {
	b := bufio.NewWriter(w)
	line := func(word string, x, y uint64, m, n int) { fmt.Fprintf(b, "%s %x %x %d %d\n", word, x, y, m, n) }
	line("sizes", uint64(len(p.Loops)), uint64(len(p.Funcs)), len(p.Blocks), len(o.Pick))
	line("code", p.code, max(o.Memory/pageCost, 16), 0, 0)
	whole := uint64(1)
	if len(o.Pick) > 0 {
		whole = 0
	}
	line("lifetime", o.Lifetime, whole, 0, 0)
	for _, n := range Windows {
		line("window", n, 0, 0, 0)
	}
	for _, l := range p.Loops {
		line("loop", l.Addr(), 0, l.Parent, l.Depth)
	}
	for _, fn := range p.Funcs {
		line("func", fn.Addr, 0, 0, 0)
	}
	for _, x := range p.Blocks {
		line("block", x.Lo, x.Hi, x.Loop, x.Func)
	}
	for _, r := range o.Pick {
		line("pick", r.Lo, r.Hi, 0, 0)
	}
	return b.Flush()
}
