package profile

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"incore/internal/base/symname"
	"os"
	"path/filepath"
	"slices"

	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/object"
	"incore/internal/roofline"
)

// module is a file with code that is mapped into memory.
type module struct {
	path   string
	lo, hi uint64
	bias   uint64 // address in memory minus address in the file
}

// openProgram opens an executable for the system.
func openProgram(args []string) (*object.File, error) {
	if len(args) == 0 {
		return nil, errors.New("no program is given: incore roofline profile -o FILE -- PROGRAM ARGUMENTS")
	}
	path, err := object.LookProgram(args[0])
	if err != nil {
		return nil, err
	}
	f, err := object.Open(path, catalog.ISAs()...)
	if err != nil {
		return nil, fmt.Errorf("program %s: %w; an ELF executable is needed", args[0], err)
	}
	return f, nil
}

// worth is the least share of any kind of work for which a part of the program is listed.
const worth = 0.002

// place is a loop, or a function outside of its loops.
type place struct {
	fn   *object.Function
	loop *object.Loop
}

// atlas holds the loops of the files that a program executed.
type atlas struct {
	isa   *isa.ISA
	files map[string]*object.File
	known map[*object.Function]map[uint64]place
	count map[string]map[uint64]uint64 // file → address → executions of the instruction
	loops map[string]int               // key → index in Profile.Loops
}

func newAtlas(a *isa.ISA) *atlas {
	return &atlas{isa: a, files: map[string]*object.File{}, known: map[*object.Function]map[uint64]place{}, count: map[string]map[uint64]uint64{}, loops: map[string]int{}}
}

// key identifies a loop of a profile.
func key(l *roofline.LoopWork) string { return fmt.Sprint(l.Module, l.Function, l.Loop, l.Addr) }

// file opens a module; it returns nil on failure.
func (a *atlas) file(path string) *object.File {
	f, ok := a.files[path]
	if !ok {
		f, _ = object.Open(path, a.isa)
		a.files[path] = f
	}
	return f
}

// name returns the loop that contains an address.
func (a *atlas) name(m *module, addr uint64) (l roofline.LoopWork, at place) {
	l.Function = "?"
	if m == nil {
		return l, at
	}
	l.Module = filepath.Base(m.path)
	f := a.file(m.path)
	if f == nil {
		return l, at
	}
	if at = find(f, addr-m.bias, a.known); at.fn == nil {
		return l, at
	}
	l.Function, l.Addr = symname.Demangle(at.fn.Name), at.fn.Addr
	if at.loop != nil {
		l.Loop, l.Addr = at.loop.Name(), at.loop.Addr()
	}
	return l, at
}

// locate distributes the work to loops and lists them in the profile.
func (s *seen) locate(p *roofline.Profile) *atlas {
	a := newAtlas(s.isa)
	work := map[string]*roofline.LoopWork{}
	places, modules := map[string]place{}, map[string]*module{}
	var order []*roofline.LoopWork
	level := s.levels()
	a.skip(s, p)
	for _, x := range s.sites {
		if x.count == 0 {
			continue
		}
		m := moduleAt(s.modules, x.addr)
		l, at := a.name(m, x.addr)
		k := key(&l)
		w := work[k]
		if w == nil {
			l.Bytes, l.Lines = map[string]float64{}, map[string]float64{}
			if at.fn != nil {
				if file, line := a.file(m.path).SourceLine(l.Addr); line > 0 {
					l.Source = fmt.Sprintf("%s:%d", filepath.Base(file), line)
				}
			}
			w = &l
			work[k], places[k], modules[k] = w, at, m
			order = append(order, w)
		}
		if m != nil {
			if a.count[m.path] == nil {
				a.count[m.path] = map[uint64]uint64{}
			}
			a.count[m.path][x.addr-m.bias] = x.count
			if at.fn != nil && x.addr-m.bias == l.Addr {
				w.Iterations = float64(x.count)
			}
		}
		w.Instructions += float64(x.count)
		if x.float.Flops > 0 {
			w.Flops += float64(x.flops())
			w.FPInstructions += float64(x.count)
		}
		if x.loaded > 0 {
			w.CrossingLoads += float64(x.crossed)
		}
		if x.stored > 0 {
			w.CrossingStores += float64(x.crossed)
		}
		for i, name := range level {
			if x.served.Bytes[i] > 0 {
				w.Bytes[name] += float64(x.served.Bytes[i])
			}
			if i > 0 && x.served.Lines[i] > 0 {
				w.Lines[name] += float64(x.served.Lines[i])
			}
		}
	}
	a.list(p, order)
	for i := range p.Loops {
		l := &p.Loops[i]
		k := key(l)
		a.loops[k] = i
		if m := modules[k]; m != nil && places[k].fn != nil {
			l.Path, l.PathShare = hottest(places[k], a.known[places[k].fn], a.count[m.path], l)
			p.Files = addFile(p.Files, m.path)
		}
	}
	return a
}

// skip treats functions with too little work to be listed as places without loops: finding their loops would take longer, and most functions are of this kind.
func (a *atlas) skip(s *seen, p *roofline.Profile) {
	type work struct{ instructions, flops, bytes float64 }
	sums := map[*object.Function]*work{}
	for _, x := range s.sites {
		m := moduleAt(s.modules, x.addr)
		if m == nil || x.count == 0 {
			continue
		}
		f := a.file(m.path)
		if f == nil {
			continue
		}
		fn := f.At(x.addr - m.bias)
		if fn == nil {
			continue
		}
		w := sums[fn]
		if w == nil {
			w = &work{}
			sums[fn] = w
		}
		w.instructions += float64(x.count)
		w.flops += float64(x.flops())
		w.bytes += float64(x.loaded + x.stored)
	}
	for fn, w := range sums {
		if w.instructions < worth*p.Instructions && w.flops <= worth*p.Flops && w.bytes <= worth*(p.BytesLoaded+p.BytesStored) {
			a.known[fn] = map[uint64]place{}
		}
	}
}

// list adds the loops with enough work to the profile, sorted by decreasing work.
func (a *atlas) list(p *roofline.Profile, order []*roofline.LoopWork) {
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

// addFile records a file and its checksum, so that a later reader of the code can detect a changed file.
func addFile(files []roofline.CodeFile, path string) []roofline.CodeFile {
	for _, f := range files {
		if f.Path == path {
			return files
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return files
	}
	return append(files, roofline.CodeFile{Module: filepath.Base(path), Path: path, SHA256: fmt.Sprintf("%x", sha256.Sum256(data))})
}

// time sets the loops' shares of the program's time.
func (a *atlas) time(t *times, p *roofline.Profile) {
	if p.Untimed = t.why; t.why != "" {
		return
	}
	sum := 0.0
	for _, r := range t.runs {
		sum += r.seconds
		for _, addr := range r.at {
			m := moduleAt(r.modules, addr)
			l, _ := a.name(m, addr)
			if i, ok := a.loops[key(&l)]; ok {
				p.Loops[i].Samples++
			}
		}
	}
	scale := samplePeriod.Seconds() / float64(len(t.runs)) * t.seconds / (sum / float64(len(t.runs)))
	for i := range p.Loops {
		p.Loops[i].Seconds = p.Loops[i].Samples * scale
	}
}

func moduleAt(list []module, addr uint64) *module {
	for i := range list {
		if m := &list[i]; addr >= m.lo && addr < m.hi {
			return m
		}
	}
	return nil
}

// find returns the function and the innermost loop that contain an address.
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
