package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"incore/internal/analysis/engine"
	"incore/internal/analyze/predict"
	"incore/internal/asm"
	"incore/internal/base/parallel"
	"incore/internal/isa"
	"incore/internal/object"
	"incore/internal/report"
	"incore/internal/report/describe"
)

// LoopOptions configures Loops.
type LoopOptions struct {
	Options
	Function string   // only its loops
	Simulate int      // number of loops, the first of the sorted list, that are simulated; the bounds predict the others
	Profile  *Profile // sorts the loops by measured time; nil: by estimated heat
	// Progress, if not nil, is called after each searched function, from several goroutines.
	Progress func(done, total int)
}

// Loops lists the loops of an object file, the hottest first.
func Loops(f *object.File, o LoopOptions) (*report.Loops, error) {
	recorded := ""
	if o.Profile != nil {
		if err := o.Profile.Suits(f); err != nil {
			return nil, err
		}
		if name, why := o.Profile.Machine(); name != "" && len(o.Archs)+len(o.Models) == 0 {
			o.Archs, recorded = []string{name}, why
		}
	}
	targets, a, err := Targets(&o.Options, f.ISA)
	if err != nil {
		return nil, err
	}
	fns := f.Functions()
	if o.Function != "" {
		fn := f.Function(o.Function)
		if fn == nil {
			return nil, noFunction(f, o.Function)
		}
		fns = []*object.Function{fn}
	}
	t := targets[0]
	out := &report.Loops{Schema: report.LoopsSchema, File: f.Path, Format: f.Format, ISA: a.Name, Arch: t.Model.Name, Why: cmp.Or(recorded, t.Why), Functions: len(fns), Order: "heat", Loops: []report.LoopInfo{}}
	find := &loopFinder{file: f, options: &o.Options, bounds: predict.Predictor{Model: t.Model, Engine: engine.Bounds, Conditions: predict.Conditions{NoFlags: o.NoFlags}}}
	found := find.all(fns, o.Progress)
	if o.Profile != nil {
		notes := o.Profile.share(find, found)
		if !slices.ContainsFunc(notes, func(d report.Diagnostic) bool {
			return d.Kind == report.ProfileOfOthers || d.Kind == report.ProfileElsewhere
		}) {
			out.Order = "profile"
		}
		out.Diagnostics = append(append(out.Diagnostics, notes...), o.Profile.notes()...)
	}
	slices.SortStableFunc(found, func(a, b *foundLoop) int {
		return cmp.Or(cmp.Compare(b.info.Share, a.info.Share), last(a.fn.OfRuntime(), b.fn.OfRuntime()), cmp.Compare(b.info.Heat, a.info.Heat))
	})
	find.refine(found[:min(o.Simulate, len(found))])
	if err := o.interrupted(); err != nil {
		return nil, err
	}
	for _, l := range found {
		if m := l.info.Measured; m != nil && l.info.Cycles > 0 {
			m.Ratio = report.Round(m.Cycles / l.info.Cycles)
		}
		out.Loops = append(out.Loops, l.info)
	}
	if slices.ContainsFunc(found, func(l *foundLoop) bool { return l.deep }) {
		out.Diagnostics = append(out.Diagnostics, report.Diagnostic{Kind: report.DeepLoops, Severity: "note", File: f.Path, Values: report.Values{Count: object.MaxHeight}})
	}
	out.Diagnostics = append(out.Diagnostics, warnings(f)...)
	find.text(out.Loops[:min(max(o.Simulate, withText), len(out.Loops))], found)
	describe.Loops(out)
	return out, nil
}

// last is a comparison that sorts false before true.
func last(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// foundLoop is a loop and its description.
type foundLoop struct {
	fn   *object.Function
	info report.LoopInfo
	deep bool         // the loops around it are not listed
	loop *object.Loop // nil, to save memory, until method again finds the loop once more
	// lines are the source lines of its code, for profiles by line; computed when first needed.
	lines map[int]bool
}

// loopFinder finds and predicts loops on all cores.
type loopFinder struct {
	file    *object.File
	bounds  predict.Predictor
	options *Options
}

// all returns the loops of functions, in order of their addresses.
func (f *loopFinder) all(fns []*object.Function, progress func(done, total int)) []*foundLoop {
	byFunction := make([][]*foundLoop, len(fns))
	var done atomic.Int64
	memory := sync.Pool{New: func() any { return new([]isa.Line) }}
	parallel.For(len(fns), func(i int) {
		if f.options.interrupted() != nil {
			return
		}
		lines := memory.Get().(*[]isa.Line)
		defer memory.Put(lines)
		for n, l := range f.file.Loops(fns[i]) {
			byFunction[i] = append(byFunction[i], f.describe(l, n, lines))
		}
		if progress != nil {
			progress(int(done.Add(1)), len(fns))
		}
	})
	return slices.Concat(byFunction...)
}

// again finds loops once more and sets their field loop.
func (f *loopFinder) again(found []*foundLoop) {
	of := map[*object.Function][]*object.Loop{}
	for _, x := range found {
		if x.loop != nil {
			continue
		}
		if of[x.fn] == nil {
			of[x.fn] = f.file.Loops(x.fn)
		}
		x.loop = of[x.fn][x.info.Number-1]
	}
}

// describe fills in the description of a loop except the simulator's predictions. lines is memory for its code.
func (f *loopFinder) describe(l *object.Loop, n int, lines *[]isa.Line) *foundLoop {
	lo, hi := l.Range()
	x := &foundLoop{fn: l.Func, deep: l.Depth > 1 && l.Parent < 0, info: report.LoopInfo{Function: l.Func.Name, Member: l.Func.Member(), Number: n + 1, Address: fmt.Sprintf("%#x", l.Addr()), Bytes: hi - lo, Depth: l.Depth,
		Innermost: l.Innermost, Instructions: l.Insts, Bound: "unknown"}}
	k, paths := l.Body(*lines)
	*lines = k.Lines
	x.info.Paths, x.info.Body = paths, len(k.Lines)
	x.info.Lines = sourceLines(k.Lines)
	x.info.Vector = mix(k)
	x.info.Heat, _ = asm.Heat(k.ISA, k.Lines, l.Depth)
	if !l.Innermost {
		x.info.Heat /= 8 // the time goes to the loops within
	}
	x.predict(&f.bounds, k)
	return x
}

// refine predicts loops by the simulator.
func (f *loopFinder) refine(found []*foundLoop) {
	p := f.bounds
	p.Engine = engine.Auto
	f.again(found)
	parallel.For(len(found), func(i int) {
		if f.options.interrupted() != nil {
			return
		}
		k, _ := found[i].loop.Body(nil)
		found[i].predict(&p, k)
	})
}

func (x *foundLoop) predict(p *predict.Predictor, k *isa.Kernel) { predictLoop(&x.info, p, k) }

// predictLoop fills in the predictions of a loop.
func predictLoop(x *report.LoopInfo, p *predict.Predictor, k *isa.Kernel) {
	g, e := p.Estimate(k)
	e = p.Lowest(g, e)
	x.Cycles, x.Bound, x.Engine, x.Unknown = report.Round(e.Cycles), report.Bound(e.Limit), report.Engine(e.Engine), g.Bound.Unknown()
	x.AtLeast = g.AtLeast()
	x.InOrder = g.Bound.Model.Params.InOrder
	x.Lacks = g.Bound.Lacking()
	if l, why := g.Bound.Reserved(); l != nil {
		x.Reserved = report.ReservedText(l.Text, why)
	}
}

// mix counts the instructions of a kernel by the widest register class among their operands; those that work on one element of a register are scalar.
func mix(k *isa.Kernel) (v report.Vector) {
	for i := range k.Lines {
		in := &k.Lines[i].Inst
		switch bits, scalable := width(k.ISA, in); {
		case bits == 128 && k.ISA.OneElement != nil && k.ISA.OneElement(in):
			v.Scalar++
		case scalable:
			v.Scalable++
		case bits >= 512:
			v.V512++
		case bits >= 256:
			v.V256++
		case bits >= 128: // not the 80 bits of x87
			v.V128++
		default:
			v.Scalar++
		}
	}
	return v
}

// width is the number of bits of the widest register operand of an instruction. scalable reports whether one is a vector whose length is the core's.
func width(a *isa.ISA, in *isa.Inst) (bits int, scalable bool) {
	for op := 0; op < int(in.NOps); op++ {
		if in.Ops[op].Kind != isa.OpReg {
			continue
		}
		if c := a.Forms.OperandClass(in.Form, op); c != nil && c.RegClass != "" {
			_, b := a.Regs.Class(c.RegClass)
			bits = max(bits, b)
			scalable = scalable || slices.ContainsFunc(a.Scalable, func(prefix string) bool { return strings.HasPrefix(c.RegClass, prefix) })
		}
	}
	return bits, scalable
}
