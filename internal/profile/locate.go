package profile

import (
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"incore/internal/catalog"
	"incore/internal/object"
	"incore/internal/roofline"
)

// module is a file with code, as it lies in memory.
type module struct {
	path   string
	lo, hi uint64
	bias   uint64 // of its addresses in memory against those of the file
}

// openProgram opens an executable for the system.
func openProgram(args []string) (*object.File, error) {
	if len(args) == 0 {
		return nil, errors.New("no program is given: incore roofline profile -o FILE -- PROGRAM ARGUMENTS")
	}
	path, err := exec.LookPath(args[0])
	if err != nil {
		if errors.Is(err, os.ErrNotExist) || errors.Is(err, exec.ErrNotFound) {
			return nil, fmt.Errorf("program %s: there is no such file", args[0])
		}
		return nil, fmt.Errorf("program %s: %w", args[0], err)
	}
	f, err := object.Open(path, catalog.ISAs()...)
	if err != nil {
		return nil, fmt.Errorf("program %s: %w; an ELF executable is needed", args[0], err)
	}
	return f, nil
}

// biasOf is by how much addresses in memory exceed those of a file, when lo is where the file's contents from an offset on are mapped.
func biasOf(path string, lo, offset uint64) (uint64, error) {
	e, err := elf.Open(path)
	if err != nil {
		return 0, err
	}
	defer e.Close()
	for _, p := range e.Progs {
		if p.Type == elf.PT_LOAD && offset+0xfff >= p.Off && offset < p.Off+p.Filesz {
			return lo - (p.Vaddr - p.Off + offset), nil
		}
	}
	return 0, fmt.Errorf("%s has nothing to load at offset %#x", path, offset)
}

// worth is the share of any kind of work below which a part of the program is not listed.
const worth = 0.002

// place is a loop, or a function outside its loops.
type place struct {
	fn   *object.Function
	loop *object.Loop
}

// locate lists the loops that the work is in.
func (s *seen) locate(p *roofline.Profile) {
	work := map[string]*roofline.LoopWork{}
	var order []*roofline.LoopWork
	files := map[string]*object.File{}
	places := map[*object.Function]map[uint64]place{}
	level := s.levels()
	for _, x := range s.sites {
		if x.count == 0 {
			continue
		}
		m := s.module(x.addr)
		l := roofline.LoopWork{Function: "?"}
		var at place
		if m != nil {
			l.Module, l.Addr = filepath.Base(m.path), x.addr-m.bias
			f, ok := files[m.path]
			if !ok {
				f, _ = object.Open(m.path, s.isa)
				files[m.path] = f
			}
			if f != nil {
				at = find(f, x.addr-m.bias, places)
			}
			if at.fn != nil {
				l.Function, l.Addr = object.Demangle(at.fn.Name), at.fn.Addr
			}
			if at.loop != nil {
				l.Loop, l.Addr = at.loop.Name(), at.loop.Addr()
			}
			if f != nil && at.fn != nil {
				if file, line := f.SourceLine(l.Addr); line > 0 {
					l.Source = fmt.Sprintf("%s:%d", filepath.Base(file), line)
				}
			}
			if at.fn == nil {
				l.Addr = 0
			}
		}
		key := fmt.Sprint(l.Module, l.Function, l.Loop, l.Addr)
		w := work[key]
		if w == nil {
			l.Bytes = map[string]float64{}
			w = &l
			work[key] = w
			order = append(order, w)
		}
		if at.loop != nil && m != nil && x.addr-m.bias == at.loop.Addr() {
			w.Iterations = float64(x.count)
		}
		w.Instructions += float64(x.count)
		if x.float.Flops > 0 {
			w.Flops += float64(x.flops())
			w.FPInstructions += float64(x.count)
		}
		for i, name := range level {
			if x.served[i] > 0 {
				w.Bytes[name] += float64(x.served[i])
			}
		}
	}
	bytes := p.BytesLoaded + p.BytesStored
	for _, w := range order {
		sum := 0.0
		for _, b := range w.Bytes {
			sum += b
		}
		if w.Instructions >= worth*p.Instructions || w.Flops > worth*p.Flops || sum > worth*bytes {
			p.Loops = append(p.Loops, *w)
		}
	}
	slices.SortStableFunc(p.Loops, func(a, b roofline.LoopWork) int {
		if a.Flops != b.Flops {
			return sign(b.Flops - a.Flops)
		}
		return sign(b.Instructions - a.Instructions)
	})
}

func (s *seen) module(addr uint64) *module {
	for i := range s.modules {
		if m := &s.modules[i]; addr >= m.lo && addr < m.hi {
			return m
		}
	}
	return nil
}

// find is the function and the innermost loop that hold an address.
func find(f *object.File, addr uint64, known map[*object.Function]map[uint64]place) place {
	fn := f.At(addr)
	if fn == nil {
		return place{}
	}
	m, ok := known[fn]
	if !ok {
		m = map[uint64]place{}
		known[fn] = m
		for _, l := range f.Loops(fn) {
			for _, b := range l.Blocks {
				for _, in := range l.Graph.Insts(b) {
					if old, ok := m[in.Addr]; !ok || l.Depth > old.loop.Depth {
						m[in.Addr] = place{fn, l}
					}
				}
			}
		}
	}
	if p, ok := m[addr]; ok {
		return p
	}
	return place{fn: fn}
}
