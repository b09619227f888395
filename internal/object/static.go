package object

import (
	"encoding/binary"
	"math"
	"slices"

	"incore/internal/isa"
)

// ofLibrary reports whether a function of a statically linked program belongs to the libraries of C and C++. Linkers
// lay out the program's own objects before the libraries: a function is a library's if it lies behind the first one
// that the libraries' entries reach by calls, or is reached so itself.
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
	last := uint64(0)
	if s.whole && f.separate.unnamed {
		last = s.unnamed(f, reach)
	} else {
		last = s.named(f, reach)
	}
	if last == 0 {
		clear(s.reached)
		return
	}
	for len(next) > 0 {
		fn := next[len(next)-1]
		next = next[:len(next)-1]
		if fn.Addr > last {
			s.from = min(s.from, fn.Addr)
		}
		f.eachFlow(fn, func(flow isa.Flow) { reach(f.At(uint64(flow.Target.Imm))) })
	}
}

// eachFlow calls do for each call and branch of a function that names an address.
func (f *File) eachFlow(fn *Function, do func(isa.Flow)) {
	_ = f.Disassemble(fn.Addr, fn.End(), func(x *Line) error {
		if x.Err == nil {
			if flow := f.ISA.Flow(&x.Inst); flow.Target.Kind == isa.OpImm {
				do(flow)
			}
		}
		return nil
	})
}

// named reaches the libraries' entries by their symbols. It returns the address of the last function of crtbegin.o, 0
// if the program is not statically linked.
func (s *staticLibrary) named(f *File, reach func(*Function)) (last uint64) {
	static := false
	for i := range f.symbols {
		x := &f.symbols[i]
		if slices.Contains(libraryEntries, x.name) {
			static = static || x.name == libraryEntries[0]
			reach(f.At(x.addr))
		} else if x.name == "frame_dummy" { // of crtbegin.o
			last = x.addr
		}
	}
	if !static {
		return 0
	}
	return last
}

// unnamed does the same in a program without symbols: its entry calls the C library, unwind tables point to the one
// of C++, and the first of the functions that are called before main is that of crtbegin.o. An entry with more calls
// than those of glibc and musl calls main itself, as that of newlib.
func (s *staticLibrary) unnamed(f *File, reach func(*Function)) (last uint64) {
	entry := f.At(f.entry)
	if entry == nil {
		return 0
	}
	var calls []uint64
	f.eachFlow(entry, func(flow isa.Flow) {
		if flow.Kind == isa.FlowCall { // a branch behind the calls may lead to main
			calls = append(calls, uint64(flow.Target.Imm))
		}
	})
	if len(calls) > 2 {
		return 0
	}
	for _, addr := range calls {
		reach(f.At(addr))
	}
	for _, addr := range s.personalities {
		if x := f.sectionAt(addr); x != nil && !x.exec {
			addr = word(f, addr)
		}
		reach(f.At(addr))
	}
	for i := range f.sections {
		if x := &f.sections[i]; x.name == ".init_array" {
			return word(f, x.addr)
		}
	}
	return 0
}

// word returns a pointer in the program's memory, 0 if there is none.
func word(f *File, addr uint64) uint64 {
	if b := f.bytesAt(addr, 8); len(b) == 8 {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}
