package profile

import (
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"incore/internal/base/symname"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/object"
	"incore/internal/program/dryrun"
	"incore/internal/roofline"
)

// StaticOptions are the options of a profile that is made without running the program.
type StaticOptions struct {
	File      string
	Function  string            // the function to follow; "": main
	Ranges    []Range           // counts instructions at these addresses only; empty: all
	Trips     []Trips           // iterations of loops whose number does not follow from the code
	Registers map[string]uint64 // values of registers at the call of the function
	Vector    int               // bits of scalable vectors; 0: not known
}

// Trips is the number of executions of a loop's header per entry into the loop.
type Trips struct {
	Loop string // name of the loop (kernel+0x20), function, or source line (kernel.c:12); "": any loop
	N    uint64
}

// ParseTrips reads "LOOP=N" or "N".
func ParseTrips(s string) (t Trips, err error) {
	number := s
	if i := strings.LastIndexByte(s, '='); i >= 0 {
		t.Loop, number = s[:i], s[i+1:]
	}
	if t.N, err = strconv.ParseUint(number, 10, 62); err != nil || t.N == 0 {
		return t, fmt.Errorf("trips %s: a number from 1 on is needed, for any loop (1000) or for one (kernel+0x20=1000, kernel.c:12=1000)", s)
	}
	return t, nil
}

// Static profiles a function and its callees without running it.
func Static(ctx context.Context, o StaticOptions) (*roofline.Profile, error) {
	f, err := object.Open(o.File, catalog.ISAs()...)
	if err != nil {
		return nil, fmt.Errorf("program %s: %w; an executable or an object file is needed", o.File, err)
	}
	fn, err := startOf(f, o.Function)
	if err != nil {
		return nil, err
	}
	options := dryrun.Options{Vector: o.Vector / 8, Registers: map[isa.Reg]uint64{}}
	if gp, v := f.ISA.Regs.Spelled("gp"), globalPointer(o.File); gp != isa.NoReg && v != 0 {
		options.Registers[gp] = v
	}
	for name, v := range o.Registers {
		r := f.ISA.Regs.Spelled(name)
		if r == isa.NoReg || f.ISA.Semantics == nil {
			return nil, fmt.Errorf("%s has no register %q", f.ISA.Name, name)
		}
		options.Registers[r] = v
	}
	used := make([]bool, len(o.Trips))
	options.Trips = func(l *object.Loop) (uint64, bool) { return tripsOf(f, o.Trips, used, l) }
	r, err := dryrun.Run(ctx, f, fn, options)
	switch {
	case errors.Is(err, dryrun.ErrVector):
		return nil, fmt.Errorf("%s: %w: name it (--vector-bits 128 to 2048)", o.File, err)
	case err != nil && r == nil:
		return nil, err
	case o.Vector > 0 && !r.Scalable:
		return nil, fmt.Errorf("%s: %s is code of fixed vector length: a length can only be chosen of code for scalable vectors (SVE, RISC-V's V)", o.File, fn.Name)
	}
	s := staticSeen(f, r, &o)
	p := s.sum()
	if p.Instructions == 0 {
		return nil, fmt.Errorf("%s: nothing of what was asked for is executed by %s", o.File, fn.Name)
	}
	s.locate(p)
	p.Static = true
	p.Program = []string{o.File}
	p.Scope = "function " + fn.Name + " with what it calls"
	p.Assumed = append(r.Assumed, uncounted(f, r)...)
	for i, t := range o.Trips {
		if t.Loop != "" && !used[i] {
			s.partial = append(s.partial, fmt.Sprintf("trips of %s were not needed: no loop of that name was met whose end is unknown", t.Loop))
		}
	}
	p.Partial = strings.Join(append(s.partial, r.Partial...), "; ")
	return p, nil
}

// startOf returns the function to follow.
func startOf(f *object.File, name string) (*object.Function, error) {
	if name != "" {
		if fn := f.Function(name); fn != nil {
			return fn, nil
		}
		hint := ""
		if like := f.Similar(name, 3); len(like) > 0 {
			hint = "; it has " + strings.Join(like, ", ")
		}
		return nil, fmt.Errorf("%s has no function %q%s", f.Path, name, hint)
	}
	list := f.Functions()
	if fn := f.Function("main"); fn != nil && (fn.Symbol == "main" || fn.Name == "main") {
		return fn, nil
	}
	if len(list) == 1 {
		return list[0], nil
	}
	var names []string
	for _, fn := range list[:min(len(list), 8)] {
		names = append(names, fn.Name)
	}
	return nil, fmt.Errorf("%s has no main: name the function to follow (--function); it has %s", f.Path, strings.Join(names, ", "))
}

// tripsOf returns the trips of a loop; an entry with the loop's name or line precedes one for all loops.
func tripsOf(f *object.File, list []Trips, used []bool, l *object.Loop) (uint64, bool) {
	source := ""
	if file, line := f.SourceLine(l.Addr()); line > 0 {
		source = fmt.Sprintf("%s:%d", filepath.Base(file), line)
	}
	for _, names := range [][]string{{l.Name(), symname.Demangle(l.Func.Symbol) + strings.TrimPrefix(l.Name(), l.Func.Name), source}, {l.Func.Name, l.Func.Symbol}, {""}} {
		if i := slices.IndexFunc(list, func(t Trips) bool { return slices.Contains(names, t.Loop) }); i >= 0 {
			used[i] = true
			return list[i].N, true
		}
	}
	return 0, false
}

// staticSeen converts the result of a dry run to the result of a run.
func staticSeen(f *object.File, r *dryrun.Result, o *StaticOptions) *seen {
	s := &seen{isa: f.ISA, method: "static: counted from the code without running it", vector: o.Vector, modules: []module{{f.Path, 0, ^uint64(0), 0}}}
	for _, x := range r.Sites {
		if len(o.Ranges) > 0 && !slices.ContainsFunc(o.Ranges, func(r Range) bool { return x.Addr >= r.Lo && x.Addr < r.Hi }) {
			continue
		}
		c := &site{addr: x.Addr, inst: x.Inst, float: x.Float, branch: x.Branch, count: x.Count}
		if c.float.Lanes == 0 && c.float.Flops > 0 && x.Full > 0 {
			full := x.Full // elements of a RISC-V vector configuration; bytes of an SVE vector
			if x.Inst.VType.SEW == 0 && c.float.Bits > 0 {
				full = x.Full * 8 / uint64(c.float.Bits)
			}
			c.masked, c.lanes = true, scaled(x.Active, full, x.Full)
		}
		for i := range x.Refs {
			n := bytesOf(f.ISA, x, &x.Refs[i], o.Vector/8)
			if x.Refs[i].Load {
				c.loaded += n
			}
			if x.Refs[i].Store {
				c.stored += n
			}
		}
		c.served.Bytes[0] = c.loaded + c.stored
		s.sites = append(s.sites, c)
	}
	return s
}

// bytesOf returns the bytes that all executions of an instruction access through one of its operands.
func bytesOf(a *isa.ISA, x *dryrun.Site, m *isa.MemRef, vector int) uint64 {
	if m.Elems > 0 && m.Bits > 0 && x.Full == 0 {
		return x.Count * uint64(m.Elems) * uint64(m.Bits) / 8
	}
	if a.Semantics.VectorBytes == nil {
		return 0 // a register holds the length: see uncounted
	}
	in := x.Inst
	all := uint64(max(0, a.Semantics.VectorBytes(&in, m, vector)))
	if m.Gather && m.Bits > 0 && x.Full > 0 { // only the active elements
		full := x.Full
		if in.VType.SEW == 0 {
			full = x.Full * 8 / uint64(m.Bits)
		}
		all = full * uint64(m.Bits) / 8
	}
	if x.Full == 0 {
		return x.Count * all
	}
	return scaled(x.Active, all, x.Full)
}

// scaled is a·b/c.
func scaled(a, b, c uint64) uint64 { return uint64(float64(a) * float64(b) / float64(c)) }

// uncounted lists the instructions with an unknown number of bytes, which registers hold.
func uncounted(f *object.File, r *dryrun.Result) (out []string) {
	var places []string
	for _, x := range r.Sites {
		if slices.ContainsFunc(x.Refs, func(m isa.MemRef) bool { return m.Elems == 0 && f.ISA.Semantics.VectorBytes == nil }) && len(places) < 4 {
			places = append(places, f.Name(x.Addr))
		}
	}
	if len(places) > 0 {
		out = append(out, "bytes are not counted of instructions that repeat as often as a register says ("+strings.Join(places, ", ")+")")
	}
	return out
}

// globalPointer returns the constant value of register gp in a RISC-V program, by the symbol that the linker defines; 0: not known.
func globalPointer(path string) uint64 {
	e, err := elf.Open(path)
	if err != nil {
		return 0
	}
	defer e.Close()
	symbols, _ := e.Symbols()
	for _, s := range symbols {
		if s.Name == "__global_pointer$" {
			return s.Value
		}
	}
	return 0
}
