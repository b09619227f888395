package analyze

import (
	"cmp"
	"slices"

	"incore/internal/analysis/engine"
	"incore/internal/analyze/predict"
	"incore/internal/base/parallel"
	"incore/internal/base/source"
	"incore/internal/isa"
	"incore/internal/report"
	"incore/internal/report/describe"
)

// LoopsText lists the innermost loops of assembly text, the likely hottest first. Their places are line numbers, since a text has no addresses.
func LoopsText(f *source.File, o LoopOptions) (*report.Loops, error) {
	o.Select.Function = o.Function
	p, targets, err := Read(f, &o.Options)
	if err != nil {
		return nil, err
	}
	found, _, err := p.Kernels(o.Select)
	if err != nil {
		return nil, err
	}
	t := targets[0]
	out := &report.Loops{Schema: report.LoopsSchema, File: f.Name, Format: "assembly text", ISA: p.Language.ISA.Name, Arch: t.Model.Name, Why: t.Why, Functions: len(p.Functions), Order: "heat", Loops: []report.LoopInfo{}}
	bounds := predict.Predictor{Model: t.Model, Engine: engine.Bounds, Conditions: predict.Conditions{NoFlags: o.NoFlags}}
	list := make([]report.LoopInfo, len(found))
	parallel.For(len(found), func(i int) {
		k := &found[i]
		if !k.Loop {
			return
		}
		body := p.Build(k)
		x := &list[i]
		*x = report.LoopInfo{Function: cmp.Or(k.Function, k.Name), Number: i + 1, Address: k.Name, Bytes: size(body), Lines: p.LineNumbers(k).String(), Depth: k.Depth, Innermost: true,
			Instructions: k.Len(), Body: len(body.Lines), Paths: 1, Vector: mix(body), Heat: k.Heat}
		use := bounds
		if i < o.Simulate {
			use.Engine = engine.Auto
		}
		predictLoop(x, &use, body)
	})
	out.Loops = slices.DeleteFunc(list, func(x report.LoopInfo) bool { return x.Number == 0 })
	slices.SortStableFunc(out.Loops, func(a, b report.LoopInfo) int { return cmp.Compare(b.Heat, a.Heat) })
	if n := len(found) - len(out.Loops); n > 0 {
		out.Diagnostics = append(out.Diagnostics, report.Diagnostic{Kind: report.MarkedNoLoop, Severity: "note", File: f.Name, Values: report.Values{Count: n}})
	}
	describe.Loops(out)
	return out, nil
}

// size returns the bytes of the instructions of a kernel.
func size(k *isa.Kernel) (n uint64) {
	for i := range k.Lines {
		n += uint64(k.Lines[i].Inst.Size)
	}
	return n
}
