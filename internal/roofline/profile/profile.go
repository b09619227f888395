// Package profile runs programs and counts their work for a roofline: floating-point operations and instructions, bytes loaded and stored, and
// the levels of memory that served them. x86-64 programs run natively with instrumentation (package dbi); other programs run under QEMU, which also serves as a check.
package profile

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"incore/internal/isa"
	"incore/internal/object"
	"incore/internal/program/cachesim"
	"incore/internal/roofline"
)

// Options of a profile.
type Options struct {
	Args                  []string // the program and its arguments
	Function              string   // counts while this function or its callees run; "": always
	Ranges                []Range  // counts only the program's instructions at these addresses of its file; empty: all
	Caches                []cachesim.Level
	CachesFrom            string // source of Caches, for the profile
	NoCaches              bool   // only counts, without a cache model, which is faster
	Limit                 time.Duration
	Repeat                int // number of timed runs, of which the least time is used; 0: the time is not measured
	Counters              Counting
	QEMU                  bool   // use QEMU even if the program could run natively
	CPU                   string // QEMU's -cpu
	Sysroot               string
	Stdin, Stdout, Stderr *os.File

	unfiltered bool // record all addresses, as a reference for a test
}

// Range is a range of addresses.
type Range struct{ Lo, Hi uint64 }

// site is an instruction and the work of its executions.
type site struct {
	addr           uint64 // in memory
	inst           isa.Inst
	float          isa.Float
	branch         bool
	count          uint64
	lanes          uint64 // elements computed in all executions, if masks or the vector length disable some
	masked         bool   // lanes is valid
	loaded, stored uint64 // bytes
	crossed        uint64 // executions whose access crosses a line, if they are counted
	served         cachesim.Served
}

// flops returns the operations of all executions.
func (s *site) flops() uint64 {
	all := s.count * uint64(s.float.Lanes) * uint64(s.float.Flops)
	if s.masked {
		all = s.lanes * uint64(s.float.Flops)
	}
	return all - min(all, s.count*uint64(s.float.Less))
}

// seen is the result of a run.
type seen struct {
	isa     *isa.ISA
	sites   []*site
	modules []module
	caches  *cachesim.Hierarchy // nil without a cache model
	method  string
	partial []string
	signal  string // ended the program, "" without one
	vector  int    // bits of scalable vectors; 0: not known, or no scalable vectors
}

// Run profiles a program.
func Run(ctx context.Context, o Options) (*roofline.Profile, error) {
	f, err := openProgram(o.Args)
	if err != nil {
		return nil, err
	}
	if o.Function != "" && f.Function(o.Function) == nil {
		hint := ""
		if like := f.Similar(o.Function, 3); len(like) > 0 {
			hint = "; it has " + strings.Join(like, ", ")
		}
		return nil, fmt.Errorf("%s has no function %q%s", f.Path, o.Function, hint)
	}
	if !o.NoCaches && len(o.Caches) == 0 {
		if o.Caches, err = cachesim.Host(); err != nil {
			return nil, fmt.Errorf("%w: name a machine whose caches are meant (--machine)", err)
		}
		o.CachesFrom = "this machine"
	}
	native := f.ISA.Name == nativeISA && !o.QEMU
	if err := o.countable(native); err != nil {
		return nil, err
	}
	var s *seen
	if native {
		s, err = runNative(ctx, f, &o)
	} else {
		s, err = runQEMU(ctx, f, &o)
	}
	if err != nil {
		return nil, err
	}
	p := s.sum()
	if p.Instructions == 0 && len(s.partial) == 0 {
		return nil, unseen(f, &o)
	}
	places := s.locate(p)
	p.Program = o.Args
	p.Scope = scope(&o)
	if !o.NoCaches {
		p.Caches = describe(s.caches.Levels, o.CachesFrom)
	}
	if native && o.Repeat > 0 && p.Scope == "" && ctx.Err() == nil {
		t, err := measure(ctx, &o)
		if err != nil {
			s.partial = append(s.partial, "its time was not measured: "+err.Error())
		} else {
			p.Seconds = t.seconds
			places.time(t, p)
			if err := o.count(t, s.levels(), p); err != nil {
				return nil, err
			}
		}
	}
	p.Partial, p.Signal = strings.Join(s.partial, "; "), s.signal
	return p, nil
}

// unseen returns the error that the requested function or addresses were not executed. It names copies of the function that compilers specialise for some arguments.
func unseen(f *object.File, o *Options) error {
	what, hint := "the code at these addresses", ""
	if o.Function != "" {
		what = fmt.Sprintf("function %q", o.Function)
		hint = f.Copies(o.Function)
	}
	return fmt.Errorf("%s did not run%s", what, hint)
}

func scope(o *Options) string {
	var out []string
	if o.Function != "" {
		out = append(out, "function "+o.Function+" with what it calls")
	}
	for _, r := range o.Ranges {
		out = append(out, fmt.Sprintf("addresses %#x to %#x", r.Lo, r.Hi))
	}
	return strings.Join(out, ", ")
}

// describe describes the cache model of a profile.
func describe(levels []cachesim.Level, from string) string {
	var out []string
	for _, l := range levels {
		s := fmt.Sprintf("%s %d KiB, %d ways", l.Name, l.Size>>10, l.Ways)
		if l.Spill {
			s += ", victims of the level before it"
		}
		out = append(out, s)
	}
	return fmt.Sprintf("%s; of %s; lines of %d bytes, the least recently used replaced, writes allocate, no prefetch", strings.Join(out, "; "), from, levels[0].Line)
}

// mixKey identifies a kind of floating-point instruction.
type mixKey struct {
	kind         isa.FloatKind
	bits, vector int
}

// sum adds the sites' work up to a profile.
func (s *seen) sum() *roofline.Profile {
	p := &roofline.Profile{Method: s.method, Bytes: map[string]float64{}, Lines: map[string]float64{}}
	mix, byBits := map[mixKey]*roofline.MixRow{}, map[int]uint64{}
	for _, x := range s.sites {
		p.Instructions += float64(x.count)
		if x.branch {
			p.Branches += float64(x.count)
		}
		p.BytesLoaded += float64(x.loaded)
		p.BytesStored += float64(x.stored)
		for i, name := range s.levels() {
			p.Bytes[name] += float64(x.served.Bytes[i])
			if i > 0 {
				p.Lines[name] += float64(x.served.Lines[i])
			}
		}
		if x.float.Kind == isa.NoFloat || x.count == 0 {
			continue
		}
		flops := x.flops()
		k := s.key(x)
		row := mix[k]
		if row == nil {
			row = &roofline.MixRow{Kind: k.kind.String(), ElementBits: float64(k.bits), VectorBits: float64(k.vector)}
			mix[k] = row
		}
		row.Instructions += float64(x.count)
		row.Flops += float64(flops)
		if x.float.Flops > 0 {
			p.Flops += float64(flops)
			p.FPInstructions += float64(x.count)
			byBits[x.float.Bits] += flops
		}
		if k.vector > 0 {
			p.VectorFlops += float64(flops)
		}
	}
	most := uint64(0)
	p.ElementBits = 64
	for _, bits := range []int{64, 32, 16} {
		if byBits[bits] > most {
			most, p.ElementBits = byBits[bits], float64(bits)
		}
	}
	for _, row := range mix {
		p.Mix = append(p.Mix, *row)
		p.VectorBits = max(p.VectorBits, row.VectorBits)
	}
	slices.SortFunc(p.Mix, func(a, b roofline.MixRow) int {
		switch {
		case a.Flops != b.Flops:
			return sign(b.Flops - a.Flops)
		case a.Instructions != b.Instructions:
			return sign(b.Instructions - a.Instructions)
		}
		return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
	})
	if s.caches != nil {
		p.Traffic = map[string]float64{}
		line := float64(s.caches.Levels[0].Line)
		p.LineBytes = line
		for i, name := range s.levels() {
			if i > 0 {
				p.Traffic[name] = line * float64(s.caches.Filled[i]+s.caches.Written[i])
			}
		}
	}
	return p
}

// key is the kind of a floating-point instruction.
func (s *seen) key(x *site) mixKey {
	k := mixKey{x.float.Kind, x.float.Bits, 0}
	switch {
	case x.float.Lanes > 1:
		k.vector = x.float.Lanes * x.float.Bits
	case x.float.Lanes == 0:
		k.vector = max(s.vector, 1)
	}
	return k
}

func sign(v float64) int {
	switch {
	case v < 0:
		return -1
	case v > 0:
		return 1
	}
	return 0
}

// levels names the levels of memory: the caches and main memory. Without a cache model the first level serves all accesses.
func (s *seen) levels() (out []string) {
	if s.caches == nil {
		return []string{"L1"}
	}
	for _, l := range s.caches.Levels {
		out = append(out, l.Name)
	}
	return append(out, "memory")
}
