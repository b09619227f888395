package object

import (
	"math"
	"slices"

	"incore/internal/isa"
)

// ofLibrary reports whether a function of a statically linked program belongs to the libraries of C and C++. Linkers lay out the program's own objects before the
// libraries: a function is a library's if it lies behind the first one that the libraries' entries reach by calls, or is reached so itself. Nothing is known of
// programs without symbols.
func (f *File) ofLibrary(fn *Function) bool {
	f.static.once.Do(func() { f.static.find(f) })
	return fn.Addr >= f.static.from || f.static.reached[fn]
}

// libraryEntries are functions of the libraries that no program defines: of C, and of C++ and Fortran programs. main, which the first calls through a pointer, is not
// reached.
var libraryEntries = []string{"__libc_start_main", "__gxx_personality_v0", "_ZNSt8ios_base4InitC1Ev", "_gfortran_set_args", "_gfortran_st_write"}

// find finds the functions that the entries of the libraries reach, and the first of them behind those objects of the compiler that precede the program's.
func (s *staticLibrary) find(f *File) {
	s.reached, s.from = map[*Function]bool{}, math.MaxUint64
	var next []*Function
	reach := func(fn *Function) {
		if fn != nil && !s.reached[fn] {
			s.reached[fn] = true
			next = append(next, fn)
		}
	}
	static, last := false, f.At(f.entry)
	for i := range f.symbols {
		x := &f.symbols[i]
		if slices.Contains(libraryEntries, x.name) {
			static = static || x.name == libraryEntries[0]
			reach(f.At(x.addr))
		} else if x.name == "frame_dummy" { // of crtbegin.o
			last = f.At(x.addr)
		}
	}
	if !static || last == nil {
		clear(s.reached)
		return
	}
	for len(next) > 0 {
		fn := next[len(next)-1]
		next = next[:len(next)-1]
		if fn.Addr > last.Addr {
			s.from = min(s.from, fn.Addr)
		}
		_ = f.Disassemble(fn.Addr, fn.End(), func(x *Line) error {
			if x.Err == nil {
				if flow := f.ISA.Flow(&x.Inst); flow.Target.Kind == isa.OpImm {
					reach(f.At(uint64(flow.Target.Imm)))
				}
			}
			return nil
		})
	}
}
