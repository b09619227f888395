package trace

import (
	"fmt"
	"slices"
	"strings"

	"incore/internal/base/symname"
	"incore/internal/isa"
	"incore/internal/object"
)

// region is the traced part of a program: ranges of code and all functions that they call. The zero value is the whole program.
type region struct {
	ranges []Range // of the program's file; empty: everything
	whole  bool    // only a return leaves the region: it is a function, which may have parts outside its address range
	entry  uint64  // entry of the function
	bias   uint64

	active bool
	calls  []uint64 // return addresses
	depth  int      // number of calls when the region was entered
	isRet  bool     // the block before ended with a return
}

// newRegion returns the region that the options select.
func newRegion(f *object.File, o *Options) (r region, err error) {
	r.ranges = slices.Clone(o.Ranges)
	if o.Function != "" {
		fn := f.Function(o.Function)
		if fn == nil {
			return r, fmt.Errorf("%s has no function %q%s", f.Path, o.Function, similar(f, o.Function))
		}
		r.whole, r.entry = len(r.ranges) == 0 && o.Loop == "", fn.Addr
		r.ranges = append(r.ranges, Range{fn.Addr, fn.End()})
	}
	if o.Loop != "" {
		l, err := findLoop(f, o.Loop)
		if err != nil {
			return r, err
		}
		if r.ranges = slices.Clone(o.Ranges); len(r.ranges) > 0 || o.Function != "" {
			return r, fmt.Errorf("--loop stands alone, without --function and --range")
		}
		for _, b := range l.Blocks {
			r.ranges = append(r.ranges, Range{l.Graph.Blocks[b].Addr, l.Graph.Blocks[b].End})
		}
	}
	return r, nil
}

func similar(f *object.File, name string) string {
	if like := f.Similar(name, 3); len(like) > 0 {
		return "; it has " + strings.Join(like, ", ")
	}
	return ""
}

// findLoop finds a loop by its name, function+0x1c, whose function may be shortened as in the tables; for the name of a function it returns the loop with most instructions.
func findLoop(f *object.File, name string) (*object.Loop, error) {
	function, place := symname.Split(name)
	fn := f.Function(function)
	if fn == nil {
		return nil, fmt.Errorf("%s has no function %q%s: a loop is named function+0x1c, as incore loops lists them", f.Path, function, similar(f, function))
	}
	var best *object.Loop
	var known []string
	for _, l := range f.Loops(fn) {
		known = append(known, l.Name())
		if l.Name() == fn.Name+place {
			return l, nil
		}
		if place == "" && (best == nil || l.Insts > best.Insts) {
			best = l
		}
	}
	if best != nil {
		return best, nil
	}
	for _, other := range f.Functions() { // whose short name is the same
		if place != "" && other != fn && symname.Rank(other.Name, function) > 0 {
			for _, l := range f.Loops(other) {
				if l.Name() == other.Name+place {
					return l, nil
				}
			}
		}
	}
	if len(known) == 0 {
		return nil, fmt.Errorf("function %s of %s has no loop", function, f.Path)
	}
	return nil, fmt.Errorf("function %s of %s has no loop %s; it has %s", function, f.Path, name, strings.Join(symname.Fit(known, symname.Short), ", "))
}

// all reports whether the whole program is traced.
func (r *region) all() bool { return len(r.ranges) == 0 }

// deepest is the number of nested calls that are tracked; beyond it the oldest are dropped.
const deepest = 1 << 16

// holds reports whether a block begins in the region's code.
func (r *region) holds(b *Block) bool {
	if b.inside == 0 {
		at := b.Addr() - r.bias
		if b.inside = -1; slices.ContainsFunc(r.ranges, func(x Range) bool { return at >= x.Lo && at < x.Hi }) {
			b.inside = 1
		}
	}
	return b.inside > 0
}

// follow advances to a block; traced reports whether it is traced, first whether it is the first traced block after untraced ones.
func (r *region) follow(b *Block) (traced, first bool) {
	if r.all() {
		return true, false
	}
	was := r.active
	if r.isRet {
		r.isRet = false
		for i := len(r.calls) - 1; i >= 0 && i >= len(r.calls)-64; i-- {
			if r.calls[i] == b.Addr() {
				r.calls = r.calls[:i]
				break
			}
		}
	}
	switch {
	case r.whole:
		if r.active && len(r.calls) < r.depth {
			r.active = false
		}
		if !r.active && b.Addr() == r.entry+r.bias {
			r.active, r.depth = true, len(r.calls)
		}
	case r.holds(b):
		r.active, r.depth = true, len(r.calls)
	case r.active && len(r.calls) <= r.depth:
		r.active = false
	}
	if b.flow == isa.FlowCall {
		if len(r.calls) >= deepest {
			r.calls = append(r.calls[:0], r.calls[deepest/2:]...)
			r.depth -= deepest / 2
		}
		r.calls = append(r.calls, b.end)
	}
	r.isRet = b.flow == isa.FlowReturn
	return r.active, r.active && !was
}
