package object

import (
	"bytes"
	"maps"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"incore/internal/base/symname"
	"incore/internal/isa"
)

// Function is a function of an object file.
type Function struct {
	Name   string // demangled name; "sub_401000" without a symbol
	Symbol string // the file's symbol, "" without one
	Addr   uint64
	Size   uint64 // bytes
	file   *File
}

// End is the address after the function.
func (fn *Function) End() uint64 { return fn.Addr + fn.Size }

// Functions returns the functions by address: functions with symbols, and in a
// stripped file the functions found by unwind tables, the entry point and calls.
func (f *File) Functions() []*Function {
	f.once.Do(f.findFunctions)
	return f.funcs
}

// Copies names, as the rest of a sentence that says that a function did not run, the copies of it that compilers
// specialise for some arguments (kernel.constprop.0, kernel.isra.0, kernel.part.0); "" if there are none.
func (f *File) Copies(function string) string {
	var names []string
	for _, fn := range f.Functions() {
		if strings.HasPrefix(fn.Name, function+".") {
			names = append(names, fn.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "; the compiler made copies of it: " + strings.Join(names, ", ")
}

// Function finds a function by its demangled or raw name, by a shortened name without parameters
// ("Mat<float>::scale"), also without template arguments ("Mat::scale") or without scopes ("scale"), or by an address within it
// ("0x4010", "scale+0x1c", as loops are named). It returns nil if no function matches. Of several matches it returns
// the first whose name is shortened least.
func (f *File) Function(name string) *Function {
	fn, _ := f.Place(name)
	return fn
}

// Place finds a function as Function does, and the address that the name gives; 0 if it gives none.
func (f *File) Place(name string) (fn *Function, addr uint64) {
	if fn = f.named(name); fn != nil {
		return fn, 0
	}
	hex, isAddress := strings.CutPrefix(name, "0x")
	if at := strings.LastIndex(name, "+0x"); at > 0 {
		if fn = f.named(name[:at]); fn == nil {
			return nil, 0
		}
		hex, isAddress = name[at+len("+0x"):], true
	}
	n, err := strconv.ParseUint(hex, 16, 64)
	switch {
	case !isAddress || err != nil:
		return nil, 0
	case fn == nil:
		return f.At(n), n
	case n >= fn.Size:
		return nil, 0
	}
	return fn, fn.Addr + n
}

// named finds a function by its name.
func (f *File) named(name string) *Function {
	var loose *Function
	best := math.MaxInt
	for _, fn := range f.Functions() {
		r := symname.Rank(fn.Name, name)
		if r == 0 || fn.Symbol == name {
			return fn
		}
		if r > 0 && r < best {
			loose, best = fn, r
		}
	}
	return loose
}

// Similar returns at most most names of functions that contain a name.
func (f *File) Similar(name string, most int) (like []string) {
	for _, fn := range f.Functions() {
		if len(like) < most && strings.Contains(strings.ToLower(fn.Name), strings.ToLower(name)) {
			like = append(like, fn.Name)
		}
	}
	return like
}

// At returns the function that contains an address, nil if no function does.
func (f *File) At(addr uint64) *Function {
	fns := f.Functions()
	i := sort.Search(len(fns), func(i int) bool { return fns[i].End() > addr })
	if i < len(fns) && fns[i].Addr <= addr {
		return fns[i]
	}
	return nil
}

func (f *File) findFunctions() {
	sort.SliceStable(f.symbols, func(i, j int) bool {
		a, b := &f.symbols[i], &f.symbols[j]
		if a.addr != b.addr {
			return a.addr < b.addr
		}
		if (a.size > 0) != (b.size > 0) {
			return a.size > 0
		}
		return !a.weak && b.weak
	})
	sort.Slice(f.bounds, func(i, j int) bool { return f.bounds[i].lo < f.bounds[j].lo })
	starts := map[uint64]bounds{}
	for _, b := range f.bounds {
		if s := f.sectionAt(b.lo); s != nil && s.exec && b.hi <= s.end() {
			starts[b.lo] = b
		}
	}
	names := map[uint64]*symbol{}
	for i := range f.symbols {
		s := &f.symbols[i]
		sec := f.sectionAt(s.addr)
		if sec == nil || !sec.exec || names[s.addr] != nil {
			continue
		}
		if s.weak && s.size == 0 && f.inside(s.addr, starts) {
			continue // a label within a function
		}
		names[s.addr] = s
		if hi := s.addr + s.size; s.size > 0 && hi > s.addr && hi <= sec.end() {
			starts[s.addr] = bounds{s.addr, hi}
		} else if _, ok := starts[s.addr]; !ok {
			starts[s.addr] = bounds{s.addr, 0}
		}
	}
	if s := f.sectionAt(f.entry); f.entry != 0 && s != nil && s.exec && !f.inside(f.entry, starts) {
		starts[f.entry] = bounds{f.entry, 0}
	}
	if len(names) == 0 {
		f.callTargets(starts)
	}
	f.unnamed(starts, len(names) > 0)
	if len(names) == 0 {
		f.divide(starts)
	}
	f.build(starts, names)
}

// unnamed makes a function of each code section without functions, as in object files without symbols; in files where
// no function is named, also of the code before a section's first one. It skips sections of stubs.
func (f *File) unnamed(starts map[uint64]bounds, named bool) {
	has := map[uint64]bool{} // by the section's address
	for addr := range starts {
		if s := f.sectionAt(addr); named || addr == s.addr {
			has[s.addr] = true
		}
	}
	for addr := range f.imports {
		if s := f.sectionAt(addr); s != nil {
			has[s.addr] = true
		}
	}
	for i := range f.sections {
		if s := &f.sections[i]; s.exec && len(s.data) > 0 && !has[s.addr] {
			starts[s.addr] = bounds{s.addr, 0}
		}
	}
}

// inside reports whether a function starts at an address or an unwind table's range holds it.
func (f *File) inside(addr uint64, starts map[uint64]bounds) bool {
	if _, ok := starts[addr]; ok {
		return true
	}
	i := sort.Search(len(f.bounds), func(i int) bool { return f.bounds[i].hi > addr })
	return i < len(f.bounds) && f.bounds[i].lo <= addr
}

// callTargets adds the targets of direct calls, found by a sweep through all code.
func (f *File) callTargets(starts map[uint64]bounds) {
	covered := make([]bounds, 0, len(starts))
	for _, b := range starts {
		if b.hi > 0 {
			covered = append(covered, b)
		}
	}
	sort.Slice(covered, func(i, j int) bool { return covered[i].lo < covered[j].lo })
	var in isa.Inst
	for i := range f.sections {
		s := &f.sections[i]
		if !s.exec {
			continue
		}
		for pos := 0; pos < len(s.data); {
			n, err := f.ISA.Decode(s.data[pos:], s.addr+uint64(pos), &in)
			pos += max(1, n)
			if err != nil {
				continue
			}
			flow := f.ISA.Flow(&in)
			if flow.Kind != isa.FlowCall || flow.Target.Kind != isa.OpImm {
				continue
			}
			t := uint64(flow.Target.Imm)
			k := sort.Search(len(covered), func(k int) bool { return covered[k].hi > t })
			if k < len(covered) && covered[k].lo <= t || f.imports[t] != "" {
				continue
			}
			if to := f.sectionAt(t); to != nil && to.exec {
				if _, ok := starts[t]; !ok {
					starts[t] = bounds{t, 0}
				}
			}
		}
	}
}

// divide finds functions that nothing calls by its address, as those that are called through pointers, in the code
// behind a start without an end: a function ends where control cannot go on and no branch leads further, and the next
// one begins behind the padding. Behind an indirect jump, whose targets may be anywhere, none is looked for.
func (f *File) divide(starts map[uint64]bounds) {
	known := slices.Sorted(maps.Keys(starts))
	for i, lo := range known {
		s := f.sectionAt(lo)
		if starts[lo].hi != 0 || s == nil {
			continue
		}
		end := s.end()
		if i+1 < len(known) {
			end = min(end, known[i+1])
		}
		f.divided(lo, end, func(addr uint64) { starts[addr] = bounds{addr, 0} })
	}
}

// divided calls begin for each function that follows the one at lo before end.
func (f *File) divided(lo, end uint64, begin func(uint64)) {
	code, over, furthest := f.bytesAt(lo, int(min(end-lo, 1<<31))), false, lo
	var in isa.Inst
	for pos := 0; pos < len(code); {
		addr := lo + uint64(pos)
		n, err := f.ISA.Decode(code[pos:], addr, &in)
		pos += max(1, n)
		if err != nil {
			continue
		}
		flow := f.ISA.Flow(&in)
		if over && addr > furthest {
			if f.pads(code[pos:], lo+uint64(pos), &in) {
				continue
			}
			begin(addr)
		}
		switch flow.Kind {
		case isa.FlowIndirect:
			return
		case isa.FlowJump, isa.FlowCond:
			if t := uint64(flow.Target.Imm); flow.Target.Kind == isa.OpImm && t < end { // else a tail call
				furthest = max(furthest, t)
			}
		}
		over = flow.Kind == isa.FlowJump || flow.Kind == isa.FlowReturn || flow.Kind == isa.FlowTrap
	}
}

// pads reports whether an instruction between functions is padding: one that traps, a nop of any width, or a jump over
// such, with which assemblers begin long padding. code follows the instruction, at addr.
func (f *File) pads(code []byte, addr uint64, in *isa.Inst) bool {
	flow := f.ISA.Flow(in)
	if flow.Kind == isa.FlowTrap {
		return true
	}
	if flow.Kind != isa.FlowJump || flow.Target.Kind != isa.OpImm {
		return slices.ContainsFunc(bytes.Fields(f.ISA.Print(nil, in, f.ISA.Syntaxes[0])), func(word []byte) bool {
			return bytes.HasPrefix(bytes.TrimPrefix(word, []byte("c.")), []byte("nop"))
		})
	}
	to := uint64(flow.Target.Imm)
	if to <= addr || to-addr > uint64(len(code)) {
		return false
	}
	var next isa.Inst
	for addr < to {
		n, err := f.ISA.Decode(code, addr, &next)
		if err != nil || f.ISA.Flow(&next).Kind == isa.FlowJump || !f.pads(code[n:], addr+uint64(n), &next) {
			return false
		}
		code, addr = code[n:], addr+uint64(n)
	}
	return addr == to
}

// build makes functions of the starts; those without an end reach to the next start.
func (f *File) build(starts map[uint64]bounds, names map[uint64]*symbol) {
	list := make([]bounds, 0, len(starts))
	for _, b := range starts {
		list = append(list, b)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].lo < list[j].lo })
	for i, b := range list {
		s := f.sectionAt(b.lo)
		if b.hi == 0 {
			b.hi = s.end()
			if i+1 < len(list) {
				b.hi = min(b.hi, list[i+1].lo)
			}
		}
		if k := len(f.funcs); k > 0 && b.lo < f.funcs[k-1].End() && names[b.lo] == nil {
			continue // a cold part that the symbol before covers
		}
		fn := &Function{Addr: b.lo, Size: b.hi - b.lo, file: f}
		if sym := names[b.lo]; sym != nil {
			fn.Symbol, fn.Name = sym.name, symname.Demangle(sym.name)
		} else if b.lo == f.entry {
			fn.Name = "entry point"
		} else {
			fn.Name = "sub_" + hexNumber(b.lo)
		}
		f.funcs = append(f.funcs, fn)
	}
}

// noReturn reports whether a function at an address never returns, by its symbol.
func (f *File) noReturn(addr uint64) bool {
	if s := f.imports[addr]; s != "" {
		return isa.NoReturn(s)
	}
	fn := f.At(addr)
	return fn != nil && fn.Addr == addr && isa.NoReturn(fn.Symbol)
}

// Name names an address: a function, a place in one ("dot+0x10"), or the function of another
// object that a stub leads to ("printf@plt"); "" if nothing is known.
func (f *File) Name(addr uint64) string {
	if s := f.imports[addr]; s != "" {
		return symname.Demangle(s) + "@plt"
	}
	fn := f.At(addr)
	switch {
	case fn == nil:
		return ""
	case fn.Addr == addr:
		return fn.Name
	}
	return fn.Name + "+0x" + hexNumber(addr-fn.Addr)
}
